/** An endpoint that has failed 20 times in a row is only probed. `at` moves the clock, because the real delays are long. */
import { describe, expect, it } from 'vitest'
import { WEBHOOK } from '../../src/limits.ts'
import { insertEvents, numberOf, rowsOf } from '../support/rows.ts'
import {
  age,
  arrived,
  at,
  change,
  deliver,
  deliverAll,
  deliveriesOf,
  endpointRow,
  eventsOf,
  type Hook,
  newHook,
  newReceiver,
  onHook,
  sweep,
  takeDown,
  until,
} from '../support/webhooks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Creates a hook for the events of users that failed until it was down, with this number of events. */
async function downHook(count = 30): Promise<{ hook: Hook; ids: string[] }> {
  const hook = await newHook({ types: ['user.created'] })
  await hook.receiver.answer(500)
  const ids = (await insertEvents(hook.store, { type: 'user.created', count })).map((id) => String(numberOf(id)))
  await deliver(hook)
  expect((await onHook(hook, 'GET')).json).toMatchObject({ state: 'down' })
  return { hook, ids }
}

async function probeTime(hook: Hook): Promise<number> {
  return Date.parse((await onHook(hook, 'GET')).json.next_attempt_at)
}

/** The message for a probe arrives at a whole second. */
async function wakeUpTime(hook: Hook): Promise<number> {
  return Math.ceil((await probeTime(hook)) / 1000) * 1000
}

const rowsOfDeliveries = ({ endpoint_id }: Hook) =>
  rowsOf('select * from webhook_deliveries where endpoint_id = ? order by event_id', endpoint_id)

const delayed = (hook: Hook) => hook.wakeUps().filter(({ delaySeconds }) => delaySeconds > 0)

