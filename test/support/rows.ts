/** Reads and writes rows behind the Worker's back: what a test needs there, whatever operations exist. */
import { env } from 'cloudflare:workers'
import type { TestStore } from './api.ts'

const IDS_PER_STORE = 2 ** 32

export async function rowsOf(sql: string, ...params: unknown[]): Promise<any[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...params)
    .all()
  return results
}

/** The number of a store: what its rows' ids begin with. */
export async function storeNumber(store: TestStore): Promise<number> {
  const [row] = await rowsOf('select id >> 32 as number from stores where slug = ?', store.id)
  return row.number
}

/** The id of a record of the store, of which the wire shows `n`. */
export async function idIn(store: TestStore, n: string | number): Promise<number> {
  return (await storeNumber(store)) * IDS_PER_STORE + Number(n)
}

/** What the wire shows of an id. */
export function numberOf(id: number): number {
  return id % IDS_PER_STORE
}

/** The users of a store, of the test's own. */
export async function usersOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from users where store = ? order by id', await storeNumber(store))
}

export async function userRow(store: TestStore, n: string | number): Promise<any> {
  const [row] = await rowsOf('select * from users where id = ?', await idIn(store, n))
  return row
}

/** The accesses of a store. */
export async function accessesOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from product_accesses where store = ? order by id', await storeNumber(store))
}

/** The events of a store, the oldest first. */
export async function eventsOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from events where id >> 32 = ? order by id', await storeNumber(store))
}

/** The claims of a store's callers. */
export async function claimsOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from idempotency_keys where store = ? order by created_at, key', await storeNumber(store))
}

/** Makes the claims of a store older. */
export async function ageClaims(store: TestStore, milliseconds: number): Promise<void> {
  const number = await storeNumber(store)
  await rowsOf('update idempotency_keys set created_at = created_at - ? where store = ?', milliseconds, number)
}

/** The row of the store's own token. */
export async function tokenRow(store: TestStore): Promise<any> {
  const [row] = await rowsOf('select * from access_tokens where id = ?', await tokenId(store))
  return row
}

async function tokenId({ token }: TestStore): Promise<number> {
  const [, number, n] = token.split('_')
  return Number(number) * IDS_PER_STORE + Number(n)
}

/** The store's token was used today, whatever day it is: no request notes it again. */
export async function useToken(store: TestStore): Promise<void> {
  await rowsOf('update access_tokens set last_used_at = ? where id = ?', Number.MAX_SAFE_INTEGER, await tokenId(store))
}

interface NewEvent {
  type: string
  /** The record's id; an event without one makes a record, whose id is its own. */
  subject?: number
  user_id?: number
  product_id?: number
}

/** Writes the next event of a store, as of the service itself; answers its id. */
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

/** The next events of a store, as so many changes would write them, without their records; answers the ids. */
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

/** Answers the product as an access shows it, and its row's id. */
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

/** Answers the number of the access. */
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

/** As the operation does it: the rows are gone, the event and the claims stay. */
export async function eraseUser(store: TestStore, n: string | number): Promise<void> {
  const id = await idIn(store, n)
  await insertEvent(store, { type: 'user.erased', subject: id })
  await rowsOf('delete from product_accesses where user_id = ?', id)
  await rowsOf('delete from users where id = ?', id)
}

/** Erases whoever has the e-mail. */
export async function eraseUserWith(store: TestStore, email: string): Promise<void> {
  const user = (await usersOf(store)).find((row) => row.email === email)
  await eraseUser(store, numberOf(user.id))
}

/** Changes columns of the store's own token, with an event. */
export async function changeToken(store: TestStore, columns: Record<string, string | number | null>): Promise<void> {
  const id = await tokenId(store)
  const event = await insertEvent(store, { type: 'access_token.updated', subject: id })
  await setColumns('access_tokens', id, { ...columns, event_id: event })
}

export function revokeToken(store: TestStore): Promise<void> {
  return changeToken(store, { revoked_at: Date.now() })
}

/** Suspends the store, or takes its tokens again. */
export async function suspendStore(store: TestStore, suspended = true): Promise<void> {
  const id = await idIn(store, 1)
  const event = await insertEvent(store, { type: 'store.updated', subject: id })
  await setColumns('stores', id, { suspended_at: suspended ? Date.now() : null, event_id: event })
}

async function setColumns(table: string, id: number, columns: Record<string, string | number | null>): Promise<void> {
  const assignments = Object.keys(columns).map((column) => `${column} = ?`)
  await rowsOf(`update ${table} set ${assignments.join(', ')} where id = ?`, ...Object.values(columns), id)
}
