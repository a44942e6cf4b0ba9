/** `age` moves times into the past, because the real delays between retries take up to six hours. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { faultyD1, faultyQueue, losesAnswer } from '../support/faults.ts'
import { inStore } from '../support/places.ts'
import type { Reply } from '../support/receiver.ts'
import { rowsOf } from '../support/rows.ts'
import {
  age,
  arrived,
  at,
  change,
  deliver,
  deliveriesOf,
  endpointRow,
  eventsOf,
  type Hook,
  newHook,
  onHook,
  sweep,
  until,
  verified,
} from '../support/webhooks.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Creates a hook whose first event got this response. */
async function failedHook(...replies: Reply[]): Promise<{ hook: Hook; event: string }> {
  const hook = await newHook()
  await hook.receiver.answer(...(replies.length > 0 ? replies : [500]))
  const [event = ''] = await change(hook)
  await deliver(hook)
  return { hook, event }
}

describe('A failed attempt', () => {
  it('is repeated with the same webhook-id and body, and with a new timestamp', async () => {
    const { hook, event } = await failedHook(500, 204)
    await age(hook, 10_000)
    await at(Date.now() + 60_000, () => deliver(hook))
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

  it('is repeated at next_attempt_at and not before, with a queue message for that time', async () => {
    const { hook, event } = await failedHook()
    const [{ next_attempt_at }] = await deliveriesOf(hook)
    const endpoint = (await onHook(hook, 'GET')).json
    expect(endpoint).toMatchObject({ next_attempt_at, last_status: 500 })
    await at(Date.parse(next_attempt_at) - 1, () => deliver(hook))
    expect(await arrived(hook)).toEqual([event])
    await at(Date.parse(next_attempt_at), () => deliver(hook))
    expect(await arrived(hook)).toEqual([event, event])
    const delays = hook.wakeUps().map(({ delaySeconds }) => delaySeconds)
    expect(delays.slice(0, 2)).toEqual([0, expect.any(Number)])
    // The delay is 5 s ± 10 %. The message arrives at a whole second, and half a second later.
    expect([5, 6, 7]).toContain(delays[1])
  })

  it('has its own time, and one scheduled wake-up after the other, so each of six is repeated when it is due', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    const ids = await change(hook, 6)
    const start = Date.now()
    await at(start, () => deliver(hook))
    const dues = new Map((await deliveriesOf(hook)).map((row) => [row.event_id, Date.parse(row.next_attempt_at)]))
    expect(new Set(dues.values()).size).toBeGreaterThan(1)
    await hook.receiver.answer(204)
    for (let now = start; new Set(await arrived(hook)).size + 6 > (await arrived(hook)).length;) {
      const { wake_at } = await endpointRow(hook)
      expect(wake_at).toBe(Math.ceil(Math.min(...[...dues.values()].filter((due) => due > now)) / 1000) * 1000)
      // A message has a delay in seconds, so it may arrive up to one second later.
      const delays = hook.wakeUps().map(({ delaySeconds }) => now + delaySeconds * 1000)
      expect(delays.some((time) => time >= wake_at + 500 && time < wake_at + 1500)).toBe(true)
      now = wake_at
      await at(now, () => deliver(hook))
      const delivered = (await deliveriesOf(hook)).filter(({ state }) => state === 'delivered')
      const due = [...dues].filter(([, time]) => time <= now)
      expect(delivered.map(({ event_id }): string => event_id)).toEqual(due.map(([id]): string => id))
    }
    expect((await arrived(hook)).toSorted()).toEqual([...ids, ...ids].toSorted())
  })

  it('shares its wake-up with others that are due in the same second', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    await change(hook, 6)
    await deliver(hook)
    const second = Math.ceil(Date.now() / 1000) * 1000 + 60_000
    const times = 'next_attempt_at = ?2 - event_id % 6 * 100 - 100'
    await rowsOf(`update webhook_deliveries set ${times} where endpoint_id = ?1`, hook.endpoint_id, second)
    const delayed = () => hook.wakeUps().filter(({ delaySeconds }) => delaySeconds > 0)
    const before = delayed().length
    for (const early of [950, 550, 450, 350, 250, 150]) await at(second - early, () => deliver(hook))
    expect(await arrived(hook)).toHaveLength(6 + 5)
    expect(delayed().slice(before)).toHaveLength(1)
  })

  it('gets no second message for a time at which one arrives', async () => {
    const { hook } = await failedHook()
    const delayed = () => hook.wakeUps().filter(({ delaySeconds }) => delaySeconds > 0)
    expect(delayed()).toHaveLength(1)
    for (let i = 0; i < 3; i++) await deliver(hook)
    expect(delayed()).toHaveLength(1)
  })

  it('is repeated after 5 s, 30 s, 2 min, 10 min, 1 h and then every 6 h, at most 17 times within three days', async () => {
    const { hook } = await failedHook()
    const delays: number[] = []
    for (let i = 0; i < 16; i++) {
      const [{ last_attempt_at, next_attempt_at }] = await deliveriesOf(hook)
      delays.push((Date.parse(next_attempt_at) - Date.parse(last_attempt_at)) / 1000)
      await at(Date.parse(next_attempt_at), () => deliver(hook))
    }
    const expected = [5, 30, 120, 600, 3600, ...Array.from({ length: 11 }, () => 21_600)]
    expect(expected.reduce((sum, delay) => sum + delay)).toBeLessThan((3 * DAY) / 1000)
    for (const [i, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual((expected[i] ?? 0) * 0.9)
      // The delay counts from the end of the attempt, which took less than a minute.
      expect(delay).toBeLessThan((expected[i] ?? 0) * 1.1 + 60)
    }
    expect(await arrived(hook)).toHaveLength(17)
    expect(await deliveriesOf(hook)).toMatchObject([
      { state: 'failed', attempts: 17, last_status: 500, next_attempt_at: null },
    ])
    await age(hook, 4 * DAY)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(17)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, next_attempt_at: null })
  })
})

