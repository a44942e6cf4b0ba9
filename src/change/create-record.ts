/**
 * Creating a record, in the form that most resources share: they differ in type, table, rules and columns only.
 * src/modules/users/create-user.ts writes the same statements out.
 */
import { eq, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../db/batch.ts'
import { storeIn } from '../db/ids.ts'
import { events } from '../db/schema.ts'
import { type columnsOf, type Join, orm, type Params, statement, type ValuesOf, withJoins } from '../db/statement.ts'
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
  isClaimOfKey,
  keyRules,
} from './idempotency-claims.ts'
import { applied, attemptRules, isEventOfThisAttempt, selectRequestWithEarlierAttempts } from './attempts.ts'
import { authorization } from './authorize.ts'
import { newEvent, type RecordTable } from './event.ts'
import type { RequestFields } from './request.ts'
import { commit, requireRecord, resultOf, resultStatement } from './commit.ts'
import { contextParams, type RequestContext } from './context.ts'
import { noneHolds, type Rule } from './rules.ts'

/** What is returned of a record: the columns of its row, and what is joined to it. */
export type RecordFields = RequestFields & { id: SQLiteColumn | SQL.Aliased<number> }

/** The row that these fields select. */
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

/**
 * A function that creates a record. `parameters` are those of the definition; it is defined by a function, so that a new
 * isolate builds nothing that its first request does not need. It throws the errors of the authorization and of the rules,
 * `idempotency_key_reused` if it takes a key, and `not_found` if the record has been deleted since an earlier attempt, or
 * an earlier request with the key, created it.
 */
export function creationOf<P extends Params<string>, Fields extends RecordFields>(
  parameters: P,
  define: () => Creation<Fields>,
) {
  type Row = RecordOf<Fields>
  const creation = lazy(define)
  const rules = lazy((): Rule[] => {
    const { isKeyed, rules: own = [] } = creation()
    return [...attemptRules, ...authorization, ...(isKeyed ? keyRules : []), ...own]
  })
  const requestParams = { ...claimParams, ...parameters }

  /** One row: the request with the claim of its key, and with what the rules need. */
  function selectRequest<Selected extends RequestFields>(fields: Selected) {
    const { isKeyed, joins = [] } = creation()
    const claims: Join[] = isKeyed ? [[claim, isClaimOfKey()]] : []
    return withJoins(selectRequestWithEarlierAttempts(fields), ...claims, ...joins)
  }

  const insertEvent = statement(requestParams, () => {
    const { type, event } = creation()
    return orm.insert(events).select(selectRequest(newEvent({ type, ...event })).where(noneHolds(rules())))
  })

  const insertRecord = statement(parameters, () => {
    const { table, columns, set } = creation()
    const inserted = orm.insert(table).select(orm.select(columns).from(events).where(isEventOfThisAttempt))
    return set === undefined ? inserted : inserted.onConflictDoUpdate({ target: table.id, set })
  })

  const selectResult = resultStatement<typeof requestParams, Row & Claimed>(requestParams, () => {
    const { table, isKeyed, record, recordJoins = [], ...given } = creation()
    const claimed = isKeyed ? { claimed_fingerprint: claimedFingerprint } : {}
    const id = given.id ?? (isKeyed ? sql`coalesce(${applied.id}, ${claim.record_id})` : applied.id)
    const query = selectRequest({ ...resultOf(rules()), ...claimed, ...record })
    return withJoins(query, [table, eq(table.id, id)], ...recordJoins)
  })

  return async function create(
    db: Db,
    context: RequestContext,
    own: ValuesOf<P>,
    key?: IdempotencyKey,
  ): Promise<Created<Row>> {
    const values = { ...claimValues(key, context), ...own }
    const result = await commit(db, context, {
      event: insertEvent(values),
      record: insertRecord(values),
      claim: key && insertClaim(values),
      result: selectResult(values),
    })
    return {
      row: requireRecord<Row>(result),
      replayedFingerprint: result.outcome === 'replayed' ? (result.claimed_fingerprint ?? null) : null,
    }
  }
}
