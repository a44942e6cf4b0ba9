/** Steps of clients that grant, change and read accesses. */
import type { Client } from './client.ts'
import * as contract from '../contract.ts'
import { sendKeyed } from './creates.ts'
import { noteCreated } from './known.ts'
import type { Random } from '../world/random.ts'

function pickAccess({ store }: Client, random: Random): string {
  const [first = ''] = store.accesses
  // Mostly the first: a wrong order only shows when many clients change one record.
  return random.chance(0.6) ? first : random.pick(store.accesses)
}

/** Null, or a date that is far away, soon or just past: the cron announces some of these expiries during the run. */
function pickDueDate({ world }: Client, random: Random): string | null {
  const far = Date.UTC(2030, 0, 1 + random.below(3))
  const now = world.now
  const time = random.pick([null, far, far, now + random.between(1000, 200_000), now - random.between(0, 100_000)])
  return time === null ? null : new Date(Math.floor(time)).toISOString()
}

export function newFields(client: Client, random: Random): Partial<contract.Access> {
  const status = random.pick(contract.STATUSES)
  const access_due_date = pickDueDate(client, random)
  return random.pick([{ status }, { access_due_date }, { status, access_due_date }, {}])
}

export async function update(client: Client, name: string, random: Random): Promise<void> {
  const id = pickAccess(client, random)
  const set = newFields(client, random)
  const token = random.pick(client.store.tokens).secret
  await client.history.sendUntilKnown(name, contract.updateAccess(client.store.id, token, id, set))
}

/** Reads an access, updates it with If-Match, and starts again if somebody else was faster. */
export async function updateIfMatch(client: Client, name: string, random: Random): Promise<void> {
  const { store, history, world } = client
  const id = pickAccess(client, random)
  const token = random.pick(store.tokens).secret
  const set = newFields(client, random)
  for (let attempt = 1; attempt <= 4; attempt++) {
    const read = await history.send(`${name} read ${attempt}`, contract.readAccess(store.id, token, id))
    const etag = read.headers.get('ETag')
    if (read.status !== 200 || etag === null) return
    await world.sleep(random.between(0, 500))
    const write = contract.updateAccess(store.id, token, id, set, etag)
    const exchange = await history.send(`${name} write ${attempt}`, write)
    if (exchange.status !== 412 && exchange.end !== Infinity) return
  }
}

/** By a number of days or months that belongs to the order: equal orders of two accesses are different requests. */
const ORDERS: Record<string, object> = {
  'order-days': { days: 1 },
  'order-month': { months: 1 },
  'order-months': { days: null, months: 13 },
  shared0: { days: 2 },
}

/**
 * Renews an access, as a shop does that was paid for an order: with the order as the key, however often it is repeated. Without
 * a key, each request extends the access, so that it is sent once.
 */
export async function extend(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = pickAccess(client, random)
  const token = random.pick(store.tokens)
  const order = random.pick(Object.keys(ORDERS))
  const body = ORDERS[order] ?? {}
  if (random.chance(0.2)) {
    await history.send(name, contract.extendAccess(store.id, token.secret, id, body))
    return
  }
  if (random.chance(0.2)) {
    // Whoever uses one key for several accesses extends only the first.
    await history.sendUntilKnown(name, contract.extendAccess(store.id, token.secret, id, body, `key-${order}`))
    return
  }
  const key = `key-${order}-${id}`
  const toRequest = (secret: string) => contract.extendAccess(store.id, secret, id, body, key)
  await sendKeyed(client, name, { key, operation: 'extend', token, toRequest })
}

export async function setProgress(client: Client, name: string, random: Random): Promise<void> {
  const id = pickAccess(client, random)
  const progress = random.below(4)
  const token = random.pick(client.store.tokens).secret
  await client.history.sendUntilKnown(name, contract.setProgress(client.store.id, token, id, progress))
}

export async function readAccess(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = pickAccess(client, random)
  await history.send(name, contract.readAccess(store.id, random.pick(store.tokens).secret, id))
}

/**
 * Grants as an operator, or as an integrator. Integrators with one token share one key for the same user and product.
 */
export async function grant(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const body = { user_id: random.pick([...store.users]), product_id: random.pick(store.products) }
  if (random.chance(0.4)) {
    const set = random.chance(0.5) ? {} : { status: 'with_access', access_due_date: pickDueDate(client, random) }
    const token = random.chance(0.5) ? undefined : random.pick(store.tokens).secret
    noteCreated(store, await history.sendUntilKnown(name, contract.grant(store.id, { ...body, ...set }, token)))
    return
  }
  const token = random.pick(store.tokens)
  // The first two keys are also those of creates: a key belongs to one operation.
  const key = `key-${['shared0', 'shared1'][store.users.size % 3] ?? `${body.user_id}-${body.product_id}`}`
  const toRequest = (secret: string) => contract.grant(store.id, body, secret, key)
  await sendKeyed(client, name, { key, operation: 'grant', token, toRequest })
}

/** Uses a token of one store for records of another store, or a forged token. Both must get 401. */
export async function useForeignToken(client: Client, name: string, random: Random): Promise<void> {
  const { store, other, history } = client
  const [id = ''] = other.accesses
  const { secret } = random.pick(store.tokens)
  const forged = secret.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
  const set = { status: 'without_access' }
  const request = random.chance(0.7)
    ? contract.updateAccess(other.id, secret, id, set)
    : contract.updateAccess(store.id, forged, store.accesses[0] ?? '', set)
  await history.send(name, request)
}
