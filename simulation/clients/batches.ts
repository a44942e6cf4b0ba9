/**
 * Steps of clients that create many users or accesses at once. Each item's result is checked like a single response.
 */
import {
  type AccessState,
  accessKey,
  recordNewAccess,
  newFields,
  type PairState,
  pairKey,
  UNKNOWN_ACCESS,
} from './accesses.ts'
import { recordNewUser, newUser, sharedEmail } from './creates.ts'
import type { Client } from './client.ts'
import * as contract from '../contract.ts'
import { describe, type Exchange } from './history.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import { type EmailState, emailKey, UNKNOWN_USER, type UserState, userKey } from '../checks/user-states.ts'

const ON_EXISTING = ['fail', 'skip', 'update'] as const

/** An item's result in the form of the response to a single create. */
interface Item {
  status: number
  id: string
  code: string | undefined
}

function toItem(row: Row | undefined): Item {
  const { code } = toRow(row?.['error'])
  return { status: Number(row?.['status']), id: String(row?.['id']), code: typeof code === 'string' ? code : undefined }
}

function resultsOf(client: Client, exchange: Exchange, count: number): Row[] {
  const results = toRows(exchange.json['results'])
  if (exchange.end !== Infinity && (exchange.status !== 200 || results.length !== count)) {
    client.history.violations.push(`a batch got an unexpected response: ${describe(exchange)}`)
  }
  return results
}

/**
 * Creates users of whom some have a new email, one has an email that others want at the same time, and one email is
 * repeated. Sometimes one of them has a nested access.
 */
export async function createUsers(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const onExisting = random.pick(ON_EXISTING)
  const isDryRun = random.chance(0.1)
  const fresh = name.replaceAll(/\W/g, '-')
  const locals = [`${fresh}-0`, sharedEmail(random), `${fresh}-1`, `${fresh}-0`]
  const items: contract.NewUser[] = locals.map((local, i) => newUser(store, local, `${name}.${i}`))
  const [first] = items
  if (first && random.chance(0.5)) first.product_accesses = [{ product_id: random.pick(store.products) }]
  const request = contract.createUsers(store.id, random.pick(store.tokens).secret, items, onExisting, isDryRun)
  await history.sendUntilKnown(name, request, (exchange) => {
    const results = resultsOf(client, exchange, items.length)
    if (isDryRun) return
    // The fourth item repeats the email of the first and is rejected.
    for (const [i, user] of items.slice(0, 3).entries()) {
      const item = toItem(results[i])
      recordUserItem(client, unlessGone(exchange, item), user, item, onExisting)
    }
  })
}

/**
 * The first attempt may have created or changed the record, and somebody may have erased it before the second attempt: then
 * it is not known when the first one was, as with a single request (history.ts).
 */
function unlessGone(exchange: Exchange, { code }: Item): Exchange {
  return exchange.wasResent && code === 'not_found' ? { ...exchange, end: Infinity } : exchange
}

function recordUserItem(
  client: Client,
  exchange: Exchange,
  user: contract.NewUser,
  item: Item,
  onExisting: string,
): void {
  const { store, history } = client
  history.record<EmailState>(emailKey(store, user.email), exchange, (state) => {
    if (exchange.end === Infinity) return [state ?? UNKNOWN_USER]
    if (item.status === 201) return state === null ? [item.id] : []
    if (onExisting === 'fail' && item.code !== 'email_taken') return []
    return state === item.id || state === UNKNOWN_USER ? [item.id] : []
  })
  if (item.status === 201) recordNewUser(client, item.id, exchange, user)
  for (const { product_id } of item.status === 201 ? (user.product_accesses ?? []) : []) {
    history.record<PairState>(pairKey(store, item.id, product_id), exchange, (state) =>
      state === null ? [UNKNOWN_ACCESS] : [],
    )
  }
  // An update sets the name and other fields that are not in the state, so only the ETag becomes unknown.
  if (onExisting !== 'update') return
  const touches = (id: string) =>
    history.record<UserState>(userKey(store, id), exchange, (state) => {
      if (state?.email !== user.email) return exchange.end === Infinity && state ? [state] : []
      return [{ ...state, etag: null }]
    })
  if (item.status === 200) touches(item.id)
  // No response says which user was changed. It may be any user who has had the email.
  if (exchange.end === Infinity) store.unconfirmedUpdates.push({ email: user.email, exchange })
}

export async function grantAccesses(client: Client, name: string, random: Random): Promise<void> {
  const { store, history } = client
  const onExisting = random.pick(ON_EXISTING)
  const users = [random.pick([...store.users]), random.pick([...store.users])]
  const pairs = users.map((user_id) => ({ user_id, product_id: random.pick(store.products) }))
  const isRepeated = pairs[0]?.user_id === pairs[1]?.user_id && pairs[0]?.product_id === pairs[1]?.product_id
  const items: contract.Grant[] = pairs.map((pair) => Object.assign(pair, newFields(client, random)))
  if (isRepeated) items.pop()
  const request = contract.grantAccesses(store.id, random.pick(store.tokens).secret, items, onExisting)
  await history.sendUntilKnown(name, request, (exchange) => {
    const results = resultsOf(client, exchange, items.length)
    for (const [i, grant] of items.entries()) {
      const item = toItem(results[i])
      recordAccessItem(client, unlessGone(exchange, item), grant, item, onExisting)
    }
  })
}

function recordAccessItem(
  client: Client,
  exchange: Exchange,
  grant: contract.Grant,
  item: Item,
  onExisting: string,
): void {
  const { store, history } = client
  const { user_id, product_id, ...given } = grant
  // In an update, null has the same effect as an omitted field.
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  if (item.code === 'invalid_parameter') {
    history.record<UserState>(userKey(store, user_id), exchange, (state) => (state === null ? [null] : []))
    return
  }
  history.record<PairState>(pairKey(store, user_id, product_id), exchange, (state) => {
    if (exchange.end === Infinity) return [state ?? UNKNOWN_ACCESS]
    if (item.status === 201) return state === null ? [item.id] : []
    if (onExisting === 'fail' && item.code !== 'access_exists') return []
    return state === item.id || state === UNKNOWN_ACCESS ? [item.id] : []
  })
  const fields = { status: 'with_access', access_due_date: null, progress: 0, ...set }
  if (item.status === 201) recordNewAccess(client, item.id, exchange, grant, fields)
  if (onExisting !== 'update') return
  if (item.status === 200) {
    history.record<AccessState>(accessKey(store, item.id), exchange, (state) => {
      if (state === null) return []
      const next = { ...state.fields, ...set }
      return [
        { ...state, fields: next, etag: JSON.stringify(next) === JSON.stringify(state.fields) ? state.etag : null },
      ]
    })
  }
  if (exchange.end === Infinity) store.unconfirmedGrants.push({ user: user_id, product: product_id, set, exchange })
}
