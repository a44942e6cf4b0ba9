/**
 * Changing and deleting a record: one form for all, which differ in table, rules and fields only. docs/sql.md shows the
 * statements of an update. One batch, which the database runs as one transaction:
 *   1. insert the event with the values before and after, unless a rule rejects the request or nothing would change
 *   2. update or delete the record that the event is about, only if this attempt has inserted the event
 *   3. select the outcome and the record
 * If the response of the database is lost, the batch is sent again: it finds its event and changes nothing. A client that
 * sends its request again makes another request: it finds nothing to change, or another ETag if it sent If-Match. Without
 * If-Match, it overwrites what others have changed since the first one.
 */
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Steps } from '../db/batch.ts'
import { idIn } from '../db/ids.ts'
import { events } from '../db/schema/stores.ts'
import { named, type Join, orm, type Params, statement, type Step, type ValuesOf, withJoins } from '../db/statement.ts'
import { lazy } from '../lib/lazy.ts'
import { EVENTS, type EventType } from './event-types.ts'
import {
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  ownEvent,
  permittedStore,
  type RecordTable,
  selectRequestWithEarlierAttempts,
} from './event.ts'
import { authorization, noneHolds, type RequestContext, type RequestFields, type Rule, rule } from './request.ts'
import { commit, commitComputed, requireRecord, resultOf, resultStatement } from './commit.ts'
import type { RecordFields, RecordOf } from './create-record.ts'
import {
  changedFieldsJson,
  changesJson,
  type Difference,
  differencesOf,
  etagMismatch,
  isUnchanged,
  recordParams,
  type RecordRequest,
  recordValues,
} from './record-fields.ts'
import {
  claim,
  claimedEvent,
  claimedFingerprint,
  claimParams,
  claimValues,
  type Created,
  type IdempotencyKey,
  insertClaim,
  isClaimOfKey,
  keyRules,
} from './idempotency-claims.ts'

interface RecordChange<Fields extends RequestFields> {
  type: EventType
  table: RecordTable
  /** Finds the record; by its number if this is omitted. */
  isRecord?: SQL | undefined
  /** A record that cannot be changed, such as a revoked token: it is `not_found`. */
  isMissing?: SQL
  /** What the rules need besides the request and the record. */
  joins?: readonly Join[]
  /** What rejects the values, whether or not there is the record. */
  valueRules?: readonly Rule[]
  isKeyed?: boolean
  /** The column whose event is in the ETag, if the operation takes `If-Match`. */
  etag?: SQLiteColumn
  rules?: readonly Rule[]
  /** What the event shows besides the record; of an update, its differences as well. */
  event?: { user_id?: SQLiteColumn; product_id?: SQLiteColumn; data?: SQL }
  /** What is returned, and what must be joined to the record for it. */
  record: Fields
  recordJoins?: readonly Join[]
}

/**
 * The event of a change of a record, and its result. `parameters` are those of the definition; it is defined by a function,
 * so that a new isolate builds nothing that its first request does not need.
 */
function changeOf<P extends Params<string>, Fields extends RequestFields, Row = SelectResultFields<Fields>>(
  parameters: P,
  define: () => RecordChange<Fields>,
) {
  const change = lazy(define)
  const rules = lazy((): Rule[] => {
    const { table, isMissing, isKeyed, valueRules = [], etag, rules: own = [] } = change()
    return [
      ...attemptRules,
      ...authorization,
      ...(isKeyed ? keyRules : []),
      ...valueRules,
      rule('not_found', or(isNull(table.id), isMissing)),
      ...(etag ? [etagMismatch(etag)] : []),
      ...own,
    ]
  })

  /** One row: the request with the record that it names, and with what the rules need. */
  function selectRequest<Selected extends RequestFields>(fields: Selected) {
    const { table, isKeyed, isRecord = eq(table.id, idIn(permittedStore, recordParams.number)), joins = [] } = change()
    const claims: Join[] = isKeyed ? [[claim, isClaimOfKey()]] : []
    return withJoins(selectRequestWithEarlierAttempts(fields), ...claims, [table, isRecord], ...joins)
  }

  const insertEvent = statement(parameters, () => {
    const { type, table, event } = change()
    return orm
      .insert(events)
      .select(selectRequest(newEvent({ type, subject: table, ...event })).where(noneHolds(rules())))
  })

  const selectResult = resultStatement<P, Row>(parameters, () => {
    const { isKeyed, record, recordJoins = [] } = change()
    const claimed = isKeyed
      ? named({ claimed_fingerprint: claimedFingerprint, claimed: claimedEvent, own_event: sql`${ownEvent.id}` })
      : {}
    return withJoins(selectRequest({ ...resultOf(rules()), ...claimed, ...record }), ...recordJoins)
  })
  return { insertEvent, selectResult }
}

interface RecordUpdate<Fields extends RecordFields> extends RecordChange<Fields> {
  /** The columns that are written, with their values after the update. */
  newValues: Readonly<Record<string, SQL>>
  /** What is compared: the update is `unchanged` if nothing differs. These columns, if it is omitted. */
  differences?: readonly Difference[]
  /** Columns that are written with them and not compared. */
  alsoSet?: Readonly<Record<string, SQL | SQLiteColumn>>
}

/** What the table of events says that the event shows of the differences; 'fields and changes' is for the use case to say. */
function shownOf(type: EventType, differences: readonly Difference[]): { data?: SQL } {
  const { shows } = EVENTS[type]
  if (shows === 'changes') return { data: changesJson(differences) }
  return shows === 'fields' ? { data: changedFieldsJson(differences) } : {}
}

