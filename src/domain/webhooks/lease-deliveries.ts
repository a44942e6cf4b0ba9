/**
 * A delivery is leased before it is sent, for as long as an attempt can take. So no other poll sends it at the same time;
 * the leases that have not expired are the requests that the endpoint has in flight; and if the process dies, they
 * expire, and a later poll leases the deliveries again.
 * The events are the outbox: deliveries exist for all events up to the endpoint's cursor, if it asks for their type.
 */
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, max, or, sql } from 'drizzle-orm'
import { isOfStore, numberIn, storeIn } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { columnsOf, limitOf, orm, params, statement } from '../../db/statement.ts'
import { hasWord } from '../../db/words.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { aheadMs, endpointParams, isEnabledEndpoint, isEndpoint } from './polled-endpoint.ts'

/** All leases of a poll have the same id, `lease`. */
export const claimParams = { ...endpointParams, ...params('lease', 'may_claim') }

export const isOfEndpoint = eq(webhook_deliveries.endpoint_id, claimParams.endpoint_id)

const leaseEnd = sql`${contextParams.now} + ${WEBHOOK.leaseMs}`

const inFlight = orm
  .select({ count: count() })
  .from(webhook_deliveries)
  .where(
    and(isOfEndpoint, isNotNull(webhook_deliveries.lease), gt(webhook_deliveries.next_attempt_at, contextParams.now)),
  )

/** How many requests the endpoint may have in flight. One that keeps failing gets one at a time. */
const slots = sql`iif(${webhook_endpoints.failures} < ${WEBHOOK.strugglesAfter}, ${WEBHOOK.inFlight}, 1)`

const freeSlotsOfEndpoint = orm
  .select({ free: sql`max(0, ${slots} - ${inFlight})` })
  .from(webhook_endpoints)
  .where(and(isEnabledEndpoint, sql`${claimParams.may_claim}`))

/** How many deliveries may be leased: 0 if the endpoint is deleted or disabled, or if the caller can send none. */
const freeSlots = sql`coalesce(${freeSlotsOfEndpoint}, 0)`

/** True for a delivery of the endpoint that waits and whose time has come. */
const isDue = and(
  isOfEndpoint,
  isNull(webhook_deliveries.lease),
  lte(webhook_deliveries.next_attempt_at, sql`${contextParams.now} + ${aheadMs}`),
)

export const selectDue = orm.select({ event_id: webhook_deliveries.event_id }).from(webhook_deliveries).where(isDue)

/** Leases deliveries whose process has died, then those that are due, the oldest first, as far as there are slots. */
export const leaseDue = statement(claimParams, () => {
  const { event_id, lease, next_attempt_at } = webhook_deliveries
  const expired = orm
    .select({ event_id })
    .from(webhook_deliveries)
    .where(and(isOfEndpoint, isNotNull(lease), lte(next_attempt_at, contextParams.now)))
  const oldest = orm
    .select({ event_id })
    .from(webhook_deliveries)
    .where(isDue)
    .orderBy(asc(next_attempt_at), asc(event_id))
    .limit(WEBHOOK.inFlight)
    .as('oldest')
  const claimed = expired.unionAll(orm.select({ event_id: oldest.event_id }).from(oldest)).limit(limitOf(freeSlots))
  return orm
    .update(webhook_deliveries)
    .set({ lease: claimParams.lease, next_attempt_at: leaseEnd })
    .where(and(isOfEndpoint, inArray(event_id, claimed)))
})

/** The next events after the endpoint's cursor, of any type. */
export const selectNewEvents = orm
  .select({ id: events.id, type: events.type })
  .from(webhook_endpoints)
  .innerJoin(events, isOfStore(events.id, storeIn(webhook_endpoints.id), numberIn(webhook_endpoints.cursor)))
  .where(isEnabledEndpoint)
  .orderBy(asc(events.id))
  .limit(WEBHOOK.window)

const newEvents = selectNewEvents.as('newEvents')

/** Those of them whose type the endpoint asks for, and whether there is a slot for each. */
const newDeliveries = orm
  .select({
    endpoint_id: sql<number>`${webhook_endpoints.id}`.as('endpoint_id'),
    event_id: sql<number>`${newEvents.id}`.as('event_id'),
    ahead_ms: webhook_endpoints.ahead_ms,
    has_slot: sql<0 | 1>`row_number() over (order by ${newEvents.id}) <= ${freeSlots}`.as('has_slot'),
  })
  .from(webhook_endpoints)
  .innerJoin(newEvents, or(isNull(webhook_endpoints.types), hasWord(webhook_endpoints.types, newEvents.type)))
  .where(isEndpoint)
  .as('newDeliveries')

/** Inserts the deliveries of new events. Those that have a slot are leased; the others are due and wait for one. */
export const leaseNew = statement(claimParams, () => {
  const { endpoint_id, event_id, ahead_ms, has_slot } = newDeliveries
  const columns = columnsOf(webhook_deliveries, {
    endpoint_id,
    event_id,
    state: 'pending',
    attempts: 0,
    retries: 0,
    last_status: null,
    last_attempt_at: null,
    lease: sql`iif(${has_slot}, ${claimParams.lease}, null)`,
    next_attempt_at: sql`iif(${has_slot}, ${leaseEnd}, ${contextParams.now} + ${ahead_ms})`,
  })
  return (
    orm
      .insert(webhook_deliveries)
      // Without a `where`, SQLite takes the `on` of `on conflict` for the condition of a join.
      .select(
        orm
          .select(columns)
          .from(newDeliveries)
          .where(sql`true`),
      )
      // An operator may have sent the event before its turn (redeliver.ts).
      .onConflictDoNothing()
  )
})

/** Moves the cursor to the last of the new events, whether or not the endpoint asks for their types. */
export const moveCursor = statement(claimParams, () => {
  const last = orm
    .select({ id: max(newEvents.id).as('last_id') })
    .from(newEvents)
    .as('last')
  return orm
    .update(webhook_endpoints)
    .set({ cursor: sql`${last.id}` })
    .from(last)
    .where(and(isEndpoint, isNotNull(last.id)))
})
