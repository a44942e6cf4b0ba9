/** Steps of clients that change users, their emails and passwords, erase users, and verify passwords. */
import { localOf, newUser, sharedEmail } from './creates.ts'
import type { Client, Store } from './client.ts'
import * as contract from '../contract.ts'
import { recordInTwo, type Exchange } from './history.ts'
import type { Random } from '../world/random.ts'
import {
  type EmailState,
  emailKey,
  noteEmail,
  UNKNOWN_USER,
  type User,
  type UserState,
  userKey,
} from '../checks/user-states.ts'

export async function changeUser(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = random.pick([...store.users])
  const token = random.pick(store.tokens).secret
  const set = { phone: random.pick([null, '+1 202 555 0101', '+1 202 555 0102']) }
  if (random.chance(0.5)) {
    const request = contract.changeUser(store.id, token, id, set)
    await history.sendUntilKnown(name, request, (exchange) => recordUser(client, id, exchange, set))
    return
  }
  const read = await readUser(client, name, id, token)
  if (!read) return
  const exchange = await history.send(`${name} write`, contract.changeUser(store.id, token, id, set, read.etag))
  recordUser(client, id, exchange, set, read.etag)
}

/** Gives a user another email. Because of If-Match, it is known which email becomes free. */
export async function changeEmail(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = pickErasableUser(store, random)
  if (id === undefined) return
  const token = random.pick(store.tokens).secret
  const read = await readUser(client, name, id, token)
  const { email } = newUser(store, random.chance(0.5) ? sharedEmail(random) : localOf(name), name)
  if (!read || email === read.email) return
  const exchange = await history.send(`${name} write`, contract.changeUser(store.id, token, id, { email }, read.etag))
  const existing = exchange.headers.get('X-Existing-Id')
  const isTaken = exchange.json['code'] === 'email_taken'
  recordUser(client, id, exchange, { email }, read.etag)
  if (exchange.isRejected && !isTaken) return
  noteEmail(store, id, email)
  history.record<EmailState>(emailKey(store, email), exchange, (state) => {
    if (isTaken) return state === existing || state === UNKNOWN_USER ? [existing] : []
    if (state === null) return [id]
    return exchange.end === Infinity ? [state] : []
  })
  if (isTaken) return
  history.record<EmailState>(emailKey(store, read.email), exchange, (state) => {
    if (state === id || state === UNKNOWN_USER) return exchange.end === Infinity ? [null, state] : [null]
    return exchange.end === Infinity ? [state] : []
  })
}

async function readUser(client: Client, name: string, id: string, token: string) {
  const read = await client.history.send(`${name} read`, contract.readUser(client.store.id, token, id))
  recordUser(client, id, read, {})
  const etag = read.headers.get('ETag')
  const email = read.json['email']
  return read.status === 200 && etag !== null && typeof email === 'string' ? { etag, email } : undefined
}

/** Records a read or an update of a user by its response. `set` holds the fields that the request changes. */
export function recordUser(client: Client, id: string, exchange: Exchange, set: Partial<User>, ifMatch?: string): void {
  const { status, headers, json } = exchange
  const etag = headers.get('ETag')
  const phone = typeof json['phone'] === 'string' ? json['phone'] : null
  const key = userKey(client.store, id)
  const shows = (state: User) => status === 200 && state.phone === phone && state.email === json['email']
  // A password in the request always counts as a change.
  const differs = (a: User, b: User) => a.phone !== b.phone || a.email !== b.email || 'password' in set
  const change = (state: User): User[] => {
    const isMatch = ifMatch === undefined || state.etag === null || state.etag === ifMatch
    const next = { ...state, ...set }
    return isMatch ? [{ ...next, etag: differs(state, next) ? null : state.etag }] : []
  }
  if (status === 200 && exchange.wasResent) {
    recordInTwo<User>(client.history, key, exchange, change, (state) =>
      shows(state) && (state.etag === null || state.etag === etag) ? [{ ...state, etag }] : [],
    )
    return
  }
  client.history.record<UserState>(key, exchange, (state) => {
    if (state === null) return status === 404 || exchange.end === Infinity ? [state] : []
    if (status === 429 || json['code'] === 'email_taken') return [state]
    if (status === 412) return state.etag === null || state.etag !== ifMatch ? [state] : []
    if (exchange.end === Infinity) return change(state)
    const [next] = change(state)
    if (next === undefined || !shows(next) || etag === null) return []
    return state.etag !== null && differs(state, next) === (state.etag === etag) ? [] : [{ ...next, etag }]
  })
}

export async function eraseUser(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const user = pickErasableUser(store, random)
  if (user === undefined) return
  const token = random.pick(store.tokens).secret
  await history.sendUntilKnown(name, contract.eraseUser(store.id, token, user), (exchange) => {
    store.erasures.push({ user, exchange })
    history.record<UserState>(userKey(store, user), exchange, (state) =>
      exchange.end === Infinity || (exchange.status === 204) === (state !== null) ? [null] : [],
    )
  })
}

/** Any user except the permanent one. */
function pickErasableUser(store: Store, random: Random): string | undefined {
  const others = [...store.users].filter((id) => id !== store.permanentUser.id)
  if (others.length === 0) return undefined
  // Often one of the newest, because a batch that creates it may still be under way.
  return random.pick(random.chance(0.5) ? others.slice(-3) : others)
}

export async function changePassword(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const { id } = store.permanentUser
  const set = { password: contract.passwordOf(random.below(3)) }
  const request = contract.changeUser(store.id, random.pick(store.tokens).secret, id, set)
  await history.sendUntilKnown(name, request, (exchange) => recordUser(client, id, exchange, set))
}

export async function verifyPassword({ store, history }: Client, name: string, random: Random): Promise<void> {
  const { id, email } = store.permanentUser
  const password = contract.passwordOf(random.below(3))
  const exchange = await history.send(
    name,
    contract.verifyPassword(store.id, random.pick(store.tokens).secret, email, password),
  )
  if (exchange.status !== 200) return
  history.record<UserState>(userKey(store, id), exchange, (state) =>
    state !== null && (state.password === password) === (exchange.json['verified'] === true) ? [state] : [],
  )
}
