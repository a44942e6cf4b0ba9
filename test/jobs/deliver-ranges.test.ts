/** A store with many endpoints gets few messages for an event. Each names a range of endpoints, which are polled in turn. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { WEBHOOK } from '../../src/limits.ts'
import { createV1, newStore, v1User } from '../support/api.ts'
import { recordConsole } from '../support/console.ts'
import { D1_ERRORS } from '../support/d1-errors.ts'
import { type Fault, faultyD1, faultyQueue, type SentMessage } from '../support/faults.ts'
import { rowsOf } from '../support/rows.ts'
import {
  age,
  arrived,
  consume,
  deliver,
  endpointRow,
  type Hook,
  newHook,
  onHook,
  sweep,
  takeDown,
  until,
} from '../support/webhooks.ts'

/** Creates a store with so many endpoints. Its queue loses the messages, and a test decides which of them arrive. */
async function newHooks(count: number) {
  const store = await newStore()
  const { WEBHOOKS, messages } = faultyQueue(env.WEBHOOKS, () => 'lost')
  const hooks: Hook[] = []
  for (let i = 0; i < count; i++) {
    const hook = await newHook({ store, types: ['user.created'] })
    hooks.push({ ...hook, bindings: { WEBHOOKS } })
  }
  const createUsers = async (users = 1) => {
    for (let i = 0; i < users; i++)
      expect((await createV1(store, v1User(), { bindings: { WEBHOOKS } })).status).toBe(201)
  }
  /** Returns the messages since the last call. */
  const sent = () => messages().splice(0)
  /** Gives the consumer a message for all endpoints. */
  const wakeAll = (bindings: object = {}) => wake(range(hooks[0], hooks.at(-1)), { WEBHOOKS, ...bindings })
  return { hooks, createUsers, sent, wakeAll, bindings: { WEBHOOKS } }
}

function wake({ body }: SentMessage, bindings: object): Promise<void> {
  return consume([body], bindings)
}

const immediate = (body: object) => ({ body, delaySeconds: 0 })

const own = (hook: Hook | undefined) => immediate({ endpoint_id: hook?.endpoint_id })

/** The message for the endpoints from one to the other. */
const range = (first: Hook | undefined, last: Hook | undefined) =>
  immediate({ first_endpoint_id: first?.endpoint_id, last_endpoint_id: last?.endpoint_id })

/** The message for the endpoints after one of them. */
const rangeAfter = (hook: Hook | undefined, last: Hook | undefined) =>
  immediate({ first_endpoint_id: Number(hook?.endpoint_id) + 1, last_endpoint_id: last?.endpoint_id })

/** Returns how many requests each endpoint has received. */
const countsOf = (hooks: Hook[]) => Promise.all(hooks.map(async (hook) => (await arrived(hook)).length))

/** D1 fails the round trip with this number. */
function failingD1(failing: number) {
  const fault: Fault = { when: 'before', message: D1_ERRORS.d1_overloaded[0] }
  return faultyD1(env.DB, (trip) => (trip === failing ? fault : undefined)).DB
}

describe('A change', () => {
  it('sends each endpoint a message if the store has few', async () => {
    const { hooks, createUsers, sent } = await newHooks(WEBHOOK.wakeUps)
    await createUsers()
    expect(sent()).toEqual(hooks.map(own))
  })

  it('sends as many messages if the store has more endpoints, each for a part of them', async () => {
    const { hooks, createUsers, sent } = await newHooks(WEBHOOK.wakeUps + 2)
    const [a, b, c, d, e, f, g, h] = hooks
    await createUsers()
    expect(sent()).toEqual([own(a), own(b), range(c, d), own(e), own(f), range(g, h)])
  })
})

