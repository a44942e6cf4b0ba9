/** These tests use the real queue, so they fail if its messages do not reach the consumer. */
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import type { TestStore } from '../support/api.ts'
import { insertEvents } from '../support/rows.ts'
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
