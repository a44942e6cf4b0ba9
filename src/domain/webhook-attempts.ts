/**
 * What is to be delivered is decided and kept in D1; the queue only wakes the consumer, so that a message that is
 * lost, late or doubled changes nothing. The events are the outbox: an endpoint's cursor tells how far they have
 * become deliveries. An attempt is claimed before it is made, by moving its time to where the sweep would find it
 * again if it never ended. An endpoint that fails is asked once per delay, whatever waits for it.
 */
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { type Bound, type Db, query, run } from '../db/client.ts'
import { events, webhook_deliveries, type WebhookEndpoint, webhook_endpoints } from '../db/schema.ts'
import { WEBHOOK } from '../limits.ts'
import { type EventRecord, selectEvents } from './events.ts'

export interface Attempt {
  event: EventRecord
  /** Which attempt of this delivery it is, from 1. */
  number: number
}

/** What an endpoint is to be sent now. */
export interface Claimed {
  endpoint: WebhookEndpoint
  attempts: Attempt[]
  /** More is due than one invocation takes. */
  hasMore: boolean
}

/**
 * Makes deliveries of the events behind the cursor and claims those that are due: two calls at once get nothing in
 * common. Undefined when the endpoint is deleted or disabled.
 */
export async function claimDeliveries(db: Db, id: number, now: number): Promise<Claimed | undefined> {
  const isEnabled = and(eq(webhook_endpoints.id, id), isNull(webhook_endpoints.disabled_at))
  const select = db.orm.select().from(webhook_endpoints).where(isEnabled)
  const [claimed, , [endpoint], [newer]] = await run(
    db,
    [claimDue(db, id, now), holdOff(db, id, now), query(select), query(newerEvents(db, id).limit(1))],
    { writes: fanOut(db, id, now) },
  )
  if (!endpoint) return undefined
  const numbers = new Map(claimed.map(({ event_id, attempts }) => [event_id, attempts]))
  const ofClaimed = selectEvents(db).where(inArray(events.id, [...numbers.keys()]))
  const [found] = claimed.length === 0 ? [[]] : await run(db, [query(ofClaimed)], { retry: true })
  const attempts = found.map((event) => ({ event, number: numbers.get(event.id) ?? 1 }))
  return { endpoint, attempts, hasMore: newer !== undefined || claimed.length === WEBHOOK.concurrency }
}

/** The events of the endpoint's store that are behind its cursor, the oldest first. */
function newerEvents({ orm }: Db, endpointId: number) {
  return orm
    .select({ id: events.id })
    .from(events)
    .where(
      sql`${events.store_id} = (select w.store_id from ${webhook_endpoints} w where w.id = ${endpointId})
        and ${events.id} > (select w.cursor from ${webhook_endpoints} w where w.id = ${endpointId})`,
    )
    .orderBy(asc(events.id))
}

/** Sent in one batch: the deliveries of the next events, and the cursor behind them. */
function fanOut(db: Db, id: number, now: number): Bound<unknown>[] {
  const last = sql`(select max(id) from ${newerEvents(db, id).limit(WEBHOOK.window)})`
  const insert = db.orm
    .insert(webhook_deliveries)
    .select(
      sql`select w.id, e.id, 'pending', 0, null, null, ${now} from ${webhook_endpoints} w
        join ${events} e on e.store_id = w.store_id and e.id > w.cursor and e.id <= ${last}
        where w.id = ${id} and w.disabled_at is null
        and (w.types is null or instr(' ' || w.types || ' ', ' ' || e.type || ' '))`,
    )
    .onConflictDoNothing()
  const { cursor, disabled_at } = webhook_endpoints
  const advance = db.orm
    .update(webhook_endpoints)
    .set({ cursor: last })
    .where(and(eq(webhook_endpoints.id, id), isNull(disabled_at), gt(sql`${last}`, cursor)))
  return [query(insert), query(advance)]
}

/** Claims as many as an invocation has connections for, and one alone while the endpoint fails. */
function claimDue({ orm }: Db, id: number, now: number) {
  const { endpoint_id, event_id, attempts } = webhook_deliveries
  const claim = orm
    .update(webhook_deliveries)
    .set({ attempts: sql`${attempts} + 1`, last_attempt_at: now, next_attempt_at: now + WEBHOOK.leaseMs })
    .where(
      sql`(${endpoint_id}, ${event_id}) in (select d.endpoint_id, d.event_id from ${webhook_deliveries} d
        where d.endpoint_id = (select w.id from ${webhook_endpoints} w
          where w.id = ${id} and w.disabled_at is null and coalesce(w.retry_at, 0) <= ${now})
        and d.next_attempt_at <= ${now} order by d.next_attempt_at, d.event_id
        limit coalesce((select iif(w.failures > 0, 1, ${WEBHOOK.concurrency})
          from ${webhook_endpoints} w where w.id = ${id}), 0))`,
    )
    .returning({ event_id, attempts })
  return query(claim)
}

/** While the endpoint fails, the attempt that is claimed is the only one until it has ended. */
function holdOff({ orm }: Db, id: number, now: number): Bound<unknown> {
  const lease = now + WEBHOOK.leaseMs
  const update = orm
    .update(webhook_endpoints)
    .set({ retry_at: lease })
    .where(
      sql`${webhook_endpoints.id} = ${id} and ${webhook_endpoints.failures} > 0 and exists (select 1
        from ${webhook_deliveries} d where d.endpoint_id = ${id} and d.next_attempt_at = ${lease})`,
    )
  return query(update)
}
