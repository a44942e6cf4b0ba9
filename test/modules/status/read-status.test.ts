import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../../package.json'
import { BACKLOG_LIMIT } from '../../../src/jobs/limits.ts'
import { admin, call, newStore, summary } from '../../support/api.ts'
import { measure, plansOf } from '../../support/costs.ts'
import { purgeAll, runCron, runMinutely } from '../../support/cron.ts'
import { newOperator } from '../../support/operators.ts'
import { insertEvent, insertEvents, rowsOf, storeNumber, suspendStore, type TestStore } from '../../support/rows.ts'

async function statusNow(): Promise<any> {
  return (await admin('GET', '/status')).json
}

/** Inserts an endpoint with these columns, which gets all later events. */
async function newEndpoint(store: TestStore, columns: object = {}): Promise<number> {
  const id = await insertEvent(store, { type: 'webhook_endpoint.created' })
  const all = { id, url: 'https://h.example.com/', secret: 's', cursor: id, created_at: 0, event_id: id }
  const row = { ...all, is_down: 0, pending: 0, resumed_by: id, ...columns }
  const marks = Object.keys(row).map(() => '?')
  await rowsOf(
    `insert into webhook_endpoints (${Object.keys(row).join(', ')}) values (${marks.join(', ')})`,
    ...Object.values(row),
  )
  return id
}

/** Moves the cursors of the store's endpoints to its newest event. */
async function catchUp(store: TestStore): Promise<void> {
  await rowsOf(
    `update webhook_endpoints set cursor = (select max(id) from events where id >> 32 = ?1) where id >> 32 = ?1`,
    await storeNumber(store),
  )
}

async function disableAll(store: TestStore): Promise<void> {
  await rowsOf('update webhook_endpoints set disabled_at = 1 where id >> 32 = ?', await storeNumber(store))
}

/** Returns how the figures change while `act` runs. */
async function change(act: () => Promise<unknown>): Promise<any> {
  const before = await statusNow()
  await act()
  const after = await statusNow()
  const difference = (group: string, name: string) => after[group][name] - before[group][name]
  return {
    pending: difference('webhooks', 'pending'),
    failing: difference('webhooks', 'failing_endpoints'),
    down: difference('webhooks', 'down_endpoints'),
    disabled: difference('webhooks', 'disabled_endpoints'),
    stores: difference('stores', 'total'),
    suspended: difference('stores', 'suspended'),
  }
}

// The figures count all stores, so endpoints of other test files would change them.
beforeAll(async () => {
  await rowsOf('update webhook_endpoints set disabled_at = 1 where disabled_at is null')
})

const NO_CHANGE = { pending: 0, failing: 0, down: 0, disabled: 0, stores: 0, suspended: 0 }

