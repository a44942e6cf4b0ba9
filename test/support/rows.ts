/** Reads and writes rows with SQL, so that tests do not depend on operations of the API. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { placeOf } from '../../src/db/places.ts'

export interface TestStore {
  id: string
  token: string
}

const IDS_PER_STORE = 2 ** 32
const LAST_STORE = 2 ** 21 - 1

/** In milliseconds since the epoch; it looks like no id of a store with a database of its own (storeIn). */
export const FAR_FUTURE = 1e15

/** The store of an id, or the store whose number it is. */
function storeIn(param: number): number {
  return param <= LAST_STORE ? param : Math.floor(param / IDS_PER_STORE)
}

/**
 * The ids among the parameters say where the rows are: in the shared database, or in that of a store. Times are smaller
 * than the ids of such a store, and larger than their numbers.
 */
export async function rowsOf(sql: string, ...params: unknown[]): Promise<any[]> {
  const stores = params.filter((param) => typeof param === 'number').map((param) => storeIn(param))
  const own = stores.find((store) => placeOf(store) === 'own')
  if (own !== undefined) {
    const stub = env.STORES.getByName(String(own))
    return runInDurableObject(stub, (_, { storage }) => storage.sql.exec(sql, ...params).toArray())
  }
  return sharedRowsOf(sql, ...params)
}

/** The same in the shared database, whatever the ids say. */
export async function sharedRowsOf(sql: string, ...params: unknown[]): Promise<any[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...params)
    .all()
  return results
}

/** Returns the number of a store, with which the ids of its rows begin. */
export async function storeNumber(store: TestStore): Promise<number> {
  const [row] = await rowsOf(
    'select id >> 32 as number from stores where slug = ?1 union all select number from directory where slug = ?1',
    store.id,
  )
  return row.number
}

/** Returns the id of a record that the API shows as `n`. */
export async function idIn(store: TestStore, n: string | number): Promise<number> {
  return (await storeNumber(store)) * IDS_PER_STORE + Number(n)
}

/** Returns the id as the API shows it. */
export function numberOf(id: number): number {
  return id % IDS_PER_STORE
}

export async function usersOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from users where store = ? order by id', await storeNumber(store))
}

export async function userRow(store: TestStore, n: string | number): Promise<any> {
  const [row] = await rowsOf('select * from users where id = ?', await idIn(store, n))
  return row
}

export async function accessesOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from product_accesses where store = ? order by id', await storeNumber(store))
}

/** Returns the events of a store, the oldest first. */
export async function eventsOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from events where id >> 32 = ? order by id', await storeNumber(store))
}

export async function claimsOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from idempotency_keys where store = ? order by created_at, key', await storeNumber(store))
}

/** Moves the claims of a store into the past. */
export async function ageClaims(store: TestStore, milliseconds: number): Promise<void> {
  const number = await storeNumber(store)
  await rowsOf('update idempotency_keys set created_at = created_at - ? where store = ?', milliseconds, number)
}

export async function tokenRow(store: TestStore): Promise<any> {
  const [row] = await rowsOf('select * from access_tokens where id = ?', await tokenId(store))
  return row
}

async function tokenId({ token }: TestStore): Promise<number> {
  const [, number, n] = token.split('_')
  return Number(number) * IDS_PER_STORE + Number(n)
}

/** Sets the last use of the token into the future, so that no request writes it and changes the measured costs. */
export async function useToken(store: TestStore): Promise<void> {
  await rowsOf('update access_tokens set last_used_at = ? where id = ?', FAR_FUTURE, await tokenId(store))
}

interface NewEvent {
  type: string
  /** This is the id of the record; an event without it creates a record with the id of the event. */
  subject?: number
  user_id?: number
  product_id?: number
}

/** Writes the next event of a store with the actor system, and returns its id. */
export async function insertEvent(store: TestStore, { type, subject, user_id, product_id }: NewEvent): Promise<number> {
  const first = await idIn(store, 0)
  const [row] = await rowsOf(
    `insert into events (id, type, created_at, request_id, attempt, subject_id, previous_id, user_id, product_id)
      select n.id, ?3, ?4, ?5, 0, coalesce(?6, n.id), (select max(id) from events where subject_id = ?6), ?7, ?8
      from (select max(id) + 1 as id from events where id > ?1 and id < ?2) n returning id`,
    first,
    first + IDS_PER_STORE,
    type,
    Date.now(),
    crypto.randomUUID(),
    subject ?? null,
    user_id ?? null,
    product_id ?? null,
  )
  return row.id
}

interface NewEvents {
  type: string
  count: number
  created_at?: number
}

