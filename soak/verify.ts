/** The reckoning: what the database holds, read without the service, and what the keys replay, asked of the service. */
import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { AccessState, Memory, SentUser, Target } from './soak-clients.ts'

/** Everything that was lost, doubled or changed. */
export function verifyStorage(db: DatabaseSync, memory: Memory): string[] {
  // Read once: there is no index on what is looked up here.
  const users = Map.groupBy(rows(db, 'select * from users'), (row) => row['email'])
  const claims = new Set(rows(db, 'select key from idempotency_keys').map((row) => row['key']))
  return [
    ...[...memory.created.values()].flatMap((user) => verifyUser(users.get(user.email) ?? [], user)),
    ...[...memory.accesses].flatMap(([id, states]) => verifyAccess(db, id, states)),
    ...rows(db, 'select store_id, email_key, count(*) n from users group by 1, 2 having n > 1').map(
      (row) => `doubled e-mail: ${JSON.stringify(row)}`,
    ),
    ...rows(db, 'select key from idempotency_keys where user_id not in (select id from users)').map(
      (row) => `claim without its user: ${JSON.stringify(row)}`,
    ),
    ...rows(db, 'select user_id, count(*) n from idempotency_keys group by 1 having n > 1').map(
      (row) => `user with two claims: ${JSON.stringify(row)}`,
    ),
    ...[...memory.keys.keys()].filter((key) => !claims.has(key)).map((key) => `lost key: ${key}`),
  ]
}

/** Asks every key again: the first answer, byte for byte. */
export async function verifyReplays({ origin, store, token }: Target, memory: Memory): Promise<string[]> {
  const wrong: string[] = []
  const left = [...memory.keys]
  async function ask(): Promise<void> {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [key, { body, answer }] = next
      const response = await fetch(`${origin}/v1/stores/${store}/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-idempotency-key': key },
        body,
      })
      const text = await response.text()
      const isReplay = response.headers.get('idempotent-replayed') === 'true'
      if (response.status !== 201 || !isReplay || text !== answer) {
        wrong.push(`key ${key} replays ${response.status} ${text}, first was ${answer}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, ask))
  return wrong
}

/** The service's database, once the server has stopped. */
export function openDatabase(persistTo: string): DatabaseSync {
  for (const file of globSync(`${persistTo}/**/*.sqlite`)) {
    const db = new DatabaseSync(file, { readOnly: true })
    if (rows(db, "select 1 from sqlite_master where name = 'product_accesses'").length === 1) return db
    db.close()
  }
  throw new Error(`no database below ${persistTo}`)
}

export function rows(db: DatabaseSync, sql: string, ...values: string[]): Record<string, unknown>[] {
  return db.prepare(sql).all(...values)
}

function verifyUser(found: Record<string, unknown>[], sent: SentUser): string[] {
  const [row] = found
  if (found.length !== 1 || row === undefined) return [`${sent.email} exists ${found.length} times`]
  const expected = { ...sent, custom_fields: JSON.stringify(sent.custom_fields), language: 'EN', role: 'student' }
  return Object.entries(expected)
    .filter(([field, value]) => row[field] !== value)
    .map(([field, value]) => `${sent.email}: ${field} is ${String(row[field])}, sent was ${value}`)
}

function verifyAccess(db: DatabaseSync, id: string, allowed: AccessState[]): string[] {
  const [row] = rows(db, 'select status, access_due_date from product_accesses where id = ?', id)
  const isAllowed = allowed.some(
    ({ status, access_due_date }) =>
      row?.['status'] === status && row['access_due_date'] === (access_due_date && Date.parse(access_due_date)),
  )
  return isAllowed ? [] : [`access ${id} is ${JSON.stringify(row)}, not one of ${JSON.stringify(allowed)}`]
}