describe('An event that fails', () => {
  it('does not delay another event, however long the endpoint has been failing', async () => {
    const { hook, event } = await failedHook(500, 204)
    const [second = ''] = await change(hook)
    await deliver(hook)
    expect(await arrived(hook)).toEqual([event, second])
    await rowsOf('update webhook_endpoints set failures = 19 where id = ?', hook.endpoint_id)
    const later = await change(hook, 3)
    await deliver(hook)
    expect((await arrived(hook)).slice(2).toSorted()).toEqual(later.toSorted())
    expect(await deliveriesOf(hook)).toMatchObject([{ event_id: event, state: 'pending', attempts: 1 }, {}, {}, {}, {}])
  })

  it('does not mark the endpoint as failing when another event is delivered', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await change(hook, 3)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, failing_since: null, last_status: 204 })
    const states = (await deliveriesOf(hook)).map(({ state }): string => state)
    expect(states.toSorted()).toEqual(['delivered', 'delivered', 'pending'])
  })
})

describe('An endpoint that is failing', () => {
  it('shows the time of its first failure in failing_since', async () => {
    const { hook } = await failedHook()
    const first = (await onHook(hook, 'GET')).json.failing_since
    await age(hook, HOUR)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(2)
    const second = (await onHook(hook, 'GET')).json.failing_since
    expect(Date.parse(second)).toBe(Date.parse(first) - HOUR)
  })
})

