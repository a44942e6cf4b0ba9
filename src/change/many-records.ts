/**
 * Batches of users and of accesses: all items are decided and written in one batch of statements. A plan says what happens to
 * each item, one statement inserts the events of all changes, and the writes follow the events. What is wrong with one item
 * rejects that item only.
 *
 * The request id of such an event is `<request_id>/<path>`. The path is the index of an item, or `<index>/<index of a nested
 * access>`. Otherwise it is as with one event (src/change/event.ts): each further write acts only on events that this attempt
 * inserted, and the request is `applied` if any attempt has inserted any of them.
 */
import { and, between, eq, gt, inArray, lte, max, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { numberOf } from '../db/ids.ts'
import { events } from '../db/schema/stores.ts'
import { lazySql, named, orm, params, type RowOf, statement, type ValuesOf } from '../db/statement.ts'
import { attemptParams } from '../db/batch.ts'
import { ofEach } from '../lib/names.ts'
import { DomainError } from './errors.ts'
import type { EventType } from './event-types.ts'
import {
  ownEvent,
  attemptRules,
  eventColumns,
  isPermitted,
  newest,
  newestEventOf,
  newEventId,
  type RecordTable,
  selectRequestWithEarlierAttempts,
} from './event.ts'
import { authorization, contextParams, noneHolds, type RequestFields, type Rule } from './request.ts'
import { resultOf } from './commit.ts'

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
 * True for the events that this attempt has inserted. `maxEvents` is their highest possible number: they are the
 * newest of the store, so finding them needs no index.
 */
export function isItemEventOfThisAttempt(maxEvents: SQLWrapper): SQL | undefined {
  return and(isAmong(maxEvents, sql`1`), eq(events.attempt, attemptParams.attempt))
}

/** True for the events that any attempt of this request has inserted. */
function isItemEvent(maxEvents: SQLWrapper): SQL | undefined {
  return isAmong(maxEvents, attemptParams.lookback)
}

/** Like `selectRequestWithEarlierAttempts`, but `ownEvent` is the newest event of this request, whichever attempt inserted it. */
export function selectRequestOfItems<Fields extends RequestFields>(fields: Fields) {
  const ownEventId = newestOfThisRequest(newest.id, attemptParams.lookback)
  return selectRequestWithEarlierAttempts(fields, eq(ownEvent.id, ownEventId))
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

export type OnExisting = 'fail' | 'skip' | 'update'

/** How an item ends: with a new record, with one that exists already (and may have been updated), or with an error. */
export interface ItemOutcome {
  status: 'created' | 'existing' | 'rejected'
  /** The number of the record; undefined if there is none (a dry run creates none), or if nobody can know it. */
  number?: number | undefined
  error?: DomainError
}

/** `items` is a JSON list. An item that is invalid is null, so that the index of every other item stays the same. */
export const batchParams = params('items', 'on_existing', 'never_shorten', 'max_events')

export type BatchValues = ValuesOf<typeof batchParams>

interface BatchRequest {
  items: (object | undefined)[]
  onExisting: OnExisting
  neverShorten: boolean
  maxEvents: number
}

export function batchValues({ items, onExisting, neverShorten, maxEvents }: BatchRequest): BatchValues {
  return {
    items: JSON.stringify(items.map((item) => item ?? null)),
    on_existing: onExisting,
    never_shorten: neverShorten ? 1 : 0,
    max_events: maxEvents,
  }
}

/** The list of items in a query, and its columns. An index is called `position`, because `index` is a word of SQL. */
export const itemList = sql`json_each(${lazySql(() => permittedItems())}) listed`
export const listed = {
  position: sql<number>`listed.key`,
  json: sql<string>`listed.value`,
  isValid: sql`listed.type = 'object'`,
}

/** Rules that reject the whole batch. What rejects a single item is in the plan. */
const rules = [...attemptRules, ...authorization]

/** The items, or null for a caller who is rejected: nothing is looked up for an empty list. */
function permittedItems() {
  return selectRequestOfItems({ items: batchParams.items.as('items') }).where(isPermitted())
}

export const selectBatchResult = statement(batchParams, () => selectRequestOfItems(resultOf(rules)))

/** Inserts the events of a batch; `changes` selects the `itemChange` of each change that the plan contains. */
export function insertBatchEvents(changes: SQLWrapper) {
  return insertItemEvents({ changes, rules })
}

/** True for the events of this attempt, which the writes follow. */
export const isBatchEventOfThisAttempt = isItemEventOfThisAttempt(batchParams.max_events)

const path = pathIn(events.request_id)

/** What the request contains at the path of an event: an item, or a nested access. */
export const givenJson = sql<string>`(${batchParams.items} -> ('$[' || replace(${path}, '/', '].product_accesses[') || ']'))`

/** Selects the records that this request has created or updated, whichever attempt it was. */
export function selectRecordsOf(table: RecordTable, types: { created: EventType; updated: EventType }) {
  return statement(batchParams, () =>
    orm
      .select(
        named({
          position: sql<number>`${path} + 0`,
          is_new: sql<0 | 1>`${eq(events.type, types.created)}`,
          subject_id: events.subject_id,
          /** Null if the record has been erased since. */
          record_id: sql<number | null>`${table.id}`,
        }),
      )
      .from(events)
      .leftJoin(table, eq(table.id, events.subject_id))
      .where(and(isItemEvent(batchParams.max_events), inArray(events.type, [types.created, types.updated]))),
  )
}

export type ItemRecord = RowOf<ReturnType<typeof selectRecordsOf>>

/** The outcome of an item whose record this request has created or updated. */
export function outcomeOfRecord({ is_new, subject_id, record_id }: ItemRecord): ItemOutcome {
  if (record_id === null) return { status: 'rejected', error: new DomainError('not_found', {}) }
  return { status: is_new === 1 ? 'created' : 'existing', number: numberOf(subject_id) }
}
