/** What the operator has sent again. */
import { describe, expect, it } from 'vitest'
import { newAccess, newStore, summary } from '../../support/api.ts'
import {
  arrived,
  change,
  deliver,
  deliveriesOf,
  endpointRow,
  eventsOf,
  type Hook,
  newHook,
  onHook,
  verified,
} from '../../support/webhooks.ts'

function redeliver(hook: Hook, event: string) {
  return onHook(hook, 'POST', `/deliveries/${event}/redeliver`)
}

describe('POST /admin/stores/{store_id}/webhook_endpoints/{id}/deliveries/{event_id}/redeliver', () => {
  it('has an event sent again under the same webhook-id', async () => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await deliver(hook)
    const wakeUps = hook.wakeUps().length
    const answer = await redeliver(hook, event)
    expect(summary(answer)).toBe('200')
    expect(answer.json).toMatchObject({ event_id: event, state: 'pending', attempts: 1, last_status: 204 })
    expect(hook.wakeUps().slice(wakeUps)).toEqual([{ body: { endpoint_id: hook.id }, delaySeconds: 0 }])

    await deliver(hook)
    const [first, second, third] = await hook.receiver.requests()
    if (!first || !second) throw new Error('too few have arrived')
    expect(third).toBeUndefined()
    expect(await arrived(hook)).toEqual([event, event])
    expect(verified(second, hook.secret)).toEqual(verified(first, hook.secret))
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'delivered', attempts: 2, next_attempt_at: null }])
  })

  it('sends an event from before the endpoint, or of a type that it did not ask for', async () => {
    const store = await newStore()
    await newAccess(store)
    const events = (await eventsOf(store)).map(({ id }): string => id)
    const hook = await newHook({ store, types: ['access_token.revoked'] })
    for (const event of events) {
      const { json } = await redeliver(hook, event)
      expect(json).toEqual({
        event_id: event,
        state: 'pending',
        attempts: 0,
        last_status: null,
        last_attempt_at: null,
        next_attempt_at: expect.any(String),
      })
    }
    await deliver(hook)
    expect((await arrived(hook)).toSorted()).toEqual(events.toSorted())
  })

  it('sends an event once when it is asked for before its first delivery', async () => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await redeliver(hook, event)
    await deliver(hook)
    expect(await arrived(hook)).toEqual([event])
  })

  it('waits until the endpoint is enabled', async () => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await hook.receiver.answer(410, 204)
    await deliver(hook)
    expect(summary(await redeliver(hook, event))).toBe('200')
    await deliver(hook)
    expect(await arrived(hook)).toEqual([event])
    await onHook(hook, 'POST', '/enable')
    await deliver(hook)
    expect((await arrived(hook)).filter((id) => id === event)).toEqual([event, event])
    expect((await endpointRow(hook)).failures).toBe(0)
  })

  it('answers 404 for an event of another store, and sends nothing', async () => {
    const [hook, other] = [await newHook(), await newHook()]
    const [event = ''] = await change(other)
    expect(summary(await redeliver(hook, event))).toBe('404 not_found')
    await deliver(hook)
    expect(await arrived(hook)).toEqual([])
    expect(await deliveriesOf(hook)).toEqual([])
  })

  it.each(['0', 'abc', '9007199254740991', '99999999999999999999', '%00'])(
    'answers 404 for the event %s',
    async (event) => {
      expect(summary(await redeliver(await newHook(), event))).toBe('404 not_found')
    },
  )

  it('answers 404 for an endpoint of another store, and for one that is deleted', async () => {
    const [hook, other] = [await newHook(), await newHook()]
    const [[event = ''], [foreign = '']] = [await change(hook), await change(other)]
    for (const id of [event, foreign])
      expect(summary(await redeliver({ ...hook, id: other.id }, id))).toBe('404 not_found')
    await onHook(hook, 'DELETE')
    expect(summary(await redeliver(hook, event))).toBe('404 not_found')
  })
})
