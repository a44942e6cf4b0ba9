/** What clients do with users: create them in every way, change them, erase them. */
import type { Client, Store } from './clients.ts'
import * as contract from './contract.ts'
import { describe, type Told } from './history.ts'
import type { Random } from './random.ts'

/** Who has the e-mail: a user's id, somebody whose id no answer has told yet, or nobody. */
type EmailState = string | null
const SOMEBODY = '?'

/** What a user's changing field is, and its ETag; null while there is no such user. */
type UserState = { phone: string | null; etag: string | null } | null

function newUser(store: Store, local: string): contract.NewUser {
  const text = contract.personal(store.id, local)
  return {
    name: text,
    last_name: text,
    email: `${contract.PERSONAL}${store.id}~${local}@example.com`,
    external_id: text,
  }
}

export async function createFresh(client: Client, name: string, random: Random): Promise<void> {
  const local = name.replaceAll(/\W/g, '-')
  await create(client, name, newUser(client.store, local), random.chance(0.6) ? `key-${local}` : undefined, random)
}

/** One of few addresses, which others ask for at the same time; the key is that of all who do. */
export async function createContested(client: Client, name: string, random: Random): Promise<void> {
  const local = `shared${random.below(6)}`
  const key = random.chance(0.5) ? `key-${local}` : undefined
  await create(client, name, newUser(client.store, local), key, random)
}

async function create(
  client: Client,
  name: string,
  user: contract.NewUser,
  key: string | undefined,
  random: Random,
): Promise<void> {
  const { store, history } = client
  const token = random.pick(store.tokens)
  const ask = contract.createUser(store.id, token, user, key)
  if (key !== undefined && !store.keys.some((sent) => sent.key === key && sent.token === token)) {
    store.keys.push({ key, token, user })
  }
  await history.persist(name, ask, (told) => learnCreate(client, told, user, key, token))
}

export async function createV3(client: Client, name: string, random: Random): Promise<void> {
  const user = newUser(client.store, random.chance(0.5) ? `shared${random.below(6)}` : name.replaceAll(/\W/g, '-'))
  const ask = contract.createUserV3(random.pick(client.store.tokens), user)
  await client.history.persist(name, ask, (told) => learnCreate(client, told, user))
}

/** Asks again with a key that was sent before, perhaps long ago, perhaps still under way. */
export async function replay(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  if (store.keys.length === 0) return
  const { key, token, user } = random.pick(store.keys)
  const ask = contract.createUser(store.id, token, user, key)
  await history.persist(name, ask, (told) => learnCreate(client, told, user, key, token))
}

/** Another body under a key that was answered. */
export async function reuseKey({ store, history }: Client, name: string, random: Random): Promise<void> {
  const answered = store.keys.filter(({ answer }) => answer !== undefined)
  if (answered.length === 0) return
  const { key, token, user } = random.pick(answered)
  const ask = contract.createUser(store.id, token, { ...user, external_id: `${user.external_id}!` }, key)
  const told = await history.ask(name, ask)
  if (told.status !== undefined && told.status < 500 && told.json['code'] !== 'idempotency_key_reused') {
    history.violations.push(`a used key: ${describe(told)}`)
  }
}

function learnCreate(client: Client, told: Told, user: contract.NewUser, key?: string, token?: string): void {
  const { store, history } = client
  const { status, json, headers, text } = told
  const id = String(json['id'])
  const isReplay = headers.get('Idempotent-Replayed') === 'true'
  const existing = headers.get('X-Existing-Id')
  history.record<EmailState>(`email ${store.id} ${user.email}`, told, (state) => {
    if (status === 201 && isReplay) return state === id || state === SOMEBODY ? [id] : []
    if (status === 201) return state === null ? [id] : []
    // Whom this key has made was erased, and does not come back while the key is known.
    if (status === 404 && key !== undefined) return [state]
    if (json['code'] === 'email_taken') return state === existing || state === SOMEBODY ? [existing] : []
    return [state ?? SOMEBODY]
  })
  if (status === 201) {
    learnNewUser(client, id, told)
    if (json['email'] !== user.email) history.violations.push(`not what was sent: ${describe(told)}`)
  } else if (status === 404 && key !== undefined) {
    if (store.erasures.length === 0) history.violations.push(`nobody was erased: ${describe(told)}`)
  } else if (status !== undefined && status < 500 && json['code'] !== 'email_taken') {
    history.violations.push(`a create: ${describe(told)}`)
  }
  const sent = store.keys.find((sent) => sent.key === key && sent.token === token)
  if (status !== 201 || !sent) return
  if (sent.answer !== undefined && sent.answer !== text) history.violations.push(`another replay: ${describe(told)}`)
  sent.answer ??= text
}

