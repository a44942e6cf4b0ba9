/**
 * After a request whose end is unknown. Where the reference knows the operation, its state before the request and the state
 * after it are possible until the feed of events decides. Everything else is read again from the service; whatever has
 * changed must have an event, and an event must have changed something.
 */
import type { Exchange } from '../clients/history.ts'
import type { SentEvent } from '../reference/state.ts'
import { toRow, toRows, type Row } from '../rows.ts'
import { readEtags } from './etags.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import type { Task } from './task.ts'

/** By then, a batch that was late has arrived. */
const LATE_MS = 60_000
/** Events that the examiner does not cause, or need not. */
const SYSTEM = /\.(expiring|expired|disabled|enabled)$|^bulk_change\./

/** The events of the accesses of bulk changes are compared where these are made (bulk-effects.ts). */
export const isCausedHere = (event: Row) =>
  !SYSTEM.test(String(event['type'])) && toRow(event['data'])['bulk_change_id'] === undefined

export async function decide(exam: Examiner, exchange: Exchange, task: Task): Promise<void> {
  await exam.pass(LATE_MS)
  const { model } = exam
  const known = model.events.length
  const events = (await readFeed(exam)).filter(isCausedHere).slice(known)
  if (!task.known.perform) return reload(exam, task, events)
  const [first] = events
  // No response has shown what the service has drawn, so the events must.
  const drawn = { json: {}, etag: '', requestId: toSent(first ?? {}).requestId, events }
  if (first) exam.settle(exchange, toSent(first).at, drawn)
  await readEtags(exam)
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

async function reload(exam: Examiner, { operation }: Task, events: Row[]): Promise<void> {
  exam.model.events.push(...events.map(toSent))
  if (operation.includes('bulk_changes')) return readBulkChanges(exam)
  if (operation.includes('webhook_endpoints')) await readEndpoints(exam, operation, events)
}

async function readEndpoints(exam: Examiner, operation: string, events: Row[]): Promise<void> {
  const { endpoints } = exam.model
  const known = new Map(endpoints)
  endpoints.clear()
  const { json } = await exam.send('reload', requestOf(ROOT, 'GET', exam.model.slug, '/webhook_endpoints'), {
    status: 200,
  })
  for (const { id, url, types, enabled, created_at } of toRows(json['data'])) {
    const shown = { id, url, types, enabled, created_at }
    endpoints.set(String(id), { ...shown, isKept: known.get(String(id))?.['isKept'] })
  }
  const fields = (map: Map<string, Row>) =>
    JSON.stringify([...map.values()].map(({ id, url, types }) => [id, url, types]))
  // No list shows the secret.
  if (!operation.includes('rotate') && events.length > 0 !== (fields(known) !== fields(endpoints)))
    exam.violate(`${operation} ended unknown, and has ${events.length} events that do not fit what has changed`)
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
