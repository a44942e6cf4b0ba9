/** The messages of one store wait for each other, and those of other stores for none of them. */
import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { WEBHOOK } from '../../src/limits.ts'
import { faultyD1, faultyQueue } from '../support/faults.ts'
import { rowsOf } from '../support/rows.ts'
import { arrived, change, type Hook, newHook, QUEUE, takeDown, until } from '../support/webhooks.ts'

/**
 * An instance whose consumer gets one message after another. Its D1 runs a batch when the test lets it: `underWay` are those
 * that wait for that.
 */
function instance(queueFate: () => 'lost' | Promise<'lost'> = () => 'lost') {
  const underWay: (() => void)[] = []
  let isOpen = false
  const { DB, roundTrips: polls } = faultyD1(env.DB, async () => {
    if (!isOpen) await new Promise<void>((resolve) => underWay.push(resolve))
    return undefined
  })
  const { WEBHOOKS, messages: sent } = faultyQueue(env.WEBHOOKS, queueFate)
  const settings = { ...env, WEBHOOKS, DB }
  const contexts: ExecutionContext[] = []
  const receive = ({ endpoint_id }: Pick<Hook, 'endpoint_id'>) => {
    const ctx = createExecutionContext()
    contexts.push(ctx)
    const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { endpoint_id } }
    worker.queue(createMessageBatch<any>(QUEUE, [message]), settings, ctx)
  }
  const finish = async () => {
    isOpen = true
    for (const resolve of underWay.splice(0)) resolve()
    for (const ctx of contexts) await waitOnExecutionContext(ctx)
  }
  return { underWay, receive, finish, polls, sent }
}

describe('The consumer', () => {
  it('takes the messages of other stores while the database has not polled the first', async () => {
    const [hook, stranger] = [await newHook(), await newHook()]
    const [ids, foreign] = [await change(hook), await change(stranger)]
    const { underWay, receive, finish } = instance()
    receive(hook)
    receive(stranger)
    await until(async () => underWay.length === 2)
    await finish()
    expect([await arrived(hook), await arrived(stranger)]).toEqual([ids, foreign])
  })

  it('polls one endpoint of a store at a time', async () => {
    const hook = await newHook()
    const neighbour = await newHook({ store: hook.store })
    const ids = await change(hook)
    const { underWay, receive, finish } = instance()
    receive(hook)
    receive(neighbour)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(underWay).toHaveLength(1)
    await finish()
    for (const each of [hook, neighbour]) expect((await arrived(each)).slice(-1)).toEqual(ids)
  })

  it('drops a message that is already waiting for its turn, because one poll serves both', async () => {
    const types = ['store.restored']
    const hook = await newHook({ types })
    const neighbour = await newHook({ store: hook.store, types })
    const { receive, finish, polls, sent } = instance()
    receive(hook)
    for (let i = 0; i < 3; i++) receive(neighbour)
    await finish()
    expect([polls(), sent()]).toEqual([2, []])
  })

  it('takes the next message of a store while the queue has not taken what follows the first', async () => {
    const types = ['store.restored']
    const hook = await newHook({ types })
    const neighbour = await newHook({ store: hook.store, types })
    // The poll sends a message for the probe.
    await takeDown(hook, 60_000)
    await rowsOf('update webhook_endpoints set wake_at = null where id = ?', hook.endpoint_id)
    const taken = Promise.withResolvers<'lost'>()
    const { underWay, receive, finish, sent } = instance(() => taken.promise)
    receive(hook)
    await until(async () => underWay.length === 1)
    underWay.shift()?.()
    await until(async () => sent().length === 1)
    receive(neighbour)
    await until(async () => underWay.length === 1)
    expect(sent()).toHaveLength(1)
    taken.resolve('lost')
    await finish()
  })

  it('sends a message again, with a delay, if its turn does not come in time', async () => {
    const hook = await newHook()
    const neighbour = await newHook({ store: hook.store })
    const { underWay, receive, finish, sent } = instance()
    receive(hook)
    await until(async () => underWay.length === 1)
    const start = Date.now()
    vi.useFakeTimers({ now: start, toFake: ['Date'] })
    receive(neighbour)
    vi.setSystemTime(start + WEBHOOK.invocationMs + 1)
    await until(async () => sent().length > 0)
    await finish()
    vi.useRealTimers()
    expect(sent()).toEqual([{ body: { endpoint_id: neighbour.endpoint_id }, delaySeconds: WEBHOOK.postponedSeconds }])
  })
})
