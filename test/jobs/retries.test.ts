/** What becomes of an endpoint that fails. Nobody waits for a delay here: `age` moves its end into the past. */
import { describe, expect, it, vi } from 'vitest'
import type { Reply } from '../support/receiver.ts'
import { rowsOf } from '../support/rows.ts'
import {
  age,
  arrived,
  change,
  deliver,
  deliverAll,
  deliveriesOf,
  endpointRow,
  eventsOf,
  type Hook,
  newHook,
  onHook,
  sweep,
  verified,
} from '../support/webhooks.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** A hook whose first event has met this answer. */
async function failedHook(...replies: Reply[]): Promise<{ hook: Hook; event: string }> {
  const hook = await newHook()
  await hook.receiver.answer(...(replies.length > 0 ? replies : [500]))
  const [event = ''] = await change(hook)
  await deliver(hook)
  return { hook, event }
}

/** As if another event had got through meanwhile. */
async function letWork({ id }: Hook): Promise<void> {
  await rowsOf('update webhook_endpoints set failures = 0, failing_since = null, retry_at = null where id = ?', id)
}

describe('an attempt that failed', () => {
  it('is made again under the same webhook-id, with the same body and a timestamp of its own', async () => {
    const { hook, event } = await failedHook(500, 204)
    await age(hook, 10_000)
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
    await deliver(hook).finally(() => vi.useRealTimers())
    const [first, second, third] = await hook.receiver.requests()
    if (!first || !second) throw new Error('too few have arrived')
    expect(third).toBeUndefined()
    expect(await arrived(hook)).toEqual([event, event])
    expect(verified(second, hook.secret)).toEqual(verified(first, hook.secret))
    const times = [first, second].map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(times[1]).toBeGreaterThanOrEqual((times[0] ?? 0) + 60)
    expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature'])
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'delivered', attempts: 2, last_status: 204 }])
  })

  it('is not made again before its delay has passed, and a delayed wake-up comes when it has', async () => {
    const { hook, event } = await failedHook()
    const { retry_at } = await endpointRow(hook)
    const [{ next_attempt_at }] = await deliveriesOf(hook)
    const due = Math.max(retry_at, Date.parse(next_attempt_at))
    const delaySeconds = hook.wakeUps().at(-1)?.delaySeconds ?? 0
    expect(Date.now() + delaySeconds * 1000).toBeGreaterThanOrEqual(due)
    expect(delaySeconds).toBeGreaterThanOrEqual(4)
    expect(delaySeconds).toBeLessThanOrEqual(7)
    await age(hook, -HOUR)
    await deliver(hook)
    expect(await arrived(hook)).toEqual([event])
  })

  it('is woken for when its delay has passed, too, where more was due than was sent with it', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await change(hook, 10)
    await deliverAll(hook)
    expect(await arrived(hook)).toHaveLength(10)
    const delays = hook.wakeUps().map(({ delaySeconds }) => delaySeconds)
    expect(delays.filter((delay) => delay > 0)).toEqual([expect.any(Number)])
    expect(Math.max(...delays)).toBeGreaterThanOrEqual(4)
    expect(Math.max(...delays)).toBeLessThanOrEqual(6)
  })

  it('is made 16 times at growing delays over more than three days, then never again', async () => {
    const { hook } = await failedHook()
    const delays: number[] = []
    for (let i = 0; i < 15; i++) {
      const [{ last_attempt_at, next_attempt_at }] = await deliveriesOf(hook)
      delays.push((Date.parse(next_attempt_at) - Date.parse(last_attempt_at)) / 1000)
      await letWork(hook)
      await age(hook, DAY)
      await deliver(hook)
    }
    const expected = [5, 20, 80, 320, 1280, 5120, 20_480, ...Array.from({ length: 8 }, () => 36_000)]
    for (const [i, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual((expected[i] ?? 0) * 0.8)
      // Counted from the end of the attempt, which has taken no minute.
      expect(delay).toBeLessThan((expected[i] ?? 0) * 1.2 + 60)
    }
    expect(await deliveriesOf(hook)).toMatchObject([
      { state: 'failed', attempts: 16, last_status: 500, next_attempt_at: null },
    ])
    await letWork(hook)
    await age(hook, 4 * DAY)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(16)
  })

  it('waits longer or shorter by chance, so that endpoints do not come back all at once', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    await change(hook, 6)
    await deliver(hook)
    const times = (await deliveriesOf(hook)).map(({ next_attempt_at }) => next_attempt_at)
    expect(times).toHaveLength(6)
    expect(new Set(times).size).toBeGreaterThan(1)
  })
})

