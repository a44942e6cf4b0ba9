/**
 * A delivery is leased before it is sent, for as long as an attempt can take. So no other poll sends it at the same time;
 * the leases that have not ended are the requests that the endpoint has in flight; and if the consumer dies, they end, and
 * a later poll leases the deliveries again.
 */
import { and, asc, exists, inArray, isNull, lte, not, sql } from 'drizzle-orm'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { limitOf, orm, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import {
  isAbandoned,
  isDueAnyway,
  isOfEndpoint,
  isResumed,
  isWaiting,
  waitingByEvent,
  waitingEventId,
} from './pending-deliveries.ts'
import { isEnabledEndpoint, isOfPolledEndpoint } from './polled-endpoint.ts'
import { leaseParams, freeSlots, leaseEnd } from './lease-slots.ts'

const { event_id, next_attempt_at } = webhook_deliveries

const { probe_at } = webhook_endpoints

/** Of those that are due whatever their time, the oldest. */
function selectOldestDueAnyway() {
  const dueAnyway = orm
    .select({ event_id: waitingEventId })
    .from(webhook_endpoints)
    .innerJoin(waitingByEvent, isDueAnyway)
    .where(isEnabledEndpoint)
    .orderBy(asc(event_id))
    .limit(WEBHOOK.inFlight)
    .as('due_anyway')
  return orm.select({ event_id: dueAnyway.event_id }).from(dueAnyway)
}

function selectDueByTime() {
  const isDueByTime = and(
    isOfEndpoint,
    isWaiting,
    isNull(probe_at),
    lte(next_attempt_at, contextParams.now),
    not(sql`(${isResumed})`),
  )
  const dueByTime = orm
    .select({ event_id })
    .from(webhook_endpoints)
    .innerJoin(webhook_deliveries, isDueByTime)
    .where(isEnabledEndpoint)
    .orderBy(asc(next_attempt_at), asc(event_id))
    .limit(WEBHOOK.inFlight)
    .as('due_by_time')
  return orm.select({ event_id: dueByTime.event_id }).from(dueByTime)
}

/** Leases deliveries whose consumer has died, then those that are due, the oldest first, as far as there are slots. */
export const leaseDue = statement(leaseParams, () => {
  const abandoned = orm.select({ event_id }).from(webhook_deliveries).where(and(isOfPolledEndpoint, isAbandoned))
  const leased = abandoned.unionAll(selectOldestDueAnyway()).unionAll(selectDueByTime()).limit(limitOf(freeSlots()))
  return orm
    .update(webhook_deliveries)
    .set({ lease: leaseParams.lease, leased_until: leaseEnd, next_attempt_at: contextParams.now })
    .where(and(isOfPolledEndpoint, inArray(event_id, leased)))
})

/** True if any delivery is due, or the probe of an endpoint that is down. To be used in a query on endpoints. */
export function hasDue() {
  return sql<0 | 1>`case when ${probe_at} is not null then ${probe_at} <= ${contextParams.now} else
    ${exists(selectOldestDueAnyway())} or ${exists(selectDueByTime())} end`
}