describe('An endpoint is disabled', () => {
  it('immediately when it returns 410, with an event in the store', async () => {
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

  it.each([
    { failures: 19, days: 3, enabled: false },
    { failures: 18, days: 30, enabled: true },
    { failures: 100, days: 3 - HOUR / DAY, enabled: true },
  ])('only after three days and 20 failures without a success: $failures and one more, $days days', async (state) => {
    const { hook } = await failedHook()
    await age(hook, state.days * DAY)
    await rowsOf('update webhook_endpoints set failures = ? where id = ?', state.failures, hook.endpoint_id)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(2)
    expect((await onHook(hook, 'GET')).json.enabled).toBe(state.enabled)
    expect(await eventsOf(hook.store, 'webhook_endpoint.disabled')).toHaveLength(state.enabled ? 0 : 1)
  })

  it('not when it succeeds after three days of failures', async () => {
    const { hook } = await failedHook(500, 204)
    await rowsOf('update webhook_endpoints set failures = 100 where id = ?', hook.endpoint_id)
    await age(hook, 4 * DAY)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, failing_since: null })
  })

  it('once when two attempts return 410', async () => {
    const hook = await newHook()
    await hook.receiver.answer(410)
    await change(hook, 12)
    await Promise.all([deliver(hook), deliver(hook)])
    expect(await eventsOf(hook.store, 'webhook_endpoint.disabled')).toHaveLength(1)
  })

  it('with an event that the other endpoints of its store get', async () => {
    const hook = await newHook()
    const other = await newHook({ store: hook.store, types: ['webhook_endpoint.disabled'] })
    await hook.receiver.answer(410)
    await change(hook)
    const { WEBHOOKS, messages } = faultyQueue(env.WEBHOOKS, () => 'lost')
    await deliver(hook, { WEBHOOKS })
    expect(messages()).toEqual([{ body: { endpoint_id: other.endpoint_id }, delaySeconds: 0 }])
    await deliver(other)
    const [event] = await eventsOf(hook.store, 'webhook_endpoint.disabled')
    expect(await arrived(other)).toEqual([event.id])
  })
})

