/** The whole way: the real queue brings the wake-ups, and nobody calls the consumer but the platform. */
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import type { TestStore } from '../support/api.ts'
import {
  age,
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

/** More than `until` takes to give up. */
const SLOW = 60_000

const hooks: Hook[] = []

async function newLiveHook(store?: TestStore): Promise<Hook> {
  const hook = { ...(await newHook(store && { store })), bindings: { WEBHOOKS: env.WEBHOOKS } }
  hooks.push(hook)
  return hook
}

/** Nothing stays under way: it would turn up in what other tests record. */
afterEach(async () => {
  for (const hook of hooks.splice(0)) {
    await hook.receiver.answer(204)
    await until(async () => (await arrived(hook)).length > 0)
    await until(async () =>
      (await deliveriesOf(hook)).every(({ last_status, attempts }) => attempts === 0 || last_status),
    )
    await onHook(hook, 'DELETE')
  }
}, SLOW)

function hasArrived(hook: Hook, ids: string[]): () => Promise<boolean> {
  return async () => {
    const received = new Set(await arrived(hook))
    return ids.every((id) => received.has(id))
  }
}

describe('the queue', { timeout: SLOW }, () => {
  it('brings each change to the receiver, once', async () => {
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

  it('brings the events of others without delay while an endpoint hangs, of the same and of another store', async () => {
    const hanging = await newLiveHook()
    const [neighbour, stranger] = [await newLiveHook(hanging.store), await newLiveHook()]
    await hanging.receiver.answer('hang')
    const [first = ''] = await change(hanging)
    await until(hasArrived(hanging, [first]))

    const [ids, foreign] = [await change(neighbour, 3), await change(stranger, 3)]
    await until(hasArrived(neighbour, [first, ...ids]))
    await until(hasArrived(stranger, foreign))
    // The first one is still waiting for its answer.
    const [{ event_id, last_status }] = await deliveriesOf(hanging)
    expect({ event_id, last_status }).toEqual({ event_id: first, last_status: null })
    expect((await endpointRow(hanging)).failures).toBe(0)
  })

  it('brings all that waits, one wake-up leading to the next, once a failing endpoint answers again', async () => {
    const hook = await newLiveHook()
    await hook.receiver.answer(500)
    await change(hook)
    await until(async () => (await endpointRow(hook)).failures === 1)
    await age(hook, -3_600_000)
    const ids = await change(hook, 15)
    await until(async () => (await deliveriesOf(hook)).length === 16)
    expect(await arrived(hook)).toHaveLength(1)

    await hook.receiver.answer(204)
    await age(hook, 7_200_000)
    const [last = ''] = await change(hook)
    await until(hasArrived(hook, [...ids, last]))
    await until(async () => (await deliveriesOf(hook)).every(({ state }) => state === 'delivered'))
    expect(await arrived(hook)).toHaveLength(18)
  })

  it('goes on with an endpoint that is enabled, without another change', async () => {
    const hook = await newLiveHook()
    await hook.receiver.answer(410)
    const ids = await change(hook)
    await until(async () => (await endpointRow(hook)).disabled_at !== null)
    await hook.receiver.answer(204)
    await onHook(hook, 'POST', '/enable')
    await until(async () => (await deliveriesOf(hook)).filter(({ state }) => state === 'delivered').length === 2)
    const disabled = (await eventsOf(hook.store, 'webhook_endpoint.disabled')).map(({ id }): string => id)
    expect((await arrived(hook)).toSorted()).toEqual([...ids, ...ids, ...disabled].toSorted())
  })

  it('brings what the operator has sent again', async () => {
    const hook = await newLiveHook()
    const [id = ''] = await change(hook)
    await until(async () => (await deliveriesOf(hook))[0]?.state === 'delivered')
    await onHook(hook, 'POST', `/deliveries/${id}/redeliver`)
    await until(async () => {
      const [{ state, attempts }] = await deliveriesOf(hook)
      return state === 'delivered' && attempts === 2
    })
    expect(await arrived(hook)).toEqual([id, id])
  })
})
