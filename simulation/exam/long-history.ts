/** One access is changed in every way there is. Its history has each change, because each event names the one before it. */
import { DAY_MS } from '../contract.ts'
import { type Row, toRow } from '../rows.ts'
import { eventOf } from './accesses.ts'
import { grantAccesses } from './announcements.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { readFeed } from './reload.ts'
import { readEtags } from './etags.ts'
import { changesOf } from './stores.ts'
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

  await change(exam, id, { method: 'PUT', path, body: close, status: 201, set: close })
  const item = { user_id, product_id, ...open }
  await change(exam, id, {
    method: 'POST',
    path: '/product_accesses/batch',
    body: update(item),
    status: 200,
    set: open,
  })
  await change(exam, id, { method: 'PATCH', path, body: { progress: 50 }, status: 200, set: { progress: 50 } })
  await change(exam, id, { method: 'POST', path: '/users/batch', body: update(nested), status: 200, set: close })
  const bulk = { filter: { user_ids: [user_id], product_id }, change: open }
  const request = { ...requestOf(ROOT, 'POST', exam.model.slug, '/bulk_changes'), body: bulk }
  const { json, start } = await exam.send('bulk change', request, { status: 202 })
  exam.model.bulkChanges.set(String(json['id']), Math.floor(start))
  await exam.pass(BULK_MS)
  set(exam, id, open)
  await change(exam, id, { method: 'PUT', path, body: close, status: 201, set: close })
  await readEtags(exam)

  const product = requestOf(ROOT, 'DELETE', exam.model.slug, `/products/${product_id}`)
  await exam.send('product of a closed access', product, { status: 422, code: 'in_use', fields: ['id'] })

  const events = (await readFeed(exam)).filter(({ data }) => toRow(data)['product_access_id'] === id)
  await exam.expectRows('history', ROOT, `${path}/events`, events.toReversed(), 3)
}

const update = (item: Row) => ({ items: [item], on_existing: 'update' })

interface Change {
  method: string
  path: string
  body: Row
  status: number
  /** The fields of the access that the request changes. */
  set: Row
}

async function change(exam: Examiner, id: string, { method, path, body, status, set: values }: Change): Promise<void> {
  await exam.pass(1)
  const access = exam.model.accesses.get(id)
  if (!access) return
  const event =
    'progress' in values
      ? eventOf('product_access.progressed', access, id, { fields: Object.keys(values) })
      : eventOf('product_access.updated', access, id, { changes: changesOf(access.json, values) })
  const expected = { status, events: () => [event] }
  await perform(exam, 'one of many changes', method, { path, body, expected, apply: () => set(exam, id, values) })
}

function set(exam: Examiner, id: string, values: Row): void {
  const access = exam.model.accesses.get(id)
  if (access) exam.model.accesses.set(id, { ...access, json: { ...access.json, ...values }, etag: '' })
}
