import { and, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { type Bound, type Db, query, run } from '../db/client.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../db/schema.ts'
import { WEBHOOK } from '../limits.ts'
import { eventColumns } from './events.ts'
import type { Claimed } from './webhook-attempts.ts'

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
  { claimed, outcomes, now }: { claimed: Claimed; outcomes: Outcome[]; now: number },
): Promise<number[]> {
  const { id, failures } = claimed.endpoint
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
  const next = isWorking && (claimed.hasMore || failures > 0) ? [now] : []
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
