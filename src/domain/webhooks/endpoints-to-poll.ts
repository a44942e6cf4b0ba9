import { and, asc, between, exists, lt, lte, notExists, or, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { isOfStore, numberIn, storeIn, storeOf } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, params, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { isDown, isNotified } from './endpoint-state.ts'
import type { RangeWakeUp } from './notify.ts'
import { isAbandoned, isInFlight, isOfEndpoint, isWaiting, selectDueAnyway } from './pending-deliveries.ts'

const { id, cursor, probe_at, resumed_after, resumed_until } = webhook_endpoints

/**
 * The endpoints whose message was lost or is still queued, or whose process died: those with events after their cursor,
 * with a delivery that has resumed or has been due for a while, with a lease that has ended, or, if they are down, with a
 * probe that has been due for a while. What is in flight is left alone. An endpoint costs its row and one row for each of
 * these conditions, however many deliveries wait; one that is down costs only its row.
 */
export async function listNeglected(db: Db, now: number): Promise<number[]> {
  const { rows } = await batch(db, { rows: selectNeglected({}) }, { retry: 'only reads', shared: { now } })
  return rows.map(({ id: endpoint_id }) => endpoint_id)
}

const selectNeglected = statement({}, () => orm.select({ id }).from(webhook_endpoints).where(isNeglected()))

/**
 * The first endpoint of the range with an event after its cursor, or that is neglected; undefined if there is none. A new
 * event must not wait for what the endpoint has in flight, so an endpoint with requests in flight counts too if it has one.
 */
export async function findInRange(db: Db, range: RangeWakeUp): Promise<number | undefined> {
  const shared = { store: storeOf(range.first_endpoint_id), now: Date.now() }
  const { rows } = await batch(db, { rows: selectInRange({ ...range }) }, { retry: 'only reads', shared })
  return rows[0]?.id
}

const rangeParams = params('first_endpoint_id', 'last_endpoint_id')

const selectInRange = statement(rangeParams, () => {
  const { first_endpoint_id, last_endpoint_id } = rangeParams
  return orm
    .select({ id })
    .from(webhook_endpoints)
    .where(and(between(id, first_endpoint_id, last_endpoint_id), or(and(isNotified, hasNewEvent()), isNeglected())))
    .orderBy(asc(id))
    .limit(1)
})

function hasNewEvent() {
  const newEvent = orm
    .select({ id: events.id })
    .from(events)
    .where(isOfStore(events.id, storeIn(id), numberIn(cursor)))
  return exists(newEvent)
}

function isNeglected() {
  const { event_id, next_attempt_at } = webhook_deliveries
  const graceAgo = sql`${contextParams.now} - ${WEBHOOK.graceMs}`
  const overdue = orm
    .select({ event_id })
    .from(webhook_deliveries)
    .where(and(isOfEndpoint, isWaiting, lte(next_attempt_at, graceAgo)))
  const abandoned = orm.select({ event_id }).from(webhook_deliveries).where(and(isOfEndpoint, isAbandoned))
  const inFlight = orm.select({ event_id }).from(webhook_deliveries).where(and(isOfEndpoint, isInFlight))
  // The consumer polls again when an attempt in flight ends. Another message would only lengthen the queue.
  const hasWork = or(
    exists(abandoned),
    and(
      notExists(inFlight),
      or(hasNewEvent(), exists(overdue), and(lt(resumed_after, resumed_until), exists(selectDueAnyway()))),
    ),
  )
  return or(and(isDown, lte(probe_at, graceAgo)), and(isNotified, hasWork))
}
