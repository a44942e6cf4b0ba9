/**
 * After a request whose end is unknown, the state of the reference before the request and the one after it are possible,
 * until the feed of events decides.
 */
import type { Exchange } from '../clients/history.ts'
import { isOwn } from '../reference/events.ts'
import { toRows } from '../rows.ts'
import { readEtags } from './perform.ts'
import { type Examiner, requestOf } from './examiner.ts'
import { ROOT } from '../reference/callers.ts'

/** By then, a batch that was late has arrived. */
const LATE_MS = 60_000

export async function decide(exam: Examiner, exchange: Exchange): Promise<void> {
  const { path } = exchange.request
  await exam.pass(LATE_MS)
  if (path.endsWith('/bulk_changes')) return readBulkChanges(exam, exchange)
  // Their events are not in this feed. Whatever is shown of an operator who is not known is accepted.
  if (path.startsWith('/admin/operators/')) exam.model.operators.delete(path.split('/')[3] ?? '')
  const events = (await exam.newEvents()).filter((event) => !isOwn(event)).slice(exam.model.events.length)
  const [first] = events
  // No response has shown what the service has drawn, so the events must.
  const requestId = typeof first?.['request_id'] === 'string' ? first['request_id'] : null
  const at = Date.parse(String(first?.['timestamp']))
  if (first) exam.settle(exchange, at, { json: {}, etag: '', requestId, events })
  if (path.endsWith('/revert')) putOff(exam)
  await readEtags(exam)
}

/** A dry run has no event, so the list decides. */
async function readBulkChanges(exam: Examiner, exchange: Exchange): Promise<void> {
  const list = requestOf(ROOT, 'GET', exam.model.slug, '/bulk_changes?limit=100')
  const { json } = await exam.history.send(exam.name('bulk changes'), list)
  const row = toRows(json['data']).find(({ id }) => !exam.model.bulkChanges.has(String(id)))
  const at = Date.parse(String(row?.['created_at']))
  if (row) exam.settle(exchange, at, { json: row, etag: '', requestId: null, events: [] })
  putOff(exam)
}

/** If its object was not woken, the every-minute job wakes it after this time. */
const RESUMED_MS = 180_000

function putOff({ model }: Examiner): void {
  const newest = [...model.bulkChanges.values()].at(-1)
  if (newest) model.bulkChanges.set(newest.id, { ...newest, at: newest.at + RESUMED_MS })
}
