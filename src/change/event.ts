/**
 * Every change is recorded by an event, and the event decides whether the change is made. A change is one batch, which the
 * database runs as one transaction:
 *   1. Insert the event, unless a rule rejects the request (src/change/request.ts).
 *   2. Make each further write only if this attempt inserted the event (`isEventOfThisAttempt`).
 *   3. Select the outcome, and the record as it is now.
 *
 * An attempt is one sending of the batch. If the response of the database is lost, the batch is sent again as the next
 * attempt. It finds the event of the earlier one (`applied`), so it inserts none and writes nothing else: each write follows
 * only an event that this attempt has inserted. "The newest event is of this request" would not be enough: that is still true
 * if the batch is sent twice with nothing in between, and the change would be made twice.
 *
 * If the response was not lost but late, the earlier attempt may run after the later one. It finds the fencing token of the
 * later one and ends as `superseded`: a request that was reported as rejected stays rejected. The first attempt leaves no
 * token, whether it is answered or runs into its deadline: there is no earlier one.
 */
import { and, eq, gt, isNotNull, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { attemptParams, runParams } from '../db/batch.ts'
import { events, fencing_tokens } from '../db/schema/stores.ts'
import { columnsOf, orm, statement, withJoins } from '../db/statement.ts'
import {
  authorization,
  contextParams,
  noneHolds,
  storeOfRequest,
  type RequestFields,
  rule,
  selectFromRequest,
} from './request.ts'
import type { EventType } from './event-types.ts'

/**
 * The id of the newest event of the store. If the store has none yet, it is an event of an earlier store, so compare its
 * store or its request id before you use it.
 */
export function newestEventOf(store: SQLWrapper): SQL<number | null> {
  return sql<number | null>`(select max(${events.id}) from ${events} where ${events.id} < (${store} + 1) << 32)`
}

/**
 * The event that this attempt has inserted: the writes of a change select from `events` where this holds. Nothing writes
 * between the steps of a batch, so it is the store's newest event, and finding it needs no index.
 */
export const isEventOfThisAttempt = and(
  eq(events.id, newestEventOf(contextParams.store)),
  eq(events.request_id, contextParams.request_id),
  eq(events.attempt, attemptParams.attempt),
)

/** The store's newest event, or another store's if this store has none yet. */
export const newest = alias(events, 'newest')

/**
 * The event that any attempt of this request has inserted; for a create, its id is also the id of the record. The first
 * attempt looks at the newest event only; a later one looks further back, because others may have written in between.
 */
export const ownEvent = alias(events, 'ownEvent')

const ownEventId = sql`(select max(${events.id}) from ${events} where ${events.id} > ${newest.id} - ${attemptParams.lookback}
  and ${events.id} <= ${newest.id} and ${events.request_id} = ${contextParams.request_id})`

const isNewestOwnEvent = eq(ownEvent.id, ownEventId)

/** The fencing token of a later attempt of this request. */
export const laterAttempt = alias(fencing_tokens, 'laterAttempt')

export const isFromLaterAttempt = and(
  eq(laterAttempt.request_id, contextParams.request_id),
  gt(laterAttempt.attempt, attemptParams.attempt),
)

/** The change was made already, or no rule of the authorization rejects it. */
export function isPermitted(): SQL | undefined {
  return or(isNotNull(ownEvent.id), sql`${noneHolds(authorization)}`)
}

/**
 * The store whose records a change may look up: null for a caller who is rejected, and then no record is found. A change
 * that was made is reported with its record, even if the token has been revoked since.
 */
export const permittedStore = sql<number | null>`permitted.store`

/**
 * The request (src/change/request.ts), joined with the store's newest event, with what other attempts have left, and
 * with the store in which it may look up records. A request with several events joins another event as `ownEvent`
 * (src/change/many-records.ts).
 */
export function selectRequestWithEarlierAttempts<Fields extends RequestFields>(
  fields: Fields,
  isOwnEvent: SQL | undefined = isNewestOwnEvent,
) {
  return withJoins(
    selectFromRequest(fields),
    [newest, eq(newest.id, newestEventOf(storeOfRequest))],
    [ownEvent, isOwnEvent],
    [laterAttempt, isFromLaterAttempt],
    [sql`(select ${contextParams.store} as store) permitted`, isPermitted()],
  )
}

/**
 * An attempt whose connection was lost may still arrive. So each later attempt leaves its number under the id of the
 * request, also if it rejects the request: an earlier one that arrives after it finds it.
 */
export const insertFencingToken = statement({}, () =>
  orm
    .insert(fencing_tokens)
    .values({
      request_id: sql`${runParams.request_id}`,
      attempt: sql`${attemptParams.attempt}`,
      created_at: sql`${runParams.now}`,
    })
    .onConflictDoUpdate({
      target: fencing_tokens.request_id,
      set: { attempt: sql`max(${fencing_tokens.attempt}, excluded.attempt)` },
    }),
)

export const superseded = rule('superseded', isNotNull(laterAttempt.request_id))

/** The change was made, by this attempt or an earlier one. */
export const appliedRule = rule('applied', isNotNull(ownEvent.id))

/**
 * The first rules of every change. A change that was made is reported as made, even if the token has been revoked or the
 * email taken since.
 */
export const attemptRules = [appliedRule, superseded]

/** The id of a new event. `store << 32` stands for the event before the store's first one. */
export const newEventId = sql<number>`max(coalesce(${newest.id}, 0), ${storeOfRequest} << 32) + 1`

interface EventColumns {
  id: SQLWrapper
  type: EventType | SQL
  /** Null for the service itself. */
  actor_id: SQLWrapper | null
  subject_id: SQLWrapper
  previous_id?: SQLWrapper | undefined
  user_id?: SQLWrapper | undefined
  product_id?: SQLWrapper | undefined
  data?: SQLWrapper | undefined
  /** Those of this attempt of this request, unless the event repeats those of a row, or is one of several. */
  created_at?: SQLWrapper
  request_id?: SQLWrapper
  attempt?: SQLWrapper
}

/** The columns of an event, to be selected by its insert. */
export function eventColumns({
  previous_id,
  user_id,
  product_id,
  data,
  created_at = contextParams.now,
  request_id = contextParams.request_id,
  attempt = attemptParams.attempt,
  ...given
}: EventColumns) {
  return columnsOf(events, {
    ...given,
    previous_id: previous_id ?? null,
    user_id: user_id ?? null,
    product_id: product_id ?? null,
    data: data ?? null,
    created_at,
    request_id,
    attempt,
  })
}

interface NewEvent {
  type: EventType | SQL<EventType>
  /** The record that is changed. Without it the event creates a record, whose id is that of the event. */
  subject?: { id: SQLWrapper; event_id: SQLWrapper }
  user_id?: SQLWrapper
  product_id?: SQLWrapper
  /** What the event shows besides ids: a JSON object. */
  data?: SQL
}

/** The columns of a new event, to be selected with `selectRequestWithEarlierAttempts`. */
export function newEvent({ type, subject, user_id, product_id, data }: NewEvent) {
  return eventColumns({
    id: newEventId,
    type,
    actor_id: contextParams.caller,
    subject_id: subject?.id ?? newEventId,
    previous_id: subject?.event_id,
    user_id,
    product_id,
    data,
  })
}

/** A table whose records are changed: each row has the id of the newest event about it. */
export type RecordTable = SQLiteTable & { id: SQLiteColumn; event_id: SQLiteColumn }