/** Writes the next events of a store without their records, and returns their ids. */
export async function insertEvents(
  store: TestStore,
  { type, count, created_at = Date.now() }: NewEvents,
): Promise<number[]> {
  const first = await idIn(store, 0)
  const rows = await rowsOf(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?3),
      newest(id) as (select max(id) from events where id > ?1 and id < ?2)
      insert into events (id, type, created_at, request_id, attempt, subject_id)
      select newest.id + i, ?4, ?5, ?6, 0, newest.id + i from n, newest returning id`,
    first,
    first + IDS_PER_STORE,
    count,
    type,
    created_at,
    crypto.randomUUID(),
  )
  return rows.map(({ id }) => id)
}

export async function defineField(store: TestStore, key: string): Promise<void> {
  const id = await insertEvent(store, { type: 'custom_field.created' })
  const fields = 'insert into custom_fields (id, store, key, created_at, event_id) values (?1, ?2, ?3, ?4, ?1)'
  await rowsOf(fields, id, await storeNumber(store), key, Date.now())
}

export async function deleteField(store: TestStore, key: string): Promise<void> {
  const number = await storeNumber(store)
  const [{ id }] = await rowsOf('delete from custom_fields where store = ? and key = ? returning id', number, key)
  await insertEvent(store, { type: 'custom_field.deleted', subject: id })
}

/** Creates a product and returns it as an access contains it. */
export async function newProduct(store: TestStore, fields: object = {}): Promise<any> {
  const product = { name: 'P', slug: `p-${crypto.randomUUID()}`, type: 'course', expiration_days: null, ...fields }
  const id = await insertEvent(store, { type: 'product.created' })
  await rowsOf(
    `insert into products (id, store, slug, name, type, expiration_days, created_at, event_id)
      values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?1)`,
    id,
    await storeNumber(store),
    product.slug,
    product.name,
    product.type,
    product.expiration_days,
    Date.now(),
  )
  return { ...product, id: String(numberOf(id)) }
}

interface NewAccess {
  user_id: string
  product_id: string
  status?: string
  /** Milliseconds since the epoch. */
  access_due_date?: number | null
}

/** Creates an access and returns its id as the API shows it. */
export async function insertAccess(store: TestStore, access: NewAccess): Promise<string> {
  const user_id = await idIn(store, access.user_id)
  const product_id = await idIn(store, access.product_id)
  const id = await insertEvent(store, { type: 'product_access.granted', user_id, product_id })
  await rowsOf(
    `insert into product_accesses
      (id, store, user_id, product_id, status, access_due_date, progress, passed, created_at, event_id, changed_by)
      values (?1, ?2, ?3, ?4, ?5, ?6, 0, 0, ?7, ?1, ?1)`,
    id,
    await storeNumber(store),
    user_id,
    product_id,
    access.status ?? 'with_access',
    access.access_due_date ?? null,
    Date.now(),
  )
  return String(numberOf(id))
}

/** Erases a user as the operation does: the rows are deleted, the events and claims stay. */
export async function eraseUser(store: TestStore, n: string | number): Promise<void> {
  const id = await idIn(store, n)
  await insertEvent(store, { type: 'user.erased', subject: id })
  await rowsOf('delete from product_accesses where user_id = ?', id)
  await rowsOf('delete from users where id = ?', id)
}

/** Erases the user with this email. */
export async function eraseUserWith(store: TestStore, email: string): Promise<void> {
  const user = (await usersOf(store)).find((row) => row.email === email)
  await eraseUser(store, numberOf(user.id))
}

/** Changes columns of the store's token, with an event. */
export async function changeToken(store: TestStore, columns: Record<string, string | number | null>): Promise<void> {
  const id = await tokenId(store)
  const event = await insertEvent(store, { type: 'access_token.updated', subject: id })
  await setColumns('access_tokens', id, { ...columns, event_id: event })
}

export function revokeToken(store: TestStore): Promise<void> {
  return changeToken(store, { revoked_at: Date.now() })
}

/** Suspends the store, or ends its suspension. */
export async function suspendStore(store: TestStore, suspended = true): Promise<void> {
  const id = await idIn(store, 1)
  const event = await insertEvent(store, { type: 'store.updated', subject: id })
  await setColumns('stores', id, { suspended_at: suspended ? Date.now() : null, event_id: event })
}

async function setColumns(table: string, id: number, columns: Record<string, string | number | null>): Promise<void> {
  const assignments = Object.keys(columns).map((column) => `${column} = ?`)
  await rowsOf(`update ${table} set ${assignments.join(', ')} where id = ?`, ...Object.values(columns), id)
}

/** Inserts `count` accesses that end at the same time and have no events yet. */
export async function insertDatedAccesses(own: TestStore, count: number, due: number): Promise<void> {
  const product = await newProduct(own)
  const last = (await eventsOf(own)).at(-1).id
  const [number, product_id] = [await storeNumber(own), await idIn(own, product.id)]
  const series = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  await rowsOf(
    `${series} insert into users
        (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language, created_at, updated_at, event_id)
      select ?1 + 2 * i, ?2, i || '', i || '', 'A', 'B', 'a', 'b', 'student', 'EN', 0, 0, ?1 + 2 * i from n`,
    last,
    number,
  )
  await rowsOf(
    `${series} insert into product_accesses (id, store, user_id, product_id, status, access_due_date, progress, passed,
        created_at, event_id, changed_by)
      select ?1 + 2 * i + 1, ?2, ?1 + 2 * i, ?3, 'with_access', ?4, 0, 0, 0, ?1 + 2 * i + 1, ?1 + 2 * i + 1 from n`,
    last,
    number,
    product_id,
    due,
  )
  await rowsOf(
    `insert into events (id, type, created_at, request_id, attempt, subject_id)
      values (?1, 'store.restored', 0, 'r', 0, ?2)`,
    last + 2 * count + 2,
    await idIn(own, 1),
  )
}
