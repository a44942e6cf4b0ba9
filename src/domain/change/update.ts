/**
 * Changing and deleting a record, in the form that most resources share: they differ in table, rules and fields only.
 * accesses/update.ts writes the same statements out.
 */
import { and, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { idIn } from '../../db/ids.ts'
import { events } from '../../db/schema.ts'
import { orm, type Params, statement, withJoins } from '../../db/statement.ts'
import type { EventType } from '../events/event-types.ts'
import { authorization, request, type RequestFields } from './authorize.ts'
import {
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  type RecordTable,
  selectRequestWithEarlierAttempts,
} from './event.ts'
import { differencesOf, etagMismatch, isUnchanged, recordParams } from './record.ts'
import { noneHolds, type Rule, rule } from './rules.ts'

interface RecordChange {
  table: RecordTable
  type: EventType
  /** The parameters that the conditions, values and rules below use. */
  parameters: Params<string>
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

/** The rules of a change, its row, and its event. */
export function changeOf({ table, type, parameters, etag, event, ...options }: RecordChange) {
  const isRecord = options.isRecord ?? eq(table.id, idIn(request.store, recordParams.number))
  const rules: Rule[] = [
    ...attemptRules,
    ...authorization,
    rule('not_found', or(isNull(table.id), options.isMissing)),
    ...(etag ? [etagMismatch(etag)] : []),
    ...(options.rules ?? []),
  ]

  /** One row: the request with the record that it names. */
  function selectRequest<Fields extends RequestFields>(fields: Fields) {
    return withJoins(selectRequestWithEarlierAttempts(fields), [table, isRecord])
  }

  const insertEvent = statement(parameters, () =>
    orm.insert(events).select(selectRequest(newEvent({ type, subject: table, ...event })).where(noneHolds(rules))),
  )
  return { rules, selectRequest, insertEvent }
}

interface RecordUpdate extends RecordChange {
  /** The columns that are compared, with their values after the update. It is `unchanged` if none differs. */
  after: Readonly<Record<string, SQL>>
  /** Columns that are written with them and not compared. */
  alsoSet?: Readonly<Record<string, SQL | SQLiteColumn>>
}

/** The same with the update itself. */
export function updateOf({ after, alsoSet, ...change }: RecordUpdate) {
  const { table, parameters, rules = [] } = change
  const unchanged = rule('unchanged', isUnchanged(differencesOf(table, after)))
  const updateRecord = statement(parameters, () =>
    orm
      .update(table)
      .set({ ...after, ...alsoSet, event_id: events.id })
      .from(events)
      .where(and(isEventOfThisAttempt, eq(table.id, events.subject_id))),
  )
  return { ...changeOf({ ...change, rules: [...rules, unchanged] }), updateRecord }
}
