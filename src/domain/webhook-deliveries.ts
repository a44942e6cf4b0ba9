import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import { type Db, query, run } from '../db/client.ts'
import { events, type WebhookDelivery, webhook_deliveries, webhook_endpoints } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { WEBHOOK } from '../limits.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'
import { deleteInChunks } from './purge.ts'
import type { EndpointId } from './webhook-endpoints.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

/**
 * The endpoints that are not looked after: with events behind their cursor, or a delivery that has been due for a
 * while. Both come from a message or a process that was lost; what is merely under way is left alone.
 */
export async function findNeglected(db: Db, now: number): Promise<number[]> {
  const { id, retry_at, disabled_at } = webhook_endpoints
  const overdue = now - WEBHOOK.graceMs
  const select = db.orm
    .select({ id })
    .from(webhook_endpoints)
    .where(
      and(
        isNull(disabled_at),
        or(
          sql`exists (select 1 from ${events} e where e.store_id = ${webhook_endpoints}.store_id
            and e.id > ${webhook_endpoints}.cursor)`,
          and(
            lte(sql`coalesce(${retry_at}, 0)`, overdue),
            sql`exists (select 1 from ${webhook_deliveries} d where d.endpoint_id = ${webhook_endpoints}.id
              and d.next_attempt_at <= ${overdue})`,
          ),
        ),
      ),
    )
  const [rows] = await run(db, [query(select)], { retry: true })
  return rows.map((row) => row.id)
}

interface DeliveryFilter extends PageRequest<number> {
  endpoint_id: number
  state?: (typeof DELIVERY_STATES)[number] | undefined
}

export async function listDeliveries(
  db: Db,
  { endpoint_id, state, limit, after = 0 }: DeliveryFilter,
): Promise<Page<WebhookDelivery>> {
  const select = db.orm
    .select()
    .from(webhook_deliveries)
    .where(
      and(
        eq(webhook_deliveries.endpoint_id, endpoint_id),
        gt(webhook_deliveries.event_id, after),
        state === undefined ? undefined : eq(webhook_deliveries.state, state),
      ),
    )
    .orderBy(asc(webhook_deliveries.event_id))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)])
  return pageOf(rows, limit, (row) => row.event_id)
}

/** Has an event delivered again, or for the first time if its type was not asked for. Throws `not_found`. */
export async function redeliver(
  db: Db,
  { store_id, id, event_id, now }: EndpointId & { event_id: number | undefined; now: number },
): Promise<WebhookDelivery> {
  const insert = db.orm
    .insert(webhook_deliveries)
    .select(
      sql`select w.id, e.id, 'pending', 0, null, null, ${now} from ${webhook_endpoints} w
        join ${events} e on e.store_id = w.store_id
        where w.id = ${id ?? null} and w.store_id = ${store_id} and e.id = ${event_id ?? null}`,
    )
    .onConflictDoUpdate({
      target: [webhook_deliveries.endpoint_id, webhook_deliveries.event_id],
      set: { state: 'pending', next_attempt_at: now },
    })
    .returning()
  const [[row]] = await run(db, [query(insert)])
  if (!row) throw new ApiError('not_found')
  return row
}

/** Deletes the deliveries of events and endpoints that are no more; reads the whole table, as `purgeClaims` does. */
export function purgeDeliveries(db: Db): Promise<number> {
  const { endpoint_id, event_id } = webhook_deliveries
  return deleteInChunks(db, (limit) =>
    query(
      db.orm
        .delete(webhook_deliveries)
        .where(
          sql`(${endpoint_id}, ${event_id}) in (select d.endpoint_id, d.event_id from ${webhook_deliveries} d
            where d.event_id < (select min(e.id) from ${events} e)
            or d.endpoint_id not in (select w.id from ${webhook_endpoints} w) limit ${limit})`,
        )
        .returning({ event_id }),
    ),
  )
}
