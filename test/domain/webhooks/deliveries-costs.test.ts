/** These tests hold what Cloudflare bills for webhooks: D1 round trips, rows written and rows read. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { WEBHOOK } from '../../../src/limits.ts'
import { createV1, newStore, v1User } from '../../support/api.ts'
import { faultyD1 } from '../../support/faults.ts'
import { insertEvents, rowsOf, storeNumber, useToken } from '../../support/rows.ts'
import {
  age,
  arrived,
  change,
  deliver,
  deliveriesOf,
  type Hook,
  newHook,
  onHook,
  takeDown,
} from '../../support/webhooks.ts'

interface Cost {
  trips: number
  written: number
  read: number
}

async function costOf(act: (bindings: { DB: D1Database }) => Promise<unknown>): Promise<Cost> {
  const { DB, roundTrips, rowsRead, rowsWritten } = faultyD1(env.DB)
  await act({ DB })
  return { trips: roundTrips(), written: rowsWritten(), read: rowsRead() }
}

/**
 * Expects the cost of an invocation that makes all of its attempts. Each poll but the first records at least one result,
 * so there is at most one more poll than attempts. How many results share a poll depends on the speed of D1 and of the
 * receiver; what a poll and an attempt cost does not.
 */
function expectWholeInvocation({ trips, written, read }: Cost): void {
  const attempts = WEBHOOK.invocationAttempts
  expect(trips).toBeLessThanOrEqual(1 + attempts)
  expect(read).toBeLessThan(52 * trips + 12 * attempts)
  expect(written).toBeLessThanOrEqual(trips + 3 * attempts + 5)
}

/**
 * Inserts events with deliveries that were attempted, as if they were older than the endpoint; `columns` are the state and
 * the time of the next attempt.
 */
async function insertDeliveries({ store, endpoint_id }: Hook, count: number, columns: string): Promise<void> {
  const ids = await insertEvents(store, { type: 'user.created', count })
  await rowsOf(
    `insert into webhook_deliveries (endpoint_id, event_id, attempts, retries, state, next_attempt_at)
      select ?1, id, 5, 5, ${columns} from events where id between ?2 and ?3`,
    endpoint_id,
    ids[0],
    ids.at(-1),
  )
  await rowsOf('update webhook_endpoints set cursor = ?2 where id = ?1', endpoint_id, ids.at(-1))
}

describe('A delivery', () => {
  it.each([
    ['that succeeds', 204, { trips: 2, written: 4 }],
    // Two of them are for the index of what waits, and for the scheduled wake-up.
    ['that fails', 500, { trips: 2, written: 8 }],
  ])('%s at the first attempt costs two round trips and few rows', async (_, reply, cost) => {
    const hook = await newHook()
    await rowsOf('update webhook_endpoints set last_status = 204 where id = ?', hook.endpoint_id)
    await hook.receiver.answer(reply)
    await change(hook)
    expect(await costOf((bindings) => deliver(hook, bindings))).toMatchObject(cost)
  })

  it('that is retried costs two round trips and four rows', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await change(hook)
    await deliver(hook)
    await age(hook, 60_000)
    expect(await costOf((bindings) => deliver(hook, bindings))).toMatchObject({ trips: 2, written: 4 })
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'delivered' }])
  })

  it('costs at most one more round trip for each additional event: results that arrive during a poll share the next', async () => {
    const hook = await newHook()
    await rowsOf('update webhook_endpoints set last_status = 204 where id = ?', hook.endpoint_id)
    await change(hook, 6)
    const { trips, written } = await costOf((bindings) => deliver(hook, bindings))
    // A result is never recorded alone if another one is there: test/jobs/deliver-invocation.test.ts has the exact number.
    expect(trips).toBeLessThanOrEqual(1 + 6)
    expect(written).toBe(6 * 3 + 1)
  })

  it('reads as many rows after thousands of other deliveries and events as after one', async () => {
    const read = async (before: number) => {
      const hook = await newHook()
      await insertDeliveries(hook, before, `'delivered', null`)
      await change(hook)
      return (await costOf((bindings) => deliver(hook, bindings))).read
    }
    expect(await read(3000)).toBe(await read(1))
  })

  it('reads as many rows with thousands of pending deliveries as with one', async () => {
    const read = async (waiting: number) => {
      const hook = await newHook()
      await insertDeliveries(hook, waiting, `'pending', ${Date.now() + 3_600_000}`)
      await change(hook)
      return (await costOf((bindings) => deliver(hook, bindings))).read
    }
    expect(await read(3000)).toBe(await read(1))
  })

  it.each([
    ['that succeeds', 204],
    ['that fails', 500],
  ])('%s costs the same with a thousand dead endpoints, in its store and in another, as with one', async (_, reply) => {
    const cost = async (dead: number) => {
      const hook = await newHook()
      await hook.receiver.answer(reply)
      await change(hook)
      for (const store of [hook.store, await newStore()]) await insertDead(await storeNumber(store), dead)
      const { trips, written, read } = await costOf((bindings) => deliver(hook, bindings))
      expect(await arrived(hook)).toHaveLength(1)
      return { trips, written, read }
    }
    expect(await cost(1000)).toEqual(await cost(1))
  })
})

