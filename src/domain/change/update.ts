/**
 * Changing and deleting a record, in the form that most resources share: they differ in table, rules and fields only.
 * accesses/update.ts writes the same statements out.
 */
import { and, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { idIn } from '../../db/ids.ts'
import { events } from '../../db/schema.ts'
import { orm, type Params, statement, withJoins } from '../../db/statement.ts'
import { lazy } from '../../lazy.ts'
import type { EventType } from '../events/event-types.ts'
import { authorization, type RequestFields } from './authorize.ts'
import {
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  type RecordTable,
  selectRequestWithEarlierAttempts,
  permitted,
} from './event.ts'
import { differencesOf, etagMismatch, isUnchanged, recordParams } from './record.ts'
import { noneHolds, type Rule, rule } from './rules.ts'

interface RecordChange {
  table: RecordTable
  type: EventType
  /** Finds the record; by its number if this is omitted. */
  isRecord?: SQL | undefined
  /** A record that cannot be changed, such as a revoked token: it is `not_found`. */
  isMissing?: SQL
  /** The column whose event is in the ETag, if the operation takes `If-Match`. */
  etag?: SQLiteColumn
  /** What else rejects the change. */
  rules?: readonly Rule[]
  /** What the event shows besides the record. */
  event?: { user_id?: SQLiteColumn; product_id?: SQLiteColumn; data?: SQL }
}

/**
 * The rules of a change, its row, and its event. `parameters` are those that the change uses. It is defined by a function,
 * so that a new isolate builds nothing that its first request does not need.
 */
export function changeOf(parameters: Params<string>, define: () => RecordChange) {
  const change = lazy(define)
  const rules = lazy((): Rule[] => {
    const { table, isMissing, etag, rules: own = [] } = change()
    return [
      ...attemptRules,
      ...authorization,
      rule('not_found', or(isNull(table.id), isMissing)),
      ...(etag ? [etagMismatch(etag)] : []),
      ...own,
    ]
  })

  /** One row: the request with the record that it names. */
  function selectRequest<Fields extends RequestFields>(fields: Fields) {
    const { table, isRecord = eq(table.id, idIn(permitted.store, recordParams.number)) } = change()
    return withJoins(selectRequestWithEarlierAttempts(fields), [table, isRecord])
  }

  const insertEvent = statement(parameters, () => {
    const { type, table, event } = change()
    return orm
      .insert(events)
      .select(selectRequest(newEvent({ type, subject: table, ...event })).where(noneHolds(rules())))
  })
  return { rules, selectRequest, insertEvent }
}

interface RecordUpdate extends RecordChange {
  /** The columns that are compared, with their values after the update. It is `unchanged` if none differs. */
  after: Readonly<Record<string, SQL>>
  /** Columns that are written with them and not compared. */
  alsoSet?: Readonly<Record<string, SQL | SQLiteColumn>>
}

/** The same with the update itself. */
export function updateOf(parameters: Params<string>, define: () => RecordUpdate) {
  const update = lazy(define)
  const updateRecord = statement(parameters, () => {
    const { table, after, alsoSet } = update()
    return orm
      .update(table)
      .set({ ...after, ...alsoSet, event_id: events.id })
      .from(events)
      .where(and(isEventOfThisAttempt, eq(table.id, events.subject_id)))
  })
  const change = changeOf(parameters, () => {
    const { table, after, rules = [] } = update()
    return { ...update(), rules: [...rules, rule('unchanged', isUnchanged(differencesOf(table, after)))] }
  })
  return { ...change, updateRecord }
}
