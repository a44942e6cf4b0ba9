/**
 * Bulk changes in tests. Their objects are not woken, so that a test decides when they work: `carryOut` has the object of
 * the store work until nothing is left.
 */
import { env } from 'cloudflare:workers'
import { getTableColumns } from 'drizzle-orm'
import { expect } from 'vitest'
import { bulk_changes } from '../../src/db/schema/accesses.ts'
import { carryOut as workOn } from '../../src/modules/bulk-changes/carry-out.ts'
import type { Answer } from './openapi.ts'
import { admin, call, type CallOptions, newStore, summary } from './api.ts'
import { faultyObjects } from './faults.ts'
import { idIn, rowsOf, storeNumber, type TestStore } from './rows.ts'

/** Objects whose wake-ups are recorded and lost. */
export const lostWakes = () => faultyObjects(env, () => 'lost')

export const SILENT = lostWakes().bindings

export interface Campus {
  store: TestStore
  products: string[]
  users: string[]
  /** The accesses of all users to the first product, then of all users to the second one, in the order of their ids. */
  accesses: string[]
}

interface CampusFields {
  users?: number
  products?: number
  status?: string
  due?: number | null
}

/** Creates a store with users who each have an access to each product, with one statement per table. */
export async function newCampus({
  users = 4,
  products = 1,
  status = 'with_access',
  due = null,
}: CampusFields = {}): Promise<Campus> {
  const store = await newStore()
  const number = await storeNumber(store)
  const first = await idIn(store, 0)
  const now = Date.now()
  const insert = async (type: string, count: number) =>
    rowsOf(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2),
        newest(id) as (select max(id) from events where id > ?1 and id < ?1 + 4294967296)
        insert into events (id, type, created_at, request_id, attempt, subject_id)
        select newest.id + i, ?3, ?4, '', 0, newest.id + i from n, newest returning id`,
      first,
      count,
      type,
      now,
    ).then((rows) => rows.map(({ id }): number => id))
  const productIds = await insert('product.created', products)
  const userIds = await insert('user.created', users)
  const accessIds = await insert('product_access.granted', users * products)
  const list = (ids: number[]) => JSON.stringify(ids.map((id) => id - first))
  await rowsOf(
    `insert into products (id, store, slug, name, type, created_at, event_id)
      select ?1 + value, ?2, 'p-' || value, 'P', 'course', ?3, ?1 + value from json_each(?4)`,
    first,
    number,
    now,
    list(productIds),
  )
  await rowsOf(
    `insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language, created_at, updated_at, event_id)
      select ?1 + value, ?2, 'u' || value || '@example.com', 'u' || value || '@example.com', 'A', 'B', 'a', 'b', 'student', 'EN', ?3, ?3,
        ?1 + value from json_each(?4)`,
    first,
    number,
    now,
    list(userIds),
  )
  await rowsOf(
    `insert into product_accesses (id, store, user_id, product_id, status, access_due_date, progress, passed, created_at,
      event_id, changed_by)
      select ?1 + a.value, ?2, ?1 + (?5 ->> (a.key % cast(?7 as integer))), ?1 + (?6 ->> (a.key / cast(?7 as integer))), ?8, ?9, 0, 0, ?3, ?1 + a.value,
        ?1 + a.value from json_each(?4) a`,
    first,
    number,
    now,
    list(accessIds),
    list(userIds),
    list(productIds),
    users,
    status,
    due,
  )
  const numbers = (ids: number[]) => ids.map((id) => String(id - first))
  return { store, products: numbers(productIds), users: numbers(userIds), accesses: numbers(accessIds) }
}

/** Sends a request for bulk changes; no object is woken. */
export function bulk(
  { store }: Pick<Campus, 'store'>,
  method: string,
  path = '',
  body?: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  return call(method, `/v1/stores/${store.id}/bulk_changes${path}`, {
    token: store.token,
    ...(body === undefined ? {} : { body }),
    ...options,
    bindings: { ...SILENT, ...options.bindings },
  })
}

/** Creates a bulk change and returns it. */
export async function post(campus: Pick<Campus, 'store'>, body: object): Promise<any> {
  const answer = await bulk(campus, 'POST', '', body)
  expect(summary(answer)).toBe('202')
  return answer.json
}

/** Inserts copies of a bulk change, as if that many requests had created it. */
export async function copyBulkChange({ store }: Pick<Campus, 'store'>, id: string, copies: number): Promise<void> {
  const own = ['id', 'position', 'request_id']
  const columns = Object.keys(getTableColumns(bulk_changes)).filter((name) => !own.includes(name))
  await rowsOf(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
      insert into bulk_changes (${own.join(', ')}, ${columns.join(', ')})
      select id + i, position + i, request_id || i, ${columns.join(', ')} from bulk_changes, n where id = ?1`,
    await idIn(store, id),
    copies,
  )
}

export async function read(campus: Pick<Campus, 'store'>, id: string): Promise<any> {
  return (await bulk(campus, 'GET', `/${id}`)).json
}

/** Has the bulk changes of the store carried out, as its object does. */
export async function carryOut({ store }: Pick<Campus, 'store'>, bindings: object = {}): Promise<void> {
  const number = await storeNumber(store)
  while ((await workOn(number, { ...env, ...SILENT, ...bindings }, () => false)) === 'more');
}

/** Creates a bulk change, has it carried out, and returns it as it is then. */
export async function run(campus: Pick<Campus, 'store'>, body: object): Promise<any> {
  const { id } = await post(campus, body)
  await carryOut(campus)
  return read(campus, id)
}

export async function revert(campus: Pick<Campus, 'store'>, id: string): Promise<any> {
  const answer = await bulk(campus, 'POST', `/${id}/revert`)
  expect(summary(answer)).toBe('202')
  await carryOut(campus)
  return read(campus, answer.json.id)
}

export async function accessOf({ store }: Pick<Campus, 'store'>, id: string): Promise<any> {
  return (await admin('GET', `/stores/${store.id}/product_accesses/${id}`)).json
}
