/**
 * What is to be delivered is decided and kept in D1; the queue only wakes the consumer, so that a message that is
 * lost, late or doubled changes nothing. The events are the outbox: an endpoint's cursor tells how far they have
 * become deliveries. An attempt is claimed before it is made, by moving its time to where the sweep would find it
 * again if it never ended. An endpoint that fails is asked once per delay, whatever waits for it.
 */
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { type Bound, type Db, query, run } from '../db/client.ts'
import {
  events,
  webhook_deliveries,
  type WebhookDelivery,
  type WebhookEndpoint,
  webhook_endpoints,
} from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { WEBHOOK } from '../limits.ts'
import { eventColumns, type EventRecord, selectEvents } from './events.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'
import { deleteInChunks } from './purge.ts'
import type { EndpointId } from './webhook-endpoints.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export interface Attempt {
  event: EventRecord
  /** Which attempt of this delivery it is, from 1. */
  number: number
}

export interface Claim {
  endpoint: WebhookEndpoint
  attempts: Attempt[]
  /** More is due than one invocation takes. */
  hasMore: boolean
}

/**
 * Makes deliveries of the events behind the cursor and claims those that are due: two calls at once get nothing in
 * common. Undefined when the endpoint is deleted or disabled.
 */
export async function claimDeliveries(db: Db, id: number, now: number): Promise<Claim | undefined> {
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

/** How an attempt ended: with an HTTP status, or without an answer. */
export interface Outcome {
  event_id: number
  number: number
  status: number | null
}

/**
 * Notes how the attempts ended: what failed is due again after its delay, an endpoint that is gone (410) or has
 * failed for three days is disabled. Answers when the endpoint wants to be looked after next: at once if more is due,
 * and when what failed is.
 */
export async function recordOutcomes(
  db: Db,
  { claim, outcomes, now }: { claim: Claim; outcomes: Outcome[]; now: number },
): Promise<number[]> {
  const { id, failures } = claim.endpoint
  const isWorking = outcomes.some(isSuccess)
  const isGone = outcomes.some(({ status }) => status === 410)
  const health = db.orm
    .update(webhook_endpoints)
    .set(
      isWorking
        ? { failures: 0, failing_since: null, retry_at: null }
        : {
            failures: failures + 1,
            failing_since: sql`coalesce(${webhook_endpoints.failing_since}, ${now})`,
            retry_at: now + retryDelay(failures + 1),
          },
    )
    .where(and(eq(webhook_endpoints.id, id), isWorking ? isNotNull(webhook_endpoints.failing_since) : undefined))
  const state = db.orm
    .select({
      disabled_at: webhook_endpoints.disabled_at,
      retry_at: webhook_endpoints.retry_at,
      next_attempt_at: sql<number | null>`(select min(d.next_attempt_at) from ${webhook_deliveries} d
        where d.endpoint_id = ${id} and d.next_attempt_at > ${isWorking ? now : 0})`.as('next_attempt_at'),
    })
    .from(webhook_endpoints)
    .where(eq(webhook_endpoints.id, id))
  const writes = [
    query(health),
    ...disable(db, id, { isGone, now }),
    ...outcomes.map((outcome) => recordOutcome(db, id, outcome, now)),
  ]
  const [[after]] = await run(db, [query(state)], { writes, retry: true })
  if (!after || after.disabled_at !== null) return []
  const next = isWorking && (claim.hasMore || failures > 0) ? [now] : []
  if (outcomes.every(isSuccess) || after.next_attempt_at === null) return next
  return [...next, Math.max(after.retry_at ?? 0, after.next_attempt_at)]
}

function isSuccess({ status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Follows `disable`: an attempt that was the last waits all the same if the endpoint is disabled, until it is enabled. */
function recordOutcome({ orm }: Db, id: number, outcome: Outcome, now: number): Bound<unknown> {
  const { event_id, number, status } = outcome
  const retryAt = now + retryDelay(number)
  const isOver = sql`${number} >= ${WEBHOOK.attempts} and exists (select 1 from ${webhook_endpoints} w
    where w.id = ${id} and w.disabled_at is null)`
  const update = orm
    .update(webhook_deliveries)
    .set({
      last_status: status,
      ...(isSuccess(outcome)
        ? { state: 'delivered', next_attempt_at: null }
        : { state: sql`iif(${isOver}, 'failed', 'pending')`, next_attempt_at: sql`iif(${isOver}, null, ${retryAt})` }),
    })
    .where(and(eq(webhook_deliveries.endpoint_id, id), eq(webhook_deliveries.event_id, event_id)))
  return query(update)
}

/** In one batch and under one guard: the event that tells of it, and the end of the deliveries. */
function disable({ orm }: Db, id: number, { isGone, now }: { isGone: boolean; now: number }): Bound<unknown>[] {
  const guard = and(
    eq(webhook_endpoints.id, id),
    isNull(webhook_endpoints.disabled_at),
    isGone ? undefined : lte(webhook_endpoints.failing_since, now - WEBHOOK.disableAfterMs),
  )
  const columns = eventColumns({
    type: 'webhook_endpoint.disabled',
    store_id: sql`${webhook_endpoints.store_id}`,
    webhook_endpoint_id: sql`${webhook_endpoints.id}`,
    cause: { request_id: null, now, token_id: null },
  })
  const event = orm.insert(events).select(sql`select ${columns} from ${webhook_endpoints} where ${guard}`)
  return [query(event), query(orm.update(webhook_endpoints).set({ disabled_at: now }).where(guard))]
}

/** Milliseconds until the next attempt after the n-th one has failed. */
function retryDelay(n: number): number {
  const { baseSeconds, factor, maxSeconds, jitter } = WEBHOOK
  const seconds = Math.min(maxSeconds, baseSeconds * factor ** (n - 1))
  return Math.round(seconds * 1000 * (1 + jitter * (2 * Math.random() - 1)))
}

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