describe('An endpoint that has failed 20 times in a row', () => {
  it('is down: it shows its next probe, its deliveries show none, and nothing more is sent', async () => {
    const { hook } = await downHook(40)
    const attempts = (await arrived(hook)).length
    expect(attempts).toBeGreaterThanOrEqual(20)
    expect(attempts).toBeLessThanOrEqual(25)
    const { json } = await onHook(hook, 'GET')
    expect(json).toMatchObject({ enabled: true, state: 'down', failing_since: expect.any(String), last_status: 500 })
    expect(Date.parse(json.next_attempt_at)).toBeGreaterThan(Date.now())
    const deliveries = await deliveriesOf(hook)
    expect(deliveries).toHaveLength(40)
    expect(new Set(deliveries.map(({ state, next_attempt_at }) => `${state} ${next_attempt_at}`))).toEqual(
      new Set(['pending null']),
    )
    await at((await probeTime(hook)) - 1, () => deliver(hook))
    expect(await arrived(hook)).toHaveLength(attempts)
  })

  it('is failing after 19, and ok again after a success', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await change(hook)
    await deliver(hook)
    await rowsOf('update webhook_endpoints set failures = 19 where id = ?', hook.endpoint_id)
    expect((await onHook(hook, 'GET')).json.state).toBe('failing')
    await age(hook, MINUTE)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json.state).toBe('ok')
  })

  it('is probed with its oldest delivery after 5 s, 30 s, 2 min, 10 min, then every 30 min, with a message each', async () => {
    const { hook, ids } = await downHook()
    const [before, attempts, messages] = [
      await rowsOfDeliveries(hook),
      (await arrived(hook)).length,
      delayed(hook).length,
    ]
    const expected = [5, 30, 120, 600, 1800, 1800, 1800]
    let last = Date.now()
    for (const [i, seconds] of expected.entries()) {
      const time = await probeTime(hook)
      // The delay counts from the end of the attempt, which took less than a minute; the first one has begun before.
      expect((time - last) / 1000).toBeGreaterThanOrEqual(i === 0 ? 0 : seconds * 0.9)
      expect((time - last) / 1000).toBeLessThanOrEqual(seconds * 1.1 + 60)
      last = await wakeUpTime(hook)
      expect((await endpointRow(hook)).wake_at).toBeLessThanOrEqual(last)
      await at(last, () => deliver(hook))
    }
    expect((await arrived(hook)).slice(attempts)).toEqual(expected.map(() => ids[0]))
    expect(delayed(hook)).toHaveLength(messages + expected.length)
    // Neither the probes nor the time have changed what waits.
    const [probed, ...others] = await rowsOfDeliveries(hook)
    expect(probed).toMatchObject({ state: 'pending', retries: before[0].retries, attempts: before[0].attempts + 7 })
    expect(others).toEqual(before.slice(1))
  })

  it('is probed although the oldest delivery has used up its retries, which it keeps', async () => {
    const { hook, ids } = await downHook()
    await rowsOf('update webhook_deliveries set retries = 16 where endpoint_id = ?', hook.endpoint_id)
    await at(await wakeUpTime(hook), () => deliver(hook))
    expect((await deliveriesOf(hook))[0]).toMatchObject({ event_id: ids[0], state: 'pending' })
  })

  it('has one probe in flight, whatever wakes it', async () => {
    const { hook } = await downHook()
    const attempts = (await arrived(hook)).length
    await hook.receiver.answer('hang')
    const time = await probeTime(hook)
    let probe: Promise<unknown> | undefined
    await at(time, async () => {
      probe = deliver(hook)
      await until(async () => (await arrived(hook)).length > attempts)
      const immediate = hook.wakeUps().length
      await Promise.all([deliver(hook), deliver(hook)])
      expect(hook.wakeUps()).toHaveLength(immediate)
    })
    expect(await arrived(hook)).toHaveLength(attempts + 1)
    await hook.receiver.answer(500)
    await probe
  })

  it('gets no message and no delivery for new events', async () => {
    const { hook } = await downHook()
    const [messages, rows] = [hook.wakeUps().length, await rowsOfDeliveries(hook)]
    await change(hook, 2)
    await insertEvents(hook.store, { type: 'user.created', count: 300 })
    await deliver(hook)
    expect(hook.wakeUps()).toHaveLength(messages)
    await at(await wakeUpTime(hook), () => deliver(hook))
    expect(await rowsOfDeliveries(hook)).toHaveLength(rows.length)
    expect(hook.wakeUps()).toHaveLength(messages + 1)
  })

  it('is probed with the next event of its types if no delivery waits, and with one only', async () => {
    const hook = await newHook({ types: ['user.created'] })
    await insertEvents(hook.store, { type: 'product.created', count: 120 })
    const [first = 0] = await insertEvents(hook.store, { type: 'user.created', count: 3 })
    await takeDown(hook)
    await hook.receiver.answer(500)
    await deliverAll(hook)
    expect(await arrived(hook)).toEqual([String(numberOf(first))])
    expect(await rowsOfDeliveries(hook)).toHaveLength(1)
    expect(await endpointRow(hook)).toMatchObject({ probes: 1 })
  })

  it('is probed later if there is nothing to probe with', async () => {
    const hook = await newHook({ types: ['user.created'] })
    await takeDown(hook)
    await deliver(hook)
    expect(await endpointRow(hook)).toMatchObject({ probes: 1 })
    expect(await probeTime(hook)).toBeGreaterThan(Date.now())
    const [event] = await change(hook)
    expect(delayed(hook)).toHaveLength(1)
    await at(await wakeUpTime(hook), () => deliver(hook))
    expect(await arrived(hook)).toEqual([event])
    expect((await onHook(hook, 'GET')).json.state).toBe('ok')
  })

  it('is not woken by the minutely job, unless the message of its probe was lost', async () => {
    const { hook } = await downHook()
    await change(hook, 2)
    const messages = hook.wakeUps().length
    await sweep(hook.bindings)
    expect(hook.wakeUps()).toHaveLength(messages)
    await sweep(hook.bindings, (await probeTime(hook)) + WEBHOOK.graceMs - Date.now())
    expect(hook.wakeUps().slice(messages)).toEqual([{ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 }])
  })

  it('is disabled at once when its probe returns 410', async () => {
    const { hook } = await downHook()
    await hook.receiver.answer(410)
    await at(await wakeUpTime(hook), () => deliver(hook))
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: false, state: 'disabled', last_status: 410 })
  })

  it('is disabled after three days, and probed once when it is enabled', async () => {
    const { hook } = await downHook()
    await age(hook, 3 * DAY)
    await deliver(hook)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: false, state: 'disabled', next_attempt_at: null })
    const attempts = (await arrived(hook)).length
    const { json } = await onHook(hook, 'POST', '/enable')
    expect(json).toMatchObject({ enabled: true, state: 'down', failing_since: null })
    expect(Date.parse(json.next_attempt_at)).toBeLessThanOrEqual(Date.now())
    await deliverAll(hook)
    expect(await arrived(hook)).toHaveLength(attempts + 1)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ state: 'down', failing_since: expect.any(String) })
    // The schedule of the probes has begun again.
    expect(await probeTime(hook)).toBeLessThan(Date.now() + 2 * MINUTE)
  })
})

