/** Steps of clients that create users: with and without keys, repeated after lost responses, several with one email. */
import type { Client, SentKey, Store, Token } from './client.ts'
import * as contract from '../contract.ts'
import { describe, type Exchange } from './history.ts'
import type { Random } from '../world/random.ts'
import { type EmailState, emailKey, noteEmail, UNKNOWN_USER, type UserState, userKey } from '../checks/user-states.ts'

const SHARED = 3

/** A text that occurs in no other person's data, so that the checks find it wherever it is. */
const markerOf = (store: Store, name: string) => contract.personal(store.id, `${name};`)

/** A person whose data contains a unique marker. */
export function newUser(store: Store, local: string, name: string): contract.NewUser {
  const marker = markerOf(store, name)
  // The shared emails are the same in both stores, so that a store that sees the other one's users is found.
  const email = `${contract.PERSONAL}${isShared(local) ? '' : `${store.id}~`}${local}@example.com`
  return { name: contract.personal(store.id, local), last_name: marker, email, external_id: marker }
}

const isShared = (local: string) => /^shared\d+$/.test(local)

/** One of a few emails, so that several clients want the same one at the same time. */
export const sharedEmail = (random: Random) => `shared${random.below(SHARED)}`
export const localOf = (name: string) => name.replaceAll(/\W/g, '-')

export async function createFresh(client: Client, name: string, random: Random): Promise<void> {
  const local = localOf(name)
  await create(
    client,
    name,
    newUser(client.store, local, name),
    random.chance(0.6) ? `key-${local}` : undefined,
    random,
  )
}

/** All creates with this email and this token share one key. */
export async function createContested(client: Client, name: string, random: Random): Promise<void> {
  const local = sharedEmail(random)
  if (random.chance(0.5)) return create(client, name, newUser(client.store, local, name), undefined, random)
  const token = random.pick(client.store.tokens)
  const key = `key-${local}`
  await sendKeyed(client, name, key, token, newUser(client.store, local, `${key} of ${token.id}`))
}

export async function createV3(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const local = random.chance(0.7) ? sharedEmail(random) : localOf(name)
  if (random.chance(0.4)) {
    const user = newUser(store, local, name)
    const request = contract.createUserV3(random.pick(store.tokens).secret, user)
    await history.sendUntilKnown(name, request, (exchange) => recordCreate(client, exchange, user))
    return
  }
  const token = random.pick(store.tokens)
  const key = `key-${local}`
  await sendKeyed(client, name, key, token, newUser(store, local, `${key} of ${token.id} on v3`), 'v3')
}

async function create(client: Client, name: string, user: contract.NewUser, key: string | undefined, random: Random) {
  const { store, history } = client
  const token = random.pick(store.tokens)
  if (key !== undefined) return sendKeyed(client, name, key, token, user)
  const request = contract.createUser(store.id, token.secret, user)
  await history.sendUntilKnown(name, request, (exchange) => recordCreate(client, exchange, user))
}

async function sendKeyed(
  client: Client,
  name: string,
  key: string,
  token: Token,
  user: contract.NewUser,
  operation: 'v1' | 'v3' = 'v1',
) {
  const { store } = client
  let sent = store.keys.find((each) => each.key === key && each.token === token && each.operation === operation)
  if (!sent) {
    const toRequest = (secret: string) =>
      operation === 'v1' ? contract.createUser(store.id, secret, user, key) : contract.createUserV3(secret, user, key)
    const record = (client: Client, exchange: Exchange) => {
      recordCreate(client, exchange, user, key)
      recordReplay(client, exchange, sent)
    }
    sent = { key, operation, token, toRequest, record }
    store.keys.push(sent)
  }
  const { toRequest, record } = sent
  await client.history.sendUntilKnown(name, toRequest(token.secret), (exchange) => record(client, exchange))
}

/** Repeats a request with its key. The first one may have ended long ago, or may still be running. */
export async function replay(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  if (store.keys.length === 0) return
  const { token, toRequest, record } = random.pick(store.keys)
  await history.sendUntilKnown(name, toRequest(token.secret), (exchange) => record(client, exchange))
}

/** Sends another body with a key that has a response. */
export async function reuseKey({ store, history }: Client, name: string, random: Random): Promise<void> {
  const withResponse = store.keys.filter(({ firstResponse }) => firstResponse !== undefined)
  if (withResponse.length === 0) return
  const { token, operation, toRequest } = random.pick(withResponse)
  const { event: _, ...sent } = toRequest(token.secret)
  const body =
    operation !== 'grant'
      ? { ...sent.body, name: contract.personal(store.id, name) }
      : { ...sent.body, status: 'without_access', access_due_date: '2031-01-01T00:00:00Z' }
  const exchange = await history.send(name, { ...sent, body })
  if (exchange.isRejected && exchange.json['code'] === 'idempotency_key_reused') return
  if (exchange.end !== Infinity)
    history.violations.push(`a used key did not reject another body: ${describe(exchange)}`)
}

/** A replay equals the first response, byte for byte, unless the record has changed since (checks.ts). */
export function recordReplay({ store, history }: Client, exchange: Exchange, sent: SentKey | undefined): void {
  if (exchange.status !== 201 || !sent) return
  sent.firstResponse ??= exchange.text
  if (sent.firstResponse === exchange.text) return
  history.otherReplays.push({ store: store.id, exchange, first: sent.firstResponse })
}

export function recordCreate(client: Client, exchange: Exchange, user: contract.NewUser, key?: string): void {
  const { store, history } = client
  const { status, json, headers } = exchange
  const id = String(json['id'])
  const existing = headers.get('X-Existing-Id')
  history.record<EmailState>(emailKey(store, user.email), exchange, (state) => {
    if (exchange.end === Infinity) return [state ?? UNKNOWN_USER]
    // The user that the key stands for may have another email by now.
    if (exchange.isReplay) return [state]
    if (status === 201) return state === null ? [id] : []
    // The user that the key stands for was erased. The key does not create another user while its claim lasts.
    if (status === 404 && key !== undefined) return [state]
    return json['code'] === 'email_taken' && (state === existing || state === UNKNOWN_USER) ? [existing] : []
  })
  if (status === 201) {
    // A replay may show an old state of the user.
    if (!exchange.isReplay) recordNewUser(client, id, exchange, user)
    if (!exchange.isReplay && json['external_id'] !== user.external_id)
      history.violations.push(`the created user differs from the request: ${describe(exchange)}`)
  } else if (exchange.isRejected && status === 404 && key !== undefined) {
    store.replaysNotFound.push(exchange)
  }
}

/** Makes a new user available to the steps that follow. */
export function recordNewUser(
  { store, history }: Client,
  id: string,
  exchange: Exchange,
  user: contract.NewUser,
): void {
  if (store.users.has(id)) return
  store.users.add(id)
  store.markers.set(id, user.external_id)
  noteEmail(store, id, user.email)
  const phone = typeof exchange.json['phone'] === 'string' ? exchange.json['phone'] : null
  const created = { phone, email: user.email, password: user.password, etag: exchange.headers.get('ETag') }
  history.record<UserState>(userKey(store, id), exchange, (state) => (state === null ? [created] : []))
}
