/** The reckoning: what the database holds, read without the service, and what the keys replay, asked of the service. */
import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { idOf, storeOf } from '../src/db/ids.ts'
import type { AccessState, Memory, SentUser, Target } from './memory.ts'

export type Row = Record<string, unknown>

/** Everything that was lost, doubled, changed, or is still there. */
export function verifyStorage(db: DatabaseSync, memory: Memory): string[] {
  // Read once: there is no index on what is looked up here.
  const users = Map.groupBy(rows(db, 'select * from users'), (row) => row['email'])
  const claims = new Set(rows(db, 'select key from idempotency_keys').map((row) => row['key']))
  return [
    ...[...memory.created.values()].flatMap((user) => verifyUser(users.get(user.email) ?? [], user)),
    ...[...memory.accesses].flatMap(([id, states]) => verifyAccess(db, id, states)),
    ...rows(db, 'select store, email_key, count(*) n from users group by 1, 2 having n > 1').map(
      (row) => `doubled e-mail: ${JSON.stringify(row)}`,
    ),
    ...rows(
      db,
      'select operation, record_id, count(*) n from idempotency_keys where store > 0 group by 1, 2 having n > 1',
    ).map((row) => `record with two claims: ${JSON.stringify(row)}`),
    ...[...memory.keys.keys()].filter((key) => !claims.has(key)).map((key) => `lost key: ${key}`),
    ...verifyErased(db, memory),
    ...verifyCounter(db, memory),
  ]
}

/** No row of any table holds a word of whoever is gone; what is numbered is their key's claim and the events. */
function verifyErased(db: DatabaseSync, { erased }: Memory): string[] {
  const tables = rows(db, "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'")
  const everything = tables
    .flatMap(({ name }) => rows(db, `select * from "${String(name)}"`))
    .map((row) => JSON.stringify(row))
    .join('\n')
  const wrong: string[] = []
  for (const [id, { user }] of erased) {
    if (everything.includes(user.name)) wrong.push(`${user.name} was erased and is there`)
    const users = rows(db, 'select id from users where id = ?', fullId(db, id))
    const accesses = rows(db, 'select id from product_accesses where user_id = ?', fullId(db, id))
    if (users.length + accesses.length > 0) wrong.push(`user ${id} was erased, ${accesses.length} accesses are there`)
  }
  return wrong
}

/** Each step under If-Match was made once, and none was written over. */
function verifyCounter(db: DatabaseSync, { counter }: Memory): string[] {
  const id = fullId(db, counter.user_id)
  const [user] = rows(db, "select coalesce(custom_fields ->> 'field1', 0) as count from users where id = ?", id)
  const count = Number(user?.['count'])
  const steps = rows(db, "select id from events where subject_id = ? and type = 'user.updated'", id).length
  const { acknowledged, unsure } = counter
  const isRight = count === steps && count >= acknowledged && count <= acknowledged + unsure
  return isRight ? [] : [`counted to ${count} in ${steps} steps, ${acknowledged} acknowledged and ${unsure} unsure`]
}

/** Asks every key again: the first answer, byte for byte; of an erased user nobody. */
export async function verifyReplays({ origin, store, token }: Target, memory: Memory): Promise<string[]> {
  const wrong: string[] = []
  const left = [
    ...[...memory.keys].map(([key, { body, answer }]) => ({ key, body, status: 201, answer })),
    ...[...memory.erased.values()].map(({ key, user }) => ({
      key,
      body: JSON.stringify(user),
      status: 404,
      answer: '',
    })),
  ]
  async function ask(): Promise<void> {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { key, body, status, answer } = next
      const response = await fetch(`${origin}/v1/stores/${store}/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-idempotency-key': key },
        body,
      })
      const text = await response.text()
      const isReplay = response.headers.get('idempotent-replayed') === 'true' && text === answer
      if (response.status !== status || (status === 201 && !isReplay)) {
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

export function rows(db: DatabaseSync, sql: string, ...values: (string | number)[]): Row[] {
  return db.prepare(sql).all(...values)
}

/** Of a record of the one store that there is. */
export function fullId(db: DatabaseSync, number: string): number {
  const [store] = rows(db, 'select id from stores')
  return idOf(storeOf(Number(store?.['id'])), Number(number))
}

function verifyUser(found: Row[], sent: SentUser): string[] {
  const [row] = found
  if (found.length !== 1 || row === undefined) return [`${sent.email} exists ${found.length} times`]
  const expected = { ...sent, custom_fields: JSON.stringify(sent.custom_fields), language: 'EN', role: 'student' }
  return Object.entries(expected)
    .filter(([field, value]) => row[field] !== value)
    .map(([field, value]) => `${sent.email}: ${field} is ${String(row[field])}, sent was ${value}`)
}

function verifyAccess(db: DatabaseSync, id: string, allowed: AccessState[]): string[] {
  const [row] = rows(db, 'select status, access_due_date from product_accesses where id = ?', fullId(db, id))
  const isAllowed = allowed.some(
    ({ status, access_due_date }) =>
      row?.['status'] === status && row['access_due_date'] === (access_due_date && Date.parse(access_due_date)),
  )
  return isAllowed ? [] : [`access ${id} is ${JSON.stringify(row)}, not one of ${JSON.stringify(allowed)}`]
}
