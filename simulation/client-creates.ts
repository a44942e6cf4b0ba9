/** What clients do to make users: with and without keys, again after lost answers, all for the same e-mail. */
import type { Client, SentKey, Store, Token } from './client.ts'
import * as contract from './contract.ts'
import { describe, type Told } from './history.ts'
import type { Random } from './random.ts'
import { type EmailState, emailKey, noteEmail, SOMEBODY, type UserState, userKey } from './user-states.ts'

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
  history.record<EmailState>(emailKey(store, user.email), told, (state) => {
    if (told.end === Infinity) return [state ?? SOMEBODY]
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
  } else if (told.isRefused && status === 404 && key !== undefined) {
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
