/** When the queue rejects a message, D1 fails or a process dies, no event may be lost, and few may be sent twice. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createV1, summary, v1User } from '../support/api.ts'
import { recordConsole } from '../support/console.ts'
import { type Fault, faultyD1, faultyQueue, loses, losesAnswer } from '../support/faults.ts'
import { storeNumber } from '../support/rows.ts'
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
  until,
} from '../support/webhooks.ts'

const MINUTE = 60_000

/** Returns how many messages the minutely job sends to the endpoint when it runs so many milliseconds from now. */
async function wakeUpsOfSweep(hook: Hook, later = 0): Promise<number> {
  const before = hook.wakeUps().length
  await sweep(hook.bindings, later)
  return hook.wakeUps().length - before
}

/** Runs the minutely job and the deliveries that it wakes. */
async function sweepAndDeliver(hook: Hook): Promise<void> {
  for (let n = await wakeUpsOfSweep(hook); n > 0; n--) await deliverAll(hook)
}

describe('When the queue', () => {
  it('rejects the message of a change, the request succeeds, the log has a warning, and the minutely job delivers', async () => {
    const hook = await newHook()
    const { WEBHOOKS } = faultyQueue(env.WEBHOOKS, () => 'refused')
    const lines = await recordConsole(async () => {
      expect(summary(await createV1(hook.store, v1User(), { bindings: { WEBHOOKS } }))).toBe('201')
    })
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({ kind: 'warning', code: 'queue_failed' })
    await sweepAndDeliver(hook)
    expect(await arrived(hook)).toEqual([(await eventsOf(hook.store)).at(-1)?.id])
  })

  it('rejects the message of a retry, the minutely job sends it half a minute after the retry is due', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    const ids = await change(hook)
    await deliver(
      hook,
      faultyQueue(env.WEBHOOKS, () => 'refused'),
    )
    expect(await wakeUpsOfSweep(hook)).toBe(0)
    expect(await wakeUpsOfSweep(hook, MINUTE)).toBe(1)
    await age(hook, MINUTE)
    await sweepAndDeliver(hook)
    expect(await arrived(hook)).toEqual([...ids, ...ids])
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'delivered' }])
  })

  it('rejects the message of the minutely job, its next run delivers', async () => {
    const hook = await newHook()
    const ids = await change(hook)
    await sweep(faultyQueue(env.WEBHOOKS, () => 'refused'))
    await sweepAndDeliver(hook)
    expect(await arrived(hook)).toEqual(ids)
  })

  it('delivers a message twice, the event is sent once', async () => {
    const hook = await newHook()
    const ids = await change(hook)
    await deliver(hook)
    await deliver(hook)
    expect(await arrived(hook)).toEqual(ids)
  })

  it('delays a retry, the delay is at most 12 hours, which is the maximum of the queue', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    await change(hook)
    await deliver(hook)
    for (let i = 0; i < 8; i++) {
      await age(hook, 12 * 60 * MINUTE)
      await deliver(hook)
    }
    const delays = hook.wakeUps().map(({ delaySeconds }) => delaySeconds)
    expect(Math.max(...delays)).toBeGreaterThan(5 * 3600)
    expect(Math.max(...delays)).toBeLessThanOrEqual(12 * 3600)
  })
})

describe('When the process dies', () => {
  it('between the commit and the message, the minutely job delivers', async () => {
    const hook = await newHook()
    const ids = await change(hook, 3)
    expect(await arrived(hook)).toEqual([])
    await sweepAndDeliver(hook)
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
    expect(await wakeUpsOfSweep(hook, 60 * MINUTE)).toBe(0)
  })

  it('after the lease, the delivery is sent after the lease has ended, with the same webhook-id', async () => {
    const hook = await newHook()
    const ids = await change(hook, 2)
    // The lease is committed, and everything after it fails.
    const lines = await recordConsole(() => deliver(hook, faultyD1(env.DB, dies)))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ kind: 'warning', code: 'poll_failed', webhook_endpoint_id: hook.id }),
    )
    expect(await arrived(hook)).toEqual([])
    await deliver(hook)
    expect(await arrived(hook)).toEqual([])
    expect(await wakeUpsOfSweep(hook)).toBe(0)
    expect(await wakeUpsOfSweep(hook, MINUTE)).toBe(1)
    await age(hook, MINUTE)
    await sweepAndDeliver(hook)
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
    expect(await deliveriesOf(hook)).toMatchObject(ids.map(() => ({ state: 'delivered', attempts: 1 })))
  })

  it('between the response and its record, the delivery is sent again with the same webhook-id', async () => {
    const hook = await newHook()
    const ids = await change(hook)
    const lines = await recordConsole(() =>
      deliver(
        hook,
        faultyD1(env.DB, (trip) => (trip < 1 ? undefined : LOST)),
      ),
    )
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({
      kind: 'warning',
      code: 'outcome_lost',
      store: await storeNumber(hook.store),
      webhook_endpoint_id: hook.id,
      error: expect.anything(),
    })
    expect(await arrived(hook)).toEqual(ids)
    await age(hook, MINUTE)
    await sweepAndDeliver(hook)
    expect(await arrived(hook)).toEqual([...ids, ...ids])
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  it('with six deliveries in flight, six more can be sent after the leases have ended', async () => {
    const hook = await newHook()
    const ids = await change(hook, 8)
    await deliver(hook, faultyD1(env.DB, dies))
    await deliver(hook)
    expect(await arrived(hook)).toEqual([])
    await age(hook, MINUTE)
    await sweepAndDeliver(hook)
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
  })
})

