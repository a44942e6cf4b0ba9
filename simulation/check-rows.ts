/** Checks what the jobs have deleted: after a time that is longer than it is kept, no row may be left. */
import type { Evidence } from './evidence.ts'
import type { Row } from './rows.ts'

const HOUR_MS = 3_600_000
/** Claims and fencing tokens are kept for a day. While days pass, jobs run every three hours. */
const KEPT_MS = 24 * HOUR_MS + 13 * HOUR_MS
/** As many ids as a store has. */
const IDS = 2 ** 32

export function checkRows({ world, rows }: Evidence): string[] {
  const isOld = ({ created_at: at }: Row) => Number(at) < world.now - KEPT_MS
  const counts = ['idempotency_keys', 'fencing_tokens'].map((table) => ({
    table,
    count: rows(table).filter(isOld).length,
  }))
  return [
    ...counts.filter(({ count }) => count > 0).map(({ table, count }) => `${count} rows of ${table} are too old`),
    ...checkDeliveries(rows),
    ...checkAllDeliveries(rows),
  ]
}

/** Deliveries of a deleted endpoint, and of events that are deleted, are deleted some time later. */
function checkDeliveries(rows: Evidence['rows']): string[] {
  const events = rows('events')
  const oldest = new Map<number, number>()
  for (const { id } of events) {
    const store = Math.floor(Number(id) / IDS)
    oldest.set(store, Math.min(oldest.get(store) ?? Infinity, Number(id)))
  }
  const isDeleted = ({ event_id: id }: Row) => Number(id) < (oldest.get(Math.floor(Number(id) / IDS)) ?? 0)
  const left = rows('webhook_deliveries').filter(isDeleted).length
  return left === 0 ? [] : [`${left} deliveries are left of events that were deleted`]
}

/** Since it was changed and up to its cursor, an endpoint has a delivery of each event that it asks for. */
function checkAllDeliveries(rows: Evidence['rows']): string[] {
  const known = new Set(
    rows('webhook_deliveries').map((row) => `${String(row['endpoint_id'])} ${String(row['event_id'])}`),
  )
  const events = rows('events')
  return rows('webhook_endpoints').flatMap(({ id, event_id: changed, cursor, types }) => {
    const asked = typeof types === 'string' ? types.split(' ') : undefined
    const missing = events.filter(
      (event) =>
        Math.floor(Number(event['id']) / IDS) === Math.floor(Number(id) / IDS) &&
        Number(event['id']) > Number(changed) &&
        Number(event['id']) <= Number(cursor) &&
        (asked === undefined || asked.includes(String(event['type']))) &&
        !known.has(`${String(id)} ${String(event['id'])}`),
    )
    return missing.map((event) => `the delivery of event ${String(event['id'])} to endpoint ${String(id)} is missing`)
  })
}
