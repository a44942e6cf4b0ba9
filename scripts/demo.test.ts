/** The history of the demo store fits the schema and the docs on any day. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { EVENT_TYPES } from '../src/change/event-types.ts'
import { SCOPES } from '../src/auth/scopes.ts'
import { OPTIONAL_FIELDS } from '../src/modules/users/user-fields.ts'
import { DAY_MS, EXPIRY_NOTICE_DAYS } from '../src/limits.ts'
import { fillHistory, HISTORY } from './demo-history.ts'

const NOWS = ['2027-03-01T00:00:00Z', '2027-03-04T23:59:59.999Z', '2028-02-29T14:30:00Z'].map((time) =>
  Date.parse(time),
)
const MIGRATIONS = readdirSync('drizzle').filter((name) => name.endsWith('.sql'))

const databases = NOWS.map((now) => {
  const database = new DatabaseSync(':memory:')
  for (const name of MIGRATIONS.toSorted()) database.exec(readFileSync(join('drizzle', name), 'utf8'))
  fillHistory(database, { key: 'b'.repeat(64), now })
  return { database, now, midnight: now - (now % DAY_MS) }
})

/** What people need not have, the users of the demo store need not have either. */
const OPTIONAL = new Set<string>(OPTIONAL_FIELDS)

await test('Each statement of demo-history.sql fills every column of its table', () => {
  const [{ database } = { database: new DatabaseSync(':memory:') }] = databases
  const inserts = [...HISTORY.matchAll(/^insert into (\w+) \(([^)]+)\)/gm)]
  assert.ok(inserts.length > 8)
  for (const [, table = '', columns = ''] of inserts) {
    const expected = rows(database, `select name from pragma_table_info('${table}')`).map(({ name }) => String(name))
    const filled = new Set(columns.split(', '))
    assert.deepEqual(
      expected.filter((name) => !filled.has(name) && !OPTIONAL.has(name)),
      [],
      table,
    )
  }
})

await test('The demo store has forty users, six products and accesses in every state', () => {
  for (const { database, now } of databases) {
    const count = (from: string) => Number(rows(database, `select count(*) n from ${from}`)[0]?.['n'])
    assert.ok(count('users') >= 40)
    assert.equal(count('products'), 6)
    assert.equal(rows(database, 'select distinct language from users').length, 3)
    const states = [
      'expired_at is not null',
      `access_due_date between ${now} and ${now + 7 * DAY_MS}`,
      "status = 'without_access'",
      'passed = 1',
      'progress = 0',
    ].map((state) => count(`product_accesses where ${state}`))
    assert.ok(Math.min(...states) >= 2, String(states))
    assert.equal(count('access_tokens where revoked_at is not null'), 1)
    assert.equal(count('webhook_endpoints where disabled_at is not null'), 1)
    assert.equal(count("bulk_changes where state = 'done'"), 1)
  }
})

await test('The events of the demo store are of a month until yesterday, without a gap and in the order of time', () => {
  for (const { database, midnight } of databases) {
    const events = rows(database, 'select id, type, created_at from events where id > 1 << 32 order by id')
    assert.deepEqual(
      events.map(({ id }) => id),
      events.map((_, i) => 2 ** 32 + 1 + i),
    )
    const times = events.map(({ created_at }) => Number(created_at))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    assert.ok((times[0] ?? 0) >= midnight - 30 * DAY_MS && (times.at(-1) ?? Infinity) < midnight)
    const types: readonly string[] = EVENT_TYPES
    assert.deepEqual(
      events.filter(({ type }) => !types.includes(String(type))),
      [],
    )
  }
})

await test('Nothing of the demo store ends or is announced until the end of tomorrow, so that the docs can name the next ids', () => {
  for (const { database, midnight } of databases) {
    const [end, notice] = [midnight + 2 * DAY_MS, EXPIRY_NOTICE_DAYS * DAY_MS]
    const open = "from product_accesses where status = 'with_access'"
    assert.deepEqual(rows(database, `select id ${open} and expired_at is null and access_due_date < ${end}`), [])
    assert.deepEqual(
      rows(database, `select id ${open} and notified_at is null and access_due_date < ${end + notice}`),
      [],
    )
  }
})

await test('The first user of the demo store is Alan, his ids are those in the docs, and the token has every scope', () => {
  for (const { database } of databases) {
    const [access] = rows(database, 'select id, user_id from product_accesses order by id')
    assert.deepEqual({ ...access }, { id: 2 ** 32 + 6, user_id: 2 ** 32 + 4 })
    const [alan] = rows(database, 'select id, email from users order by id')
    assert.deepEqual({ ...alan }, { id: 2 ** 32 + 4, email: 'alan@example.com' })
    const [token] = rows(database, "select scopes from access_tokens where name = 'Demo'")
    assert.equal(token?.['scopes'], SCOPES.join(' '))
  }
})

function rows(database: DatabaseSync, sql: string) {
  return database.prepare(sql).all()
}
