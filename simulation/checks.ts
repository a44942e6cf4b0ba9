/** What must hold at the end of a run, of records, answers and logs; of events and webhooks see beside. */
import { isErased } from './check-events.ts'
import * as contract from './contract.ts'
import type { Store } from './client.ts'
import type { Evidence, StoreEvidence } from './evidence.ts'
import { describe, type History, type Told } from './history.ts'
import { findViolation } from './linearize.ts'
import { dataOf, type Row, toRow, toRows } from './rows.ts'
import { userKey } from './user-states.ts'

export function checkHistories({ operations }: History): string[] {
  return [...operations].flatMap(([key, history]) => {
    const violation = findViolation<unknown>(null, history)
    return violation === undefined ? [] : [`${key}: ${violation}`]
  })
}

/** One user per e-mail; each record has the event that made it; whoever was erased is gone, and the accesses too. */
export function checkRecords({ events, oldest, users, accesses }: StoreEvidence): string[] {
  const emails = users.map(({ email }) => String(email).toLowerCase())
  const isGone = (id: unknown) => isErased(events, id)
  const back = users.filter(({ id }) => isGone(id))
  const left = accesses.filter(({ user }) => isGone(toRow(user)['id']))
  const wrong = [
    ...emails.filter((email, i) => emails.indexOf(email) !== i).map((email) => `two users have ${email}`),
    ...back.map(({ id }) => `user ${String(id)} is back after the erasure`),
    ...left.map(({ id }) => `access ${String(id)} outlives its user's erasure`),
  ]
  const kinds = { 'user.created': users, 'product_access.granted': accesses }
  for (const [type, rows] of Object.entries(kinds)) {
    const own = events.filter((event) => event['type'] === type)
    const there = new Set(rows.map(({ id }) => id))
    const made = new Set(own.map(({ id }) => id))
    const orphans = rows.filter(({ id }) => !made.has(id) && Number(id) >= oldest)
    const missing = own.filter((event) => !there.has(event['id']) && !isGone(dataOf(event)['user_id']))
    wrong.push(...orphans.map(({ id }) => `${String(id)} is there without ${type}`))
    wrong.push(...missing.map(({ id }) => `${type} of ${String(id)}, which is not there`))
  }
  return wrong
}

/** A number is given once in a store, whatever it is given to. */
export function checkIds({ told }: History, { store, events }: StoreEvidence): string[] {
  const isMade = ({ status, isReplay, ask }: Told) => status === 201 && !isReplay && ask.event !== undefined
  const types = new Map(events.map(({ id, type }) => [id, type]))
  const seen = new Set<unknown>()
  return told.flatMap((each) => {
    if (!isMade(each) || !isOf(store, each)) return []
    const id = String(each.json['id'])
    const type = types.get(id)
    const isWrong = seen.has(id) || (type !== undefined && type !== each.ask.event)
    seen.add(id)
    return isWrong ? [`the number ${id} is that of ${String(type)} too: ${describe(each)}`] : []
  })
}

function isOf({ id, tokenPrefix }: Store, { ask: { path, token } }: Told): boolean {
  return path.startsWith('/v3/') ? token.startsWith(tokenPrefix) : path.includes(`/stores/${id}/`)
}

/** A replay that is not the first answer shows a record that somebody has changed. */
export function checkReplays({ otherReplays, told }: History): string[] {
  return otherReplays.flatMap(({ store, told: replay, first }) => {
    const isChanged = told.some(
      ({ call, ask }) => call < replay.end && ask.path.includes(`/stores/${store}/`) && isChangeOf(ask, replay.json),
    )
    return isChanged ? [] : [`another replay than ${first}: ${describe(replay)} ${replay.text}`]
  })
}

/** Of the record, or of the user whom an access shows. A batch may change anything. */
function isChangeOf({ method, path }: contract.Ask, { id, user }: Row): boolean {
  if (path.endsWith('/batch')) return true
  const ofUser = `/users/${String(toRow(user)['id'] ?? id)}`
  return /^(PATCH|PUT)$/.test(method) && (path.endsWith(ofUser) || path.endsWith(`/product_accesses/${String(id)}`))
}

/** Nobody who was erased is in an answer to a request that was sent afterwards, nor in the database. */
export function checkErasures({ history, tables }: Evidence, { store, users }: StoreEvidence): string[] {
  const shown = new Set(users.map(({ external_id }) => external_id))
  const dump = [...tables.values()].join('')
  const unfounded = store.vainReplays.filter(({ end }) => !store.erasures.some(({ told }) => told.call < end))
  const wrong = unfounded.map((told) => `nobody was erased: ${describe(told)}`)
  for (const { user, told: erasure } of store.erasures) {
    if (erasure.status !== 204) continue
    const mark = store.marks.get(user) ?? ''
    if (mark !== '' && dump.includes(mark) && !shown.has(mark)) wrong.push(`the database remembers ${mark}`)
    const later = history.told.filter((told) => told.call >= erasure.end && isOf(store, told))
    const back = later.filter(({ json }) => personsIn(json).includes(user))
    wrong.push(...back.map((told) => `${userKey(store, user)} is back after the erasure: ${describe(told)}`))
  }
  return wrong
}

/** The users whom an answer shows, by themselves or beside their access. */
function personsIn(json: Row): string[] {
  const rows = [json, ...toRows(json['data'])].flatMap((row) => [row, toRow(row['user'])])
  return rows.filter((row) => 'email' in row && 'external_id' in row).map(({ id }) => String(id))
}

/** Nothing personal and no secret in a log line or a webhook or an event, nothing of one store in an answer to another. */
export function checkSecrecy({ world, history, stores, deliveries, tables }: Evidence): string[] {
  const isSecret = (text: string) => text.includes(contract.PERSONAL) || contract.SECRETS.test(text)
  const impersonal = ['events', 'idempotency_keys', 'webhook_deliveries', 'stores', 'products']
  const leaks = history.told.filter((told) =>
    stores.some((store) => told.text.includes(contract.personal(store.id, '').trimEnd()) && !isOf(store, told)),
  )
  return [
    ...world.logs.filter(isSecret).map((line) => `a log line holds what it must not: ${line}`),
    ...deliveries.filter(({ body }) => isSecret(body)).map(({ body }) => `a webhook holds what it must not: ${body}`),
    ...impersonal.filter((table) => isSecret(tables.get(table) ?? '')).map((table) => `${table} are personal`),
    ...leaks.map((told) => `an answer holds another store's data: ${describe(told)}`),
  ]
}
