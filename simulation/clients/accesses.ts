/** Steps of clients that grant, change and read accesses. */
import { recordReplay } from './creates.ts'
import type { Client, SentKey, Store } from './client.ts'
import * as contract from '../contract.ts'
import { describe, recordInTwo, type Exchange } from './history.ts'
import type { Random } from '../world/random.ts'
import { type UserState, userKey } from '../checks/user-states.ts'

/** The fields of an access, and its ETag once a response has shown it. */
interface Access {
  fields: contract.Access
  etag: string | null
}
export type AccessState = Access | null

/**
 * The access of a user to a product: its id, `UNKNOWN_ACCESS` if no response has shown the id, or null if there is
 * none.
 */
export type PairState = string | null
export const UNKNOWN_ACCESS = '?'

export const accessKey = (store: Store, id: string) => `access ${store.id} ${id}`
export const pairKey = (store: Store, user: string, product: string) => `pair ${store.id} ${user} ${product}`

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
  const request = contract.updateAccess(client.store.id, random.pick(client.store.tokens).secret, id, set)
  await client.history.sendUntilKnown(name, request, (exchange) => recordAccess(client, id, exchange, set))
}

/** Reads an access, updates it with If-Match, and starts again if somebody else was faster. */
export async function updateIfMatch(client: Client, name: string, random: Random): Promise<void> {
  const { store, history, world } = client
  const id = pickAccess(client, random)
  const token = random.pick(store.tokens).secret
  const set = newFields(client, random)
  for (let attempt = 1; attempt <= 4; attempt++) {
    const read = await history.send(`${name} read ${attempt}`, contract.readAccess(store.id, token, id))
    recordAccess(client, id, read, {})
    const etag = read.headers.get('ETag')
    if (read.status !== 200 || etag === null) return
    await world.sleep(random.between(0, 500))
    const exchange = await history.send(
      `${name} write ${attempt}`,
      contract.updateAccess(store.id, token, id, set, etag),
    )
    recordAccess(client, id, exchange, set, etag)
    if (exchange.status !== 412 && exchange.end !== Infinity) return
  }
}

export async function setProgress(client: Client, name: string, random: Random): Promise<void> {
  const id = pickAccess(client, random)
  const progress = random.below(4)
  const request = contract.setProgress(client.store.id, random.pick(client.store.tokens).secret, id, progress)
  await client.history.sendUntilKnown(name, request, (exchange) => recordAccess(client, id, exchange, { progress }))
}

export async function readAccess(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = pickAccess(client, random)
  const exchange = await history.send(name, contract.readAccess(store.id, random.pick(store.tokens).secret, id))
  recordAccess(client, id, exchange, {})
}

function recordAccess(
  client: Client,
  id: string,
  exchange: Exchange,
  set: Partial<contract.Access>,
  ifMatch?: string,
): void {
  const { status = 0, headers } = exchange
  const etag = headers.get('ETag')
  const shown = fieldsOf(exchange)
  const isSuccess = status === 200 || status === 201
  const key = accessKey(client.store, id)
  const change = (state: Access): Access[] => {
    const isMatch = ifMatch === undefined || state.etag === null || state.etag === ifMatch
    const fields = { ...state.fields, ...set }
    return isMatch ? [{ ...state, fields, etag: isSame(fields, state.fields) ? state.etag : null }] : []
  }
  if (isSuccess && exchange.wasResent) {
    recordInTwo<Access>(client.history, key, exchange, change, (state) =>
      isSame(state.fields, shown) && (state.etag === null || state.etag === etag) ? [{ ...state, etag }] : [],
    )
    return
  }
  client.history.record<AccessState>(key, exchange, (state) => {
    if (state === null) return status === 404 || exchange.end === Infinity ? [state] : []
    if (status === 412) return state.etag === null || state.etag !== ifMatch ? [state] : []
    if (exchange.end === Infinity) return change(state)
    const [next] = change(state)
    if (!isSuccess || next === undefined || !isSame(next.fields, shown) || etag === null) return []
    // A change gets a new ETag. An update without a change keeps the old one.
    const isChange = !isSame(next.fields, state.fields)
    return state.etag !== null && isChange === (state.etag === etag) ? [] : [{ ...next, etag }]
  })
}

function fieldsOf({ json }: Exchange): contract.Access {
  const { status, access_due_date, progress } = json
  return {
    status: String(status),
    access_due_date: typeof access_due_date === 'string' ? access_due_date : null,
    progress: Number(progress),
  }
}

function isSame(a: contract.Access, b: contract.Access): boolean {
  return a.status === b.status && a.access_due_date === b.access_due_date && a.progress === b.progress
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
    const request = contract.grant(store.id, { ...body, ...set }, token)
    await history.sendUntilKnown(name, request, (exchange) => recordGrant(client, body, exchange))
    return
  }
  const token = random.pick(store.tokens)
  // The first two keys are also those of creates: a key belongs to one operation.
  const key = `key-${['shared0', 'shared1'][store.users.size % 3] ?? `${body.user_id}-${body.product_id}`}`
  let sent = store.keys.find((each) => each.key === key && each.token === token && each.operation === 'grant')
  if (!sent) {
    const record = (client: Client, exchange: Exchange) => {
      recordGrant(client, body, exchange, key)
      recordReplay(client, exchange, sent)
    }
    sent = {
      key,
      operation: 'grant',
      token,
      toRequest: (secret) => contract.grant(store.id, body, secret, key),
      record,
    } satisfies SentKey
    store.keys.push(sent)
  }
  const { toRequest, record } = sent
  await history.sendUntilKnown(name, toRequest(token.secret), (exchange) => record(client, exchange))
}

export function recordGrant(
  client: Client,
  { user_id, product_id }: contract.Grant,
  exchange: Exchange,
  key?: string,
): void {
  const { store, history } = client
  const { status, json, headers } = exchange
  const id = String(json['id'])
  const existing = headers.get('X-Existing-Id')
  if (json['code'] === 'invalid_parameter') {
    history.record<UserState>(userKey(store, user_id), exchange, (state) => (state === null ? [null] : []))
    return
  }
  history.record<PairState>(pairKey(store, user_id, product_id), exchange, (state) => {
    if (exchange.end === Infinity) return [state ?? UNKNOWN_ACCESS]
    if (exchange.isReplay) return state === id || state === UNKNOWN_ACCESS ? [id] : []
    if (status === 201) return state === null ? [id] : []
    if (status === 404 && key !== undefined) return state === null || state === UNKNOWN_ACCESS ? [state] : []
    return json['code'] === 'access_exists' && (state === existing || state === UNKNOWN_ACCESS) ? [existing] : []
  })
  // A replay may show an old state of the access.
  if (status === 201 && !exchange.isReplay)
    recordNewAccess(client, id, exchange, { user_id, product_id }, fieldsOf(exchange))
}

/** Makes a new access available to the steps that follow. */
export function recordNewAccess(
  client: Client,
  id: string,
  exchange: Exchange,
  of: contract.Grant,
  fields: contract.Access,
) {
  const { store, history } = client
  if (store.owners.has(id)) return
  store.accesses.push(id)
  store.owners.set(id, { user: of.user_id, product: of.product_id })
  const created = { fields, etag: exchange.headers.get('ETag') }
  history.record<AccessState>(accessKey(store, id), exchange, (state) => (state === null ? [created] : []))
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
  const exchange = await history.send(name, request)
  if (exchange.end !== Infinity && exchange.status !== 401)
    history.violations.push(`an unauthorized request was accepted: ${describe(exchange)}`)
}
