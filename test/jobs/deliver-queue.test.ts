/** These tests use the real queue, so they fail if its messages do not reach the consumer. */
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { insertEvents, rowsOf, type TestStore } from '../support/rows.ts'
import {
  arrived,
  change,
  deliveriesOf,
  endpointRow,
  eventsOf,
  type Hook,
  newHook,
  onHook,
  until,
  verified,
} from '../support/webhooks.ts'

const hooks: Hook[] = []

async function newLiveHook(store?: TestStore): Promise<Hook> {
  const hook = { ...(await newHook(store && { store })), bindings: { WEBHOOKS: env.WEBHOOKS } }
  hooks.push(hook)
  return hook
}

/** A delivery that is still in flight would appear in what other tests record, so each hook is emptied and deleted. */
afterEach(async () => {
  for (const hook of hooks.splice(0)) {
    await hook.receiver.answer(204)
    await until(async () => (await arrived(hook)).length > 0)
    await until(async () =>
      (await deliveriesOf(hook)).every(({ last_status, attempts }) => attempts === 0 || last_status),
    )
    await onHook(hook, 'DELETE')
  }
})

function hasArrived(hook: Hook, ids: string[]): () => Promise<boolean> {
  return async () => {
    const received = new Set(await arrived(hook))
    return ids.every((id) => received.has(id))
  }
}

interface DownEndpoints {
  endpoints: number
  /** For so many events each endpoint has a delivery that waits. */
  events: number
}

/** Inserts endpoints that nobody answers, with a probe that is due and its message, and returns their ids. */
async function insertDown(hook: Hook, { endpoints, events }: DownEndpoints): Promise<number[]> {
  const { store } = hook
  const ids = await insertEvents(store, { type: 'webhook_endpoint.created', count: endpoints })
  const waiting = await insertEvents(store, { type: 'user.created', count: events })
  const range = [ids[0], ids.at(-1)]
  const deliveries = [waiting[0], waiting.at(-1)]
  const now = Date.now()
  await rowsOf(
    `insert into webhook_endpoints (id, url, secret, cursor, failures, failing_since, probe_at, probes, resumed_after,
        resumed_until, wake_at, created_at, event_id)
      select id, 'http://127.0.0.1:1/', 'whsec_', ?3, 20, ?4, ?4, 0, 0, 0, ?4, ?4, id from events where id between ?1 and ?2`,
    ...range,
    deliveries[1],
    now,
  )
  await rowsOf(
    `insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries, next_attempt_at)
      select e.id, d.id, 'pending', 0, 0, ?5 from events e join events d
      where e.id between ?1 and ?2 and d.id between ?3 and ?4`,
    ...range,
    ...deliveries,
    now + 60_000,
  )
  for (let i = 0; i < ids.length; i += 50) {
    await env.WEBHOOKS.sendBatch(ids.slice(i, i + 50).map((endpoint_id) => ({ body: { endpoint_id } })))
  }
  return ids
}

async function stateOf(ids: number[]): Promise<any> {
  const [row] = await rowsOf(
    `select count(*) filter (where probes > 0) as probed, sum(probes) as probes,
        count(*) filter (where probe_at is not null) as down,
        (select sum(attempts) from webhook_deliveries where endpoint_id between ?1 and ?2) as attempts,
        (select count(*) from webhook_deliveries where endpoint_id between ?1 and ?2) as deliveries
      from webhook_endpoints where id between ?1 and ?2`,
    ids[0],
    ids.at(-1),
  )
  return row
}

