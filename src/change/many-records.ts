/**
 * What batches of users and of accesses have in common. All items are decided and written in one batch of statements: a
 * plan says what happens to each item, one statement inserts the events of all changes (src/change/many-events.ts),
 * and the writes follow the events. What is wrong with one item rejects that item only.
 */
import { and, eq, inArray, sql, type SQLWrapper } from 'drizzle-orm'
import { numberOf } from '../db/ids.ts'
import { events } from '../db/schema.ts'
import { lazySql, named, orm, params, type RowOf, statement, type ValuesOf } from '../db/statement.ts'
import { DomainError } from './errors.ts'
import type { EventType } from './event-types.ts'
import { attemptRules, isPermitted } from './attempts.ts'
import { authorization } from './authorize.ts'
import type { RecordTable } from './event.ts'
import { resultOf } from './commit.ts'
import { insertItemEvents, isItemEvent, isItemEventOfThisAttempt, pathIn, selectRequestOfItems } from './many-events.ts'

export type OnExisting = 'fail' | 'skip' | 'update'

/** How an item ends: with a new record, with one that exists already (and may have been updated), or with an error. */
export interface ItemOutcome {
  status: 'created' | 'existing' | 'rejected'
  /** The number of the record; undefined if there is none (a dry run creates none), or if nobody can know it. */
  number?: number | undefined
  error?: DomainError
}

/** `items` is a JSON list. An item that is invalid is null, so that the index of every other item stays the same. */
export const batchParams = params('items', 'on_existing', 'max_events')

export type BatchValues = ValuesOf<typeof batchParams>

interface BatchRequest {
  items: (object | undefined)[]
  onExisting: OnExisting
  /** How many events there may be. */
  maxEvents: number
}

export function batchValues({ items, onExisting, maxEvents }: BatchRequest): BatchValues {
  return {
    items: JSON.stringify(items.map((item) => item ?? null)),
    on_existing: onExisting,
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

/** True for the events of this very attempt, which the writes follow. */
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
