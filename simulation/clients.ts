/**
 * Clients as integrators are. Each does one thing after another, by a script that the seed has written; what it was
 * told is judged at once where one answer suffices, else by the checker of histories (linearize.ts) and at the end.
 */
import * as contract from './contract.ts'
import { describe, type History, type Told } from './history.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Store {
  id: string
  tokens: string[]
  products: string[]
  endpoint: string
  users: Set<string>
  /** The first is what many work on, and nobody erases its user. */
  accesses: string[]
  /** Of each access its user. */
  owners: Map<string, string>
  /** Whom somebody was told to be erased, or may have been. */
  erasures: { user: string; email: string; told: Told }[]
  /** Keys that were sent, each with its only body and the first answer to it. */
  keys: { key: string; token: string; user: contract.NewUser; answer?: string }[]
}

export interface Client {
  name: string
  store: Store
  /** Somebody else's: what may not be reached. */
  other: Store
  world: World
  history: History
}

/** What an access is, and its ETag if an answer has shown it; null while there is none. */
type AccessState = { fields: contract.Access; etag: string | null } | null
/** Who has the e-mail: a user's id, somebody whose id no answer has told yet, or nobody. */
type EmailState = string | null
const SOMEBODY = '?'

type Step = (client: Client, name: string, random: Random) => Promise<void>

export const STEPS = {
  create: createFresh,
  createContested,
  createV3,
  replay,
  reuseKey,
  update,
  updateIfMatch,
  setProgress,
  readAccess,
  grant,
  trespass,
  enableEndpoint,
  changeUser,
  eraseUser,
  createBatch,
  renewToken,
} satisfies Record<string, Step>

const WEIGHTS: Record<keyof typeof STEPS, number> = {
  create: 4,
  createContested: 4,
  createV3: 1,
  replay: 3,
  reuseKey: 1,
  update: 6,
  updateIfMatch: 4,
  setProgress: 2,
  readAccess: 3,
  grant: 2,
  trespass: 1,
  enableEndpoint: 1,
  changeUser: contract.OFFERS.changeableUsers ? 3 : 0,
  eraseUser: contract.OFFERS.changeableUsers ? 2 : 0,
  createBatch: contract.OFFERS.batches ? 2 : 0,
  renewToken: contract.OFFERS.liveTokens ? 1 : 0,
}

/** The whole script of one client; what is in `without` is thought about and not done. */
export async function runClient(client: Client, steps: number, without: ReadonlySet<string>): Promise<void> {
  for (let i = 0; i < steps; i++) {
    const name = `${client.name}.${i}`
    const random = client.world.random.stream(name)
    await client.world.sleep(random.chance(0.5) ? random.between(0, 50) : random.between(0, 20_000))
    const kind = random.weighted(WEIGHTS)
    if (!without.has(name)) await STEPS[kind](client, `${name} ${kind}`, random)
  }
}

function newUser(store: Store, local: string): contract.NewUser {
  const text = contract.personal(store.id, local)
  return {
    name: text,
    last_name: text,
    email: `${contract.PERSONAL}${store.id}~${local}@example.com`,
    external_id: text,
  }
}

async function createFresh(client: Client, name: string, random: Random): Promise<void> {
  const local = name.replaceAll(/\W/g, '-')
  await create(client, name, newUser(client.store, local), random.chance(0.6) ? `key-${local}` : undefined, random)
}

