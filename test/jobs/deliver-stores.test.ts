/** A store with many endpoints is woken by one message, which is passed on from some endpoints to the next. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { WEBHOOK } from '../../src/limits.ts'
import { createV1, newStore, v1User } from '../support/api.ts'
import { D1_ERRORS } from '../support/d1-errors.ts'
import { faultyD1, faultyQueue, type SentMessage } from '../support/faults.ts'
import { storeNumber } from '../support/rows.ts'
import {
  age,
  arrived,
  consume,
  deliver,
  endpointRow,
  type Hook,
  newHook,
  QUEUE,
  sweep,
  takeDown,
  until,
} from '../support/webhooks.ts'

const MANY = WEBHOOK.storeEndpoints + 1

/** A store with so many endpoints. Its queue messages are recorded and lost. */
async function newStoreWithHooks(count: number) {
  const store = await newStore()
  const number = await storeNumber(store)
  const hooks: Hook[] = []
  for (let i = 0; i < count; i++) hooks.push(await newHook({ store, types: ['user.created'] }))
  const { WEBHOOKS, messages } = faultyQueue(env.WEBHOOKS, () => 'lost')
  const bindings = { WEBHOOKS }
  const create = async (users = 1) => {
    for (let i = 0; i < users; i++) expect((await createV1(store, v1User(), { bindings })).status).toBe(201)
  }
  const sent = () => messages().splice(0)
  const wake = (after: number, more: object = {}) =>
    consume(QUEUE, [{ store: number, after }], { ...bindings, ...more })
  return { number, hooks, bindings, create, sent, wake }
}

const immediate = <Body>(body: Body) => ({ body, delaySeconds: 0 })

const countsOf = (hooks: Hook[]) => Promise.all(hooks.map(async (hook) => (await arrived(hook)).length))

describe('A change', () => {
  it('sends a message for each endpoint of its store', async () => {
    const { hooks, create, sent } = await newStoreWithHooks(WEBHOOK.storeEndpoints)
    await create()
    expect(sent()).toEqual(hooks.map(({ endpoint_id }) => immediate({ endpoint_id })))
  })

  it('sends one message for its store if the store has more endpoints than one invocation polls', async () => {
    const { number, create, sent } = await newStoreWithHooks(MANY)
    await create(3)
    const message = immediate({ store: number, after: 0 })
    expect(sent()).toEqual([message, message, message])
  })
})

describe('The message of a store', () => {
  it('has the event sent to some endpoints, and to the next ones by a further message', async () => {
    const { number, hooks, create, sent, wake } = await newStoreWithHooks(MANY)
    const [last, lastPolled] = [hooks.at(-1), hooks.at(-2)]
    await create()
    sent()
    await wake(0)
    expect(await countsOf(hooks)).toEqual(hooks.map((hook) => (hook === last ? 0 : 1)))
    const rest = { store: number, after: lastPolled?.endpoint_id ?? 0 }
    expect(sent()).toEqual([immediate(rest)])
    await wake(rest.after)
    expect(await countsOf(hooks)).toEqual(hooks.map(() => 1))
    expect(sent()).toEqual([])
  })

  it('ends after one round trip if nothing is due', async () => {
    const { hooks, create, sent, wake } = await newStoreWithHooks(MANY)
    await create()
    await wake(0)
    await wake(hooks.at(-2)?.endpoint_id ?? 0)
    sent()
    const { DB, roundTrips, rowsWritten } = faultyD1(env.DB)
    await wake(0, { DB })
    expect({ trips: roundTrips(), written: rowsWritten(), sent: sent() }).toEqual({ trips: 1, written: 0, sent: [] })
  })

  it('goes past an endpoint that it has just polled to those after it', async () => {
    const { hooks, create, sent, wake } = await newStoreWithHooks(MANY)
    for (const { receiver } of hooks) await receiver.answer('hang')
    await create()
    const first = wake(0)
    await until(async () => (await countsOf(hooks)).filter((count) => count === 1).length === MANY - 1)
    sent()
    // The requests of the first message are in flight, so only the last endpoint has something to send.
    const second = wake(0)
    await until(async () => (await countsOf(hooks)).every((count) => count === 1))
    for (const { receiver } of hooks) await receiver.answer(204)
    await Promise.all([first, second])
    expect(sent()).toEqual([])
    expect(await countsOf(hooks)).toEqual(hooks.map(() => 1))
  })

  it('leaves the other events of an endpoint to a message of its own, so that a request that hangs holds up none', async () => {
    const { hooks, bindings, create, sent, wake } = await newStoreWithHooks(MANY)
    const [hook] = hooks
    if (!hook) throw new Error('no endpoint')
    await hook.receiver.answer('hang')
    await create(3)
    sent()
    const hanging = wake(0)
    const own = immediate({ endpoint_id: hook.endpoint_id })
    const messages: SentMessage[] = []
    await until(async () => {
      messages.push(...sent())
      return messages.some(({ body }) => body.endpoint_id === own.body.endpoint_id)
    })
    expect(await arrived(hook)).toHaveLength(1)
    const others = deliver(hook, bindings)
    await until(async () => (await arrived(hook)).length === 3)
    await hook.receiver.answer(204)
    await Promise.all([hanging, others])
    expect(new Set(await arrived(hook)).size).toBe(3)
  })

  it('reaches the other endpoints although the poll of one fails, and is delivered again', async () => {
    const { number, hooks, create, sent, wake } = await newStoreWithHooks(MANY)
    await create()
    sent()
    const broken = faultyD1(env.DB, (trip) =>
      trip === 1 ? { when: 'before', message: D1_ERRORS.d1_overloaded[0] } : undefined,
    )
    await expect(wake(0, { DB: broken.DB })).rejects.toMatchObject({ failure: 'd1_overloaded' })
    expect((await countsOf(hooks)).filter((count) => count === 1)).toHaveLength(WEBHOOK.storeEndpoints - 1)
    expect(sent()).toEqual([immediate({ store: number, after: hooks.at(-2)?.endpoint_id })])
    await wake(0)
    expect(await countsOf(hooks)).toEqual(hooks.map(() => 1))
  })

  it('probes the endpoints that are down once their time has come', async () => {
    const { hooks, sent, wake } = await newStoreWithHooks(2)
    const [due, later] = hooks
    if (!due || !later) throw new Error('no endpoints')
    await takeDown(due)
    await takeDown(later, 60_000)
    sent()
    await wake(0)
    expect([(await endpointRow(due)).probes, (await endpointRow(later)).probes]).toEqual([1, 0])
  })
})

describe('The minutely job', () => {
  it('sends one message for the many neglected endpoints of a store', async () => {
    const { number, hooks, bindings, create, sent } = await newStoreWithHooks(MANY)
    await create()
    sent()
    for (const hook of hooks) await age(hook, 60_000)
    await sweep(bindings)
    expect(sent().filter(({ body }) => body.store === number)).toEqual([immediate({ store: number, after: 0 })])
  })
})
