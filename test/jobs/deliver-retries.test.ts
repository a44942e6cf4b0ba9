/** What becomes of an endpoint that fails. Nobody waits for a delay here: `age` moves its end into the past. */
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { faultyD1, faultyQueue, losesAnswer } from '../support/faults.ts'
import type { Reply } from '../support/receiver.ts'
import { rowsOf } from '../support/rows.ts'
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
  sweep,
  until,
  verified,
} from '../support/webhooks.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** With the clock of the service standing at that time. */
async function at(now: number, act: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  await act().finally(() => vi.useRealTimers())
}

/** A hook whose first event has met this answer. */
async function failedHook(...replies: Reply[]): Promise<{ hook: Hook; event: string }> {
  const hook = await newHook()
  await hook.receiver.answer(...(replies.length > 0 ? replies : [500]))
  const [event = ''] = await change(hook)
  await deliver(hook)
  return { hook, event }
}

describe('an attempt that failed', () => {
  it('is made again under the same webhook-id, with the same body and a timestamp of its own', async () => {
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

  it('is made again at the time that is shown, not before, and a wake-up comes for it', async () => {
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
    expect([5, 6]).toContain(delays[1])
  })

  it('has a wake-up and a time of its own: of six that failed each is sent again when it is due', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    const ids = await change(hook, 6)
    await at(Date.now(), () => deliver(hook))
    expect(hook.wakeUps().filter(({ delaySeconds }) => delaySeconds > 0)).toHaveLength(6)
    const dues = (await deliveriesOf(hook)).map(({ event_id, next_attempt_at }): { event_id: string; due: number } => ({
      event_id,
      due: Date.parse(next_attempt_at),
    }))
    expect(new Set(dues.map(({ due }) => due)).size).toBeGreaterThan(1)
    await hook.receiver.answer(204)
    for (const { event_id, due } of dues.toSorted((one, other) => one.due - other.due)) {
      await at(due, () => deliver(hook))
      expect(await arrived(hook)).toContain(event_id)
      const states = (await deliveriesOf(hook))
        .filter((row) => row.state === 'delivered')
        .map((row): string => row.event_id)
      expect(states.toSorted()).toEqual(
        dues
          .filter((each) => each.due <= due)
          .map((each) => each.event_id)
          .toSorted(),
      )
    }
    expect((await arrived(hook)).toSorted()).toEqual([...ids, ...ids].toSorted())
  })

  it('is made 17 times within three days, after 5 s, 30 s, 2 min, 10 min, 1 h, then every 6 h, then never again', async () => {
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
      // Counted from the end of the attempt, which has taken no minute.
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

describe('an event that fails', () => {
  it('holds up no other: a new one is sent at once while the older waits, however long that failed', async () => {
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

  it('leaves the endpoint in good health when another gets through', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await change(hook, 3)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, failing_since: null, last_status: 204 })
    const states = (await deliveriesOf(hook)).map(({ state }): string => state)
    expect(states.toSorted()).toEqual(['delivered', 'delivered', 'pending'])
  })
})

describe('an endpoint that has failed 20 times with no success', () => {
  it('gets one request at a time, new events included, each at once when the one before has ended', async () => {
    const { hook, event } = await failedHook()
    await rowsOf('update webhook_endpoints set failures = 20 where id = ?', hook.endpoint_id)
    await hook.receiver.answer('hang')
    const [second = '', third = ''] = await change(hook, 2)
    const deliveries = [deliver(hook), deliver(hook), deliver(hook)]
    await until(async () => (await arrived(hook)).length === 2)
    await deliver(hook)
    expect(await arrived(hook)).toEqual([event, second])
    await hook.receiver.answer(500)
    await Promise.all(deliveries)
    expect(await arrived(hook)).toEqual([event, second, third])
    const requests = await hook.receiver.requests()
    expect(requests.map(({ underWay }) => underWay)).toEqual([1, 1, 1])
    expect((await endpointRow(hook)).failures).toBe(22)
  })

  it('gets six at a time again after one success', async () => {
    const { hook } = await failedHook(500, 204, 'hang')
    await rowsOf('update webhook_endpoints set failures = 20 where id = ?', hook.endpoint_id)
    await change(hook, 9)
    const delivery = deliver(hook)
    await until(async () => (await arrived(hook)).length === 8)
    await hook.receiver.answer(204)
    await delivery
    expect(await arrived(hook)).toHaveLength(10)
    const underWay = (await hook.receiver.requests()).map((request) => request.underWay)
    expect(Math.max(...underWay)).toBe(6)
    expect(await endpointRow(hook)).toMatchObject({ failures: 0, failing_since: null })
  })

  it('says since when it fails, from its first failure on', async () => {
    const { hook } = await failedHook()
    const first = (await onHook(hook, 'GET')).json.failing_since
    await age(hook, HOUR)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(2)
    const second = (await onHook(hook, 'GET')).json.failing_since
    expect(Date.parse(second)).toBe(Date.parse(first) - HOUR)
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

  it.each([
    { failures: 19, days: 3, enabled: false },
    { failures: 18, days: 30, enabled: true },
    { failures: 100, days: 3 - HOUR / DAY, enabled: true },
  ])('with three days and 20 failures since its last success: $failures and one more, $days days', async (state) => {
    const { hook } = await failedHook()
    await age(hook, state.days * DAY)
    await rowsOf('update webhook_endpoints set failures = ? where id = ?', state.failures, hook.endpoint_id)
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(2)
    expect((await onHook(hook, 'GET')).json.enabled).toBe(state.enabled)
    expect(await eventsOf(hook.store, 'webhook_endpoint.disabled')).toHaveLength(state.enabled ? 0 : 1)
  })

  it('not when it answers after three days of failures', async () => {
    const { hook } = await failedHook(500, 204)
    await rowsOf('update webhook_endpoints set failures = 100 where id = ?', hook.endpoint_id)
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
    const { WEBHOOKS, messages } = faultyQueue(env.WEBHOOKS, () => 'lost')
    await deliver(hook, { WEBHOOKS })
    expect(messages()).toEqual([{ body: { endpoint_id: other.endpoint_id }, delaySeconds: 0 }])
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

  it('need not be disabled: what waits for one that fails is due at once, too, and others wait on', async () => {
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

  it.each(['nothing waits', 'what waits is overdue'])('changes nothing and tells nothing when %s', async (state) => {
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
    'is enabled once when its answer is lost and it fails before it is sent again; disabled before: %s',
    async (isDisabled) => {
      const { hook } = await failedHook()
      await rowsOf(
        'update webhook_endpoints set failures = 30, disabled_at = ? where id = ?',
        isDisabled ? 1 : null,
        hook.endpoint_id,
      )
      await age(hook, -6 * HOUR)
      let failed: any
      const fault = losesAnswer(async () => {
        await deliver(hook)
        failed = await endpointRow(hook)
      })
      const { bindings } = hook
      const answer = await onHook({ ...hook, bindings: { ...bindings, ...faultyD1(env.DB, fault) } }, 'POST', '/enable')
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ enabled: true, failing_since: expect.any(String) })
      expect(failed.failures).toBeGreaterThan(0)
      expect(await endpointRow(hook)).toEqual(failed)
      expect(await eventsOf(hook.store, 'webhook_endpoint.enabled')).toHaveLength(1)
    },
  )

  it('keeps to the schedule of what fails after it was enabled', async () => {
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

  it('gets what waited first, and what happens after it was enabled then', async () => {
    const hook = await newHook({ types: ['user.created'] })
    await hook.receiver.answer(500)
    const older = await change(hook, 3)
    await deliver(hook)
    await age(hook, -6 * HOUR)
    await onHook(hook, 'POST', '/enable')
    await rowsOf('update webhook_endpoints set failures = 20 where id = ?', hook.endpoint_id)
    await hook.receiver.answer('hang', 500)
    const delivery = deliver(hook)
    await until(async () => (await arrived(hook)).length === 4)
    const later = await change(hook)
    await deliver(hook)
    await hook.receiver.answer(500)
    await delivery
    const received = (await arrived(hook)).slice(3)
    expect(received.slice(0, 3).toSorted()).toEqual(older.toSorted())
    expect(received.slice(3)).toEqual(later)
  })

  it('is woken by being enabled, and by the next change again', async () => {
    const hook = await newHook()
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', hook.endpoint_id)
    await change(hook)
    expect(hook.wakeUps()).toEqual([])
    await onHook(hook, 'POST', '/enable')
    await change(hook)
    const wakeUp = { body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 }
    expect(hook.wakeUps()).toEqual([wakeUp, wakeUp])
  })

  it('gets the event whose last attempt disabled it, too, when it is enabled', async () => {
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
