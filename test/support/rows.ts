/** Reads and ages rows behind the Worker's back. */
import { env } from 'cloudflare:workers'
import { type TestStore, updateAccess } from './api.ts'

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

/** The users of a store, of the test's own. */
export async function usersOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from users where store = ? order by id', await storeNumber(store))
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

/** Notes the token's use of today, as any request does that came before. */
export async function introduce(store: TestStore): Promise<void> {
  await updateAccess(store, '4294967295', {})
}
