/** Pending deliveries: in flight, or waiting for their next attempt. */
import { and, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm } from '../../db/statement.ts'
import { contextParams } from '../change/context.ts'

const { endpoint_id, event_id, leased_until, next_attempt_at } = webhook_deliveries

const { id, probe_at, resumed_after, resumed_until } = webhook_endpoints

/** True for a delivery of the endpoint that is joined or in the outer query. */
export const isOfEndpoint = eq(endpoint_id, id)

/** Only with this condition can SQLite use the indexes. Without them, it would read every delivery of the endpoint. */
const isPending = isNotNull(next_attempt_at)

export const isWaiting = and(isPending, isNull(leased_until))

export const isInFlight = and(isPending, gt(leased_until, contextParams.now))

/** True for a delivery whose consumer has died. */
export const isAbandoned = and(isPending, lte(leased_until, contextParams.now))

/** True if it waited when the endpoint resumed, and was not sent since: it is due, whatever its time (db/schema.ts). */
export const isResumed = and(gt(event_id, resumed_after), lte(event_id, resumed_until))

/** The probe is the oldest delivery that waits. */
const first = sql`iif(${probe_at} is null, ${resumed_after}, 0)`
const last = sql`iif(${probe_at} is null, ${resumed_until}, ${Number.MAX_SAFE_INTEGER})`

/** True for a delivery that is due, whatever its time: any that waits if the endpoint is down, otherwise a resumed one. */
export const isDueAnyway = and(isOfEndpoint, isWaiting, gt(event_id, first), lte(event_id, last))

/**
 * The deliveries as a table, for a condition on their events. Without the index, SQLite would take the primary key, and
 * read every delivery that the endpoint ever had.
 */
export const waitingByEvent = sql`${webhook_deliveries} indexed by webhook_deliveries_waiting`

/** The event of such a delivery. Drizzle does not know that its column is in that table. */
export const waitingEventId = sql<number>`${event_id}`.as('event_id')

/** Those of the endpoint in the outer query. */
export const selectDueAnyway = () => orm.select({ event_id: waitingEventId }).from(waitingByEvent).where(isDueAnyway)

/** When the earliest of them is due. */
export const selectNextDue = () =>
  orm
    .select({ at: sql`min(${next_attempt_at})` })
    .from(webhook_deliveries)
    .where(and(isOfEndpoint, isWaiting))
