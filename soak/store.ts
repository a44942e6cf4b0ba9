/** The soak's store, made through the operator API; its crons; and at the end what makes its endpoint deliver the rest. */
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { ADMIN_TOKEN } from './host.ts'
import { caller } from './operations.ts'
import type { Memory, Target } from './soak-clients.ts'
import type { ReadEvent } from './soak-reader.ts'
import type { Receiver } from './soak-receiver.ts'

export const MINUTELY = '* * * * *'
export const HOURLY = '17 * * * *'
/** Deliveries that make no progress for so long, once the faults have stopped, are lost. */
const STALL_MS = 30_000

export interface SoakStore extends Target {
  endpoint: string
}

/** A store with its token, a webhook endpoint that hears of everything, an access for each client and one for all. */
export async function makeStore(
  { origin, store, clients }: { origin: string; store: string; clients: number },
  receiver: Receiver,
  memory: Memory,
): Promise<SoakStore> {
  const call = caller(origin)
  const path = `/admin/stores/${store}`
  await call('POST', '/admin/stores', ADMIN_TOKEN, { id: store, name: 'Soak', language: 'EN' })
  const endpoint = await call('POST', `${path}/webhook_endpoints`, ADMIN_TOKEN, { url: receiver.url })
  receiver.webhook = new Webhook(String(endpoint['secret']))
  await call('PUT', `${path}/custom_fields/field1`, ADMIN_TOKEN, {})
  const token = String((await call('POST', `${path}/tokens`, ADMIN_TOKEN, { name: 'Soak' }))['token'])
  const product = await call('POST', `${path}/products`, ADMIN_TOKEN, { name: 'P', slug: 'p', type: 'course' })
  for (let i = 0; i <= clients; i++) {
    const user = { name: 'A', last_name: 'B', email: `access-${i}@example.com` }
    const { id: user_id } = await call('POST', `/v1/stores/${store}/users`, token, user)
    const grant = { user_id, product_id: product['id'] }
    const id = String((await call('POST', `${path}/product_accesses`, ADMIN_TOKEN, grant))['id'])
    const granted = { status: 'with_access', access_due_date: null }
    memory.acknowledged.set(id, [granted])
    if (i < clients) memory.accesses.set(id, [granted])
    else memory.sharedAccess = id
  }
  return { origin, store, token, endpoint: String(endpoint['id']) }
}

/** What fails is made up for by the next one. */
export async function trigger(origin: string, cron: string): Promise<void> {
  await fetch(`${origin}/__scheduled?cron=${encodeURIComponent(cron)}`).catch(() => {})
}

/** Has everything that waits for delivery sent now; ends when all events have arrived, or no more do. */
export async function settle(
  { origin, store, endpoint }: SoakStore,
  events: ReadEvent[],
  { deliveries }: Receiver,
): Promise<void> {
  const path = `${origin}/admin/stores/${store}/webhook_endpoints/${endpoint}`
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
  await fetch(`${path}/enable`, { method: 'POST', headers })
  let fewest = Number.POSITIVE_INFINITY
  let end = 0
  do {
    await pause(500)
    await trigger(origin, MINUTELY)
    const answer = await fetch(`${path}/deliveries?state=pending&limit=1`, { headers })
    const { data }: { data: unknown[] } = JSON.parse(await answer.text())
    const left = events.filter(({ id }) => !deliveries.get(id)?.accepted).length + data.length
    if (left < fewest) end = Date.now() + STALL_MS
    fewest = Math.min(left, fewest)
  } while (fewest > 0 && Date.now() < end)
}