export async function changeUser(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = random.pick([...store.users])
  const token = random.pick(store.tokens)
  const phone = random.pick([null, '+1 202 555 0101', '+1 202 555 0102'])
  if (random.chance(0.5)) {
    const ask = contract.changeUser(store.id, token, id, phone)
    await history.persist(name, ask, (told) => learnUser(client, id, told, { phone }))
    return
  }
  const read = await history.ask(`${name} read`, contract.readUser(store.id, token, id))
  learnUser(client, id, read, {})
  const etag = read.headers.get('ETag')
  if (read.status !== 200 || etag === null) return
  const told = await history.ask(`${name} write`, contract.changeUser(store.id, token, id, phone, etag))
  learnUser(client, id, told, { phone }, etag)
}

/** Whoever is known can be changed: the first that anybody hears of a user is where his history begins. */
function learnNewUser({ store, history }: Client, id: string, told: Told): void {
  if (store.users.has(id)) return
  store.users.add(id)
  const { body = {} } = told.ask
  const phone = 'phone' in body && typeof body.phone === 'string' ? body.phone : null
  history.record<UserState>(`user ${store.id} ${id}`, told, (state) => (state === null ? [{ phone, etag: null }] : []))
}

/** A read or a change, by its answer; `set` is what it was to change. */
function learnUser(client: Client, id: string, told: Told, set: { phone?: string | null }, ifMatch?: string): void {
  const { status = 0, headers, json } = told
  const etag = headers.get('ETag')
  const shown = typeof json['phone'] === 'string' ? json['phone'] : null
  client.history.record<UserState>(`user ${client.store.id} ${id}`, told, (state) => {
    if (state === null) return status === 404 || told.end === Infinity ? [state] : []
    const isMatch = ifMatch === undefined || state.etag === null || state.etag === ifMatch
    if (status === 412) return state.etag === null || state.etag !== ifMatch ? [state] : []
    const phone = set.phone === undefined ? state.phone : set.phone
    const isChange = phone !== state.phone
    if (told.end === Infinity) return isMatch ? [{ phone, etag: isChange ? null : state.etag }] : []
    if (status !== 200 || !isMatch || phone !== shown || etag === null) return []
    return state.etag !== null && isChange === (state.etag === etag) ? [] : [{ phone, etag }]
  })
}

export async function eraseUser({ store, history }: Client, name: string, random: Random): Promise<void> {
  const kept = store.owners.get(store.accesses[0] ?? '')
  const candidates = [...store.users].filter((id) => id !== kept)
  if (candidates.length === 0) return
  const user = random.pick(candidates)
  const token = random.pick(store.tokens)
  const { json } = await history.ask(`${name} read`, contract.readUser(store.id, token, user))
  const email = typeof json['email'] === 'string' ? json['email'] : undefined
  if (email === undefined) return
  await history.persist(name, contract.eraseUser(store.id, token, user), (told) => {
    store.erasures.push({ user, email, told })
    const isGone = (state: unknown) =>
      told.end === Infinity || (told.status === 204) === (state !== null) ? [null] : []
    history.record<UserState>(`user ${store.id} ${user}`, told, isGone)
    history.record<EmailState>(`email ${store.id} ${email}`, told, (state) => {
      const isHis = state === user || state === SOMEBODY
      if (told.status === 404) return state === user ? [] : [state]
      return isHis ? [null] : told.end === Infinity ? [state] : []
    })
  })
}

/** Some fresh, some that others ask for at the same time, one twice. */
export async function createBatch(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const fresh = name.replaceAll(/\W/g, '-')
  const locals = [`${fresh}-0`, `shared${random.below(6)}`, `${fresh}-1`, `${fresh}-0`]
  const items = locals.map((local) => newUser(store, local))
  await history.persist(name, contract.createUsers(store.id, random.pick(store.tokens), items), (told) => {
    const results = Array.isArray(told.json['results']) ? told.json['results'] : []
    if (told.status !== undefined && told.status < 500 && results.length !== items.length) {
      history.violations.push(`a batch: ${describe(told)}`)
    }
    // Of the repeated e-mail the first one decides.
    for (const [i, { email }] of items.slice(0, 3).entries()) {
      const { status, id } = results[i] ?? {}
      history.record<EmailState>(`email ${store.id} ${email}`, told, (state) => {
        if (told.end === Infinity) return [state ?? SOMEBODY]
        if (status === 201) return state === null ? [String(id)] : []
        return state === String(id) || state === SOMEBODY ? [String(id)] : []
      })
      if (status === 201) learnNewUser(client, String(id), told)
    }
  })
}
