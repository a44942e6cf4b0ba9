/**
 * Webhook endpoints in tests have a real receiver. Their objects are not woken, so that a test decides when they work: `work`
 * wakes the object of an endpoint and waits until its work has ended.
 */
import { createScheduledController, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { inject, vi } from 'vitest'
import type { Health } from '../../src/modules/webhooks/health.ts'
import worker from '../../src/index.ts'
import type { Answer } from './openapi.ts'
import { admin, createV1, newStore, v1User } from './api.ts'
import { MINUTELY } from './cron.ts'
import { type FaultyObjects, faultyObjects } from './faults.ts'
import type { Received, Reply } from './receiver.ts'
import { idIn, rowsOf, type TestStore } from './rows.ts'

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
  /** This is the id of the row, and the name of the object. */
  endpoint_id: number
  secret: string
  receiver: ReceiverPath
  /** The wake-ups of all objects are recorded and lost. */
  bindings: FaultyObjects['bindings']
  /** How often this endpoint was to be woken. */
  wakes: () => number
}

/** Creates an endpoint with its own receiver, in a new store unless one is given. */
export async function newHook({
  store,
  ...fields
}: { store?: TestStore; [field: string]: unknown } = {}): Promise<Hook> {
  const owner = store ?? (await newStore())
  const receiver = newReceiver()
  const { bindings, endpoints } = faultyObjects(env, () => 'lost')
  const { json } = await operate(owner, 'POST', '/webhook_endpoints', { url: receiver.url, ...fields }, bindings)
  const id = Number(json.id)
  const endpoint_id = await idIn(owner, id)
  const wakes = () => endpoints().filter((woken) => woken === endpoint_id).length
  return { store: owner, id, endpoint_id, secret: json.secret, receiver, bindings, wakes }
}

/** The stub of the endpoint's object. */
export function objectOf({ endpoint_id }: Pick<Hook, 'endpoint_id'>) {
  return env.WEBHOOK_ENDPOINTS.getByName(String(endpoint_id))
}

/**
 * Wakes the object of the endpoint, and waits until its work has ended. Its alarm is moved to tomorrow: on a busy machine, a
 * retry that is due in five seconds would otherwise be made while a test still looks at what was before it. `ring` has it ring.
 */
export async function work(hook: Pick<Hook, 'endpoint_id'>): Promise<void> {
  await runInDurableObject(objectOf(hook), async (object, { storage }) => {
    await object.work(hook.endpoint_id)
    const alarm = await storage.getAlarm()
    if (alarm !== null) await storage.setAlarm(Math.max(alarm, Date.now()) + DAY)
  })
}

const DAY = 24 * 60 * 60 * 1000

/** Has the alarm of the object ring, and waits until the work has ended. Returns false if it is not set. */
export async function ring(hook: Pick<Hook, 'endpoint_id'>): Promise<boolean> {
  const hasRung = await runDurableObjectAlarm(objectOf(hook))
  await work(hook)
  return hasRung
}

/** What the object knows of its receiver. */
export async function healthOf(hook: Pick<Hook, 'endpoint_id'>): Promise<Health | undefined> {
  const [row] = await inObject(hook, 'select value from health')
  const value = row?.['value']
  return typeof value === 'string' ? JSON.parse(value) : undefined
}

/** The rows of the object's own database. */
export function inObject(hook: Pick<Hook, 'endpoint_id'>, sql: string): Promise<Record<string, SqlStorageValue>[]> {
  return runInDurableObject(objectOf(hook), (_, { storage }) => storage.sql.exec(sql).toArray())
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

/** Sends a request as the operator for a path of the endpoint; no object is woken. */
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

/** Runs `act` while the clock of the service shows this time. */
export async function at(now: number, act: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  await act().finally(() => vi.useRealTimers())
}

/** Runs the every-minute job, `later` milliseconds from now. */
export function sweep(bindings: object, later = 0): Promise<void> {
  return sweepAt(Date.now() + later, bindings)
}

/** Runs the every-minute job of this time. */
export async function sweepAt(scheduledTime: number, bindings: object): Promise<void> {
  const controller = createScheduledController({ scheduledTime, cron: MINUTELY })
  await worker.scheduled(controller, { ...env, ...bindings })
}

/** Moves the ends of the older secrets into the past, as if so much time had passed. */
export async function ageSecrets({ endpoint_id }: Pick<Hook, 'endpoint_id'>, milliseconds: number): Promise<void> {
  const secrets = '(select json_group_object(key, value - ?2) from json_each(older_secrets))'
  await rowsOf(
    `update webhook_endpoints set older_secrets = ${secrets} where id = ?1 and older_secrets is not null`,
    endpoint_id,
    milliseconds,
  )
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
