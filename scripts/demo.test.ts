/** The first month of the demo store must look alike on any day, or the README would name wrong ids. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, EXPIRY_NOTICE_DAYS, HOUR_MS } from '../src/limits.ts'
import { livePast, type Past } from './demo-past.ts'

const secrets = { ADMIN_TOKEN: 'a'.repeat(64), TOKEN_KEY: 'b'.repeat(64) }
/**
 * The times are a Monday morning, a Thursday night and a Saturday, whose busy hours differ. With EVERY_HOUR they are all
 * hours of a week: the order of two actions on one record must not depend on the hour, or an event is missing.
 */
const NOWS = ['2027-03-01T00:05:00Z', '2027-03-04T23:55:00Z', '2027-03-06T14:30:00Z'].map((time) => Date.parse(time))
if (process.env['EVERY_HOUR']) {
  NOWS.push(...Array.from({ length: 7 * 24 }, (_, i) => Date.parse('2027-03-08T00:05:00Z') + i * HOUR_MS))
}

const months: Past[] = []
for (let i = 0; i < NOWS.length; i += 3) {
  months.push(...(await Promise.all(NOWS.slice(i, i + 3).map((now) => livePast({ secrets, now })))))
}
const endings = months.map((past, i) => ({ past, now: NOWS[i] ?? 0 }))

await test('The demo store has forty users, six products and accesses in every state', () => {
  for (const { past, now } of endings) {
    const users = rowsOf(past, 'users')
    assert.ok(users.length >= 40)
    assert.deepEqual(new Set(users.map(({ language }) => language)), new Set(['EN', 'ES', 'PT']))
    assert.equal(rowsOf(past, 'products').length, 6)
    const accesses = rowsOf(past, 'product_accesses')
    assert.ok(accesses.length >= 60)
    const isExpired = ({ expired_at }: Row) => expired_at !== null
    const endsSoon = ({ access_due_date: due }: Row) =>
      due !== null && Number(due) > now && Number(due) < now + 7 * DAY_MS
    const states = [isExpired, endsSoon, isClosed, isComplete, isUntouched].map((is) => accesses.filter(is).length)
    assert.ok(
      states.every((count) => count > 2),
      String(states),
    )
    assert.equal(rowsOf(past, 'access_tokens').filter(({ revoked_at }) => revoked_at !== null).length, 1)
    assert.equal(rowsOf(past, 'webhook_endpoints').filter(({ disabled_at }) => disabled_at !== null).length, 1)
  }
})

await test('The events of the demo store are within the month, without a gap and in the order of time', () => {
  for (const { past, now } of endings) {
    const events = rowsOf(past, 'events').filter(({ id }) => Number(id) > 2 ** 32)
    assert.deepEqual(
      events.map(({ id }) => id),
      events.map((_, i) => 2 ** 32 + 1 + i),
    )
    const times = events.map(({ created_at }) => Number(created_at))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    assert.ok((times[0] ?? 0) >= now - 30 * DAY_MS && (times.at(-1) ?? Infinity) <= now)
  }
})

await test('Every record of the demo store has the times of its events', () => {
  for (const { past } of endings) {
    const events = new Map(rowsOf(past, 'events').map((event) => [event['id'], event]))
    for (const table of ['stores', 'access_tokens', 'custom_fields', 'users', 'products', 'product_accesses']) {
      for (const row of rowsOf(past, table)) {
        assert.equal(row['created_at'], events.get(row['id'] ?? null)?.['created_at'], table)
        assert.ok(events.has(row['event_id'] ?? null), table)
        if ('updated_at' in row) assert.equal(row['updated_at'], events.get(row['event_id'] ?? null)?.['created_at'])
      }
    }
  }
})

await test('The statistics of the demo store are those of its records, up to the last minutes of the month', () => {
  for (const { past } of endings) {
    const [stats] = rowsOf(past, 'store_stats')
    const cursor = Number(stats?.['cursor'])
    assert.ok(cursor > Number(rowsOf(past, 'events').at(-1)?.['id']) - 5)
    const counted = rowsOf(past, 'product_accesses').filter(({ id }) => Number(id) <= cursor)
    const isInForce = ({ status, access_due_date: due }: Row) =>
      status === 'with_access' && (due === null || Number(due) >= Number(stats?.['counted_at']))
    assert.equal(stats?.['users'], rowsOf(past, 'users').filter(({ id }) => Number(id) <= cursor).length)
    assert.deepEqual([stats?.['accesses'], stats?.['in_force']], [counted.length, counted.filter(isInForce).length])
    for (const { id, accesses, in_force } of rowsOf(past, 'products')) {
      const own = counted.filter(({ product_id }) => product_id === id)
      assert.deepEqual([accesses, in_force], [own.length, own.filter(isInForce).length])
    }
    assert.ok(rowsOf(past, 'day_stats').length > 20)
  }
})

await test('No access of the demo store expires within the first twelve hours', () => {
  for (const { past, now } of endings) {
    const open = rowsOf(past, 'product_accesses').filter(
      ({ status, access_due_date: due }) => status === 'with_access' && due !== null,
    )
    const later = now + DAY_MS / 2
    const isDue = ({ access_due_date: due, expired_at }: Row) => expired_at === null && Number(due) <= later
    const isSoon = ({ access_due_date: due, notified_at }: Row) =>
      notified_at === null && Number(due) <= later + EXPIRY_NOTICE_DAYS * DAY_MS
    assert.deepEqual([open.filter(isDue), open.filter(isSoon)], [[], []])
  }
})

await test('The demo store has equally many events of each type on any day, so that the README can name the next id', () => {
  const [first, ...others] = months.map(countTypes)
  for (const counts of others) assert.deepEqual(counts, first)
})

await test('The first user of the demo store is Alan, and his ids are those in the docs and the API reference', () => {
  for (const past of months) {
    const [alan] = rowsOf(past, 'users')
    const [access] = rowsOf(past, 'product_accesses')
    assert.deepEqual([alan?.['email'], alan?.['id']], ['alan@example.com', 2 ** 32 + 4])
    assert.deepEqual([access?.['id'], access?.['user_id']], [2 ** 32 + 6, alan?.['id']])
  }
})

type Row = Record<string, string | number | null>

function rowsOf({ tables }: Past, table: string): Row[] {
  const { columns = [], rows = [] } = tables.find(({ name }) => name === table) ?? {}
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null])))
}

function countTypes(past: Past): Record<string, number> {
  const types = rowsOf(past, 'events').map(({ type }) => String(type))
  return Object.fromEntries(types.toSorted().map((type) => [type, types.filter((other) => other === type).length]))
}

function isClosed({ status }: Row): boolean {
  return status === 'without_access'
}

function isComplete({ passed }: Row): boolean {
  return passed === 1
}

function isUntouched({ progress }: Row): boolean {
  return progress === 0
}
