/** The states of an endpoint and of a delivery, as the diagram of src/modules/webhooks/health.ts shows them. */
import { describe, expect, it } from 'vitest'
import { toRecord } from '../../../src/modules/webhooks/deliveries/list-deliveries.ts'
import { afterAttempt, afterRedelivery, newDelivery } from '../../../src/modules/webhooks/deliveries/delivery.ts'
import {
  afterFailure,
  afterResume,
  afterSuccess,
  type Health,
  isToDisable,
  nextAttemptOf,
  postponeProbe,
  stateOf,
} from '../../../src/modules/webhooks/health.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 1)
const DELAYS = [5, 30, 120, 600, 3600, 21_600]
const PROBE_DELAYS = [5, 30, 120, 600, 1800]

const HEALTHY: Health = {
  endpoint_id: 1,
  created_at: 0,
  resumed_by: 1,
  failures: 0,
  failing_since: null,
  last_status: null,
  probe_at: null,
  probes: 0,
  is_gone: false,
}

const failure = (fields: Partial<Parameters<typeof afterFailure>[1]> = {}) => ({
  status: 500,
  started_at: NOW,
  isProbe: false,
  now: NOW,
  ...fields,
})

function failed(times: number, health = HEALTHY): Health {
  return Array.from({ length: times }).reduce<Health>((each) => afterFailure(each, failure()), health)
}

const expectDelay = (ms: number | null | undefined, seconds = 0) => {
  expect(ms).toBeGreaterThanOrEqual(900 * seconds)
  expect(ms).toBeLessThanOrEqual(1100 * seconds)
}

describe('The health of an endpoint', () => {
  it('is failing from the first failure on, and down with the 20th in a row', () => {
    expect(failed(1)).toMatchObject({ failures: 1, failing_since: NOW, last_status: 500, probe_at: null })
    expect(failed(19).probe_at).toBeNull()
    expectDelay((failed(20).probe_at ?? 0) - NOW, 5)
  })

  it('starts again with any success', () => {
    for (const health of [failed(1), failed(25)])
      expect(afterSuccess(health, 204)).toEqual({ ...HEALTHY, last_status: 204 })
    expect(afterSuccess(failed(3)).last_status).toBe(500)
  })

  it('is probed after 5 s, 30 s, 2 min, 10 min, and then every 30 min', () => {
    let health = failed(20)
    for (const seconds of [...PROBE_DELAYS.slice(1), 1800, 1800]) {
      const now = health.probe_at ?? 0
      health = afterFailure(health, failure({ isProbe: true, started_at: now, now }))
      expectDelay((health.probe_at ?? 0) - now, seconds)
    }
    expectDelay((postponeProbe(health, NOW).probe_at ?? 0) - NOW, 1800)
  })

  it('is not postponed by what was in flight when it went down, nor by a probe from before it was resumed', () => {
    const down = failed(20)
    expect(afterFailure(down, failure()).probe_at).toBe(down.probe_at)
    const resumed = afterResume(down, { ...ENDPOINT, resumed_by: 2 }, NOW + HOUR)
    expect(resumed).toMatchObject({ probe_at: NOW + HOUR, probes: 0 })
    expect(afterFailure(resumed, failure({ isProbe: true, started_at: NOW })).probe_at).toBe(NOW + HOUR)
  })

  it('forgets its failures when it is enabled, and keeps them when it is moved', () => {
    const enabled = afterResume(failed(19), { ...ENDPOINT, resumed_by: 2, failing_since: null }, NOW)
    expect(enabled).toMatchObject({ resumed_by: 2, failures: 0, failing_since: null, probe_at: null })
    const moved = afterResume({ ...failed(19), is_gone: true }, { ...ENDPOINT, resumed_by: 2, failing_since: NOW }, NOW)
    expect(moved).toMatchObject({ failures: 19, failing_since: NOW, is_gone: false })
  })

  it('has the endpoint disabled by a 410, or by 20 failures in three days', () => {
    expect(isToDisable(afterFailure(HEALTHY, failure({ status: 410 })), NOW)).toBe(true)
    expect(isToDisable(failed(20), NOW + 3 * DAY - 1)).toBe(false)
    expect(isToDisable(failed(20), NOW + 3 * DAY)).toBe(true)
    expect(isToDisable(failed(19), NOW + 9 * DAY)).toBe(false)
  })
})

const ENDPOINT = {
  id: 1,
  url: '',
  types: null,
  secret: '',
  older_secrets: null,
  disabled_at: null,
  resumed_by: 1,
  created_at: 0,
  event_id: 1,
  cursor: 1,
  failing_since: null,
  last_status: null,
  is_down: 0,
  next_attempt_at: null,
  pending: 0,
  oldest_pending_at: null,
}

