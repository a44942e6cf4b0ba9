/** What clients do with accesses: grant, change, and read them. */
import type { Client, Store } from './clients.ts'
import * as contract from './contract.ts'
import { describe, type History, type Told } from './history.ts'
import type { Random } from './random.ts'

/** What an access is, and its ETag if an answer has shown it; null while there is none. */
type AccessState = { fields: contract.Access; etag: string | null } | null

function someAccess({ store }: Client, random: Random): string | undefined {
  // Mostly the first: what many do to one record is where orders show.
  return random.chance(0.6) ? store.accesses[0] : store.accesses[random.below(store.accesses.length)]
}

function newFields(random: Random): Partial<contract.Access> {
  const status = random.pick(['with_access', 'without_access'])
  const access_due_date = random.pick([null, new Date(Date.UTC(2030, 0, 1 + random.below(3))).toISOString()])
  return random.pick([{ status }, { access_due_date }, { status, access_due_date }, {}])
}

export async function update(client: Client, name: string, random: Random): Promise<void> {
  const id = someAccess(client, random)
  if (id === undefined) return
  const set = newFields(random)
  const ask = contract.updateAccess(client.store.id, random.pick(client.store.tokens), id, set)
  await client.history.persist(name, ask, (told) => learnAccess(client, id, told, set))
}

/** Reads, changes what was read, and starts again where somebody else was quicker. */
export async function updateIfMatch(client: Client, name: string, random: Random): Promise<void> {
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

export async function setProgress(client: Client, name: string, random: Random): Promise<void> {
  const id = someAccess(client, random)
  if (id === undefined) return
  const progress = random.below(4)
  const ask = contract.setProgress(client.store.id, id, progress)
  await client.history.persist(name, ask, (told) => learnAccess(client, id, told, { progress }))
}

export async function readAccess(client: Client, name: string, random: Random): Promise<void> {
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

/** Erasing a user takes his accesses along; which ones is known at the end. */
export function recordErasures({ id, owners, erasures }: Store, history: History): void {
  for (const [access, owner] of owners) {
    for (const { user, told } of erasures) {
      if (user === owner && told.status !== 404)
        history.record<AccessState>(`access ${id} ${access}`, told, () => [null])
    }
  }
}

/** With a token of one store at another one's records. */
export async function trespass({ store, other, history }: Client, name: string, random: Random): Promise<void> {
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
