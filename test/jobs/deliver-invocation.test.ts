/** An invocation starts only attempts that can end with it, and leaves the rest to another message. */
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { D1, WEBHOOK } from '../../src/limits.ts'
import { D1_ERRORS } from '../support/d1-errors.ts'
import { faultyD1 } from '../support/faults.ts'
import { insertEvents } from '../support/rows.ts'
import { arrived, at, deliver, deliverAll, deliveriesOf, type Hook, newHook } from '../support/webhooks.ts'

describe('An invocation', () => {
  it('has time for a poll, a request, the poll of another result and the poll with its own within the 30 seconds of waitUntil', () => {
    expect(WEBHOOK.invocationMs + D1.deadlineMs + WEBHOOK.timeoutMs + 2 * D1.deadlineMs).toBeLessThan(30_000)
  })

  it('starts no attempt after its time, and leaves the rest to a message', async () => {
    const hook = await newHook()
    await insertEvents(hook.store, { type: 'user.created', count: 8 })
    const start = Date.now()
    const slow = slowAtFirst(start)
    await at(start, () => deliver(hook, slow))
    expect(await arrived(hook)).toHaveLength(6)
    // Each poll after the first frees slots that the invocation may not use, and leaves them to a message.
    const message = { body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 }
    expect(hook.wakeUps()).toEqual(Array.from({ length: slow.roundTrips() - 1 }, () => message))
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(8)
  })

  it('records the results that arrive together after its time in one round trip, and leaves the rest to one message', async () => {
    const hook = await newHook()
    await insertEvents(hook.store, { type: 'user.created', count: 8 })
    const start = Date.now()
    const slow = slowAtFirst(start)
    holdPause(hook, WEBHOOK.lateResultsMs)
    await at(start, () => deliver(hook, slow)).finally(() => vi.restoreAllMocks())
    expect(slow.roundTrips()).toBe(2)
    expect(hook.wakeUps()).toEqual([{ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 }])
  })

  it('starts at most 50 attempts, and leaves the rest to a message', async () => {
    const hook = await newHook()
    await insertEvents(hook.store, { type: 'user.created', count: 70 })
    await at(Date.now(), () => deliver(hook))
    expect(await arrived(hook)).toHaveLength(WEBHOOK.invocationAttempts)
    expect(hook.wakeUps()).toContainEqual({ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 })
    await deliverAll(hook)
    expect(new Set(await arrived(hook)).size).toBe(70)
  })

  it('records the results that arrive while D1 is slow in one round trip', async () => {
    const hook = await newHook()
    await insertEvents(hook.store, { type: 'user.created', count: 6 })
    const slow = faultyD1(env.DB, holdSecondPoll(hook))
    await deliver(hook, slow)
    expect((await deliveriesOf(hook)).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'delivered'))
    // The first poll claims them, the second records the first result, and the third the other five.
    expect(slow.roundTrips()).toBe(3)
  })

  it('records the results that follow a poll that failed', async () => {
    const hook = await newHook()
    await insertEvents(hook.store, { type: 'user.created', count: 6 })
    const hold = holdSecondPoll(hook)
    const broken = faultyD1(env.DB, async (trip) => {
      await hold(trip)
      return trip === 1 ? { when: 'before', message: D1_ERRORS.d1_overloaded[0] } : undefined
    })
    await deliver(hook, broken)
    const states = (await deliveriesOf(hook)).map(({ state }) => state)
    expect(states.filter((state) => state === 'delivered')).toHaveLength(5)
  })
})

/** D1 whose first poll takes so long that what follows could end too late. */
function slowAtFirst(start: number) {
  return faultyD1(env.DB, (trip) => {
    if (trip === 0) vi.setSystemTime(start + WEBHOOK.invocationMs)
    return undefined
  })
}

/** Returns a function that waits until all six requests of the endpoint have ended, as the log shows. */
function watchRequests({ store, id }: Hook): () => Promise<unknown> {
  const written = vi.spyOn(console, 'log')
  const isOurs = ({ kind, store_id, webhook_endpoint_id }: any) =>
    kind === 'attempt' && store_id === store.id && webhook_endpoint_id === id
  const ended = () => written.mock.calls.filter(([line]) => isOurs(JSON.parse(line))).length
  return () => vi.waitUntil(() => ended() === 6, { timeout: 60_000 })
}

/** Holds up the poll with the first result until all six requests have ended. */
function holdSecondPoll(hook: Hook) {
  const allEnded = watchRequests(hook)
  return async (trip: number): Promise<undefined> => {
    if (trip === 1) await allEnded()
  }
}

/** Pauses of this length last until all six requests have ended, however busy the machine is. */
function holdPause(hook: Hook, pauseMs: number): void {
  const allEnded = watchRequests(hook)
  const { setTimeout } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: any, ms?: number, ...values: any[]): any =>
    ms === pauseMs ? void allEnded().then(() => run()) : setTimeout(run, ms, ...values),
  )
}
