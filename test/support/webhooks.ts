/**
 * Webhook endpoints in tests have a real receiver. `newHook` keeps their messages from the real queue, so that a test
 * decides when the consumer runs: `deliver` gives it one message, as the platform does. Only
 * test/jobs/deliver-queue.test.ts uses the real queue.
 */
import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { inject, vi } from 'vitest'
import worker from '../../src/index.ts'
import type { Answer } from './openapi.ts'
import { admin, createV1, newStore, v1User } from './api.ts'
import { MINUTELY } from './cron.ts'
import { faultyQueue, type SentMessage } from './faults.ts'
import type { Received, Reply } from './receiver.ts'
import { idIn, rowsOf, type TestStore } from './rows.ts'

export const QUEUE = inject('queue')

export interface ReceiverPath {
  url: string
  /** Sets the next responses, of which the last one is repeated; the default is 204. */
  answer: (...replies: Reply[]) => Promise<void>
  requests: () => Promise<Received[]>
  /** These requests came to the target of its redirects. */
  elsewhere: () => Promise<Received[]>
}

/** Returns a path of the receiver that no other test uses. */
export function newReceiver(query = ''): ReceiverPath {
  const path = `/${crypto.randomUUID()}`
  const control = `${inject('receiver')}/control${path}`
  return {
    url: inject('receiver') + path + query,
    answer: async (...replies) => {
      await (await fetch(control, { method: 'PUT', body: JSON.stringify(replies) })).text()
    },
    requests: async () => (await fetch(control)).json(),
    elsewhere: async () => (await fetch(`${control}/elsewhere`)).json(),
  }
}

export interface Hook {
  store: TestStore
  /** This is the id as the API shows it. */
  id: number
  /** This is the id of the row, which queue messages contain. */
  endpoint_id: number
  secret: string
  receiver: ReceiverPath
  /** Their queue records the messages and loses them. */
  bindings: { WEBHOOKS: Queue; DB?: D1Database }
  /** Returns the messages for this endpoint so far. */
  wakeUps: () => SentMessage[]
}

/** Creates an endpoint with its own receiver, in a new store unless one is given. */
export async function newHook({
  store,
  ...fields
}: { store?: TestStore; [field: string]: unknown } = {}): Promise<Hook> {
  const owner = store ?? (await newStore())
  const receiver = newReceiver()
  const { WEBHOOKS, messages } = faultyQueue(env.WEBHOOKS, () => 'lost')
  const { json } = await operate(owner, 'POST', '/webhook_endpoints', { url: receiver.url, ...fields }, { WEBHOOKS })
  const id = Number(json.id)
  const endpoint_id = await idIn(owner, id)
  const wakeUps = () => messages().filter(({ body }) => body.endpoint_id === endpoint_id)
  return { store: owner, id, endpoint_id, secret: json.secret, receiver, bindings: { WEBHOOKS }, wakeUps }
}

/** Sends a request as the operator for a path of the store. */
export function operate(
  store: TestStore,
  method: string,
  path: string,
  body?: unknown,
  bindings = {},
): Promise<Answer> {
  return admin(method, `/stores/${store.id}${path}`, body, bindings)
}

/** Sends a request as the operator for a path of the endpoint; its queue messages are lost. */
export function onHook({ store, id, bindings }: Hook, method: string, path = '', body?: unknown): Promise<Answer> {
  return operate(store, method, `/webhook_endpoints/${id}${path}`, body, bindings)
}

/** Makes `count` events in the store of the hook, one after the other, and returns their ids. */
export async function change({ store, bindings }: Hook, count = 1): Promise<string[]> {
  for (let i = 0; i < count; i++) {
    const { status } = await createV1(store, v1User(), { bindings })
    if (status !== 201) throw new Error(`a create answered ${status}`)
  }
  return (await eventsOf(store)).slice(-count).map(({ id }) => id)
}

/** Returns the events as the operator gets them, the oldest first. */
export async function eventsOf(store: TestStore, type?: string): Promise<any[]> {
  const rows: any[] = []
  for (let next: string | null = '0'; next !== null;) {
    const after = next === '0' ? '' : `&after=${next}`
    const { json } = await operate(store, 'GET', `/events?limit=100${after}${type ? `&type=${type}` : ''}`)
    rows.push(...json.data)
    next = json.next
  }
  return rows
}