/** One of few addresses, which others ask for at the same time; the key is that of all who do. */
async function createContested(client: Client, name: string, random: Random): Promise<void> {
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

async function createV3(client: Client, name: string, random: Random): Promise<void> {
  const user = newUser(client.store, random.chance(0.5) ? `shared${random.below(6)}` : name.replaceAll(/\W/g, '-'))
  const ask = contract.createUserV3(random.pick(client.store.tokens), user)
  await client.history.persist(name, ask, (told) => learnCreate(client, told, user))
}

/** Asks again with a key that was sent before, perhaps long ago, perhaps still under way. */
async function replay(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  if (store.keys.length === 0) return
  const { key, token, user } = random.pick(store.keys)
  const ask = contract.createUser(store.id, token, user, key)
  await history.persist(name, ask, (told) => learnCreate(client, told, user, key, token))
}

/** Another body under a key that was answered. */
async function reuseKey({ store, history }: Client, name: string, random: Random): Promise<void> {
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

function someAccess({ store }: Client, random: Random): string | undefined {
  // Mostly the first: what many do to one record is where orders show.
  return random.chance(0.6) ? store.accesses[0] : store.accesses[random.below(store.accesses.length)]
}

function newFields(random: Random): Partial<contract.Access> {
  const status = random.pick(['with_access', 'without_access'])
  const access_due_date = random.pick([null, new Date(Date.UTC(2030, 0, 1 + random.below(3))).toISOString()])
  return random.pick([{ status }, { access_due_date }, { status, access_due_date }, {}])
}

async function update(client: Client, name: string, random: Random): Promise<void> {
  const id = someAccess(client, random)
  if (id === undefined) return
  const set = newFields(random)
  const ask = contract.updateAccess(client.store.id, random.pick(client.store.tokens), id, set)
  await client.history.persist(name, ask, (told) => learnAccess(client, id, told, set))
}

/** Reads, changes what was read, and starts again where somebody else was quicker. */
async function updateIfMatch(client: Client, name: string, random: Random): Promise<void> {
  const { store, history, world } = client
  const id = someAccess(client, random)
  if (id === undefined) return
  const token = random.pick(store.tokens)
  const set = newFields(random)
  for (let attempt = 1; attempt <= 4; attempt++) {
    const read = await history.ask(`${name} read ${attempt}`, contract.readAccess(store.id, id))
    learnAccess(client, id, read, {})
    const etag = read.headers.get('ETag')
    if (read.status !== 200 || etag === null) return
    await world.sleep(random.between(0, 500))
    const told = await history.ask(`${name} write ${attempt}`, contract.updateAccess(store.id, token, id, set, etag))
    learnAccess(client, id, told, set, etag)
    if (told.status !== 412 && told.end !== Infinity) return
  }
}

async function setProgress(client: Client, name: string, random: Random): Promise<void> {
  const id = someAccess(client, random)
  if (id === undefined) return
  const progress = random.below(4)
  const ask = contract.setProgress(client.store.id, id, progress)
  await client.history.persist(name, ask, (told) => learnAccess(client, id, told, { progress }))
}

async function readAccess(client: Client, name: string, random: Random): Promise<void> {
  const id = someAccess(client, random)
  if (id === undefined) return
  learnAccess(client, id, await client.history.ask(name, contract.readAccess(client.store.id, id)), {})
}

function learnAccess(client: Client, id: string, told: Told, set: Partial<contract.Access>, ifMatch?: string): void {
  const { status = 0, headers } = told
  const etag = headers.get('ETag')
  const shown = fieldsOf(told)
  client.history.record<AccessState>(`access ${client.store.id} ${id}`, told, (state) => {
    if (state === null) return status === 404 ? [state] : []
    const isMatch = ifMatch === undefined || state.etag === null || state.etag === ifMatch
    if (status === 412) return state.etag === null || state.etag !== ifMatch ? [state] : []
    const fields = { ...state.fields, ...set }
    const isChange = !isSame(fields, state.fields)
    if (told.end === Infinity) return isMatch ? [{ fields, etag: isChange ? null : state.etag }] : []
    if ((status !== 200 && status !== 201) || !isMatch || !isSame(fields, shown) || etag === null) return []
    // A change has a tag of its own; what changes nothing leaves the tag as it was.
    if (state.etag !== null && isChange === (state.etag === etag)) return []
    return [{ fields, etag }]
  })
}

function fieldsOf({ json }: Told): contract.Access {
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

export async function grant(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const [user, product] = [[...store.users], store.products]
  if (user.length === 0 || product.length === 0) return
  const ask = contract.grant(store.id, random.pick(user), random.pick(product))
  const told = await history.persist(name, ask, () => {})
  if (told.status !== 201) return
  const id = String(told.json['id'])
  history.record<AccessState>(`access ${store.id} ${id}`, told, (state) =>
    state === null ? [{ fields: fieldsOf(told), etag: told.headers.get('ETag') }] : [],
  )
  store.accesses.push(id)
  store.owners.set(id, String(told.ask.body && 'user_id' in told.ask.body && told.ask.body.user_id))
}

/** What a user's changing field is, and its ETag; null while there is no such user. */
type UserState = { phone: string | null; etag: string | null } | null

async function changeUser(client: Client, name: string, random: Random): Promise<void> {
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

async function eraseUser({ store, history }: Client, name: string, random: Random): Promise<void> {
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

/** Erasing a user takes his accesses along; which ones is known at the end. */
export function recordErasures({ id, owners, erasures }: Store, history: History): void {
  for (const [access, owner] of owners) {
    for (const { user, told } of erasures) {
      if (user === owner && told.status !== 404)
        history.record<AccessState>(`access ${id} ${access}`, told, () => [null])
    }
  }
}

/** Some fresh, some that others ask for at the same time, one twice. */
async function createBatch(client: Client, name: string, random: Random): Promise<void> {
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

/** An operator gives a token a new secret, or revokes it and makes another; the old secret is tried at once. */
async function renewToken({ store, history }: Client, name: string, random: Random): Promise<void> {
  const made = await history.ask(`${name} make`, contract.createToken(store.id))
  const { id, token: secret } = made.json
  if (typeof id !== 'string' || typeof secret !== 'string') return
  const isRotation = random.chance(0.5)
  const ask = isRotation ? contract.rotateToken(store.id, id) : contract.revokeToken(store.id, id)
  const told = await history.persist(name, ask, () => {})
  if (told.status !== (isRotation ? 200 : 204)) return
  const tried = await history.ask(`${name} try`, contract.followEvents(store.id, secret, 1))
  if (tried.status !== undefined && tried.status < 500 && tried.status !== 401) {
    history.violations.push(`an ended secret is good: ${describe(tried)}`)
  }
}

/** With a token of one store at another one's records. */
async function trespass({ store, other, history }: Client, name: string, random: Random): Promise<void> {
  const id = other.accesses[0]
  if (id === undefined) return
  const path = random.chance(0.5) ? other : store
  const told = await history.ask(
    name,
    contract.updateAccess(path.id, random.pick(store.tokens), id, { status: 'without_access' }),
  )
  const expected = path === other ? 401 : store.accesses.includes(id) ? 201 : 404
  if (told.status !== undefined && told.status < 500 && told.status !== expected) {
    history.violations.push(`a trespasser: ${describe(told)}`)
  }
}

/** An operator does, whether it is disabled or not. */
export async function enableEndpoint(
  { store, history }: Pick<Client, 'store' | 'history'>,
  name: string,
): Promise<void> {
  const told = await history.persist(name, contract.enableEndpoint(store.id, store.endpoint), () => {})
  if (told.end !== Infinity && told.status !== 200) history.violations.push(`an endpoint: ${describe(told)}`)
}

/** Reads a store's events page by page, and keeps what it has read. */
export async function follow(client: Client, isOver: () => boolean): Promise<string[]> {
  const { store, world, history, name } = client
  const read: string[] = []
  let after: string | undefined
  for (let page = 0; ; page++) {
    const random = world.random.stream(`${name}.${page}`)
    const isLast = isOver()
    const ask = contract.followEvents(store.id, store.tokens[0] ?? '', 1 + random.below(30), after)
    const { status, json } = await history.ask(`${name}.${page}`, ask)
    const { data, next } = json
    const ids = Array.isArray(data) ? data.map((event) => String(event.id)) : []
    read.push(...ids)
    after = ids.at(-1) ?? after
    if (isLast && status === 200 && next === null) return read
    if (next === null || status !== 200) await world.sleep(random.between(100, 8000))
  }
}
