/** Reads and ages rows behind the Worker's back. */
import { env } from 'cloudflare:workers'
import { type TestStore, updateAccess } from './api.ts'

export async function rowsOf(sql: string, ...params: unknown[]): Promise<any[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...params)
    .all()
  return results
}

/** The users of a store, of the test's own. */
export function usersOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from users where store_id = ? order by id', store.id)
}

/** The claims of a store's tokens. */
export function claimsOf(store: TestStore): Promise<any[]> {
  return rowsOf(
    `select c.* from idempotency_keys c join access_tokens t on t.id = c.token_id where t.store_id = ?
      order by c.created_at, c.key`,
    store.id,
  )
}

/** Makes the claims of a store's tokens older. */
export async function ageClaims(store: TestStore, milliseconds: number): Promise<void> {
  await rowsOf(
    `update idempotency_keys set created_at = created_at - ?
      where token_id in (select id from access_tokens where store_id = ?)`,
    milliseconds,
    store.id,
  )
}

/** Makes the token known to the instance, and its use of today noted, as after any request that came so far. */
export async function introduce(store: TestStore): Promise<void> {
  await updateAccess(store, '9007199254740991', {})
}
