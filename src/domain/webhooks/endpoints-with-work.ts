/** Endpoints that have to be polled, as queries that cost an endpoint its row and one row for each kind of work. */
import { and, asc, exists, gt, lt, lte, notExists, or, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { isOfStore, numberIn, storeIn } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, params, statement } from '../../db/statement.ts'
import { WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { isDown, isNotified } from './endpoint-state.ts'
import { isAbandoned, isInFlight, isOfEndpoint, isWaiting, selectDueAnyway } from './pending-deliveries.ts'
import type { StoreWakeUp } from './notify.ts'

const { id, cursor, probe_at, resumed_after, resumed_until } = webhook_endpoints

/** What there may be to do for the endpoint in the outer query. `dueBy` is the time at which a delivery is due. */
function workOf(dueBy: SQL) {
  const { event_id, next_attempt_at } = webhook_deliveries
  const select = (condition: SQL | undefined) =>
    orm.select({ event_id }).from(webhook_deliveries).where(and(isOfEndpoint, condition))
  const newEvent = orm
    .select({ id: events.id })
    .from(events)
    .where(isOfStore(events.id, storeIn(id), numberIn(cursor)))
  return {
    hasNewEvent: exists(newEvent),
    hasDue: or(
      exists(select(and(isWaiting, lte(next_attempt_at, dueBy)))),
      and(lt(resumed_after, resumed_until), exists(selectDueAnyway())),
    ),
    isAbandoned: exists(select(isAbandoned)),
    isIdle: notExists(select(isInFlight)),
  }
}

/**
 * The endpoints whose message was lost, or whose process died: those with events after their cursor, with a delivery that
 * has resumed or has been due for a while, with a lease that has ended, or, if they are down, with a probe that has been
 * due for a while. What is in flight is left alone, however many deliveries wait; one that is down costs only its row.
 */
export async function listNeglected(db: Db, now: number): Promise<number[]> {
  const { rows } = await batch(db, { rows: selectNeglected({}) }, { retry: 'only reads', shared: { now } })
  return rows.map(({ id }) => id)
}

const selectNeglected = statement({}, () => {
  const graceAgo = sql`${contextParams.now} - ${WEBHOOK.graceMs}`
  const { hasNewEvent, hasDue, isAbandoned, isIdle } = workOf(graceAgo)
  // The consumer polls again when an attempt in flight ends. Another message would only lengthen the queue.
  const hasWork = or(isAbandoned, and(isIdle, or(hasNewEvent, hasDue)))
  return orm
    .select({ id })
    .from(webhook_endpoints)
    .where(or(and(isDown, lte(probe_at, graceAgo)), and(isNotified, hasWork)))
})

/**
 * The next endpoints of the store that have something to send, in the order of their ids. An endpoint with a request in
 * flight counts only if there is a new event, which must not wait for the end of that request.
 */
export async function listEndpointsWithWork(db: Db, { store, after }: StoreWakeUp): Promise<number[]> {
  const values = { polled_store: store, after }
  const shared = { now: Date.now() }
  const { rows } = await batch(db, { rows: selectWithWork(values) }, { retry: 'only reads', shared })
  return rows.map(({ id }) => id)
}

const storeParams = params('polled_store', 'after')

const selectWithWork = statement(storeParams, () => {
  const { hasNewEvent, hasDue, isAbandoned, isIdle } = workOf(sql`${contextParams.now}`)
  const hasWork = or(isAbandoned, hasNewEvent, and(isIdle, hasDue))
  return orm
    .select({ id })
    .from(webhook_endpoints)
    .where(
      and(
        isOfStore(id, storeParams.polled_store),
        gt(id, storeParams.after),
        or(and(isDown, lte(probe_at, contextParams.now), isIdle), and(isNotified, hasWork)),
      ),
    )
    .orderBy(asc(id))
    .limit(WEBHOOK.storeEndpoints)
})
