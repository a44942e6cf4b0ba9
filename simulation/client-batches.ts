/** What clients do with many users or accesses at once. Each item's answer is judged as one of its own. */
import {
  type AccessState,
  accessKey,
  learnNewAccess,
  newFields,
  type PairState,
  pairKey,
  SOME,
} from './client-accesses.ts'
import { learnNewUser, newUser, sharedEmail } from './client-creates.ts'
import type { Client } from './client.ts'
import * as contract from './contract.ts'
import { describe, type Told } from './history.ts'
import type { Random } from './random.ts'
import { type Row, toRow, toRows } from './rows.ts'
import { type EmailState, emailKey, SOMEBODY, type UserState, userKey } from './user-states.ts'

const ON_EXISTING = ['fail', 'skip', 'update'] as const

/** What a single create would have been told. */
interface Item {
  status: number
  id: string
  code: string | undefined
}

function toItem(row: Row | undefined): Item {
  const { code } = toRow(row?.['error'])
  return { status: Number(row?.['status']), id: String(row?.['id']), code: typeof code === 'string' ? code : undefined }
}

function resultsOf(client: Client, told: Told, count: number): Row[] {
  const results = toRows(told.json['results'])
  if (told.end !== Infinity && (told.status !== 200 || results.length !== count)) {
    client.history.violations.push(`a batch: ${describe(told)}`)
  }
  return results
}

/** Some fresh, some that others ask for at the same time, one twice; now and then one brings an access along. */
export async function createUsers(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const onExisting = random.pick(ON_EXISTING)
  const isDryRun = random.chance(0.1)
  const fresh = name.replaceAll(/\W/g, '-')
  const locals = [`${fresh}-0`, sharedEmail(random), `${fresh}-1`, `${fresh}-0`]
  const items: contract.NewUser[] = locals.map((local, i) => newUser(store, local, `${name}.${i}`))
  const [first] = items
  if (first && random.chance(0.5)) first.product_accesses = [{ product_id: random.pick(store.products) }]
  const ask = contract.createUsers(store.id, random.pick(store.tokens).secret, items, onExisting, isDryRun)
  await history.persist(name, ask, (told) => {
    const results = resultsOf(client, told, items.length)
    if (isDryRun) return
    // Of the repeated e-mail the first one decides.
    for (const [i, user] of items.slice(0, 3).entries()) learnItem(client, told, user, toItem(results[i]), onExisting)
  })
}

function learnItem(client: Client, told: Told, user: contract.NewUser, item: Item, onExisting: string): void {
  const { store, history } = client
  history.record<EmailState>(emailKey(store, user.email), told, (state) => {
    if (told.end === Infinity) return [state ?? SOMEBODY]
    if (item.status === 201) return state === null ? [item.id] : []
    if (onExisting === 'fail' && item.code !== 'email_taken') return []
    return state === item.id || state === SOMEBODY ? [item.id] : []
  })
  if (item.status === 201) learnNewUser(client, item.id, told, user)
  for (const { product_id } of item.status === 201 ? (user.product_accesses ?? []) : []) {
    history.record<PairState>(pairKey(store, item.id, product_id), told, (state) => (state === null ? [SOME] : []))
  }
  // An update sets name and marks, which are not in the state, but it is a change.
  if (onExisting !== 'update') return
  const touches = (id: string) =>
    history.record<UserState>(userKey(store, id), told, (state) => {
      if (state?.email !== user.email) return told.end === Infinity && state ? [state] : []
      return [{ ...state, etag: null }]
    })
  if (item.status === 200) touches(item.id)
  // Nobody was told whom it has changed: any who has had the e-mail.
  if (told.end === Infinity) store.blindUpdates.push({ email: user.email, told })
}

export async function grantAccesses(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const onExisting = random.pick(ON_EXISTING)
  const users = [random.pick([...store.users]), random.pick([...store.users])]
  const pairs = users.map((user_id) => ({ user_id, product_id: random.pick(store.products) }))
  const isRepeated = pairs[0]?.user_id === pairs[1]?.user_id && pairs[0]?.product_id === pairs[1]?.product_id
  const items: contract.Grant[] = pairs.map((pair) => Object.assign(pair, newFields(client, random)))
  if (isRepeated) items.pop()
  const ask = contract.grantAccesses(store.id, random.pick(store.tokens).secret, items, onExisting)
  await history.persist(name, ask, (told) => {
    const results = resultsOf(client, told, items.length)
    for (const [i, item] of items.entries()) learnAccessItem(client, told, item, toItem(results[i]), onExisting)
  })
}

function learnAccessItem(client: Client, told: Told, asked: contract.Grant, item: Item, onExisting: string): void {
  const { store, history } = client
  const { user_id, product_id, ...given } = asked
  // In an update null counts as left out.
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  if (item.code === 'invalid_parameter') {
    history.record<UserState>(userKey(store, user_id), told, (state) => (state === null ? [null] : []))
    return
  }
  history.record<PairState>(pairKey(store, user_id, product_id), told, (state) => {
    if (told.end === Infinity) return [state ?? SOME]
    if (item.status === 201) return state === null ? [item.id] : []
    if (onExisting === 'fail' && item.code !== 'access_exists') return []
    return state === item.id || state === SOME ? [item.id] : []
  })
  const fields = { status: 'with_access', access_due_date: null, progress: 0, ...set }
  if (item.status === 201) learnNewAccess(client, item.id, told, asked, fields)
  if (onExisting !== 'update') return
  if (item.status === 200) {
    history.record<AccessState>(accessKey(store, item.id), told, (state) => {
      if (state === null) return []
      const next = { ...state.fields, ...set }
      return [
        { ...state, fields: next, etag: JSON.stringify(next) === JSON.stringify(state.fields) ? state.etag : null },
      ]
    })
  }
  if (told.end === Infinity) store.blindGrants.push({ user: user_id, product: product_id, set, told })
}
