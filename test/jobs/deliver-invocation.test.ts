/** An invocation starts only attempts that can end with it, and leaves the rest to another message. */
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { D1, WEBHOOK } from '../../src/limits.ts'
import { faultyD1 } from '../support/faults.ts'
import { insertEvents } from '../support/rows.ts'
import { arrived, at, deliver, deliverAll, newHook } from '../support/webhooks.ts'

describe('An invocation', () => {
  it('has time for a poll, a request and the poll with its result within the 30 seconds of waitUntil', () => {
    expect(WEBHOOK.invocationMs + D1.deadlineMs + WEBHOOK.timeoutMs + D1.deadlineMs).toBeLessThan(30_000)
  })

  it('starts no attempt after its time, and leaves the rest to a message', async () => {
    const hook = await newHook()
    await insertEvents(hook.store, { type: 'user.created', count: 8 })
    const start = Date.now()
    // The first poll takes so long that what follows could end too late.
    const slow = faultyD1(env.DB, (trip) => {
      if (trip === 0) vi.setSystemTime(start + WEBHOOK.invocationMs)
      return undefined
    })
    await at(start, () => deliver(hook, slow))
    expect(await arrived(hook)).toHaveLength(6)
    // Six polls have found the rest, and one message is enough for it.
    expect(hook.wakeUps()).toEqual([{ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 }])
    await deliver(hook)
    expect(await arrived(hook)).toHaveLength(8)
  })

  it('starts at most 50 attempts, although six polls run at the same time', async () => {
    const hook = await newHook()
    await insertEvents(hook.store, { type: 'user.created', count: 70 })
    // The polls of six attempts wait for each other, so none of them sees what the others have started.
    const waiting: (() => void)[] = []
    const together = faultyD1(env.DB, async (trip) => {
      if (trip === 0) return undefined
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 6) for (const go of waiting.splice(0)) go()
        // The last polls are fewer.
        setTimeout(resolve, 1000)
      })
      return undefined
    })
    await deliver(hook, together)
    const { length } = await arrived(hook)
    expect(length).toBeGreaterThan(40)
    expect(length).toBeLessThanOrEqual(WEBHOOK.invocationAttempts)
    await deliverAll(hook)
    expect(new Set(await arrived(hook)).size).toBe(70)
  })
})
