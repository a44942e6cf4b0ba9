/** Checks records, responses and logs at the end of a run. check-events.ts and check-webhooks.ts check the rest. */
import { isErased } from './events.ts'
import * as contract from '../contract.ts'
import type { Store } from '../clients/client.ts'
import type { Evidence, StoreEvidence } from './evidence.ts'
import { describe, type Exchange, type History } from '../clients/history.ts'
import { findViolation } from './linearize.ts'
import { dataOf, type Row, toRow, toRows } from '../rows.ts'
import { userKey } from './user-states.ts'

export function checkHistories({ operations }: History): string[] {
  return [...operations].flatMap(([key, history]) => {
    const violation = findViolation<unknown>(null, history)
    return violation === undefined ? [] : [`${key}: ${violation}`]
  })
}

/** There is one user per email, each record has the event that created it, and erased users have no accesses. */
export function checkRecords({ events, oldest, users, accesses }: StoreEvidence): string[] {
  const emails = users.map(({ email }) => String(email).toLowerCase())
  const isGone = (id: unknown) => isErased(events, id)
  const back = users.filter(({ id }) => isGone(id))
  const left = accesses.filter(({ user }) => isGone(toRow(user)['id']))
  const violations = [
    ...emails.filter((email, i) => emails.indexOf(email) !== i).map((email) => `two users have ${email}`),
    ...back.map(({ id }) => `user ${String(id)} still exists after the erasure`),
    ...left.map(({ id }) => `access ${String(id)} still exists after the erasure of its user`),
  ]
  const kinds = { 'user.created': users, 'product_access.granted': accesses }
  for (const [type, rows] of Object.entries(kinds)) {
    const own = events.filter((event) => event['type'] === type)
    const there = new Set(rows.map(({ id }) => id))
    const created = new Set(own.map(({ id }) => id))
    const orphans = rows.filter(({ id }) => !created.has(id) && Number(id) >= oldest)
    const missing = own.filter((event) => !there.has(event['id']) && !isGone(dataOf(event)['user_id']))
    violations.push(...orphans.map(({ id }) => `record ${String(id)} exists without ${type}`))
    violations.push(...missing.map(({ id }) => `${type} ${String(id)} has no record`))
  }
  return violations
}

/** An id is assigned only once in a store, over all kinds of records. */
export function checkIds({ exchanges }: History, { store, events }: StoreEvidence): string[] {
  const isCreate = ({ status, isReplay, request }: Exchange) =>
    status === 201 && !isReplay && request.event !== undefined
  const types = new Map(events.map(({ id, type }) => [id, type]))
  const seen = new Set<unknown>()
  return exchanges.flatMap((each) => {
    if (!isCreate(each) || !isOf(store, each)) return []
    const id = String(each.json['id'])
    const type = types.get(id)
    const isWrong = seen.has(id) || (type !== undefined && type !== each.request.event)
    seen.add(id)
    return isWrong ? [`id ${id} also belongs to ${String(type)}: ${describe(each)}`] : []
  })
}

function isOf({ id, tokenPrefix }: Store, { request: { path, token } }: Exchange): boolean {
  return path.startsWith('/v3/') ? token.startsWith(tokenPrefix) : path.includes(`/stores/${id}/`)
}

/** A replay may differ from the first response only if somebody has changed the record. */
export function checkReplays({ otherReplays, exchanges }: Pick<History, 'otherReplays' | 'exchanges'>): string[] {
  return otherReplays.flatMap(({ store, exchange: replay, first }) => {
    const isChanged = exchanges.some(
      ({ start, request }) =>
        start < replay.end && request.path.includes(`/stores/${store}/`) && isChangeOf(request, replay.json),
    )
    return isChanged ? [] : [`a replay differs from ${first}: ${describe(replay)} ${replay.text}`]
  })
}

/** True for a change of the record, or of the user that an access shows. */
function isChangeOf({ method, path, body }: contract.ApiRequest, record: Row): boolean {
  if (path.endsWith('/batch')) return isUpdateOf(toRow(body), record)
  const { id, user } = record
  const ofUser = `/users/${String(toRow(user)['id'] ?? id)}`
  return /^(PATCH|PUT)$/.test(method) && (path.endsWith(ofUser) || path.endsWith(`/product_accesses/${String(id)}`))
}

/** A batch changes existing records only if it says so, and only those that its items name. */
function isUpdateOf({ items, on_existing, dry_run }: Row, { user, product, email }: Row): boolean {
  if (on_existing !== 'update' || dry_run === true) return false
  const [ofUser, ofProduct] = [toRow(user), toRow(product)]
  const userEmail = String(email ?? ofUser['email']).toLowerCase()
  return toRows(items).some((item) =>
    'email' in item
      ? String(item['email']).toLowerCase() === userEmail
      : item['user_id'] === ofUser['id'] && item['product_id'] === ofProduct['id'],
  )
}

/** An erased person is in no response to a request that was sent after the erasure, and not in the database. */
export function checkErasures({ history, tables }: Evidence, { store, users }: StoreEvidence): string[] {
  const shown = new Set(users.map(({ external_id }) => external_id))
  const dump = [...tables.values()].join('')
  const unfounded = store.replaysNotFound.filter(
    ({ end }) => !store.erasures.some(({ exchange }) => exchange.start < end),
  )
  const violations = unfounded.map((exchange) => `a replay returned 404, but nobody was erased: ${describe(exchange)}`)
  for (const { user, exchange: erasure } of store.erasures) {
    if (erasure.status !== 204) continue
    const marker = store.markers.get(user) ?? ''
    if (marker !== '' && dump.includes(marker) && !shown.has(marker))
      violations.push(`the database still contains ${marker}`)
    const later = history.exchanges.filter((exchange) => exchange.start >= erasure.end && isOf(store, exchange))
    const back = later.filter(({ json }) => personsIn(json).includes(user))
    violations.push(
      ...back.map((exchange) => `${userKey(store, user)} is shown after the erasure: ${describe(exchange)}`),
    )
  }
  return violations
}

/** The users that a response shows, directly or as part of an access. */
function personsIn(json: Row): string[] {
  const rows = [json, ...toRows(json['data'])].flatMap((row) => [row, toRow(row['user'])])
  return rows.filter((row) => 'email' in row && 'external_id' in row).map(({ id }) => String(id))
}

/**
 * No log line, webhook or event contains personal data or a secret, and no response for one store contains data of
 * another one.
 */
export function checkSecrecy({ world, history, stores, deliveries, tables }: Evidence): string[] {
  const isSecret = (text: string) => text.includes(contract.PERSONAL) || contract.SECRETS.test(text)
  const impersonal = ['events', 'idempotency_keys', 'webhook_deliveries', 'stores', 'products']
  const leaks = history.exchanges.filter((exchange) =>
    stores.some((store) => exchange.text.includes(contract.personal(store.id, '').trimEnd()) && !isOf(store, exchange)),
  )
  return [
    ...world.logs.filter(isSecret).map((line) => `a log line contains personal data or a secret: ${line}`),
    ...deliveries
      .filter(({ body }) => isSecret(body))
      .map(({ body }) => `a webhook contains personal data or a secret: ${body}`),
    ...impersonal
      .filter((table) => isSecret(tables.get(table) ?? ''))
      .map((table) => `table ${table} contains personal data or a secret`),
    ...leaks.map((exchange) => `a response contains data of another store: ${describe(exchange)}`),
  ]
}
