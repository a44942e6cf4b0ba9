/** Steps of clients that create users: with and without keys, repeated after lost responses, several with one email. */
import type { Client, SentKey, Store, Token } from './client.ts'
import * as contract from '../contract.ts'
import { noteCreated } from './known.ts'
import { toRow } from '../rows.ts'
import type { Random } from '../world/random.ts'

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
  const user = newUser(client.store, local, name)
  const key = random.chance(0.6) ? `key-${local}` : undefined
  const token = random.pick(client.store.tokens)
  if (key === undefined) await create(client, name, contract.createUser(client.store.id, token.secret, user))
  else await sendKeyed(client, name, toCreate(client.store, token, key, user))
}

/** All creates with this email and this token share one key. */
export async function createContested(client: Client, name: string, random: Random): Promise<void> {
  const { store } = client
  const local = sharedEmail(random)
  if (random.chance(0.5)) {
    const user = newUser(store, local, name)
    return create(client, name, contract.createUser(store.id, random.pick(store.tokens).secret, user))
  }
  const token = random.pick(store.tokens)
  const key = `key-${local}`
  await sendKeyed(client, name, toCreate(store, token, key, newUser(store, local, `${key} of ${token.id}`)))
}

export async function createV3(client: Client, name: string, random: Random): Promise<void> {
  const { store } = client
  const local = random.chance(0.7) ? sharedEmail(random) : localOf(name)
  if (random.chance(0.4)) {
    const user = newUser(store, local, name)
    return create(client, name, contract.createUserV3(random.pick(store.tokens).secret, user))
  }
  const token = random.pick(store.tokens)
  const key = `key-${local}`
  const user = newUser(store, local, `${key} of ${token.id} on v3`)
  const toRequest = (secret: string) => contract.createUserV3(secret, user, key)
  await sendKeyed(client, name, { key, operation: 'v3', token, toRequest })
}

async function create({ store, history }: Client, name: string, request: contract.ApiRequest): Promise<void> {
  noteCreated(store, await history.sendUntilKnown(name, request))
}

function toCreate(store: Store, token: Token, key: string, user: contract.NewUser): SentKey {
  const toRequest = (secret: string) => contract.createUser(store.id, secret, user, key)
  return { key, operation: 'v1', token, toRequest }
}

/** Sends a request with a key, or the first one with the same key. */
export async function sendKeyed({ store, history }: Client, name: string, keyed: SentKey): Promise<void> {
  const { key, token, operation } = keyed
  let sent = store.keys.find((each) => each.key === key && each.token === token && each.operation === operation)
  if (!sent) store.keys.push((sent = keyed))
  const exchange = await history.sendUntilKnown(name, sent.toRequest(token.secret))
  noteCreated(store, exchange)
  if (exchange.end !== Infinity && !exchange.isRejected) sent.hasResponse = true
}

/** Repeats a request with its key. The first one may have ended long ago, or may still be running. */
export async function replay(client: Client, name: string, random: Random): Promise<void> {
  const { keys } = client.store
  if (keys.length > 0) await sendKeyed(client, name, random.pick(keys))
}

/** Sends another body with a key that has a response. */
export async function reuseKey({ store, history }: Client, name: string, random: Random): Promise<void> {
  const withResponse = store.keys.filter(({ hasResponse }) => hasResponse)
  if (withResponse.length === 0) return
  const { token, operation, toRequest } = random.pick(withResponse)
  const sent = toRequest(token.secret)
  const person = { name: contract.personal(store.id, name) }
  const others = {
    v1: person,
    v3: person,
    grant: { status: 'without_access', access_due_date: '2031-01-01T00:00:00Z' },
    extend: toRow(sent.body)['months'] === undefined ? { days: 3 } : { months: 2 },
  }
  await history.send(name, { ...sent, body: { ...sent.body, ...others[operation] } })
}
