/** What clients do with users: create them in every way, change them, erase them. */
import type { Client, SentKey, Store, Token } from './clients.ts'
import * as contract from './contract.ts'
import { describe, recordInTwo, type Told } from './history.ts'
import type { Random } from './random.ts'

/** Who has the e-mail: a user's id, somebody whose id no answer has told yet, or nobody. */
export type EmailState = string | null
export const SOMEBODY = '?'

/** What changes of a user, and the ETag if an answer has shown it; null while there is no such user. */
interface User {
  phone: string | null
  email: string
  password: string | undefined
  etag: string | null
}
export type UserState = User | null

export const userKey = (store: Store, id: string) => `user ${store.id} ${id}`
export const emailKey = (store: Store, email: string) => `email ${store.id} ${email}`
const SHARED = 6

/** What nobody else's data has. */
const markOf = (store: Store, name: string) => contract.personal(store.id, `${name};`)

/** A person whose data bears a mark of its own. */
export function newUser(store: Store, local: string, name: string): contract.NewUser {
  const mark = markOf(store, name)
  const email = `${contract.PERSONAL}${store.id}~${local}@example.com`
  return { name: contract.personal(store.id, local), last_name: mark, email, external_id: mark }
}

/** One of few e-mails, which others ask for at the same time. */
export const sharedEmail = (random: Random) => `shared${random.below(SHARED)}`
const localOf = (name: string) => name.replaceAll(/\W/g, '-')

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

/** The key is that of all who ask for the e-mail with this token. */
export async function createContested(client: Client, name: string, random: Random): Promise<void> {
  const local = sharedEmail(random)
  if (random.chance(0.5)) return create(client, name, newUser(client.store, local, name), undefined, random)
  const token = random.pick(client.store.tokens)
  const key = `key-${local}`
  await sendKeyed(client, name, key, token, newUser(client.store, local, `${key} of ${token.id}`))
}

export async function createV3(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const user = newUser(store, random.chance(0.5) ? sharedEmail(random) : localOf(name), name)
  const ask = contract.createUserV3(random.pick(store.tokens).secret, user)
  await history.persist(name, ask, (told) => learnCreate(client, told, user))
}

async function create(client: Client, name: string, user: contract.NewUser, key: string | undefined, random: Random) {
  const { store, history } = client
  const token = random.pick(store.tokens)
  if (key !== undefined) return sendKeyed(client, name, key, token, user)
  const ask = contract.createUser(store.id, token.secret, user)
  await history.persist(name, ask, (told) => learnCreate(client, told, user))
}

async function sendKeyed(client: Client, name: string, key: string, token: Token, user: contract.NewUser) {
  const { store } = client
  let sent = store.keys.find((each) => each.key === key && each.token === token)
  if (!sent) {
    const ask = (secret: string) => contract.createUser(store.id, secret, user, key)
    const learn = (client: Client, told: Told) => {
      learnCreate(client, told, user, key)
      learnReplay(client, told, sent)
    }
    sent = { key, token, ask, learn }
    store.keys.push(sent)
  }
  const { ask, learn } = sent
  await client.history.persist(name, ask(token.secret), (told) => learn(client, told))
}

/** Asks again with a key that was sent before, perhaps long ago, perhaps still under way. */
export async function replay(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  if (store.keys.length === 0) return
  const { token, ask, learn } = random.pick(store.keys)
  await history.persist(name, ask(token.secret), (told) => learn(client, told))
}

/** Another body under a key that was answered. */
export async function reuseKey({ store, history }: Client, name: string, random: Random): Promise<void> {
  const answered = store.keys.filter(({ answer }) => answer !== undefined)
  if (answered.length === 0) return
  const { token, ask } = random.pick(answered)
  const { event: _, ...sent } = ask(token.secret)
  const body =
    'external_id' in (sent.body ?? {})
      ? { ...sent.body, name: contract.personal(store.id, name) }
      : { ...sent.body, status: 'without_access', access_due_date: '2031-01-01T00:00:00Z' }
  const told = await history.ask(name, { ...sent, body })
  if (told.isRefused && told.json['code'] === 'idempotency_key_reused') return
  if (told.end !== Infinity) history.violations.push(`a used key: ${describe(told)}`)
}

/** A replay is what was answered first, byte for byte, or what the record is once it has changed (checks.ts). */
export function learnReplay({ store, history }: Client, told: Told, sent: SentKey | undefined): void {
  if (told.status !== 201 || !sent) return
  sent.answer ??= told.text
  if (sent.answer === told.text) return
  history.otherReplays.push({ store: store.id, told, first: sent.answer })
}

export function learnCreate(client: Client, told: Told, user: contract.NewUser, key?: string): void {
  const { store, history } = client
  const { status, json, headers } = told
  const id = String(json['id'])
  const existing = headers.get('X-Existing-Id')
  // Made, and erased before the answer that was not lost.
  const isGone = status === 404 && told.wasResent
  history.record<EmailState>(emailKey(store, user.email), told, (state) => {
    if (told.end === Infinity || isGone) return [state ?? SOMEBODY, state]
    // Whoever the key has made may have another e-mail by now.
    if (told.isReplay) return [state]
    if (status === 201) return state === null ? [id] : []
    // Whom this key has made was erased, and does not come back while the key is known.
    if (status === 404 && key !== undefined) return [state]
    return json['code'] === 'email_taken' && (state === existing || state === SOMEBODY) ? [existing] : []
  })
  if (status === 201) {
    // A replay may show who was there long ago.
    if (!told.isReplay) learnNewUser(client, id, told, user)
    if (!told.isReplay && json['external_id'] !== user.external_id)
      history.violations.push(`not what was sent: ${describe(told)}`)
  } else if (status === 404 && key !== undefined) {
    store.vainReplays.push(told)
  }
}

/** Whoever is made is known from then on, and can be changed. */
export function learnNewUser({ store, history }: Client, id: string, told: Told, user: contract.NewUser): void {
  if (store.users.has(id)) return
  store.users.add(id)
  store.marks.set(id, user.external_id)
  noteEmail(store, id, user.email)
  const phone = typeof told.json['phone'] === 'string' ? told.json['phone'] : null
  const made = { phone, email: user.email, password: user.password, etag: told.headers.get('ETag') }
  history.record<UserState>(userKey(store, id), told, (state) => (state === null ? [made] : []))
}

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
  return others.length > 0 ? random.pick(others) : undefined
}

function noteEmail({ emails }: Store, id: string, email: string): void {
  emails.set(id, (emails.get(id) ?? new Set()).add(email))
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