describe('What an endpoint shows', () => {
  it.each([
    [{}, 'ok'],
    [{ failing_since: 1 }, 'failing'],
    [{ failing_since: 1, is_down: 1 }, 'down'],
    [{ failing_since: 1, is_down: 1, disabled_at: 1 }, 'disabled'],
  ])('is with %j the state %s', (fields, state) => {
    expect(stateOf({ ...ENDPOINT, ...fields })).toBe(state)
  })

  it('is the time of the next attempt, now if it is due, and null if it is disabled', () => {
    expect(nextAttemptOf({ ...ENDPOINT, next_attempt_at: NOW + 5 }, NOW)).toBe(NOW + 5)
    expect(nextAttemptOf({ ...ENDPOINT, next_attempt_at: NOW - 5 }, NOW)).toBe(NOW)
    expect(nextAttemptOf({ ...ENDPOINT, next_attempt_at: NOW, disabled_at: 1 }, NOW)).toBeNull()
    expect(nextAttemptOf(ENDPOINT, NOW)).toBeNull()
  })
})

const NEW = newDelivery({ id: 7, type: 'user.created', created_at: 1 })
const result = (status: number | null) => ({ status, failure: null, started_at: NOW, duration_ms: 1 })
const ended = (fields: object = {}) => ({ result: result(500), isProbe: false, isEnabled: true, now: NOW, ...fields })

describe('What a delivery shows', () => {
  it('is the time of its next attempt, now if it is due, and null if it waits for the endpoint', () => {
    const shown = (next_attempt_at: number, fields: object = {}) =>
      toRecord({ ...NEW, next_attempt_at }, { ...ENDPOINT, ...fields }, NOW).next_attempt_at
    expect([shown(NOW + 5), shown(NOW - 5)]).toEqual([NOW + 5, NOW])
    expect([shown(NOW + 5, { is_down: 1 }), shown(NOW + 5, { disabled_at: 1 })]).toEqual([null, null])
  })
})

describe('A delivery', () => {
  it('is delivered by a 2xx', () => {
    expect(afterAttempt(NEW, ended({ result: result(204) }))).toEqual({
      ...NEW,
      state: 'delivered',
      attempts: 1,
      last_status: 204,
      last_attempt_at: NOW,
    })
  })

  it.each([199, 300, 302, 410, null])('is not delivered by %s', (status) => {
    expect(afterAttempt(NEW, ended({ result: result(status) }))).toMatchObject({
      state: 'pending',
      last_status: status,
    })
  })

  it('is retried after each delay of its schedule, and given up with the 17th failure, within three days', () => {
    let [delivery, now] = [NEW, NOW]
    for (let i = 0; i < 16; i++) {
      delivery = afterAttempt(delivery, ended({ now }))
      expect(delivery).toMatchObject({ state: 'pending', attempts: i + 1, retries: i + 1 })
      expectDelay((delivery.next_attempt_at ?? 0) - now, DELAYS[i] ?? DELAYS.at(-1))
      now = delivery.next_attempt_at ?? 0
    }
    expect(now - NOW).toBeLessThan(3 * DAY)
    expect(afterAttempt(delivery, ended({ now }))).toMatchObject({ state: 'failed', next_attempt_at: null })
    expect(afterAttempt(delivery, ended({ now, isEnabled: false })).state).toBe('pending')
  })

  it('keeps its retries as a probe, also the last one', () => {
    const last = { ...NEW, attempts: 16, retries: 16, next_attempt_at: NOW }
    expect(afterAttempt(last, ended({ isProbe: true }))).toMatchObject({ state: 'pending', retries: 16, attempts: 17 })
  })

  it('stays delivered if an attempt in flight fails after a redelivery has succeeded', () => {
    const redelivered = afterRedelivery(NEW, result(204), NOW)
    expect(redelivered).toMatchObject({ state: 'delivered', attempts: 1, next_attempt_at: null })
    expect(afterAttempt(redelivered, ended())).toMatchObject({ state: 'delivered', attempts: 2, next_attempt_at: null })
  })

  it('keeps its schedule if a redelivery fails while it waits, and begins a new one otherwise', () => {
    const waiting = afterAttempt(afterAttempt(NEW, ended()), ended())
    expect(afterRedelivery(waiting, result(500), NOW + HOUR)).toMatchObject({
      attempts: 3,
      retries: 2,
      next_attempt_at: waiting.next_attempt_at,
    })
    const given = afterRedelivery({ ...NEW, state: 'failed', attempts: 17, retries: 16 }, result(null), NOW)
    expect(given).toMatchObject({ state: 'pending', retries: 1, attempts: 18 })
    expectDelay((given.next_attempt_at ?? 0) - NOW, 5)
  })
})
