/**
 * An endpoint has one scheduled wake-up: a message of the queue that arrives when its next delivery is due, or its next
 * probe. With one for each delivery, the messages of endpoints that nobody answers would hold up those of all others.
 */
import { and, gt, isNotNull, isNull, lt, lte, notExists, or, sql } from 'drizzle-orm'
import { webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, type RowOf, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { probeTime } from './endpoint-state.ts'
import { selectNewEvents } from './lease-new.ts'
import { isDueAnyway, isOfEndpoint, isWaiting, waitingByEvent } from './pending-deliveries.ts'
import { endpointParams, isEnabledEndpoint } from './polled-endpoint.ts'
import { leaseParams, freeSlots } from './lease-slots.ts'

const { probe_at, probes, resumed_after, resumed_until, wake_at } = webhook_endpoints

/** Moves the start of what has resumed to the first delivery of it that still waits, or to the end. */
export const moveResumed = statement(endpointParams, () => {
  const beforeFirst = orm
    .select({ event_id: sql`min(${webhook_deliveries.event_id}) - 1` })
    .from(waitingByEvent)
    .where(isDueAnyway)
  const next = orm
    .select({ resumed_after: sql`coalesce(${beforeFirst}, ${resumed_until})`.as('next_resumed_after') })
    .from(webhook_endpoints)
    .where(and(isEnabledEndpoint, isNull(probe_at), lt(resumed_after, resumed_until)))
    .as('next')
  return orm
    .update(webhook_endpoints)
    .set({ resumed_after: sql`${next.resumed_after}` })
    .from(next)
    .where(and(isEnabledEndpoint, gt(next.resumed_after, resumed_after)))
})

/** Without a delivery or an event, there is nothing to probe with: the next probe looks again. */
export const postponeProbe = statement(leaseParams, () =>
  orm
    .update(webhook_endpoints)
    .set({ probe_at: probeTime(sql`${probes} + 1`), probes: sql`${probes} + 1` })
    .where(
      and(
        isEnabledEndpoint,
        lte(probe_at, contextParams.now),
        // If a probe was leased, or is in flight, there is no slot left.
        gt(freeSlots(), sql`0`),
        notExists(selectNewEvents()),
      ),
    ),
)

/**
 * Returns the time of the wake-up that the caller has to send; no row if none is needed, or if one arrives earlier. If its
 * message is lost, the minutely job finds what is overdue. The times are whole seconds, or deliveries that are due shortly
 * one after the other would get a message each.
 */
export const scheduleWakeUp = statement(endpointParams, () => {
  const nextRetry = orm
    .select({ at: sql`min(${webhook_deliveries.next_attempt_at})` })
    .from(webhook_deliveries)
    .where(and(isOfEndpoint, isWaiting, gt(webhook_deliveries.next_attempt_at, contextParams.now)))
  const next = orm
    .select({
      at: sql<number>`(case when ${probe_at} is null then ${nextRetry}
        when ${probe_at} > ${contextParams.now} then ${probe_at} end + 999) / 1000 * 1000`.as('next_wake_up'),
    })
    .from(webhook_endpoints)
    .where(isEnabledEndpoint)
    .as('next')
  return orm
    .update(webhook_endpoints)
    .set({ wake_at: sql`${next.at}` })
    .from(next)
    .where(
      and(
        isEnabledEndpoint,
        isNotNull(next.at),
        or(isNull(wake_at), lte(wake_at, contextParams.now), lt(next.at, wake_at)),
      ),
    )
    .returning({ wake_at: sql<number>`${wake_at}`.as('wake_at') })
})

/** The delay of the message for a wake-up, in milliseconds; undefined if none is to be sent. */
export function wakeUpDelay([wakeUp]: RowOf<typeof scheduleWakeUp>[], now: number): number | undefined {
  return wakeUp && wakeUp.wake_at - now + WEBHOOK.wakeUpMarginMs
}
