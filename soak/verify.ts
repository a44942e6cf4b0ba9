/** Checks the database after the soak without the service, and the replays of all keys with it. */
import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { idOf, storeOf } from '../src/db/ids.ts'
import type { AccessState, Memory, SentUser, Target } from './memory.ts'

export type Row = Record<string, unknown>

/** Returns everything that was lost, duplicated or changed, or that should have been deleted. */
export function verifyStorage(db: DatabaseSync, memory: Memory): string[] {
  // The tables are read once, because there is no index on these columns and each search would scan them.
  const users = Map.groupBy(rows(db, 'select * from users'), (row) => row['email'])
  // The keys themselves are stored as HMACs.
  const claimed = new Set(rows(db, 'select record_id from idempotency_keys').map((row) => row['record_id']))
  return [
    ...[...memory.created.values()].flatMap((user) => verifyUser(users.get(user.email) ?? [], user)),
    ...[...memory.accesses].flatMap(([id, states]) => verifyAccess(db, id, states)),
    ...rows(db, 'select store, email_key, count(*) n from users group by 1, 2 having n > 1').map(
      (row) => `duplicate email: ${JSON.stringify(row)}`,
    ),
    ...rows(
      db,
      'select operation, record_id, count(*) n from idempotency_keys where store > 0 group by 1, 2 having n > 1',
    ).map((row) => `record with two claims: ${JSON.stringify(row)}`),
    ...[...memory.keys]
      .filter(([, { response }]) => !claimed.has(fullId(db, /"id":"(\d+)"/.exec(response)?.[1] ?? '')))
      .map(([key]) => `lost key: ${key}`),
    ...verifyErased(db, memory),
    ...verifyCounter(db, memory),
  ]
}

/** No table may contain the name of an erased user. Only the claim of their key and their events may contain the id. */
function verifyErased(db: DatabaseSync, { erased }: Memory): string[] {
  const tables = rows(db, "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'")
  const everything = tables
    .flatMap(({ name }) => rows(db, `select * from "${String(name)}"`))
    .map((row) => JSON.stringify(row))
    .join('\n')
  const problems: string[] = []
  for (const [id, { user }] of erased) {
    if (everything.includes(user.name)) problems.push(`${user.name} was erased but still exists`)
    const users = rows(db, 'select id from users where id = ?', fullId(db, id))
    const accesses = rows(db, 'select id from product_accesses where user_id = ?', fullId(db, id))
    if (users.length + accesses.length > 0)
      problems.push(`user ${id} was erased, but ${users.length} users and ${accesses.length} accesses exist`)
  }
  return problems
}

/** Each increment with If-Match must have been applied once, and none may have been overwritten. */
function verifyCounter(db: DatabaseSync, { counter }: Memory): string[] {
  const id = fullId(db, counter.user_id)
  const [user] = rows(db, "select coalesce(custom_fields ->> 'field1', 0) as count from users where id = ?", id)
  const count = Number(user?.['count'])
  const updates = rows(db, "select id from events where subject_id = ? and type = 'user.updated'", id).length
  const { acknowledged, uncertain } = counter
  const isCorrect = count === updates && count >= acknowledged && count <= acknowledged + uncertain
  return isCorrect
    ? []
    : [
        `the counter is ${count} after ${updates} updates, with ${acknowledged} acknowledged and ${uncertain} uncertain increments`,
      ]
}

/** Sends every key again: the response must be the first one byte for byte, or a 404 for an erased user. */
export async function verifyReplays({ origin, store, token }: Target, memory: Memory): Promise<string[]> {
  const problems: string[] = []
  const left = [
    ...[...memory.keys].map(([key, { body, response }]) => ({ key, body, status: 201, expected: response })),
    ...[...memory.erased.values()].map(({ key, user }) => ({
      key,
      body: JSON.stringify(user),
      status: 404,
      expected: '',
    })),
  ]
  async function replayKeys(): Promise<void> {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { key, body, status, expected } = next
      const response = await fetch(`${origin}/v1/stores/${store}/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-idempotency-key': key },
        body,
      })
      const text = await response.text()
      const isReplay = response.headers.get('idempotent-replayed') === 'true' && text === expected
      if (response.status !== status || (status === 201 && !isReplay)) {
        problems.push(`key ${key} returned ${response.status} ${text}, but first ${expected}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, replayKeys))
  return problems
}

/** Opens the database that has the store, D1 or an object; the server must have stopped. */
export function openDatabase(persistTo: string): DatabaseSync {
  for (const file of globSync(`${persistTo}/**/*.sqlite`)) {
    const db = new DatabaseSync(file, { readOnly: true })
    const hasTables = rows(db, "select 1 from sqlite_master where name = 'product_accesses'").length === 1
    if (hasTables && rows(db, 'select 1 from stores').length === 1) return db
    db.close()
  }
  throw new Error(`There is no database in ${persistTo}`)
}

export function rows(db: DatabaseSync, sql: string, ...values: (string | number)[]): Row[] {
  return db.prepare(sql).all(...values)
}

/** Returns the id in the database of a record that the API shows as `localId`; there is only one store. */
export function fullId(db: DatabaseSync, localId: string): number {
  const [store] = rows(db, 'select id from stores')
  return idOf(storeOf(Number(store?.['id'])), Number(localId))
}

function verifyUser(found: Row[], sent: SentUser): string[] {
  const [row] = found
  if (found.length !== 1 || row === undefined) return [`${sent.email} exists ${found.length} times`]
  const expected = { ...sent, custom_fields: JSON.stringify(sent.custom_fields), language: 'EN', role: 'student' }
  return Object.entries(expected)
    .filter(([field, value]) => row[field] !== value)
    .map(([field, value]) => `${sent.email}: ${field} is ${String(row[field])}, but ${value} was sent`)
}

function verifyAccess(db: DatabaseSync, id: string, allowed: AccessState[]): string[] {
  const [row] = rows(db, 'select status, access_due_date from product_accesses where id = ?', fullId(db, id))
  const isAllowed = allowed.some(
    ({ status, access_due_date }) =>
      row?.['status'] === status && row['access_due_date'] === (access_due_date && Date.parse(access_due_date)),
  )
  return isAllowed ? [] : [`access ${id} is ${JSON.stringify(row)}, which is not one of ${JSON.stringify(allowed)}`]
}