describe('The queue', () => {
  it('delivers each change to the receiver once', async () => {
    const hook = await newLiveHook()
    const ids = await change(hook, 8)
    await until(hasArrived(hook, ids))
    await until(async () => (await deliveriesOf(hook)).every(({ state }) => state === 'delivered'))
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
    const events = new Map((await eventsOf(hook.store)).map((event) => [event.id, event]))
    for (const request of await hook.receiver.requests()) {
      const event = verified(request, hook.secret)
      expect(event).toEqual(events.get(event.id))
    }
  })

  it('delivers to other endpoints of the same and another store without delay while an endpoint hangs', async () => {
    const hanging = await newLiveHook()
    const [neighbour, stranger] = [await newLiveHook(hanging.store), await newLiveHook()]
    await hanging.receiver.answer('hang')
    const [first = ''] = await change(hanging)
    await until(hasArrived(hanging, [first]))

    const [ids, foreign] = [await change(neighbour, 3), await change(stranger, 3)]
    await until(hasArrived(neighbour, [first, ...ids]))
    await until(hasArrived(stranger, foreign))
    // The first delivery must still be waiting for its response, or the others were not sent while it was hanging.
    const waiting = (await deliveriesOf(hanging)).find(({ event_id }) => event_id === first)
    expect(waiting).toMatchObject({ last_status: null })
    expect((await endpointRow(hanging)).failures).toBe(0)
  })

  it('delivers each failed event again when it is due', async () => {
    const hook = await newLiveHook()
    await hook.receiver.answer(500)
    const ids = await change(hook, 6)
    await until(async () => (await deliveriesOf(hook)).filter(({ last_status }) => last_status === 500).length === 6)
    const shown = (await deliveriesOf(hook)).map(({ next_attempt_at }) => Date.parse(next_attempt_at))
    await hook.receiver.answer(204)
    await until(async () => (await deliveriesOf(hook)).every(({ state }) => state === 'delivered'))
    expect((await arrived(hook)).toSorted()).toEqual([...ids, ...ids].toSorted())
    for (const [i, { last_attempt_at }] of (await deliveriesOf(hook)).entries())
      expect(Date.parse(last_attempt_at)).toBeGreaterThanOrEqual(shown[i] ?? 0)
  })

  it('delivers more events than one invocation can send', async () => {
    const hook = await newLiveHook()
    await insertEvents(hook.store, { type: 'user.created', count: 130 })
    await change(hook)
    await until(async () => new Set(await arrived(hook)).size === 131)
    const underWay = (await hook.receiver.requests()).map((request) => request.underWay)
    expect(Math.max(...underWay)).toBeLessThanOrEqual(6)
  })

  it('delivers each event to an endpoint although 150 endpoints of another store are down, which are probed and no more', async () => {
    const dead = await newLiveHook()
    const ids = await insertDown(dead, { endpoints: 150, events: 100 })
    const healthy = await newLiveHook()
    const arrivals: string[] = []
    for (let i = 0; i < 10; i++) {
      const event = await change(healthy)
      await change(dead)
      await until(hasArrived(healthy, event))
      arrivals.push(...event)
    }
    await until(async () => (await stateOf(ids)).probed === 150)
    expect(await arrived(healthy)).toEqual(arrivals)
    const { attempts, probes, deliveries, down } = await stateOf(ids)
    expect({ attempts, deliveries, down }).toEqual({ attempts: probes, deliveries: 150 * 100, down: 150 })
    // The first probe is due at once and the second after 30 s.
    expect(probes).toBeLessThanOrEqual(150 * 3)
    await rowsOf('delete from webhook_endpoints where id between ? and ?', ids[0], ids.at(-1))
  })

  it('delivers to an endpoint that was enabled, without another change', async () => {
    const hook = await newLiveHook()
    await hook.receiver.answer(410)
    const ids = await change(hook)
    await until(async () => (await endpointRow(hook)).disabled_at !== null)
    await hook.receiver.answer(204)
    await onHook(hook, 'POST', '/enable')
    await until(async () => (await deliveriesOf(hook)).filter(({ state }) => state === 'delivered').length === 3)
    const events = (await eventsOf(hook.store)).slice(-3).map(({ id }): string => id)
    expect((await arrived(hook)).toSorted()).toEqual([...ids, ...events].toSorted())
  })
})
