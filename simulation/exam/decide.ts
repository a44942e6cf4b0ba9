/**
 * After a request whose end is unknown, the state of the reference before the request and the one after it are possible,
 * until the feed of events decides.
 */
import type { Exchange } from '../clients/history.ts'
import { toRow, toRows, type Row } from '../rows.ts'
import { readEtags } from './etags.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'

/** By then, a batch that was late has arrived. */
const LATE_MS = 60_000
/** Events that the examiner does not cause, or need not. */
const SYSTEM = /\.(expiring|expired|disabled|enabled)$|^bulk_change\./

/** The events of the accesses of bulk changes are compared where these are made (bulk-effects.ts). */
export const isCausedHere = (event: Row) =>
  !SYSTEM.test(String(event['type'])) && toRow(event['data'])['bulk_change_id'] === undefined

export async function decide(exam: Examiner, exchange: Exchange, operation: string): Promise<void> {
  await exam.pass(LATE_MS)
  if (operation.includes('bulk_changes')) return readBulkChanges(exam)
  const events = (await readFeed(exam)).filter(isCausedHere).slice(exam.model.events.length)
  const [first] = events
  // No response has shown what the service has drawn, so the events must.
  const requestId = typeof first?.['request_id'] === 'string' ? first['request_id'] : null
  const at = Date.parse(String(first?.['timestamp']))
  if (first) exam.settle(exchange, at, { json: {}, etag: '', requestId, events })
  await readEtags(exam)
}

export function readFeed(exam: Examiner): Promise<Row[]> {
  const from = exam.oldest === 1 ? {} : { from: String(exam.oldest - 1) }
  return exam.readPages('feed', { caller: ROOT, slug: exam.model.slug, path: '/events', ...from })
}

/** If its object was not woken, the minutely job wakes it after this time. */
const RESUMED_MS = 180_000

async function readBulkChanges(exam: Examiner): Promise<void> {
  const { bulkChanges, revertedBulkChanges } = exam.model
  const list = requestOf(ROOT, 'GET', exam.model.slug, '/bulk_changes?limit=100')
  const { json } = await exam.send('bulk changes', list, { status: 200 })
  for (const { id, created_at, reverted_by } of toRows(json['data']).toReversed()) {
    if (!bulkChanges.has(String(id))) bulkChanges.set(String(id), Date.parse(String(created_at)) + RESUMED_MS)
    if (reverted_by !== null) revertedBulkChanges.add(String(id))
  }
}
