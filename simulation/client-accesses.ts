/** What clients do with accesses: grant, change, and read them. */
import { learnReplay } from './client-creates.ts'
import type { Client, SentKey, Store } from './client.ts'
import * as contract from './contract.ts'
import { describe, recordInTwo, type Told } from './history.ts'
import type { Random } from './random.ts'
import { type UserState, userKey } from './user-states.ts'

/** What an access is, and its ETag if an answer has shown it; null while there is none. */
interface Access {
  fields: contract.Access
  etag: string | null
}
export type AccessState = Access | null

/** Which access a user has to a product: an id, one that no answer has told yet, or none. */
export type PairState = string | null
export const SOME = '?'

export const accessKey = (store: Store, id: string) => `access ${store.id} ${id}`
export const pairKey = (store: Store, user: string, product: string) => `pair ${store.id} ${user} ${product}`

function someAccess({ store }: Client, random: Random): string {
  const [first = ''] = store.accesses
  // Mostly the first: what many do to one record is where orders show.
  return random.chance(0.6) ? first : random.pick(store.accesses)
}

/** Never, in a while, soon, just now, or long ago: dates that the cron will tell of, and some that it will not. */
function someDate({ world }: Client, random: Random): string | null {
  const far = Date.UTC(2030, 0, 1 + random.below(3))
  const now = world.now
  const time = random.pick([null, far, far, now + random.between(1000, 200_000), now - random.between(0, 100_000)])
  return time === null ? null : new Date(Math.floor(time)).toISOString()
}

export function newFields(client: Client, random: Random): Partial<contract.Access> {
  const status = random.pick(['with_access', 'without_access'])
  const access_due_date = someDate(client, random)
  return random.pick([{ status }, { access_due_date }, { status, access_due_date }, {}])
}

export async function update(client: Client, name: string, random: Random): Promise<void> {
  const id = someAccess(client, random)
  const set = newFields(client, random)
  const ask = contract.updateAccess(client.store.id, random.pick(client.store.tokens).secret, id, set)
  await client.history.persist(name, ask, (told) => learnAccess(client, id, told, set))
}

/** Reads, changes what was read, and starts again where somebody else was quicker. */
export async function updateIfMatch(client: Client, name: string, random: Random): Promise<void> {
  const { store, history, world } = client
  const id = someAccess(client, random)
  const token = random.pick(store.tokens).secret
  const set = newFields(client, random)
  for (let attempt = 1; attempt <= 4; attempt++) {
    const read = await history.ask(`${name} read ${attempt}`, contract.readAccess(store.id, token, id))
    learnAccess(client, id, read, {})
    const etag = read.headers.get('ETag')
    if (read.status !== 200 || etag === null) return
    await world.sleep(random.between(0, 500))
    const told = await history.ask(`${name} write ${attempt}`, contract.updateAccess(store.id, token, id, set, etag))
    learnAccess(client, id, told, set, etag)
    if (told.status !== 412 && told.end !== Infinity) return
  }
}

export async function setProgress(client: Client, name: string, random: Random): Promise<void> {
  const id = someAccess(client, random)
  const progress = random.below(4)
  const ask = contract.setProgress(client.store.id, random.pick(client.store.tokens).secret, id, progress)
  await client.history.persist(name, ask, (told) => learnAccess(client, id, told, { progress }))
}

export async function readAccess(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const id = someAccess(client, random)
  const told = await history.ask(name, contract.readAccess(store.id, random.pick(store.tokens).secret, id))
  learnAccess(client, id, told, {})
}