describe('The message of a range', () => {
  it('has the event sent to the first endpoint, and to each of the others by a further message', async () => {
    const { hooks, createUsers, sent, wakeAll, bindings } = await newHooks(3)
    const [first, second, last] = hooks
    await createUsers()
    sent()
    await wakeAll()
    expect(await countsOf(hooks)).toEqual([1, 0, 0])
    const afterFirst = rangeAfter(first, last)
    expect(sent()).toEqual([afterFirst])
    await wake(afterFirst, bindings)
    expect(await countsOf(hooks)).toEqual([1, 1, 0])
    const afterSecond = rangeAfter(second, last)
    expect(sent()).toEqual([afterSecond])
    await wake(afterSecond, bindings)
    expect(await countsOf(hooks)).toEqual([1, 1, 1])
    expect(sent()).toEqual([])
  })

  it('ends after one round trip if no endpoint has anything to send', async () => {
    const { hooks, createUsers, sent, wakeAll } = await newHooks(3)
    await createUsers()
    for (const hook of hooks) await deliver(hook)
    sent()
    const { DB, roundTrips, rowsWritten } = faultyD1(env.DB)
    await wakeAll({ DB })
    expect({ trips: roundTrips(), written: rowsWritten(), sent: sent() }).toEqual({ trips: 1, written: 0, sent: [] })
  })

  it('that arrives twice at the same time has each event sent once', async () => {
    const { hooks, createUsers, sent, wakeAll, bindings } = await newHooks(3)
    await createUsers(2)
    sent()
    await Promise.all([wakeAll(), wakeAll()])
    for (let messages = sent(); messages.length > 0; messages = sent())
      await Promise.all(messages.map((message) => wake(message, bindings)))
    expect(await countsOf(hooks)).toEqual([2, 2, 2])
  })

  it('has all events of an endpoint sent, although a request hangs, and a later one too', async () => {
    const { hooks, createUsers, wakeAll } = await newHooks(2)
    const [first] = hooks
    await first?.receiver.answer('hang', 204)
    await createUsers(3)
    const hanging = wakeAll()
    await until(async () => (await countsOf(hooks))[0] === 3)
    await createUsers()
    await wakeAll()
    expect(await countsOf(hooks)).toEqual([4, 0])
    await first?.receiver.answer(204)
    await hanging
  })

  it('reaches the other endpoints if a poll fails, and the minutely job finds the first', async () => {
    const { hooks, createUsers, sent, wakeAll, bindings } = await newHooks(2)
    const [failing, last] = hooks
    await createUsers()
    sent()
    const lines = await recordConsole(() => wakeAll({ DB: failingD1(1) }))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ kind: 'warning', code: 'poll_failed', first_webhook_endpoint_id: failing?.id }),
    )
    const [rest, ...others] = sent()
    expect([rest, others]).toEqual([rangeAfter(failing, last), []])
    if (rest) await wake(rest, bindings)
    expect(await countsOf(hooks)).toEqual([0, 1])
    await sweep(bindings)
    for (const message of sent()) await wake(message, bindings)
    expect(await countsOf(hooks)).toEqual([1, 1])
  })

  it('is left to the minutely job if D1 cannot say which endpoint is next', async () => {
    const { hooks, createUsers, sent, wakeAll, bindings } = await newHooks(2)
    const [first, last] = hooks
    await createUsers()
    sent()
    const lines = await recordConsole(() => wakeAll({ DB: failingD1(0) }))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        code: 'poll_failed',
        first_webhook_endpoint_id: first?.id,
        last_webhook_endpoint_id: last?.id,
      }),
    )
    expect(sent()).toEqual([])
    await sweep(bindings)
    for (const message of sent()) await wake(message, bindings)
    expect(await countsOf(hooks)).toEqual([1, 1])
  })
})

async function disable({ endpoint_id }: Hook): Promise<void> {
  await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', endpoint_id)
}

describe('In a store with many endpoints', () => {
  const MANY = WEBHOOK.wakeUps * 2

  it.each([
    ['enable', 'POST', '/enable', undefined, disable],
    ['enable, although nothing has changed', 'POST', '/enable', undefined, async () => {}],
    ['a test that succeeds', 'POST', '/test', undefined, takeDown],
    ['a PATCH of its url', 'PATCH', '', { url: 'https://example.com/' }, (hook: Hook) => takeDown(hook, 60_000)],
  ])('an endpoint gets a message of its own after %s', async (_, method, path, body, prepare) => {
    const { hooks, sent } = await newHooks(MANY)
    const hook = hooks[7]
    if (!hook) throw new Error('no endpoint')
    await prepare(hook)
    expect((await onHook(hook, method, path, body)).status).toBe(200)
    expect(sent()).toContainEqual(own(hook))
  })

  it('an endpoint that was down gets a message of its own after a redelivery that succeeds', async () => {
    const { hooks, createUsers, sent } = await newHooks(MANY)
    const hook = hooks[7]
    if (!hook) throw new Error('no endpoint')
    await createUsers()
    await deliver(hook)
    await takeDown(hook)
    sent()
    const [event] = await arrived(hook)
    expect((await onHook(hook, 'POST', `/deliveries/${event}/redeliver`)).status).toBe(200)
    expect(sent()).toEqual([own(hook)])
  })

  it('the minutely job wakes those whose messages were lost with few messages', async () => {
    const { hooks, createUsers, sent, bindings } = await newHooks(MANY)
    await createUsers()
    sent()
    await sweep(bindings)
    const ids = new Set(hooks.map(({ endpoint_id }) => endpoint_id))
    const ours = sent().filter(({ body }) => ids.has(body.first_endpoint_id))
    expect(ours).toEqual(Array.from({ length: WEBHOOK.wakeUps }, (_, i) => range(hooks[2 * i], hooks[2 * i + 1])))
    for (const message of ours) await wake(message, bindings)
    for (const message of sent()) await wake(message, bindings)
    expect(await countsOf(hooks)).toEqual(hooks.map(() => 1))
  })

  it('the message of a range wakes also those of which another message was lost', async () => {
    const { hooks, createUsers, sent, wakeAll, bindings } = await newHooks(5)
    const [overdue, down, abandoned, resumed, later] = hooks
    if (!overdue || !down || !abandoned || !resumed || !later) throw new Error('no endpoint')
    for (const hook of hooks) await hook.receiver.answer(500)
    await createUsers()
    for (const hook of hooks) await deliver(hook)
    await takeDown(down)
    for (const hook of [overdue, down]) await age(hook, 60_000)
    const lease = `update webhook_deliveries set lease = 'died', leased_until = ?2 where endpoint_id = ?1`
    await rowsOf(lease, abandoned.endpoint_id, Date.now() - 1)
    await onHook(resumed, 'POST', '/enable')
    sent()
    await wakeAll()
    for (let messages = sent(); messages.length > 0; messages = sent())
      for (const message of messages) if (message.delaySeconds === 0) await wake(message, bindings)
    expect(await countsOf(hooks)).toEqual([2, 2, 2, 2, 1])
    expect((await endpointRow(down)).probes).toBe(1)
  })
})
