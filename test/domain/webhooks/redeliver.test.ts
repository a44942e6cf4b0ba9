import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newStore, summary } from '../../support/api.ts'
import { faultyD1, loses } from '../../support/faults.ts'
import { inStore } from '../../support/places.ts'
import { rowsOf } from '../../support/rows.ts'
import {
  age,
  arrived,
  change,
  deliver,
  deliveriesOf,
  endpointRow,
  eventsOf,
  type Hook,
  newHook,
  onHook,
  until,
  verified,
} from '../../support/webhooks.ts'

const DAY = 24 * 60 * 60 * 1000

function redeliver(hook: Hook, event: string) {
  return onHook(hook, 'POST', `/deliveries/${event}/redeliver`)
}

describe('POST /admin/stores/{store_id}/webhook_endpoints/{id}/deliveries/{event_id}/redeliver', () => {
  it('sends the event again with the same webhook-id before it returns, and sends no queue message', async () => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await deliver(hook)
    const wakeUps = hook.wakeUps().length
    const answer = await redeliver(hook, event)
    expect(summary(answer)).toBe('200')
    expect(answer.json).toMatchObject({ event_id: event, state: 'delivered', attempts: 2, last_status: 204 })
    expect(answer.json.next_attempt_at).toBeNull()
    const [first, second, third] = await hook.receiver.requests()
    if (!first || !second) throw new Error('too few have arrived')
    expect(third).toBeUndefined()
    expect(await arrived(hook)).toEqual([event, event])
    expect(verified(second, hook.secret)).toEqual(verified(first, hook.secret))
    expect(hook.wakeUps()).toHaveLength(wakeUps)
    expect(await deliveriesOf(hook)).toEqual([answer.json])
  })

  it('sends an event that is older than the endpoint or of another type', async () => {
    const store = await newStore()
    const events = (await eventsOf(store)).map(({ id }): string => id)
    const hook = await newHook({ store, types: ['access_token.revoked'] })
    for (const event of events)
      expect((await redeliver(hook, event)).json).toMatchObject({ event_id: event, state: 'delivered', attempts: 1 })
    expect(await arrived(hook)).toEqual(events)
  })

  it('sends the event once when it was not delivered yet', async () => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await redeliver(hook, event)
    await deliver(hook)
    expect(await arrived(hook)).toEqual([event])
  })

  it('keeps the schedule of a pending delivery when it fails, and ends the delivery when it succeeds', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    const [event = ''] = await change(hook)
    await deliver(hook)
    const [{ next_attempt_at }] = await deliveriesOf(hook)
    const failed = await redeliver(hook, event)
    expect(failed.json).toMatchObject({ state: 'pending', attempts: 2, last_status: 500, next_attempt_at })
    await hook.receiver.answer(204)
    expect((await redeliver(hook, event)).json).toMatchObject({
      state: 'delivered',
      attempts: 3,
      next_attempt_at: null,
    })
    await age(hook, DAY)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(3)
  })

  it.each(['delivered', 'failed'])('restarts the schedule of a %s delivery when it fails', async (state) => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await deliver(hook)
    await rowsOf(
      `update webhook_deliveries set state = ?, retries = 16, attempts = 17, next_attempt_at = null where endpoint_id = ?`,
      state,
      hook.endpoint_id,
    )
    await hook.receiver.answer(500)
    const { json } = await redeliver(hook, event)
    expect(json).toMatchObject({ state: 'pending', attempts: 18, last_status: 500 })
    const delay = Date.parse(json.next_attempt_at) - Date.parse(json.last_attempt_at)
    expect(Math.round(delay / 1000)).toBeLessThan(60)
    expect([5, 6, 7]).toContain(hook.wakeUps().at(-1)?.delaySeconds)
    await age(hook, 60_000)
    await deliver(hook)
    const [later] = await deliveriesOf(hook)
    expect(later).toMatchObject({ state: 'pending', attempts: 19 })
  })

  it('sends immediately while six requests are in flight, even for an event among them, and leaves those six alone', async () => {
    const hook = await newHook()
    await hook.receiver.answer('hang', 'hang', 'hang', 'hang', 'hang', 'hang', 204)
    const events = await change(hook, 7)
    const delivery = deliver(hook)
    await until(async () => (await arrived(hook)).length === 6)
    const [first = '', seventh = ''] = [events[0], events[6]]
    for (const event of [first, seventh])
      expect((await redeliver(hook, event)).json).toMatchObject({ state: 'delivered', last_status: 204 })
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(8)
    // The hanging requests fail now, and the delivery that succeeded meanwhile must not be sent again.
    await hook.receiver.answer(500)
    await delivery
    const pending = (await deliveriesOf(hook)).filter(({ state }) => state === 'pending')
    expect(pending.map(({ event_id }) => event_id)).toEqual(events.slice(1, 6))
  })

  it('sends to a disabled endpoint, which stays disabled', async () => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await hook.receiver.answer(410, 204)
    await deliver(hook)
    expect((await redeliver(hook, event)).json).toMatchObject({ state: 'delivered' })
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: false, failing_since: null })
    expect(await endpointRow(hook)).toMatchObject({ failures: 0 })
  })

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])('counts the attempt once when the response of %s round trip to the store is lost', async (_, trip) => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    const [event = ''] = await change(hook)
    const fault = loses('after', 1)
    const { DB } = faultyD1(
      env.DB,
      inStore((n) => (n === trip ? fault(0) : undefined)),
    )
    const answer = await redeliver({ ...hook, bindings: { ...hook.bindings, DB } }, event)
    expect(answer.json).toMatchObject({ state: 'pending', attempts: 1, last_status: 500 })
    expect(await endpointRow(hook)).toMatchObject({ failures: 0 })
    expect(await arrived(hook)).toEqual([event])
  })

  it('is repeated by the consumer when the process dies before it stores the result', async () => {
    const hook = await newHook({ types: ['access_token.revoked'] })
    const [event = ''] = await change(hook)
    await deliver(hook)
    const { DB } = faultyD1(
      env.DB,
      inStore((n) => (n > 0 ? loses('before')(0) : undefined)),
    )
    expect((await redeliver({ ...hook, bindings: { ...hook.bindings, DB } }, event)).status).toBe(503)
    await age(hook, 60_000)
    await deliver(hook)
    expect(await arrived(hook)).toEqual([event, event])
  })

  it('returns 404 for an event of another store and sends nothing', async () => {
    const [hook, other] = [await newHook(), await newHook()]
    const [, event = ''] = await change(other, 2)
    expect(summary(await redeliver(hook, event))).toBe('404 not_found')
    expect(await arrived(hook)).toEqual([])
    expect(await deliveriesOf(hook)).toEqual([])
  })

  it.each(['0', 'abc', '4294967295', '4294967296', '9007199254740991', '99999999999999999999', '%00'])(
    'returns 404 for the event %s',
    async (event) => {
      expect(summary(await redeliver(await newHook(), event))).toBe('404 not_found')
    },
  )

  it('returns 404 for a deleted endpoint', async () => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await onHook(hook, 'DELETE')
    expect(summary(await redeliver(hook, event))).toBe('404 not_found')
    expect(await arrived(hook)).toEqual([])
  })
})
