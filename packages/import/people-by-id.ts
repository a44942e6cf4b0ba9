/** Finds the people and the products of rows that have only ids. */
import { isObject } from '../../src/lib/json.ts'
import type { PreparedRow } from './batches.ts'
import { readUsers } from './changes.ts'
import type { Client } from './client.ts'
import { ACCESS_IDS, REQUIRED } from './fields.ts'
import { readAccesses } from './stored-accesses.ts'

const [ACCESS_ID] = ACCESS_IDS
/** Any other text would make the service reject the whole request. */
const ID = /^[1-9]\d{0,14}$/

/**
 * Puts the person and the product into rows that have only ids. A file may be that of another store, where the same number
 * is somebody else, so the access, its user and its product must all agree.
 */
export async function withPeople(
  client: Pick<Client, 'call'>,
  batch: PreparedRow[],
  nameOf: (field: string) => string,
): Promise<PreparedRow[]> {
  const ids = new Set(batch.flatMap((prepared) => prepared.ids?.user ?? []))
  const known = [...ids].filter((id) => ID.test(id))
  const users = await readUsers(client, known)
  const accesses = new Map(known.length > 0 ? await readAccesses(client, known) : [])
  return batch.map((prepared) => {
    const { ids: row, item, text, ...rest } = prepared
    if (row === undefined) return prepared
    const user = users.get(row.user)
    const access = accesses.get(row.user)?.find(({ id, product }) => id === row.access && product.id === row.product)
    const about = { about: row.access, explanation: 'the store has no such access of this user to this product' }
    const reason = { column: nameOf(ACCESS_ID), code: 'unknown_access', ...about }
    if (user === undefined || access === undefined) return { ...rest, item, reasons: [reason, ...rest.reasons] }
    const [values] = Array.isArray(item['product_accesses']) ? item['product_accesses'].filter(isObject) : []
    const whole = {
      ...item,
      ...Object.fromEntries(REQUIRED.map((field) => [field, user[field]])),
      product_accesses: [{ ...values, slug: access.product.slug }],
    }
    return { ...rest, ids: row, item: whole, ...(text !== undefined && { text: JSON.stringify(whole) }) }
  })
}