describe('The first success of an endpoint that is down', () => {
  it('has everything that waits sent at once, the oldest first, at most 6 at a time, and then what happened meanwhile', async () => {
    const { hook, ids } = await downHook()
    const attempts = (await arrived(hook)).length
    const later = await change(hook, 3)
    await hook.receiver.answer(204, 'hang')
    await at(await wakeUpTime(hook), async () => {
      const delivery = deliver(hook)
      await until(async () => (await arrived(hook)).length === attempts + 7)
      expect((await onHook(hook, 'GET')).json).toMatchObject({ state: 'ok', failing_since: null })
      const waiting = (await deliveriesOf(hook)).filter(({ attempts: made, state }) => made > 0 && state === 'pending')
      for (const { next_attempt_at } of waiting) expect(Date.parse(next_attempt_at)).toBeLessThanOrEqual(Date.now())
      await hook.receiver.answer(204)
      await delivery
      await deliverAll(hook)
    })
    const received = (await arrived(hook)).slice(attempts)
    expect(received[0]).toBe(ids[0])
    expect(received.slice(1, 7).toSorted((a, b) => Number(a) - Number(b))).toEqual(ids.slice(1, 7))
    expect(received.toSorted()).toEqual([...ids, ...later].toSorted())
    const underWay = (await hook.receiver.requests()).map((request) => request.underWay)
    expect(Math.max(...underWay)).toBe(6)
  })

  it('gives a delivery that fails again its own time', async () => {
    const { hook, ids } = await downHook(22)
    const attempts = (await arrived(hook)).length
    await hook.receiver.answer(204, 500)
    await at(await wakeUpTime(hook), () => deliver(hook))
    const again = (await arrived(hook)).slice(attempts)
    // 21 others wait, and after 20 failures the endpoint is down again.
    expect(new Set(again)).toEqual(new Set(ids.slice(0, again.length)))
    expect(again).toHaveLength(new Set(again).size)
    expect(again.length).toBeGreaterThanOrEqual(21)
  })

  it('may be that of a test or of a redelivery', async () => {
    for (const act of ['test', 'redeliver']) {
      const { hook, ids } = await downHook()
      await hook.receiver.answer(204)
      const path = act === 'test' ? '/test' : `/deliveries/${ids.at(-1)}/redeliver`
      expect((await onHook(hook, 'POST', path)).json.status ?? 204).toBe(204)
      expect((await onHook(hook, 'GET')).json).toMatchObject({ state: 'ok', failing_since: null })
      expect(hook.wakeUps().at(-1)).toEqual({ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 })
      await deliverAll(hook)
      expect(new Set((await deliveriesOf(hook)).map(({ state }) => state))).toEqual(new Set(['delivered']))
    }
  })

  it.each([500, 410])('is not brought nearer or farther by a test or a redelivery that returns %d', async (status) => {
    const { hook, ids } = await downHook()
    await hook.receiver.answer(status)
    const before = await endpointRow(hook)
    await onHook(hook, 'POST', '/test')
    const { json } = await onHook(hook, 'POST', `/deliveries/${ids[0]}/redeliver`)
    expect(json).toMatchObject({ state: 'pending', last_status: status, next_attempt_at: null })
    expect(await endpointRow(hook)).toEqual(before)
  })
})

describe('An endpoint that is down is probed at once', () => {
  it.each([
    ['when it is enabled', 'POST', '/enable', undefined],
    ['when its URL changes', 'PATCH', '', { url: 'http://127.0.0.1:1/' }],
  ])('%s', async (_, method, path, body) => {
    const { hook } = await downHook()
    for (let i = 0; i < 5; i++) await at(await wakeUpTime(hook), () => deliver(hook))
    await age(hook, -DAY)
    const attempts = async () => (await rowsOfDeliveries(hook)).reduce((sum, row) => sum + row.attempts, 0)
    const before = await attempts()
    const { json } = await onHook(hook, method, path, body)
    expect(json).toMatchObject({ state: 'down' })
    expect(Date.parse(json.next_attempt_at)).toBeLessThanOrEqual(Date.now())
    expect(hook.wakeUps().at(-1)).toEqual({ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 })
    await deliverAll(hook)
    expect((await attempts()) - before).toBe(1)
    expect(await endpointRow(hook)).toMatchObject({ probes: 1 })
  })

  it('when its URL changes, although a probe of the old one is still in flight and then fails', async () => {
    const { hook } = await downHook()
    await hook.receiver.answer('hang')
    const receiver = newReceiver()
    const attempts = (await arrived(hook)).length
    const time = await probeTime(hook)
    let probe: Promise<unknown> | undefined
    await at(time, async () => {
      probe = deliver(hook)
      await until(async () => (await arrived(hook)).length > attempts)
    })
    await at(time + 1000, async () => {
      await onHook(hook, 'PATCH', '', { url: receiver.url })
      await hook.receiver.answer(500)
      await probe
    })
    expect(await receiver.requests()).not.toEqual([])
    expect((await onHook(hook, 'GET')).json).toMatchObject({ state: 'ok' })
  })

  it('not when its types change', async () => {
    const { hook } = await downHook()
    const [before, messages] = [await endpointRow(hook), hook.wakeUps().length]
    expect((await onHook(hook, 'PATCH', '', { types: null })).json).toMatchObject({ state: 'down' })
    const { probe_at, probes } = await endpointRow(hook)
    expect({ probe_at, probes }).toEqual({ probe_at: before.probe_at, probes: before.probes })
    expect(hook.wakeUps()).toHaveLength(messages)
  })

  it('and gets an event for each that changed something', async () => {
    const { hook } = await downHook()
    await onHook(hook, 'POST', '/enable')
    await onHook(hook, 'POST', '/enable')
    expect(await eventsOf(hook.store, 'webhook_endpoint.enabled')).toHaveLength(1)
  })
})