describe('A disabled endpoint', () => {
  it('gets nothing, and the minutely job does not wake it', async () => {
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

  it('gets everything that happened meanwhile when it is enabled', async () => {
    const { hook, event } = await failedHook(410, 204)
    const later = await change(hook, 3)
    expect(await deliveriesOf(hook)).toMatchObject([{ event_id: event, next_attempt_at: null }])
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: false, next_attempt_at: null })
    const { json } = await onHook(hook, 'POST', '/enable')
    expect(json).toMatchObject({ enabled: true, failing_since: null, disabled_at: null })
    await deliver(hook)
    const [disabled, enabled] = (await eventsOf(hook.store)).filter(({ type }) => type.endsWith('abled'))
    const ids: string[] = [event, event, disabled.id, ...later, enabled.id]
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
    expect(enabled).toMatchObject({ type: 'webhook_endpoint.enabled', actor: { type: 'operator', name: 'root' } })
  })

  it('and a failing one behave alike when enabled: pending deliveries are due immediately, those of others are not', async () => {
    const [{ hook, event }, { hook: other }] = [await failedHook(500, 204), await failedHook()]
    await rowsOf('update webhook_endpoints set failures = 30 where id = ?', hook.endpoint_id)
    await age(hook, -6 * HOUR)
    const before = await deliveriesOf(other)
    const { json } = await onHook(hook, 'POST', '/enable')
    expect(json).toMatchObject({ enabled: true, failing_since: null })
    expect(Date.parse(json.next_attempt_at)).toBeLessThanOrEqual(Date.now())
    expect(hook.wakeUps().at(-1)).toEqual({ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 })
    await deliver(hook)
    const [enabled, ...others] = await eventsOf(hook.store, 'webhook_endpoint.enabled')
    expect(others).toEqual([])
    const ids: string[] = [event, event, enabled.id]
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
    expect(await deliveriesOf(other)).toEqual(before)
  })

  it.each(['nothing waits', 'what waits is overdue'])('writes no event and does not change when %s', async (state) => {
    const { hook } = await failedHook(state === 'nothing waits' ? 204 : 500)
    await rowsOf('update webhook_endpoints set failures = 0, failing_since = null where id = ?', hook.endpoint_id)
    await age(hook, HOUR)
    const before = await endpointRow(hook)
    expect((await onHook(hook, 'POST', '/enable')).status).toBe(200)
    expect(await endpointRow(hook)).toEqual(before)
    expect(await eventsOf(hook.store, 'webhook_endpoint.enabled')).toEqual([])
    expect(hook.wakeUps().at(-1)).toEqual({ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 })
  })

  it.each([false, true])(
    'is enabled once when the response is lost and it fails before the retry; disabled before: %s',
    async (isDisabled) => {
      const { hook } = await failedHook()
      await rowsOf(
        'update webhook_endpoints set failures = 30, disabled_at = ? where id = ?',
        isDisabled ? 1 : null,
        hook.endpoint_id,
      )
      await age(hook, -6 * HOUR)
      let failed: any
      const lost = losesAnswer(async () => {
        await deliver(hook)
        failed = await endpointRow(hook)
      })
      const { bindings } = hook
      const answer = await onHook(
        { ...hook, bindings: { ...bindings, ...faultyD1(env.DB, inStore(lost)) } },
        'POST',
        '/enable',
      )
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ enabled: true, failing_since: expect.any(String) })
      expect(failed.failures).toBeGreaterThan(0)
      expect(await endpointRow(hook)).toEqual(failed)
      expect(await eventsOf(hook.store, 'webhook_endpoint.enabled')).toHaveLength(1)
    },
  )

  it('keeps the normal schedule for deliveries that fail after it was enabled', async () => {
    const hook = await newHook({ types: ['user.created'] })
    await hook.receiver.answer(500)
    const [event = ''] = await change(hook)
    await deliver(hook)
    await age(hook, -6 * HOUR)
    await onHook(hook, 'POST', '/enable')
    await deliver(hook)
    const [{ last_attempt_at, next_attempt_at }] = await deliveriesOf(hook)
    expect(await arrived(hook)).toEqual([event, event])
    expect(Date.parse(next_attempt_at) - Date.parse(last_attempt_at)).toBeLessThan(33_000 + 60_000)
    await at(Date.parse(next_attempt_at) - 1, () => deliver(hook))
    expect(await arrived(hook)).toHaveLength(2)
    await at(Date.parse(next_attempt_at), () => deliver(hook))
    expect(await arrived(hook)).toHaveLength(3)
  })

  it('gets the oldest deliveries first and events after its activation last', async () => {
    const hook = await newHook({ types: ['user.created'] })
    await hook.receiver.answer(500)
    const older = await change(hook, 8)
    await deliver(hook)
    await age(hook, -6 * HOUR)
    await onHook(hook, 'POST', '/enable')
    await hook.receiver.answer('hang')
    const delivery = deliver(hook)
    await until(async () => (await arrived(hook)).length === 14)
    const later = await change(hook)
    await hook.receiver.answer(500)
    await delivery
    await deliver(hook)
    const received = (await arrived(hook)).slice(8)
    expect(received.slice(0, 6).toSorted()).toEqual(older.slice(0, 6))
    expect(received.slice(6).toSorted()).toEqual([...older.slice(6), ...later].toSorted())
  })

  it('gets a queue message when it is enabled, and with each later change', async () => {
    const hook = await newHook()
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', hook.endpoint_id)
    await change(hook)
    expect(hook.wakeUps()).toEqual([])
    await onHook(hook, 'POST', '/enable')
    await change(hook)
    const wakeUp = { body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 }
    expect(hook.wakeUps()).toEqual([wakeUp, wakeUp])
  })

  it('gets the event whose last attempt disabled it when it is enabled', async () => {
    const { hook, event } = await failedHook(500, 410, 204)
    await rowsOf('update webhook_deliveries set retries = 16 where endpoint_id = ?', hook.endpoint_id)
    await age(hook, DAY)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json.enabled).toBe(false)
    await onHook(hook, 'POST', '/enable')
    await deliver(hook)
    expect((await arrived(hook)).filter((id) => id === event)).toHaveLength(3)
    expect((await deliveriesOf(hook))[0]).toMatchObject({ event_id: event, state: 'delivered', attempts: 3 })
  })
})
