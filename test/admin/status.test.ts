import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../package.json'
import { admin, call, newStore, summary, type TestStore } from '../support/api.ts'
import { measure, plansOf } from '../support/costs.ts'
import { newOperator } from '../support/operators.ts'
import { insertEvent, insertEvents, rowsOf, storeNumber, suspendStore } from '../support/rows.ts'

async function statusNow(): Promise<any> {
  return (await admin('GET', '/status')).json
}

/** Inserts an endpoint with these columns, which gets all later events. */
async function newEndpoint(store: TestStore, columns: object = {}): Promise<number> {
  const id = await insertEvent(store, { type: 'webhook_endpoint.created' })
  const all = { id, url: 'https://h.example.com/', secret: 's', cursor: id, failures: 0, created_at: 0, event_id: id }
  const row = { ...all, probes: 0, resumed_after: 0, resumed_until: 0, ...columns }
  const marks = Object.keys(row).map(() => '?')
  await rowsOf(
    `insert into webhook_endpoints (${Object.keys(row).join(', ')}) values (${marks.join(', ')})`,
    ...Object.values(row),
  )
  return id
}

async function newDelivery(endpoint: number, event: number, next_attempt_at: number | null): Promise<void> {
  await rowsOf(
    `insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries, next_attempt_at)
      values (?, ?, ?, 0, 0, ?)`,
    endpoint,
    event,
    next_attempt_at === null ? 'delivered' : 'pending',
    next_attempt_at,
  )
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
      webhooks: {
        pending: expect.any(Number),
        oldest_pending_at: json.webhooks.oldest_pending_at,
        failing_endpoints: expect.any(Number),
        down_endpoints: expect.any(Number),
        disabled_endpoints: expect.any(Number),
      },
      stores: { total: expect.any(Number), suspended: expect.any(Number) },
    })
    expect(Object.keys(json)).toEqual(['version', 'database', 'webhooks', 'stores'])
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
      await newEndpoint(store, { failing_since: 1, failures: 3 })
      await newEndpoint(store, { failing_since: 1, failures: 20, probe_at: 2 })
      await newEndpoint(store, { failing_since: 1, failures: 90, probe_at: 2, disabled_at: 2 })
      await newEndpoint(store, { disabled_at: 2 })
      await newEndpoint(store)
      await catchUp(store)
    })
    expect(added).toEqual({ ...NO_CHANGE, failing: 1, down: 1, disabled: 2 })
  })

  it('counts pending deliveries of enabled endpoints and returns the time of the oldest', async () => {
    const store = await newStore()
    const [first = 0, second = 0] = await insertEvents(store, { type: 'user.created', count: 2, created_at: 1000 })
    const added = await change(async () => {
      const endpoint = await newEndpoint(store)
      await newDelivery(endpoint, first, 5000)
      await newDelivery(endpoint, second, null)
    })
    expect(added).toEqual({ ...NO_CHANGE, pending: 1 })
    expect((await statusNow()).webhooks.oldest_pending_at).toBe('1970-01-01T00:00:01.000Z')

    await disableAll(store)
    const { webhooks } = await statusNow()
    expect(webhooks.oldest_pending_at).not.toBe('1970-01-01T00:00:01.000Z')
  })

  it('counts events without a delivery when the endpoint gets their type', async () => {
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

  it('costs one round trip, writes nothing and reads a bounded number of rows, however many deliveries are pending', async () => {
    const send = (bindings: object) => call('GET', '/admin/status', { token: env.ADMIN_TOKEN, bindings })
    const { read: before } = await measure(send)
    const store = await newStore()
    const endpoint = await newEndpoint(store)
    const events = await insertEvents(store, { type: 'user.created', count: 12_000 })
    await rowsOf(
      `insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries, next_attempt_at)
        select ?, id, 'pending', 0, 0, 1 from events where id between ? and ?`,
      endpoint,
      events[0],
      events.at(-1),
    )
    await catchUp(store)
    const { trips, read, written, statements } = await measure(send)
    expect([trips, written]).toEqual([1, 0])
    expect((await statusNow()).webhooks.pending).toBeGreaterThanOrEqual(10_000)
    expect(read - before).toBeLessThan(31_000)
    expect(statements).toHaveLength(4)
    expect(
      (await plansOf(send)).filter((step) => /^SCAN (d|e|n|stores)\b(?!.*stores_suspended_at)/.test(step)),
    ).toEqual([])
    await disableAll(store)
  })
})