const LOST: Fault = { when: 'before', message: 'D1_ERROR: D1 DB is overloaded. Too many requests queued.' }

/** The first round trip is applied, but its response is lost. */
const dies = (): Fault => ({ ...LOST, when: 'after' })

describe('When D1', () => {
  it.each(['before', 'after'] as const)(
    'fails the lease %s the commit, the lease is sent again and everything is delivered',
    async (when) => {
      const hook = await newHook()
      const ids = await change(hook, 8)
      await deliver(hook, faultyD1(env.DB, loses(when, 1)))
      expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
      expect(await deliveriesOf(hook)).toMatchObject(ids.map(() => ({ state: 'delivered', attempts: 1 })))
    },
  )

  it.each([
    [204, { state: 'delivered', attempts: 1 }, { failures: 0 }],
    [500, { state: 'pending', attempts: 1 }, { failures: 1 }],
    [410, { state: 'pending', attempts: 1 }, { failures: 1, disabled_at: expect.any(Number) }],
  ])(
    'loses the response to the record of a %d, the record is sent again and counts once',
    async (status, delivery, endpoint) => {
      for (const when of ['before', 'after'] as const) {
        const hook = await newHook()
        await hook.receiver.answer(status)
        const ids = await change(hook)
        await deliver(
          hook,
          faultyD1(env.DB, (trip) => (trip === 1 ? loses(when)(0) : undefined)),
        )
        expect(await arrived(hook)).toEqual(ids)
        expect(await deliveriesOf(hook)).toMatchObject([delivery])
        expect(await endpointRow(hook)).toMatchObject(endpoint)
        expect(await eventsOf(hook.store, 'webhook_endpoint.disabled')).toHaveLength(status === 410 ? 1 : 0)
      }
    },
  )

  it('loses the response to the record of a 410 while the endpoint is enabled, the endpoint is disabled once', async () => {
    const hook = await newHook()
    await hook.receiver.answer(410, 204)
    await change(hook)
    const fault = losesAnswer(() => onHook(hook, 'POST', '/enable'))
    await deliver(
      hook,
      faultyD1(env.DB, (trip) => fault(trip - 1)),
    )
    expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, failing_since: null })
    expect(await eventsOf(hook.store, 'webhook_endpoint.disabled')).toHaveLength(1)
  })

  it.each(['before', 'after'] as const)('fails a change %s the commit, its event is sent once', async (when) => {
    const hook = await newHook()
    await change(hook)
    await deliver(hook)
    const { DB } = faultyD1(env.DB, loses(when, 1))
    const answer = await createV1(hook.store, v1User(), { bindings: { ...hook.bindings, DB } })
    expect(summary(answer)).toBe('201')
    await deliverAll(hook)
    const ids = (await eventsOf(hook.store, 'user.created')).map(({ id }): string => id)
    expect(ids).toHaveLength(2)
    expect(await arrived(hook)).toEqual(ids)
  })
})

describe('Concurrently,', () => {
  it('two consumers send each event of an endpoint once', async () => {
    const hook = await newHook()
    const ids = await change(hook, 5)
    await Promise.all([deliver(hook), deliver(hook)])
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
    expect(await deliveriesOf(hook)).toMatchObject(ids.map(() => ({ state: 'delivered', attempts: 1 })))
  })

  it('eight consumers send each of twenty events once', async () => {
    const hook = await newHook()
    const ids = await change(hook, 20)
    await Promise.all(Array.from({ length: 8 }, () => deliver(hook)))
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
  })

  it('two minutely jobs and their deliveries send nothing twice', async () => {
    const hook = await newHook()
    const ids = await change(hook, 3)
    const before = hook.wakeUps().length
    await Promise.all([sweep(hook.bindings), sweep(hook.bindings)])
    const woken = hook.wakeUps().slice(before)
    expect(woken).toHaveLength(2)
    await Promise.all(woken.map(() => deliver(hook)))
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
  })

  it('the minutely job does not repeat a delivery in flight', async () => {
    const hook = await newHook()
    await hook.receiver.answer('hang')
    const ids = await change(hook)
    const delivery = deliver(hook)
    await until(async () => (await arrived(hook)).length === 1)
    expect(await wakeUpsOfSweep(hook)).toBe(0)
    await deliver(hook)
    await hook.receiver.answer(204)
    await delivery
    expect(await arrived(hook)).toEqual(ids)
  })

  it('changes and deliveries send each event once', async () => {
    const hook = await newHook()
    await Promise.all([change(hook), deliver(hook), change(hook), deliver(hook), change(hook)])
    await deliverAll(hook)
    const ids = (await eventsOf(hook.store, 'user.created')).map(({ id }): string => id)
    expect(ids).toHaveLength(3)
    expect((await arrived(hook)).toSorted()).toEqual(ids.toSorted())
  })
})
