/** Users of a store: many at once, and lists of them. */
import { call, type CallOptions, newUser } from './api.ts'
import { insertEvent, rowsOf, storeNumber, type TestStore } from './rows.ts'

export function listUsers(of: TestStore, query: Record<string, string> = {}, options: CallOptions = {}) {
  const search = new URLSearchParams(query).toString()
  return call('GET', `/v1/stores/${of.id}/users?${search}`, { token: of.token, ...options })
}

/** Returns the users of all pages in order, and the number of pages. */
export async function listAllUsers(
  of: TestStore,
  query: Record<string, string>,
): Promise<{ data: any[]; pages: number }> {
  const data: any[] = []
  let pages = 0
  for (let after: string | null = ''; after !== null; pages++) {
    const { json } = await listUsers(of, { ...query, ...(after !== '' && { after }) })
    data.push(...json.data)
    after = json.next
  }
  return { data, pages }
}

export async function newUsers(of: TestStore, bodies: object[]): Promise<any[]> {
  const users = []
  for (const body of bodies) users.push(await newUser(of, body))
  return users
}

/** Inserts the users with SQL, because thousands of requests would take minutes. */
export async function insertUsers(
  of: TestStore,
  count: number,
  fields: { name: string; domain: string },
): Promise<void> {
  const first = await insertEvent(of, { type: 'store.updated', subject: (await storeNumber(of)) * 2 ** 32 + 1 })
  const ids = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)'
  await rowsOf(
    `insert into events (id, type, created_at, request_id, attempt, subject_id)
      ${ids} select ?1 + i, 'user.created', 0, 'seed-' || i, 0, ?1 + i from n`,
    first,
    count,
  )
  await rowsOf(
    `insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language,
        created_at, updated_at, event_id)
      ${ids} select ?1 + i, ?1 >> 32, 'u' || i || ?4, 'u' || i || ?4, ?3, 'L', lower(?3), 'l', 'student', 'EN',
        0, 0, ?1 + i from n`,
    first,
    count,
    fields.name,
    fields.domain,
  )
}