/** Gives the consumer one message and waits until its work has ended. */
export async function deliver(hook: Pick<Hook, 'endpoint_id' | 'bindings'>, bindings: object = {}): Promise<void> {
  await consume([{ endpoint_id: hook.endpoint_id }], { ...hook.bindings, ...bindings })
}

export async function consume(bodies: any[], bindings: object): Promise<void> {
  const messages = bodies.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }))
  const ctx = createExecutionContext()
  try {
    worker.queue(createMessageBatch<any>(QUEUE, messages), { ...env, ...bindings }, ctx)
  } finally {
    await waitOnExecutionContext(ctx)
  }
}

/** Gives the consumer one message, and then those that it sends without a delay. */
export async function deliverAll(hook: Hook, bindings: object = {}): Promise<void> {
  for (let known = -1; known < immediate(hook);) {
    known = immediate(hook)
    await deliver(hook, bindings)
  }
}

function immediate({ wakeUps }: Hook): number {
  return wakeUps().filter(({ delaySeconds }) => delaySeconds === 0).length
}

/** Runs `act` while the clock of the service shows this time. */
export async function at(now: number, act: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  await act().finally(() => vi.useRealTimers())
}

/** Runs the minutely job, `later` milliseconds from now. */
export async function sweep(bindings: object, later = 0): Promise<void> {
  const controller = createScheduledController({ scheduledTime: Date.now() + later, cron: MINUTELY })
  await worker.scheduled(controller, { ...env, ...bindings })
}

/** Moves the times of the endpoint into the past, as if so much time had passed. */
export async function age({ endpoint_id }: Pick<Hook, 'endpoint_id'>, milliseconds: number): Promise<void> {
  const secrets = `(select json_group_object(key, value - ?2) from json_each(older_secrets) where older_secrets is not null)`
  const endpoint = `failing_since = failing_since - ?2, disabled_at = disabled_at - ?2,
    probe_at = probe_at - ?2, wake_at = wake_at - ?2,
    older_secrets = iif(older_secrets is null, null, ${secrets})`
  await rowsOf(`update webhook_endpoints set ${endpoint} where id = ?1`, endpoint_id, milliseconds)
  const delivery = `leased_until = leased_until - ?2, next_attempt_at = next_attempt_at - ?2,
    last_attempt_at = last_attempt_at - ?2`
  await rowsOf(`update webhook_deliveries set ${delivery} where endpoint_id = ?1`, endpoint_id, milliseconds)
}

/** Makes the endpoint one that is down. Its next probe is due in so many milliseconds. */
export async function takeDown({ endpoint_id }: Pick<Hook, 'endpoint_id'>, probeInMs = 0): Promise<void> {
  const columns = 'failures = 20, failing_since = coalesce(failing_since, ?2), probe_at = ?2 + ?3, wake_at = ?2 + ?3'
  await rowsOf(`update webhook_endpoints set ${columns} where id = ?1`, endpoint_id, Date.now(), probeInMs)
}

/** Returns the deliveries, the oldest event first. */
export async function deliveriesOf(hook: Hook): Promise<any[]> {
  return (await onHook(hook, 'GET', '/deliveries?limit=100&order=asc')).json.data
}

/** Returns the row with the columns that the API does not show. */
export async function endpointRow({ endpoint_id }: Pick<Hook, 'endpoint_id'>): Promise<any> {
  const [row] = await rowsOf('select * from webhook_endpoints where id = ?', endpoint_id)
  return row
}

/** Returns the event of a request and checks its signature, as a receiver does; throws if the signature is wrong. */
export function verified({ body, headers }: Received, secret: string): any {
  return new Webhook(secret).verify(body, headers)
}

/** Returns the ids of the received events in the order of their arrival. */
export async function arrived({ receiver }: Pick<Hook, 'receiver'>): Promise<string[]> {
  return (await receiver.requests()).map(({ headers }) => headers['webhook-id']?.split('_').at(-1) ?? '')
}

/** Polls until the condition holds, and fails after 100 seconds, which only a hung machine needs. */
export function until(holds: () => Promise<boolean>): Promise<unknown> {
  return vi.waitUntil(holds, { timeout: 100_000, interval: 20 })
}
