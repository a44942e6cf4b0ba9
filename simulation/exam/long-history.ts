/** One access is changed in every way there is. Its history has each change, because each event names the one before it. */
import { DAY_MS } from '../contract.ts'
import { toRow } from '../rows.ts'
import { grantAccesses } from './announcements.ts'
import { type Examiner, ROOT } from './examiner.ts'
import { readFeed } from './decide.ts'
import { readEtags } from './etags.ts'
import { perform } from './perform.ts'

/** By then, a bulk change of one access has ended. */
const BULK_MS = 45_000

export async function changeInEveryWay(exam: Examiner): Promise<void> {
  const [id = ''] = (await grantAccesses(exam, [exam.now + 400 * DAY_MS])).keys()
  const path = `/product_accesses/${id}`
  const close = { status: 'without_access' }
  const open = { status: 'with_access' }
  const { user: user_id = '', product: product_id = '' } = exam.model.accesses.get(id) ?? {}
  const { email, name, last_name } = exam.model.users.get(user_id)?.json ?? {}
  // In a batch, null has the same effect as an omitted field, so the user stays as it is.
  const custom_fields = Object.fromEntries([...exam.model.fields.keys()].map((key) => [key, null]))
  const omitted = { phone: null, country: null, external_id: null, custom_fields }
  const nested = { email, name, last_name, ...omitted, product_accesses: [{ product_id, ...close }] }
  const changes = [
    { method: 'PUT', path, body: close },
    { method: 'POST', path: '/product_accesses/batch', body: update({ user_id, product_id, ...open }) },
    { method: 'PATCH', path, body: { progress: 50 } },
    { method: 'POST', path: '/users/batch', body: update(nested) },
  ]
  for (const { method, ...change } of changes) {
    await exam.pass(1)
    await perform(exam, 'one of many changes', method, change)
  }
  const bulk = { filter: { user_ids: [user_id], product_id }, change: open }
  await perform(exam, 'bulk change', 'POST', { path: '/bulk_changes', body: bulk })
  await exam.pass(BULK_MS)
  const access = exam.model.accesses.get(id)
  if (access) exam.model.accesses.set(id, { ...access, json: { ...access.json, ...open }, etag: '' })
  await perform(exam, 'one of many changes', 'PUT', { path, body: close })
  await readEtags(exam)

  await perform(exam, 'product of a closed access', 'DELETE', { path: `/products/${product_id}` })
  const events = (await readFeed(exam)).filter(({ data }) => toRow(data)['product_access_id'] === id)
  await exam.expectRows('history', ROOT, `${path}/events`, events.toReversed(), 3)
}

const update = (item: object) => ({ items: [item], on_existing: 'update' })
