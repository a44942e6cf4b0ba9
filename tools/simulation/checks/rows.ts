/** Checks what the jobs have deleted: after a time that is longer than it is kept, no row may be left. */
import type { SimulatedEvidence } from './evidence.ts'
import type { Row } from '../rows.ts'

const HOUR_MS = 3_600_000
/** Claims and fencing tokens are kept for a day. While days pass, jobs run every three hours. */
const KEPT_MS = 24 * HOUR_MS + 13 * HOUR_MS
/** Events are kept for seven days here, an object works once a day, and jobs may be late. */
const DELIVERIES_KEPT_MS = 9 * 24 * HOUR_MS
/** As many ids as a store has. */
const IDS = 2 ** 32

export function checkRows({ world, rows, endpoints }: SimulatedEvidence): string[] {
  const isOld = ({ created_at: at }: Row) => Number(at) < world.now - KEPT_MS
  const counts = ['idempotency_keys', 'fencing_tokens'].map((table) => ({
    table,
    count: rows(table).filter(isOld).length,
  }))
  return [
    ...counts.filter(({ count }) => count > 0).map(({ table, count }) => `${count} rows of ${table} are too old`),
    ...checkDeliveries(world.now, endpoints),
    ...checkAllDeliveries(rows, endpoints),
  ]
}

/** The deliveries of events that are deleted are deleted when the object works the next time: once a day at least. */
function checkDeliveries(now: number, endpoints: SimulatedEvidence['endpoints']): string[] {
  const isOld = ({ created_at: at }: Row) => Number(at) < now - DELIVERIES_KEPT_MS
  const left = [...endpoints.values()].flatMap((database) => database.rows('deliveries').filter(isOld)).length
  return left === 0 ? [] : [`${left} deliveries are left of events that were deleted`]
}

/** Since it was changed and up to its cursor, an endpoint has a delivery of each event that it asks for. */
function checkAllDeliveries(rows: SimulatedEvidence['rows'], endpoints: SimulatedEvidence['endpoints']): string[] {
  const events = rows('events')
  return rows('webhook_endpoints').flatMap(({ id, event_id: changed, cursor, types }) => {
    const deliveries = endpoints.get(String(id))?.rows('deliveries') ?? []
    const known = new Set(deliveries.map(({ event_id, created_at }) => `${String(event_id)} ${String(created_at)}`))
    const asked = typeof types === 'string' ? types.split(' ') : undefined
    const missing = events.filter(
      (event) =>
        Math.floor(Number(event['id']) / IDS) === Math.floor(Number(id) / IDS) &&
        Number(event['id']) > Number(changed) &&
        Number(event['id']) <= Number(cursor) &&
        (asked === undefined || asked.includes(String(event['type']))) &&
        !known.has(`${String(event['id'])} ${String(event['created_at'])}`),
    )
    return missing.map((event) => `the delivery of event ${String(event['id'])} to endpoint ${String(id)} is missing`)
  })
}
