/** The events are the outbox: deliveries exist for all events up to the endpoint's cursor, if it asks for their type. */
import { and, asc, eq, gt, isNull, max, not, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isOfStore, numberIn, storeIn } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { columnsOf, named, orm, statement } from '../../db/statement.ts'
import { hasWord } from '../../db/word-lists.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { isEnabledEndpoint, isEndpoint } from './polled-endpoint.ts'
import { leaseParams, freeSlots, leaseEnd } from './lease-slots.ts'

const { id, types, cursor, probe_at } = webhook_endpoints

/**
 * The next events after the endpoint's cursor, of any type. If the endpoint is down, there are some only while a probe may
 * begin: everything else stays an event.
 */
export function selectNewEvents() {
  return orm
    .select({ id: events.id, type: events.type })
    .from(webhook_endpoints)
    .innerJoin(events, isOfStore(events.id, storeIn(id), numberIn(cursor)))
    .where(and(isEnabledEndpoint, or(isNull(probe_at), gt(freeSlots(), sql`0`))))
    .orderBy(asc(events.id))
    .limit(WEBHOOK.window)
}

/** These events, and whether the endpoint asks for one. */
function newEventsAsked() {
  const newEvents = selectNewEvents().as('newEvents')
  return { newEvents, isAskedFor: or(isNull(types), hasWord(types, newEvents.type)) }
}

/** Those whose type the endpoint asks for, and whether there is a slot for each. */
function selectNewDeliveries() {
  const { newEvents, isAskedFor } = newEventsAsked()
  return orm
    .select(
      named({
        endpoint_id: sql<number>`${id}`,
        event_id: sql<number>`${newEvents.id}`,
        is_down: sql<0 | 1>`${probe_at} is not null`,
        has_slot: sql<0 | 1>`row_number() over (order by ${newEvents.id}) <= ${freeSlots()}`,
      }),
    )
    .from(webhook_endpoints)
    .innerJoin(newEvents, isAskedFor)
    .where(isEndpoint)
}

/**
 * Inserts the deliveries of new events. Those that have a slot are leased; the others are due and wait for one. If the
 * endpoint is down, only its probe is inserted.
 */
export const leaseNew = statement(leaseParams, () => {
  const newDeliveries = selectNewDeliveries().as('newDeliveries')
  const { endpoint_id, event_id, is_down, has_slot } = newDeliveries
  const columns = columnsOf(webhook_deliveries, {
    endpoint_id,
    event_id,
    state: 'pending',
    attempts: 0,
    retries: 0,
    last_status: null,
    last_attempt_at: null,
    lease: sql`iif(${has_slot}, ${leaseParams.lease}, null)`,
    leased_until: sql`iif(${has_slot}, ${leaseEnd}, null)`,
    next_attempt_at: contextParams.now,
  })
  return (
    orm
      .insert(webhook_deliveries)
      // Without a `where`, SQLite would take the `on` of `on conflict` for the condition of a join.
      .select(
        orm
          .select(columns)
          .from(newDeliveries)
          .where(or(not(is_down), has_slot)),
      )
      // An operator may have sent the event before its turn (redeliver.ts).
      .onConflictDoNothing()
  )
})

/**
 * Moves the cursor past the events that have their delivery or that the endpoint does not ask for: to the last one, or up
 * to the first one without its delivery.
 */
export const moveCursor = statement(leaseParams, () => {
  const { newEvents, isAskedFor } = newEventsAsked()
  const known = alias(webhook_deliveries, 'known')
  const delivery = orm
    .select({ event_id: known.event_id })
    .from(known)
    .where(and(eq(known.endpoint_id, id), eq(known.event_id, newEvents.id)))
  const lacksDelivery = and(isAskedFor, notExists(delivery))
  const last = orm
    .select({
      id: sql<number>`coalesce(min(${newEvents.id}) filter (where ${lacksDelivery}) - 1, ${max(newEvents.id)})`.as(
        'last_id',
      ),
    })
    .from(webhook_endpoints)
    .innerJoin(newEvents, sql`true`)
    .where(isEndpoint)
    .as('last')
  return orm
    .update(webhook_endpoints)
    .set({ cursor: sql`${last.id}` })
    .from(last)
    .where(and(isEndpoint, gt(last.id, cursor)))
})