/** Inserts endpoints that have been failing for long, each with a pending delivery. */
async function insertDead(store: number, count: number): Promise<void> {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)`
  const id = '?1 * 4294967296 + 1000000 + i'
  await rowsOf(
    `${numbers} insert into webhook_endpoints
        (id, url, secret, cursor, failures, failing_since, probe_at, probes, resumed_after, resumed_until, created_at, event_id)
      select ${id}, 'https://dead.example.com/', 'whsec_', ${id}, 30, 0, 9e15, 0, 0, 0, 0, ${id} from n`,
    store,
    count,
  )
  await rowsOf(
    `${numbers} insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries, next_attempt_at)
      select ${id}, ${id}, 'pending', 9, 9, ?3 from n`,
    store,
    count,
    Date.now() + 3_600_000,
  )
}

describe('An endpoint that is down', () => {
  const LATER = `'pending', ${Date.now() + 6 * 3_600_000}`

  it.each([
    ['is woken before its next probe', 60_000, 204, { trips: 1, written: 0 }],
    ['fails its probe', 0, 500, { trips: 2, written: 7 }],
  ])('%s at the same cost for any number of waiting deliveries and new events', async (_, probeInMs, reply, cost) => {
    const costWith = async (waiting: number) => {
      const hook = await newHook()
      await insertDeliveries(hook, waiting, LATER)
      await insertEvents(hook.store, { type: 'user.created', count: waiting })
      await takeDown(hook, probeInMs)
      await hook.receiver.answer(reply)
      return costOf((bindings) => deliver(hook, bindings))
    }
    const [many, one] = [await costWith(3000), await costWith(2)]
    expect(many).toEqual(one)
    expect(many).toMatchObject(cost)
    expect(many.read).toBeLessThan(100)
  })

  it('recovers at the same cost for any number of waiting deliveries, which are then due in bounded polls', async () => {
    const costWith = async (waiting: number) => {
      const hook = await newHook()
      await insertDeliveries(hook, waiting, LATER)
      await takeDown(hook)
      const cost = await costOf((bindings) =>
        onHook({ ...hook, bindings: { ...hook.bindings, ...bindings } }, 'POST', '/test'),
      )
      return { hook, cost }
    }
    const [many, one] = [await costWith(3000), await costWith(1)]
    expect(many.cost).toEqual(one.cost)
    expect(many.cost.trips).toBe(3)
    expectWholeInvocation(await costOf((bindings) => deliver(many.hook, bindings)))
  })
})

describe('A change', () => {
  it('writes no additional row for the webhook endpoints of its store', async () => {
    const [plain, hook] = [await newStore(), await newHook()]
    await useToken(plain)
    await useToken(hook.store)
    const before = await costOf((bindings) => createV1(plain, v1User(), { bindings }))
    const after = await costOf((bindings) =>
      createV1(hook.store, v1User(), { bindings: { ...hook.bindings, ...bindings } }),
    )
    expect(after).toMatchObject({ trips: before.trips, written: before.written })
  })
})

describe('POST …/webhook_endpoints/{id}/enable', () => {
  it('writes two rows and reads equally many rows for any number of pending deliveries, which are then due in bounded polls', async () => {
    const cost = async (waiting: number) => {
      const hook = await newHook()
      await insertDeliveries(hook, waiting, `'pending', ${Date.now() + 6 * 3_600_000}`)
      await rowsOf(
        'update webhook_endpoints set disabled_at = 1, failures = 30, failing_since = 1 where id = ?',
        hook.endpoint_id,
      )
      const { trips, written, read } = await costOf((bindings) =>
        onHook({ ...hook, bindings: { ...hook.bindings, ...bindings } }, 'POST', '/enable'),
      )
      const shown = (await deliveriesOf(hook)).map(({ next_attempt_at }) => Date.parse(next_attempt_at))
      expect(Math.max(...shown)).toBeLessThanOrEqual(Date.now())
      return { hook, cost: { trips, written, read } }
    }
    const [many, one] = [await cost(20_000), await cost(1)]
    expect(many.cost).toEqual(one.cost)
    expect(many.cost.written).toBe(2)
    expectWholeInvocation(await costOf((bindings) => deliver(many.hook, bindings)))
  })
})
