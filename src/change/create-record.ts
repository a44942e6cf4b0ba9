/**
 * Creating a record: one form for all, which differ in type, table, rules and columns only. docs/sql.md shows the statements
 * of a create. One batch, which the database runs as one transaction:
 *   1. insert the event, unless a rule rejects the request
 *   2. insert the record, whose id is that of the event, only if this attempt has inserted the event
 *   3. insert the claim of the idempotency key under the same condition, if one was sent
 *   4. select the outcome and the record
 * A database has one writer, so of two creates with one key, or one value that must be unique, the second one finds the
 * first. If the response of the database is lost, the batch is sent again: it finds its event, creates nothing and selects
 * the same record. A client that sends its request again makes another request: with the same key it finds the claim and
 * gets the same record, for 24 hours.
 */
import { and, eq, isNotNull, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { attemptParams, type Db, type Steps } from '../db/batch.ts'
import { storeIn } from '../db/ids.ts'
import { events } from '../db/schema/stores.ts'
import {
  type columnsOf,
  type Join,
  orm,
  type Params,
  statement,
  type ValuesOf,
  withInnerJoins,
  withJoins,
} from '../db/statement.ts'
import { lazy } from '../lib/lazy.ts'
import type { EventType } from './event-types.ts'
import {
  claim,
  claimedFingerprint,
  claimParams,
  claimValues,
  type Created,
  type IdempotencyKey,
  insertClaim,
  insertClaimOf,
  isClaimOfKey,
  keyRules,
} from './idempotency-claims.ts'
import {
  ownEvent,
  appliedRule,
  eventColumns,
  isEventOfThisAttempt,
  newEvent,
  type RecordTable,
  selectRequestWithEarlierAttempts,
  superseded,
} from './event.ts'
import {
  authorization,
  contextParams,
  noneHolds,
  type RequestContext,
  type RequestFields,
  type Rule,
  rule,
} from './request.ts'
import { commitComputed, requireRecord, resultOf, resultStatement } from './commit.ts'

/** What is returned of a record: the columns of its row, and what is joined to it. */
export type RecordFields = RequestFields & { id: SQLiteColumn | SQL.Aliased<number> }

export type RecordOf<Fields extends RecordFields> = SelectResultFields<Fields> & { id: number }

interface Claimed {
  claimed_fingerprint?: string
}

interface Creation<Fields extends RecordFields> {
  type: EventType | SQL<EventType>
  table: RecordTable
  /** What the rules and the event need besides the request. */
  joins?: readonly Join[]
  /** What rejects the creation, besides the caller and a used key. */
  rules?: readonly Rule[]
  /** True if the operation takes an idempotency key. */
  isKeyed?: boolean
  /** What the event shows besides the record; and the record, if it may exist already. */
  event?: Omit<Parameters<typeof newEvent>[0], 'type'>
  /** The columns of the row, which is selected from the event that creates it. */
  columns: ReturnType<typeof columnsOf<RecordTable>>
  /** What the columns need besides the event. */
  columnJoins?: readonly Join[]
  /** The columns that are set if the record exists already. */
  set?: Readonly<Record<string, SQL>>
  /** The id of the record: that of the event or, if the operation takes a key, of its claim. */
  id?: SQLWrapper
  /** What is returned, and what must be joined to the record for it. */
  record: Fields
  recordJoins?: readonly Join[]
}

/** The columns that most new records have: the id is that of the event. */
export function newRecord() {
  return { id: events.id, store: storeIn(events.id), created_at: contextParams.now, event_id: events.id }
}

/** The row of a record that says which attempt of which request has inserted it. */
type DecidingTable = RecordTable & Record<'request_id' | 'attempt' | 'actor_id' | 'created_at', SQLiteColumn>

interface CreationOptions {
  /**
   * For a record that may have no event: its row decides instead of the event. Then the row is inserted first, selected from
   * the request, and the event follows it unless its `event_id` is null. `made` is an alias of the table.
   */
  decidedBy?: { table: DecidingTable; made: DecidingTable }
  /** What else is written if this attempt has created the record. */
  consequences?: Steps
}

interface CreationRequest<P extends Params<string>> {
  key?: IdempotencyKey | undefined
  /** Computes values that take long, such as the hash of a password, once nothing rejects the request. */
  compute?: (() => Promise<Partial<ValuesOf<P>>>) | undefined
}

/**
 * A function that creates a record. `parameters` are those of the definition; it is defined by a function, so that a new
 * isolate builds nothing that its first request does not need. It throws the errors of the
 * rules, `idempotency_key_reused` if it takes a key, and `not_found` if the record has been deleted since an earlier attempt, or
 * an earlier request with the key, created it.
 */
export function creationOf<P extends Params<string>, Fields extends RecordFields>(
  parameters: P,
  define: () => Creation<Fields>,
  { decidedBy, consequences }: CreationOptions = {},
) {
  type Row = RecordOf<Fields>
  const creation = lazy(define)
  const decision = decidedBy ? rowDecides(decidedBy.made) : eventDecides
  const rules = lazy((): Rule[] => {
    const { isKeyed, rules: own = [] } = creation()
    return [decision.applied, superseded, ...authorization, ...(isKeyed ? keyRules : []), ...own]
  })
  const requestParams = { ...claimParams, ...parameters }

  /** One row: the request with the claim of its key, and with what the rules need. */
  function selectRequest<Selected extends RequestFields>(fields: Selected) {
    const { isKeyed, joins = [] } = creation()
    const claims: Join[] = isKeyed ? [[claim, isClaimOfKey()]] : []
    return withJoins(selectRequestWithEarlierAttempts(fields), ...decision.joins, ...claims, ...joins)
  }

  const insertEvent = statement(requestParams, () => {
    const { type, event } = creation()
    const inserted = orm.insert(events)
    if (decidedBy) return inserted.select(selectEventOfRow(type, decidedBy.table))
    return inserted.select(selectRequest(newEvent({ type, ...event })).where(noneHolds(rules())))
  })

  const insertRecord = statement(requestParams, () => {
    const { table, columns, columnJoins = [], set } = creation()
    if (decidedBy) return orm.insert(table).select(selectRequest(columns).where(noneHolds(rules())))
    const selected = withInnerJoins(orm.select(columns).from(events), ...columnJoins).where(isEventOfThisAttempt)
    const inserted = orm.insert(table).select(selected)
    return set === undefined ? inserted : inserted.onConflictDoUpdate({ target: table.id, set })
  })

  const insertClaimOfRecord = decidedBy
    ? insertClaimOf(claimedBy(decidedBy.table), () => isRowOfThisAttempt(decidedBy.table))
    : insertClaim

  const selectResult = resultStatement<typeof requestParams, Row & Claimed>(requestParams, () => {
    const { table, isKeyed, record, recordJoins = [], ...given } = creation()
    const claimed = isKeyed ? { claimed_fingerprint: claimedFingerprint } : {}
    const id = given.id ?? (isKeyed ? sql`coalesce(${decision.id}, ${claim.record_id})` : decision.id)
    const query = selectRequest({ ...resultOf(rules()), ...claimed, ...record })
    return withJoins(query, [table, eq(table.id, id)], ...recordJoins)
  })

  return async function create(
    db: Db,
    context: RequestContext,
    own: ValuesOf<P>,
    { key, compute }: CreationRequest<P> = {},
  ): Promise<Created<Row>> {
    const values = { ...claimValues(key, context), ...own }
    const result = await commitComputed(db, context, {
      compute,
      result: selectResult(values),
      steps: (computed) => {
        const event = insertEvent(values)
        const record = insertRecord({ ...values, ...computed })
        return {
          ...(decidedBy ? { record, event } : { event, record }),
          ...consequences,
          claim: key && insertClaimOfRecord(values),
        }
      },
    })
    const row = requireRecord<Row>(result)
    return {
      row,
      claimed: row.id,
      isNew: result.outcome === 'applied',
      replayedFingerprint: result.outcome === 'replayed' ? (result.claimed_fingerprint ?? null) : null,
    }
  }
}

/** What decides whether a record is created, and how the further steps recognize that this attempt has done it. */
interface Decision {
  joins: readonly Join[]
  /** Holds if any attempt of the request has created the record, whose id this is. */
  applied: Rule
  id: SQL
}

const eventDecides: Decision = { joins: [], applied: appliedRule, id: sql`${ownEvent.id}` }

function rowDecides(made: DecidingTable): Decision {
  return {
    joins: [[made, eq(made.request_id, contextParams.request_id)]],
    applied: rule('applied', isNotNull(made.id)),
    id: sql`${made.id}`,
  }
}

function claimedBy(table: DecidingTable) {
  return { table, record_id: table.id, event_id: table.event_id }
}

/** The row that this attempt has inserted. */
function isRowOfThisAttempt(table: DecidingTable): SQL | undefined {
  return and(eq(table.request_id, contextParams.request_id), eq(table.attempt, attemptParams.attempt))
}

/** The event of the row that this attempt has inserted, if the record has one. */
function selectEventOfRow(type: EventType | SQL, table: DecidingTable) {
  const { id, event_id, request_id, attempt, actor_id, created_at } = table
  return orm
    .select(eventColumns({ id: event_id, type, subject_id: id, request_id, attempt, actor_id, created_at }))
    .from(table)
    .where(and(isRowOfThisAttempt(table), isNotNull(event_id)))
}
