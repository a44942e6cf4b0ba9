/** One record, in every way and up to its limits. */
import type { Random } from '../world/random.ts'
import type { Examiner } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'
import { newPerson } from './people.ts'
import { perform, readEtags } from './perform.ts'
import { DAY_MS } from '../contract.ts'
import { grantAccesses } from './announcements.ts'

/** Four bytes in UTF-8, one character for the limit of a value. Eight such values fit into 32,768 bytes, and nine do not. */
const VALUE = '😀'.repeat(1000)
const FIELDS = 9

export async function fillCustomFields(exam: Examiner, random: Random): Promise<void> {
  const keys = Array.from({ length: FIELDS }, (_, i) => `large-${i}`)
  for (const key of keys) await perform(exam, 'large field', 'PUT', { path: `/custom_fields/${key}`, body: {} })
  const { custom_fields: __, ...body } = newPerson(exam, random)
  const { id } = await perform(exam, 'user with large fields', 'POST', { path: '/users', body })
  const path = `/users/${String(id)}`
  for (const key of keys) {
    await exam.pass(1)
    await perform(exam, 'large value', 'PATCH', { path, body: { custom_fields: { [key]: VALUE } } })
  }
  await perform(exam, 'erasure', 'DELETE', { path })
  for (const key of keys) await perform(exam, 'removal', 'DELETE', { path: `/custom_fields/${key}` })
}

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
  await exam.readFeed()
  await perform(exam, 'one of many changes', 'PUT', { path, body: close })
  await readEtags(exam)

  await perform(exam, 'product of a closed access', 'DELETE', { path: `/products/${product_id}` })
  await exam.readPages('history', { caller: ROOT, slug: exam.model.slug, path: `${path}/events`, limit: 3 })
}

const update = (item: object) => ({ items: [item], on_existing: 'update' })