function learnAccess(client: Client, id: string, told: Told, set: Partial<contract.Access>, ifMatch?: string): void {
  const { status = 0, headers } = told
  const etag = headers.get('ETag')
  const shown = fieldsOf(told)
  const isMade = status === 200 || status === 201
  const key = accessKey(client.store, id)
  const change = (state: Access): Access[] => {
    const isMatch = ifMatch === undefined || state.etag === null || state.etag === ifMatch
    const fields = { ...state.fields, ...set }
    return isMatch ? [{ ...state, fields, etag: isSame(fields, state.fields) ? state.etag : null }] : []
  }
  if (isMade && told.wasResent) {
    recordInTwo<Access>(client.history, key, told, change, (state) =>
      isSame(state.fields, shown) && (state.etag === null || state.etag === etag) ? [{ ...state, etag }] : [],
    )
    return
  }
  client.history.record<AccessState>(key, told, (state) => {
    if (state === null) return status === 404 || told.end === Infinity ? [state] : []
    if (status === 412) return state.etag === null || state.etag !== ifMatch ? [state] : []
    if (told.end === Infinity) return change(state)
    const [next] = change(state)
    if (!isMade || next === undefined || !isSame(next.fields, shown) || etag === null) return []
    // A change has a tag of its own; what changes nothing leaves the tag as it was.
    const isChange = !isSame(next.fields, state.fields)
    return state.etag !== null && isChange === (state.etag === etag) ? [] : [{ ...next, etag }]
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

/** By an operator, or by an integrator, who may use a key: that of all who grant this with his token. */
export async function grant(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const body = { user_id: random.pick([...store.users]), product_id: random.pick(store.products) }
  if (random.chance(0.4)) {
    const set = random.chance(0.5) ? {} : { status: 'with_access', access_due_date: someDate(client, random) }
    const token = random.chance(0.5) ? undefined : random.pick(store.tokens).secret
    const ask = contract.grant(store.id, { ...body, ...set }, token)
    await history.persist(name, ask, (told) => learnGrant(client, body, told))
    return
  }
  const token = random.pick(store.tokens)
  const key = `grant-${body.user_id}-${body.product_id}`
  let sent = store.keys.find((each) => each.key === key && each.token === token)
  if (!sent) {
    const learn = (client: Client, told: Told) => {
      learnGrant(client, body, told, key)
      learnReplay(client, told, sent)
    }
    sent = { key, token, ask: (secret) => contract.grant(store.id, body, secret, key), learn } satisfies SentKey
    store.keys.push(sent)
  }
  const { ask, learn } = sent
  await history.persist(name, ask(token.secret), (told) => learn(client, told))
}

export function learnGrant(client: Client, { user_id, product_id }: contract.Grant, told: Told, key?: string): void {
  const { store, history } = client
  const { status, json, headers } = told
  const id = String(json['id'])
  const existing = headers.get('X-Existing-Id')
  if (json['code'] === 'invalid_parameter') {
    history.record<UserState>(userKey(store, user_id), told, (state) => (state === null ? [null] : []))
    return
  }
  history.record<PairState>(pairKey(store, user_id, product_id), told, (state) => {
    if (told.end === Infinity) return [state ?? SOME]
    if (told.isReplay) return state === id || state === SOME ? [id] : []
    if (status === 201) return state === null ? [id] : []
    if (status === 404 && key !== undefined) return state === null || state === SOME ? [state] : []
    return json['code'] === 'access_exists' && (state === existing || state === SOME) ? [existing] : []
  })
  // A replay may show what was there long ago.
  if (status === 201 && !told.isReplay) learnNewAccess(client, id, told, { user_id, product_id }, fieldsOf(told))
}

/** What is granted is known from then on. */
export function learnNewAccess(client: Client, id: string, told: Told, of: contract.Grant, fields: contract.Access) {
  const { store, history } = client
  if (store.owners.has(id)) return
  store.accesses.push(id)
  store.owners.set(id, { user: of.user_id, product: of.product_id })
  const made = { fields, etag: told.headers.get('ETag') }
  history.record<AccessState>(accessKey(store, id), told, (state) => (state === null ? [made] : []))
}

/** With a token of one store at another one's records, or with one that nobody has made. */
export async function trespass(client: Client, name: string, random: Random): Promise<void> {
  const { store, other, history } = client
  const [id = ''] = other.accesses
  const { secret } = random.pick(store.tokens)
  const forged = secret.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
  const set = { status: 'without_access' }
  const ask = random.chance(0.7)
    ? contract.updateAccess(other.id, secret, id, set)
    : contract.updateAccess(store.id, forged, store.accesses[0] ?? '', set)
  const told = await history.ask(name, ask)
  if (told.end !== Infinity && told.status !== 401) history.violations.push(`a trespasser: ${describe(told)}`)
}
