/**
 * The events of a request that makes many changes. One statement inserts an event for each change, and the request id of
 * such an event is `<request_id>/<path>`. The path is the index of an item, or `<index>/<index of a nested access>`.
 *
 * Otherwise it is as with one event (src/change/event.ts): each further write acts only on events that this very
 * attempt inserted, and the request is `applied` if any attempt has inserted any of them.
 */
import { and, between, eq, gt, lte, max, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { attemptParams } from '../db/batch.ts'
import { events } from '../db/schema.ts'
import { orm } from '../db/statement.ts'
import { ofEach } from '../lib/names.ts'
import { applied, newest, newestEventOf, selectRequestWithEarlierAttempts } from './attempts.ts'
import { eventColumns, newEventId } from './event.ts'
import type { RequestFields } from './request.ts'
import { contextParams } from './context.ts'
import { noneHolds, type Rule } from './rules.ts'

/** True for an event of this request, whichever attempt inserted it. */
const isOfThisRequest = eq(
  sql`substr(${events.request_id}, 1, length(${contextParams.request_id}) + 1)`,
  sql`${contextParams.request_id} || '/'`,
)

/** The path in the request id of an event of this request. */
export function pathIn(requestId: SQLWrapper): SQL<string> {
  return sql<string>`substr(${requestId}, length(${contextParams.request_id}) + 2)`
}

/**
 * The newest event of this request among so many of the store's newest events; null if there is none. The events of a
 * request are consecutive, and those of other requests may follow.
 */
function newestOfThisRequest(newestId: SQLWrapper, lookback: SQLWrapper): SQL {
  return sql`${orm
    .select({ id: max(events.id) })
    .from(events)
    .where(and(gt(events.id, sql`${newestId} - ${lookback}`), lte(events.id, newestId), isOfThisRequest))}`
}

/** Without an event of this request the range is empty, so a request that changes nothing reads no events of others. */
function isAmong(maxEvents: SQLWrapper, lookback: SQLWrapper): SQL | undefined {
  const last = newestOfThisRequest(newestEventOf(contextParams.store), lookback)
  return and(between(events.id, sql`${last} - ${maxEvents} + 1`, last), isOfThisRequest)
}

/**
 * True for the events that this very attempt has inserted. `maxEvents` is their highest possible number: they are the
 * newest of the store, so finding them needs no index.
 */
export function isItemEventOfThisAttempt(maxEvents: SQLWrapper): SQL | undefined {
  return and(isAmong(maxEvents, sql`1`), eq(events.attempt, attemptParams.attempt))
}

/** True for the events that any attempt of this request has inserted. */
export function isItemEvent(maxEvents: SQLWrapper): SQL | undefined {
  return isAmong(maxEvents, attemptParams.lookback)
}

/** As `selectRequestWithEarlierAttempts`; `applied` is the newest event of this request, whichever attempt inserted it. */
export function selectRequestOfItems<Fields extends RequestFields>(fields: Fields) {
  const applying = newestOfThisRequest(newest.id, attemptParams.lookback)
  return selectRequestWithEarlierAttempts(fields, eq(applied.id, applying))
}

interface ItemChange {
  /** The index of the item. */
  position: SQLWrapper
  /** The index of an access in the item; null for the change of the item's own record. */
  nested: SQLWrapper | null
  type: SQL
  /** The record and its newest event; null if the change creates the record. */
  subject_id: SQLWrapper
  previous_id: SQLWrapper
  /** The user of an access; null if it is the user that the same item creates. Then all its accesses are new, too. */
  user_id: SQLWrapper | null
  product_id: SQLWrapper | null
  data: SQLWrapper | null
}

const FIELDS = [
  'position',
  'nested',
  'type',
  'subject_id',
  'previous_id',
  'user_id',
  'product_id',
  'data',
] as const satisfies (keyof ItemChange)[]

/** The fields of a change, to be selected for `insertItemEvents`. */
export function itemChange(change: ItemChange) {
  return ofEach(FIELDS, (name) => sql`${change[name]}`.as(name))
}

/** The same fields in the query that inserts the events. */
const change = ofEach(FIELDS, (name) => sql`change.${sql.raw(name)}`)

interface ItemEvents {
  /** A query that selects the `itemChange` of each change. */
  changes: SQLWrapper
  /** None of them may hold. */
  rules: readonly Rule[]
}

/** Inserts the events of all changes: in the order of the items, the item's own record before its accesses. */
export function insertItemEvents({ changes, rules }: ItemEvents) {
  // The events of an item are consecutive: that of the new user, whose id is the user's, and then one for each access.
  const id = sql<number>`${newEventId} + (row_number() over (order by ${change.position}, ${change.nested}) - 1)`
  const createdUserId = sql`${id} - ${change.nested} - 1`
  const columns = eventColumns({
    ...change,
    id,
    request_id: sql`${contextParams.request_id} || '/' || ${change.position} || coalesce('/' || ${change.nested}, '')`,
    actor_id: contextParams.caller,
    subject_id: sql`coalesce(${change.subject_id}, ${id})`,
    user_id: sql`iif(${change.product_id} is null, null, coalesce(${change.user_id}, ${createdUserId}))`,
  })
  return orm.insert(events).select(
    selectRequestOfItems(columns)
      .crossJoin(sql`${changes} change`)
      .where(noneHolds(rules)),
  )
}