describe('GET /admin/status', () => {
  it('returns the version, the size of the database, webhooks and stores', async () => {
    const { status, json } = await admin('GET', '/status')
    expect(status).toBe(200)
    expect(json).toEqual({
      version,
      database: { bytes: expect.any(Number), limit_bytes: 10_000_000_000 },
      objects: { total: expect.any(Number), bytes: expect.any(Number), largest: expect.any(Array) },
      webhooks: {
        pending: expect.any(Number),
        oldest_pending_at: json.webhooks.oldest_pending_at,
        failing_endpoints: expect.any(Number),
        down_endpoints: expect.any(Number),
        disabled_endpoints: expect.any(Number),
      },
      stores: { total: expect.any(Number), suspended: expect.any(Number) },
      jobs: {
        purge_backlog: expect.any(Number),
        last_hourly_at: json.jobs.last_hourly_at,
        last_minutely_at: json.jobs.last_minutely_at,
      },
    })
    expect(Object.keys(json)).toEqual(['version', 'database', 'objects', 'webhooks', 'stores', 'jobs'])
    expect(json.database.bytes).toBeGreaterThan(4096)
  })

  it('is open to a viewer and rejects parameters', async () => {
    const { token } = await newOperator('viewer')
    expect((await call('GET', '/admin/status', { token })).status).toBe(200)
    expect(summary(await call('GET', '/admin/status?days=1', { token }))).toBe('422 invalid_parameter: days')
  })

  it('counts all stores and the suspended ones', async () => {
    expect(await change(newStore)).toEqual({ ...NO_CHANGE, stores: 1 })
    const store = await newStore()
    expect(await change(() => suspendStore(store))).toEqual({ ...NO_CHANGE, suspended: 1 })
    expect(await change(() => suspendStore(store, false))).toEqual({ ...NO_CHANGE, suspended: -1 })
  })

  it('counts endpoints that are failing, down and disabled, each once', async () => {
    const store = await newStore()
    const added = await change(async () => {
      await newEndpoint(store, { failing_since: 1 })
      await newEndpoint(store, { failing_since: 1, is_down: 1 })
      await newEndpoint(store, { failing_since: 1, is_down: 1, disabled_at: 2 })
      await newEndpoint(store, { disabled_at: 2 })
      await newEndpoint(store)
      await catchUp(store)
    })
    expect(added).toEqual({ ...NO_CHANGE, failing: 1, down: 1, disabled: 2 })
  })

  it('counts what enabled endpoints report to wait, and returns the time of the oldest', async () => {
    const store = await newStore()
    const added = await change(async () => {
      await newEndpoint(store, { pending: 3, oldest_pending_at: 1000 })
      await newEndpoint(store, { pending: 5, oldest_pending_at: 500, disabled_at: 1 })
      await catchUp(store)
    })
    expect(added).toEqual({ ...NO_CHANGE, pending: 3, disabled: 1 })
    expect((await statusNow()).webhooks.oldest_pending_at).toBe('1970-01-01T00:00:01.000Z')

    await disableAll(store)
    const { webhooks } = await statusNow()
    expect(webhooks.oldest_pending_at).not.toBe('1970-01-01T00:00:01.000Z')
  })

  it('counts events after the cursor when the endpoint gets their type', async () => {
    const store = await newStore()
    const added = await change(async () => {
      await newEndpoint(store, { types: 'user.created user.erased' })
      await insertEvents(store, { type: 'user.created', count: 3, created_at: 500 })
      await insertEvents(store, { type: 'product.created', count: 2, created_at: 400 })
    })
    expect(added).toEqual({ ...NO_CHANGE, pending: 3 })
    expect((await statusNow()).webhooks.oldest_pending_at).toBe('1970-01-01T00:00:00.500Z')
    await disableAll(store)
  })

  it('shows when the jobs ran last', async () => {
    const now = Date.now()
    await runCron(now - 1000)
    await runMinutely(now)
    expect((await statusNow()).jobs).toMatchObject({
      last_hourly_at: new Date(now - 1000).toISOString(),
      last_minutely_at: new Date(now).toISOString(),
    })
  })

  it('counts the claims, fencing tokens and events that the hourly job will delete, until it has', async () => {
    await purgeAll()
    const backlog = async () => (await statusNow()).jobs.purge_backlog
    expect(await backlog()).toBe(0)
    const store = await newStore()
    const number = await storeNumber(store)
    const old = Date.now() - 100 * 24 * 60 * 60 * 1000
    const insertClaim = 'insert into idempotency_keys values (?1, ?1, ?2, ?2, ?2, 1, ?3, null)'
    for (const [key, created_at] of [
      ['a', old],
      ['b', old],
      ['c', Date.now()],
    ] as const) {
      await rowsOf(insertClaim, number, key, created_at)
      await rowsOf('insert into fencing_tokens values (?, 1, ?)', `${number} ${key}`, created_at)
    }
    expect(await backlog()).toBe(4)
    await rowsOf('update events set created_at = 0 where id >> 32 = ?', number)
    await insertEvents(store, { type: 'user.created', count: 3, created_at: old })
    await insertEvents(store, { type: 'user.created', count: 3 })
    expect(await backlog()).toBe(4 + 5)
    await runCron()
    expect(await backlog()).toBe(0)
  })

  it('stops counting what will be deleted at a limit of each kind, and reads about as many rows', async () => {
    const store = await newStore()
    await purgeAll()
    const send = (bindings: object) => call('GET', '/admin/status', { token: env.ADMIN_TOKEN, bindings })
    const { read: idle } = await measure(send)
    await rowsOf('update events set created_at = 0 where id >> 32 = ?', await storeNumber(store))
    await insertEvents(store, { type: 'user.created', count: 3 * BACKLOG_LIMIT, created_at: 0 })
    await rowsOf(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${3 * BACKLOG_LIMIT})
        insert into idempotency_keys select 1, 1, 'v1.users.create', 'bulk-' || i, 'f', 1, 0, null from n`,
    )
    expect((await statusNow()).jobs.purge_backlog).toBe(2 * BACKLOG_LIMIT)
    const { read } = await measure(send)
    expect(read - idle).toBeLessThan(4 * BACKLOG_LIMIT)
    await purgeAll()
  })

  it('costs one round trip after the authorization, writes nothing and reads a bounded number of rows, however many events wait', async () => {
    const send = (bindings: object) => call('GET', '/admin/status', { token: env.ADMIN_TOKEN, bindings })
    const { read: before } = await measure(send)
    const store = await newStore()
    for (let i = 0; i < 120; i++) await newEndpoint(store)
    await insertEvents(store, { type: 'user.created', count: 200 })
    const { trips, read, written, statements } = await measure(send)
    expect([trips, written]).toEqual([2, 0])
    expect((await statusNow()).webhooks.pending).toBeGreaterThanOrEqual(10_000)
    expect(read - before).toBeLessThan(31_000)
    expect(statements).toHaveLength(7)
    expect(
      (await plansOf(send)).filter((step) => /^SCAN (d|e|n|stores)\b(?!.*stores_suspended_at)/.test(step)),
    ).toEqual([])
    await disableAll(store)
  })
})