interface UpdateOptions<P extends Params<string>> {
  /** What else is written with the record. */
  consequences?: (values: ValuesOf<P>) => Steps
  /** Makes the statement that writes the record. If this is omitted, it sets `newValues` and `alsoSet`. */
  write?: (values: ValuesOf<P>) => Step<unknown>
}

interface UpdateRequest<P extends Params<string>> {
  /** Computes values that take long, such as the hash of a password, once nothing rejects the request. */
  compute?: (() => Promise<Partial<ValuesOf<P>>>) | undefined
  /** For an operation that takes a key. */
  key?: IdempotencyKey | undefined
}

/**
 * A function that updates the record with this number. `own` are the parameters of the definition, besides those of the
 * record. It throws `not_found`, and those of the rules.
 */
export function updateOf<P extends Params<string>, Fields extends RecordFields>(
  own: P,
  define: () => RecordUpdate<Fields>,
  options: UpdateOptions<P> = {},
) {
  const send = sendUpdateOf(own, define, options)
  return async function updateRecordOf(...request: Parameters<typeof send>) {
    return requireRecord<RecordOf<Fields>>(await send(...request))
  }
}

/** Like `updateOf`, for an operation that takes a key: a change that was made once with the key is not made again. */
export function keyedUpdateOf<P extends Params<string>, Fields extends RecordFields>(
  own: P,
  define: () => Omit<RecordUpdate<Fields>, 'isKeyed'>,
) {
  const send = sendUpdateOf<P, Fields>(own, () => ({ ...define(), isKeyed: true }), {})
  return async function updateOnce(...request: Parameters<typeof send>): Promise<Created<RecordOf<Fields>>> {
    const result = await send(...request)
    const row = requireRecord<RecordOf<Fields>>(result)
    const isNew = result.outcome === 'applied'
    return {
      row,
      isNew,
      claimed: (isNew ? result.own_event : result.claimed) ?? row.id,
      replayedFingerprint: result.outcome === 'replayed' ? (result.claimed_fingerprint ?? null) : null,
    }
  }
}

/** What the result of an operation with a key has besides the record. */
interface Claimed {
  claimed_fingerprint?: string | null
  claimed?: number | null
  own_event?: number | null
}

function sendUpdateOf<P extends Params<string>, Fields extends RecordFields>(
  own: P,
  define: () => RecordUpdate<Fields>,
  options: UpdateOptions<P>,
) {
  type Parameters = typeof recordParams & typeof claimParams & P
  const parameters: Parameters = { ...recordParams, ...claimParams, ...own }
  const update = lazy(define)
  // The event shows the differences.
  const { insertEvent, selectResult } = changeOf<Parameters, Fields, RecordOf<Fields> & Claimed>(parameters, () => {
    const { newValues, rules = [], event, ...change } = update()
    const { type, table, differences = differencesOf(table, newValues) } = change
    const unchanged = rule('unchanged', isUnchanged(differences))
    return { ...change, rules: [...rules, unchanged], event: { ...shownOf(type, differences), ...event } }
  })
  const { write = writeOf(own, update), consequences } = options

  return function sendUpdate(
    db: Db,
    context: RequestContext,
    record: RecordRequest,
    given: ValuesOf<P>,
    { compute, key }: UpdateRequest<P> = {},
  ) {
    const values = { ...recordValues(record), ...claimValues(key, context), ...given }
    return commitComputed(db, context, {
      compute,
      result: selectResult(values),
      steps: (computed) => ({
        event: insertEvent(values),
        ...consequences?.(given),
        record: write({ ...given, ...computed }),
        claim: key && insertClaim(values),
      }),
    })
  }
}

/** Writes the record: `newValues`, `alsoSet`, and the event as the newest one about it. */
function writeOf<P extends Params<string>>(parameters: P, update: () => RecordUpdate<RecordFields>) {
  return statement(parameters, () => {
    const { table, newValues, alsoSet } = update()
    return updateSubject(table, { ...newValues, ...alsoSet })
  })
}

/** Sets columns of the record that the event is about. */
export function updateSubject(table: RecordTable, columns: Readonly<Record<string, SQL | SQLiteColumn>>) {
  return orm
    .update(table)
    .set({ ...columns, event_id: events.id })
    .from(events)
    .where(and(isEventOfThisAttempt, eq(table.id, events.subject_id)))
}

/** A function that deletes a record, after what depends on it. It throws `not_found`, and those of the rules. */
export function deletionOf<P extends Params<string>, Fields extends RequestFields>(
  parameters: P,
  define: () => RecordChange<Fields>,
  dependents: Steps = {},
) {
  const deletion = lazy(define)
  const { insertEvent, selectResult } = changeOf(parameters, deletion)
  const deleteRecord = statement({}, () => deleteOf(deletion().table))

  return async function deleteRecordOf(db: Db, context: RequestContext, values: ValuesOf<P>) {
    const { result } = await commit(db, context, {
      event: insertEvent(values),
      ...dependents,
      record: deleteRecord({}),
      result: selectResult(values),
    })
    return result
  }
}

/** Deletes the rows that have the id of the event's subject in this column. */
export function deleteOf(table: RecordTable, id: SQLiteColumn = table.id) {
  return orm.delete(table).where(eq(id, orm.select({ id: events.subject_id }).from(events).where(isEventOfThisAttempt)))
}
