/** Creates the store of the soak through the API, triggers its crons, and delivers the remaining events at the end. */
import { Webhook } from 'standardwebhooks'
import { ADMIN_TOKEN } from '../bench/host.ts'
import { caller } from '../bench/operations.ts'
import type { Place } from '../src/db/places.ts'
import { cronsOf, readConfig } from '../scripts/wrangler-config.ts'
import { SCOPES } from '../src/domain/tokens/scopes.ts'
import type { Memory, Target } from './memory.ts'
import { pause } from './persist.ts'
import type { ReadEvent } from './reader.ts'
import type { Receiver } from './receiver.ts'

export const CRONS = cronsOf(readConfig())
/** If deliveries make no progress for this long after the faults have stopped, they are lost. */
const STALL_MS = 30_000

export interface SoakStore extends Target {
  token_id: string
  endpoint_id: string
}

/** Creates a store with a token, a webhook endpoint for all events, an access for each client and a shared one. */
export async function createStore(
  { origin, store, place, clients }: { origin: string; store: string; place: Place; clients: number },
  receiver: Receiver,
  memory: Memory,
): Promise<SoakStore> {
  const call = caller(origin)
  const path = `/admin/stores/${store}`
  await call('POST', '/admin/stores', ADMIN_TOKEN, { id: store, name: 'Soak', language: 'EN', place })
  const endpoint = await call('POST', `${path}/webhook_endpoints`, ADMIN_TOKEN, { url: receiver.url })
  receiver.webhook = new Webhook(String(endpoint['secret']))
  await call('PUT', `${path}/custom_fields/field1`, ADMIN_TOKEN, {})
  const created = await call('POST', `${path}/tokens`, ADMIN_TOKEN, { name: 'Soak', scopes: SCOPES })
  const token = String(created['token'])
  const product = await call('POST', `${path}/products`, ADMIN_TOKEN, { name: 'P', slug: 'p', type: 'course' })
  memory.product_id = String(product['id'])
  for (let i = 0; i <= clients; i++) {
    const user = { name: 'A', last_name: 'B', email: `access-${i}@example.com` }
    const { id: user_id } = await call('POST', `/v1/stores/${store}/users`, token, user)
    const grant = { user_id, product_id: product['id'] }
    const id = String((await call('POST', `/v1/stores/${store}/product_accesses`, token, grant))['id'])
    const granted = { status: 'with_access', access_due_date: null }
    memory.acknowledged.set(id, [granted])
    if (i < clients) memory.accesses.set(id, [granted])
    else Object.assign(memory, { sharedAccess: id, counter: { ...memory.counter, user_id: String(user_id) } })
  }
  return { origin, store, token, token_id: String(created['id']), endpoint_id: String(endpoint['id']) }
}

/** A failed run is ignored, because the next one does its work. */
export async function triggerCron(origin: string, cron: string): Promise<void> {
  await fetch(`${origin}/__scheduled?cron=${encodeURIComponent(cron)}`).catch(() => {})
}

/** Makes all pending deliveries due now. If the endpoint was failing, this writes an event. */
export async function enableEndpoint({ origin, store, endpoint_id }: SoakStore): Promise<void> {
  await caller(origin)('POST', `/admin/stores/${store}/webhook_endpoints/${endpoint_id}/enable`, ADMIN_TOKEN)
}

/** Waits until all events have been delivered, or until no more are. */
export async function waitForDeliveries(
  target: SoakStore,
  events: ReadEvent[],
  { deliveries }: Receiver,
): Promise<void> {
  const { origin, store, endpoint_id } = target
  const path = `${origin}/admin/stores/${store}/webhook_endpoints/${endpoint_id}`
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
  let fewest = Number.POSITIVE_INFINITY
  let end = 0
  do {
    await pause(500)
    await triggerCron(origin, CRONS.minutely)
    const response = await fetch(`${path}/deliveries?state=pending&limit=1`, { headers })
    const { data }: { data: unknown[] } = JSON.parse(await response.text())
    const left = undelivered(target, events, deliveries).length + data.length
    if (left < fewest) end = Date.now() + STALL_MS
    fewest = Math.min(left, fewest)
  } while (fewest > 0 && Date.now() < end)
}

/** Returns the undelivered events since the creation of the endpoint. */
export function undelivered(
  { store, endpoint_id }: SoakStore,
  events: ReadEvent[],
  deliveries: Receiver['deliveries'],
): ReadEvent[] {
  return events.filter(({ id }) => Number(id) > Number(endpoint_id) && !deliveries.get(`${store}_${id}`)?.accepted)
}