describe('an endpoint that fails', () => {
  it('is asked one at a time, however much waits for it', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    await change(hook, 10)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(6)
    for (let asked = 7; asked <= 9; asked++) {
      await age(hook, DAY)
      await Promise.all([deliver(hook), deliver(hook), deliver(hook)])
      expect(await arrived(hook)).toHaveLength(asked)
    }
  })

  it('is not asked for new events before its delay has passed', async () => {
    const { hook, event } = await failedHook()
    await age(hook, -HOUR)
    await change(hook, 3)
    await deliver(hook)
    expect(await arrived(hook)).toEqual([event])
    expect(await deliveriesOf(hook)).toHaveLength(4)
  })

  it('gets all that waits at once when it answers again', async () => {
    const { hook, event } = await failedHook(500, 204)
    const later = await change(hook, 9)
    await age(hook, DAY)
    await deliverAll(hook)
    expect((await arrived(hook)).toSorted()).toEqual([event, event, ...later].toSorted())
    expect(await endpointRow(hook)).toMatchObject({ failures: 0, failing_since: null, retry_at: null })
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, failing_since: null })
  })

  it('says since when, from its first failure on', async () => {
    const { hook } = await failedHook()
    const first = (await onHook(hook, 'GET')).json.failing_since
    await age(hook, HOUR)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(2)
    const second = (await onHook(hook, 'GET')).json.failing_since
    expect(Date.parse(second)).toBe(Date.parse(first) - HOUR)
  })

  it('is not failing when but one event of several is refused', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await change(hook, 3)
    await deliverAll(hook)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, failing_since: null })
    const states = (await deliveriesOf(hook)).map(({ state }): string => state)
    expect(states.toSorted()).toEqual(['delivered', 'delivered', 'pending'])
  })
})

describe('an endpoint is disabled', () => {
  it('at once when it answers 410, and the store is told', async () => {
    const { hook, event } = await failedHook(410)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: false, disabled_at: expect.any(String) })
    const events = await eventsOf(hook.store, 'webhook_endpoint.disabled')
    expect(events).toMatchObject([
      {
        store_id: hook.store.id,
        actor: { type: 'system' },
        request_id: null,
        data: { webhook_endpoint_id: String(hook.id) },
      },
    ])
    expect(await deliveriesOf(hook)).toMatchObject([{ event_id: event, state: 'pending', last_status: 410 }])
  })

  it('when it has failed for three days, and not before', async () => {
    const { hook } = await failedHook()
    await age(hook, 3 * DAY - HOUR)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json.enabled).toBe(true)
    await age(hook, HOUR)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(3)
    expect((await onHook(hook, 'GET')).json.enabled).toBe(false)
    expect(await eventsOf(hook.store, 'webhook_endpoint.disabled')).toHaveLength(1)
  })

  it('not when it answers after three days of failures', async () => {
    const { hook } = await failedHook(500, 204)
    await age(hook, 4 * DAY)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, failing_since: null })
  })

  it('once: two attempts that are answered 410 write one event', async () => {
    const hook = await newHook()
    await hook.receiver.answer(410)
    await change(hook, 12)
    await Promise.all([deliver(hook), deliver(hook)])
    expect(await eventsOf(hook.store, 'webhook_endpoint.disabled')).toHaveLength(1)
  })

  it('and the other endpoints of its store are sent the event of it', async () => {
    const hook = await newHook()
    const other = await newHook({ store: hook.store, types: ['webhook_endpoint.disabled'] })
    await hook.receiver.answer(410)
    await change(hook)
    await deliver(hook)
    await deliver(other)
    const [event] = await eventsOf(hook.store, 'webhook_endpoint.disabled')
    expect(await arrived(other)).toEqual([event.id])
  })
})

describe('a disabled endpoint', () => {
  it('gets nothing, and is not looked after again', async () => {
    const { hook } = await failedHook(410)
    await change(hook, 2)
    await age(hook, DAY)
    const [wakeUps, deliveries] = [hook.wakeUps().length, await deliveriesOf(hook)]
    await sweep(hook.bindings)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(1)
    expect(hook.wakeUps()).toHaveLength(wakeUps)
    expect(await deliveriesOf(hook)).toEqual(deliveries)
  })

  it('gets all that has happened since, without a gap, when it is enabled', async () => {
    const { hook, event } = await failedHook(410, 204)
    const later = await change(hook, 3)
    const { json } = await onHook(hook, 'POST', '/enable')
    expect(json).toMatchObject({ enabled: true, failing_since: null, disabled_at: null })
    await deliverAll(hook)
    const disabled = (await eventsOf(hook.store, 'webhook_endpoint.disabled')).map(({ id }): string => id)
    expect((await arrived(hook)).toSorted()).toEqual([event, event, ...disabled, ...later].toSorted())
  })

  it('is woken by being enabled, and by the next change again, also where its store is known without it', async () => {
    const hook = await newHook()
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', hook.id)
    await change(hook)
    expect(hook.wakeUps()).toEqual([])
    await onHook(hook, 'POST', '/enable')
    await change(hook)
    const wakeUp = { body: { endpoint_id: hook.id }, delaySeconds: 0 }
    expect(hook.wakeUps()).toEqual([wakeUp, wakeUp])
  })

  it('is enabled alone: others wait for the end of their delays', async () => {
    const { hook } = await failedHook()
    const before = await deliveriesOf(hook)
    await onHook(await newHook({ store: hook.store }), 'POST', '/enable')
    expect(await deliveriesOf(hook)).toEqual(before)
  })

  it('gets the event whose last attempt disabled it, too, when it is enabled', async () => {
    const { hook, event } = await failedHook(500, 500, 204)
    await rowsOf('update webhook_deliveries set attempts = 13 where endpoint_id = ?', hook.id)
    await age(hook, 3 * DAY)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json.enabled).toBe(false)
    await onHook(hook, 'POST', '/enable')
    await deliverAll(hook)
    expect((await arrived(hook)).filter((id) => id === event)).toHaveLength(3)
    expect((await deliveriesOf(hook))[0]).toMatchObject({ event_id: event, state: 'delivered', attempts: 15 })
  })
})
