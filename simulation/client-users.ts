/** What clients do with users: change them, give them other e-mails, erase them, try their passwords. */
import { localOf, newUser, sharedEmail } from './client-creates.ts'
import type { Client, Store } from './client.ts'
import * as contract from './contract.ts'
import { recordInTwo, type Told } from './history.ts'
import type { Random } from './random.ts'
import { type EmailState, emailKey, noteEmail, SOMEBODY, type User, type UserState, userKey } from './user-states.ts'

export async function changeUser(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = random.pick([...store.users])
  const token = random.pick(store.tokens).secret
  const set = { phone: random.pick([null, '+1 202 555 0101', '+1 202 555 0102']) }
  if (random.chance(0.5)) {
    const ask = contract.changeUser(store.id, token, id, set)
    await history.persist(name, ask, (told) => learnUser(client, id, told, set))
    return
  }
  const read = await readUser(client, name, id, token)
  if (!read) return
  const told = await history.ask(`${name} write`, contract.changeUser(store.id, token, id, set, read.etag))
  learnUser(client, id, told, set, read.etag)
}

/** Gives a user another e-mail. If-Match tells which one that sets free. */
export async function moveUser(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = someOther(store, random)
  if (id === undefined) return
  const token = random.pick(store.tokens).secret
  const read = await readUser(client, name, id, token)
  const { email } = newUser(store, random.chance(0.5) ? sharedEmail(random) : localOf(name), name)
  if (!read || email === read.email) return
  const told = await history.ask(`${name} write`, contract.changeUser(store.id, token, id, { email }, read.etag))
  const existing = told.headers.get('X-Existing-Id')
  const isTaken = told.json['code'] === 'email_taken'
  learnUser(client, id, told, { email }, read.etag)
  if (told.isRefused && !isTaken) return
  noteEmail(store, id, email)
  history.record<EmailState>(emailKey(store, email), told, (state) => {
    if (isTaken) return state === existing || state === SOMEBODY ? [existing] : []
    if (state === null) return [id]
    return told.end === Infinity ? [state] : []
  })
  if (isTaken) return
  history.record<EmailState>(emailKey(store, read.email), told, (state) => {
    if (state === id || state === SOMEBODY) return told.end === Infinity ? [null, state] : [null]
    return told.end === Infinity ? [state] : []
  })
}

async function readUser(client: Client, name: string, id: string, token: string) {
  const read = await client.history.ask(`${name} read`, contract.readUser(client.store.id, token, id))
  learnUser(client, id, read, {})
  const etag = read.headers.get('ETag')
  const email = read.json['email']
  return read.status === 200 && etag !== null && typeof email === 'string' ? { etag, email } : undefined
}

/** A read or a change, by its answer; `set` is what it was to change. */
export function learnUser(client: Client, id: string, told: Told, set: Partial<User>, ifMatch?: string): void {
  const { status, headers, json } = told
  const etag = headers.get('ETag')
  const phone = typeof json['phone'] === 'string' ? json['phone'] : null
  const key = userKey(client.store, id)
  const shows = (state: User) => status === 200 && state.phone === phone && state.email === json['email']
  // A password that is sent is always a change.
  const differs = (a: User, b: User) => a.phone !== b.phone || a.email !== b.email || 'password' in set
  const change = (state: User): User[] => {
    const isMatch = ifMatch === undefined || state.etag === null || state.etag === ifMatch
    const next = { ...state, ...set }
    return isMatch ? [{ ...next, etag: differs(state, next) ? null : state.etag }] : []
  }
  if (status === 200 && told.wasResent) {
    recordInTwo<User>(client.history, key, told, change, (state) =>
      shows(state) && (state.etag === null || state.etag === etag) ? [{ ...state, etag }] : [],
    )
    return
  }
  client.history.record<UserState>(key, told, (state) => {
    if (state === null) return status === 404 || told.end === Infinity ? [state] : []
    if (status === 429 || json['code'] === 'email_taken') return [state]
    if (status === 412) return state.etag === null || state.etag !== ifMatch ? [state] : []
    if (told.end === Infinity) return change(state)
    const [next] = change(state)
    if (next === undefined || !shows(next) || etag === null) return []
    return state.etag !== null && differs(state, next) === (state.etag === etag) ? [] : [{ ...next, etag }]
  })
}

export async function eraseUser(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const user = someOther(store, random)
  if (user === undefined) return
  const token = random.pick(store.tokens).secret
  await history.persist(name, contract.eraseUser(store.id, token, user), (told) => {
    store.erasures.push({ user, told })
    history.record<UserState>(userKey(store, user), told, (state) =>
      told.end === Infinity || (told.status === 204) === (state !== null) ? [null] : [],
    )
  })
}

/** Anybody but the keeper. */
function someOther(store: Store, random: Random): string | undefined {
  const others = [...store.users].filter((id) => id !== store.keeper.id)
  if (others.length === 0) return undefined
  // Often one of the newest: what made them may still be under way.
  return random.pick(random.chance(0.5) ? others.slice(-3) : others)
}

export async function changePassword(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const { id } = store.keeper
  const set = { password: contract.passwordOf(random.below(3)) }
  const ask = contract.changeUser(store.id, random.pick(store.tokens).secret, id, set)
  await history.persist(name, ask, (told) => learnUser(client, id, told, set))
}

export async function verifyPassword({ store, history }: Client, name: string, random: Random): Promise<void> {
  const { id, email } = store.keeper
  const password = contract.passwordOf(random.below(3))
  const told = await history.ask(
    name,
    contract.verifyPassword(store.id, random.pick(store.tokens).secret, email, password),
  )
  if (told.status !== 200) return
  history.record<UserState>(userKey(store, id), told, (state) =>
    state !== null && (state.password === password) === (told.json['verified'] === true) ? [state] : [],
  )
}
