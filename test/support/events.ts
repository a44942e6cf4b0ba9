/** What happened in a store: as the operator reads it, and as it is stored. */
import { admin, type TestStore } from './api.ts'
import { rowsOf } from './rows.ts'

/** The events of a store, page by page, in their order. */
export async function eventsOf(store: TestStore, query: Record<string, string> = {}): Promise<any[]> {
  const events: any[] = []
  for (let after: string | null = query['after'] ?? ''; after !== null;) {
    const cursor: Record<string, string> = after === '' ? {} : { after }
    const search = new URLSearchParams({ ...query, ...cursor }).toString()
    const { json } = await admin('GET', `/stores/${store.id}/events?${search}`)
    events.push(...json.data)
    after = json.next
  }
  return events
}

/** The events that the store has more once `act` is done. */
export async function recordEvents(store: TestStore, act: () => Promise<unknown>): Promise<any[]> {
  const last = (await eventsOf(store)).at(-1)
  await act()
  return eventsOf(store, { after: last.id })
}

export function eventRowsOf(store: TestStore): Promise<any[]> {
  return rowsOf('select * from events where store_id = ? order by id', store.id)
}

/** What the tables say has happened in a store, and what its events say, in the same words. */
const CHANGES = {
  users: 'select id, request_id from users where store_id = ? order by id',
  accesses: 'select id, user_id, product_id, version, request_id from product_accesses where store_id = ? order by id',
  tokens: 'select id from access_tokens where store_id = ? order by id',
  revocations: 'select id from access_tokens where store_id = ? and revoked_at is not null order by id',
}
const TOLD = {
  users: `select user_id as id, request_id from events where store_id = ? and type = 'user.created' order by user_id`,
  // Next to max(id), SQLite takes the other columns from the row that has it.
  accesses: `select product_access_id as id, user_id, product_id, version, request_id from (
      select product_access_id, user_id, product_id, count(*) as version, request_id, max(id) from events
      where store_id = ? and type like 'product\\_access.%' escape '\\' group by product_access_id
    ) order by id`,
  tokens: `select access_token_id as id from events where store_id = ? and type = 'access_token.created'
    order by access_token_id`,
  revocations: `select access_token_id as id from events where store_id = ? and type = 'access_token.revoked'
    order by access_token_id`,
}

export function changesOf(store: TestStore) {
  return read(CHANGES, store)
}

/** Equals `changesOf` where each change has its event, and each event its change. */
export function toldChangesOf(store: TestStore) {
  return read(TOLD, store)
}

async function read(queries: Record<string, string>, store: TestStore): Promise<Record<string, any[]>> {
  const answers = Object.entries(queries).map(async ([name, sql]) => [name, await rowsOf(sql, store.id)])
  return Object.fromEntries(await Promise.all(answers))
}
