/**
 * After a request whose end is unknown, the model is read from the service. Whatever has changed must have an event, and
 * an event must have changed something.
 */
import { toRow, type Row } from '../rows.ts'
import { findDifference } from './compare-json.ts'
import { readEtags } from './etags.ts'
import { claimKey } from './claims.ts'
import { type Caller, type Examiner, type Prepared, requestOf, ROOT } from './examiner.ts'
import type { SentEvent } from './model.ts'
import type { Task } from './task.ts'

/** By then, a batch that was late has arrived. */
const LATE_MS = 60_000
/** Events that the examiner does not cause, or need not. */
const SYSTEM = /\.(expiring|expired|disabled|enabled)$|^bulk_change\./

/** The events of the accesses of bulk changes are compared where these are made (bulk-effects.ts). */
export const isCausedHere = (event: Row) =>
  !SYSTEM.test(String(event['type'])) && toRow(event['data'])['bulk_change_id'] === undefined

export async function reload(
  exam: Examiner,
  caller: Caller,
  { headers, body, path }: Prepared,
  task: Task,
): Promise<void> {
  await exam.pass(LATE_MS)
  const { model } = exam
  if (task.operation === 'PATCH /admin/stores/{store_id}') await resetStore(exam)
  const known = model.events.length
  const before = stateOf(exam)
  model.events = (await readFeed(exam)).filter(isCausedHere).map(toSent)
  await readRecords(exam, task)
  const key = headers?.['X-Idempotency-Key']
  const operation = path.startsWith('/v3') ? 'v3' : path === '/users' ? 'v1' : 'grant'
  if (key !== undefined) model.claims.delete(claimKey(caller, operation, key))
  const hasEvents = model.events.length > known
  const isWritten = stateOf(exam) !== before
  // The secret of an endpoint is in no list, and neither is the suspension of a store.
  const isHidden =
    /rotate|secret|PATCH \/admin\/stores\/\{store_id\}$/.test(task.operation) || 'password' in (body ?? {})
  if (hasEvents !== isWritten && !isHidden && !/operators|bulk_changes|POST \/admin\/stores$/.test(task.operation)) {
    exam.violate(
      `${task.operation} ended unknown, and has ${hasEvents ? 'an event without a change' : 'a change without an event'}`,
    )
  }
  await readEtags(exam)
}

/** The change may have had effect or not, so both are set again. */
async function resetStore(exam: Examiner): Promise<void> {
  const body = { suspended: false, expiry_notice_days: 7 }
  await exam.send('reset', { ...requestOf(ROOT, 'PATCH', exam.model.slug, ''), body }, { status: 200 })
  exam.model.suspended = false
  exam.model.json = { ...exam.model.json, expiry_notice_days: 7 }
}

/** The records as the lists show them. */
function stateOf({ model }: Examiner): string {
  const { users, accesses, products, fields, tokens, endpoints } = model
  const sorted = (json: Row) => JSON.stringify(Object.entries(json).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const shown = [
    [...users.values()].map(({ json }) => sorted(json)),
    [...accesses.values()].map(({ json }) => sorted(json)),
    [...products.values(), ...fields.values()].map(sorted),
    [...tokens.values()].map(({ json }) => sorted(json)),
    [...endpoints.values()].map(({ id, url, types }) => JSON.stringify([id, url, types])),
  ]
  return JSON.stringify(shown.map((list) => list.toSorted()))
}

export function readFeed(exam: Examiner): Promise<Row[]> {
  return readList(exam, '/events', exam.oldest === 1 ? undefined : String(exam.oldest - 1))
}

function readList(exam: Examiner, path: string, from?: string): Promise<Row[]> {
  return exam.readPages('reload', { caller: ROOT, slug: exam.model.slug, path, ...(from !== undefined && { from }) })
}

function toSent(event: Row): SentEvent {
  const { type, data, timestamp, request_id, actor } = event
  return {
    type: String(type),
    data: toRow(data),
    at: Date.parse(String(timestamp)),
    requestId: typeof request_id === 'string' ? request_id : null,
    actor: toRow(actor),
  }
}

async function readRecords(exam: Examiner, { operation }: Task): Promise<void> {
  const { model } = exam
  const idOf = (json: Row) => String(json['id'])
  const known = {
    users: new Map(model.users),
    accesses: new Map(model.accesses),
    tokens: new Map(model.tokens),
    endpoints: new Map(model.endpoints),
  }
  for (const map of [model.users, model.accesses, model.products, model.fields, model.tokens, model.endpoints])
    map.clear()
  for (const json of await readList(exam, '/users')) {
    const before = known.users.get(idOf(json))
    const isSame = before?.json['updated_at'] === json['updated_at']
    const unknown = { json, etag: '', password: null }
    model.users.set(idOf(json), isSame && before ? { ...before, json } : unknown)
  }
  for (const { product, user, expiration_days: _, ...json } of await readList(exam, '/product_accesses')) {
    const before = known.accesses.get(idOf(json))
    const etag = before && findDifference(json, before.json) === undefined ? before.etag : ''
    model.accesses.set(idOf(json), { json, user: idOf(toRow(user)), product: idOf(toRow(product)), etag })
  }
  for (const json of await readList(exam, '/products')) model.products.set(idOf(json), json)
  for (const json of await readList(exam, '/custom_fields')) model.fields.set(String(json['key']), json)
  for (const { last_used_at: _, ...json } of await readList(exam, '/tokens')) {
    const before = known.tokens.get(idOf(json))
    const scopes = Array.isArray(json['scopes']) ? json['scopes'].map(String) : []
    // A rotation that may have happened leaves secrets of which nobody knows whether they are valid.
    const isKnown = before && !operation.endsWith('/rotate')
    model.tokens.set(idOf(json), {
      id: idOf(json),
      json,
      scopes,
      secret: isKnown ? before.secret : undefined,
      older: isKnown ? before.older : [],
    })
  }
  if (operation.includes('bulk_changes')) await readBulkChanges(exam)
  for (const { id, url, types, enabled, created_at } of await readList(exam, '/webhook_endpoints')) {
    const json = { id, url, types, enabled, created_at }
    model.endpoints.set(String(id), { ...json, isKept: known.endpoints.get(String(id))?.['isKept'] })
  }
  const store = await exam.send('reload', requestOf(ROOT, 'GET', model.slug, ''), { status: 200 })
  model.json = { ...model.json, ...store.json }
}

/** If its object was not woken, the minutely job wakes it after this time. */
const RESUMED_MS = 180_000

async function readBulkChanges(exam: Examiner): Promise<void> {
  const { bulkChanges, revertedBulkChanges } = exam.model
  const newestFirst = await readList(exam, '/bulk_changes')
  for (const { id, created_at, reverted_by } of newestFirst.toReversed()) {
    if (!bulkChanges.has(String(id))) bulkChanges.set(String(id), Date.parse(String(created_at)) + RESUMED_MS)
    if (reverted_by !== null) revertedBulkChanges.add(String(id))
  }
}
