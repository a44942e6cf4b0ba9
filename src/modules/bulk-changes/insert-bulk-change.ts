/**
 * What the creation of a bulk change and of a revert have in common. One batch, which the database runs as one transaction:
 *   1. insert the bulk change, unless a rule rejects the request
 *   2. insert the event `bulk_change.created`, unless it is a dry run
 *   3. insert the claim of the idempotency key, if one was sent
 *   4. select the outcome and the bulk change
 * A dry run has no event, so here the row itself decides, as the event does elsewhere (src/change/event.ts): it has
 * the request and the attempt that inserted it, and the steps after it act only on the row of this very attempt.
 */
import { and, eq, isNotNull, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { attemptParams, type Db, type Steps } from '../../db/batch.ts'
import { DRY_RUNS_FROM, idIn, isOfStore } from '../../db/ids.ts'
import { bulk_changes, events } from '../../db/schema.ts'
import {
  columnsOf,
  type ColumnValues,
  type Join,
  orm,
  type Params,
  statement,
  type ValuesOf,
  withJoins,
} from '../../db/statement.ts'
import { lazy } from '../../lib/lazy.ts'
import { selectRequestWithEarlierAttempts, superseded } from '../../change/attempts.ts'
import { authorization } from '../../change/authorize.ts'
import { eventColumns, newEventId } from '../../change/event.ts'
import { request, type RequestFields } from '../../change/request.ts'
import { commitSteps, requireRecord, resultOf } from '../../change/commit.ts'
import { contextParams, type RequestContext } from '../../change/context.ts'
import { noneHolds, type Rule, rule } from '../../change/rules.ts'
import {
  claim,
  claimedFingerprint,
  claimParams,
  claimValues,
  type Created,
  type IdempotencyKey,
  insertClaimOf,
  isClaimOfKey,
  keyRules,
} from '../../change/idempotency-claims.ts'
import { bulkChangeColumns, type BulkChangeRecord, joinActor } from './read-bulk-changes.ts'

/** The bulk change that any attempt of this request has inserted. */
const made = alias(bulk_changes, 'made')

const isRowOfThisAttempt = and(
  eq(bulk_changes.request_id, contextParams.request_id),
  eq(bulk_changes.attempt, attemptParams.attempt),
)

/** What the two kinds of bulk changes do not share. */
type OwnColumns = Omit<
  ColumnValues<typeof bulk_changes>,
  | keyof typeof NOT_STARTED
  | 'id'
  | 'store'
  | 'position'
  | 'request_id'
  | 'attempt'
  | 'actor_id'
  | 'created_at'
  | 'progressed_at'
  | 'event_id'
>

const NOT_STARTED = {
  state: 'queued',
  matched: 0,
  changed: 0,
  started_at: null,
  finished_at: null,
  run_id: null,
  canceled_by: null,
  last_event_id: null,
  reverted_by: null,
} as const

interface BulkCreation {
  /** What the rules and columns need besides the request. */
  joins: readonly Join[]
  /** What rejects the creation, besides the caller and a used key. */
  rules: readonly Rule[]
  columns: OwnColumns & { cursor: SQLWrapper; dry_run: SQLWrapper }
}

/** A bulk change that was created, and whether this request has done it: the object of the store is then to be woken. */
export interface CreatedBulkChange extends Created<BulkChangeRecord> {
  isNew: boolean
}

/**
 * A function that creates a bulk change, and does what follows from it. It throws the errors of the authorization,
 * `idempotency_key_reused`, and those of the rules.
 */
export function bulkCreationOf<P extends Params<string>>(
  parameters: P,
  define: () => BulkCreation,
  consequences: Steps = {},
) {
  const creation = lazy(define)
  const requestParams = { ...claimParams, ...parameters }
  const rules = lazy((): Rule[] => [
    rule('applied', isNotNull(made.id)),
    superseded,
    ...authorization,
    ...keyRules,
    ...creation().rules,
  ])

  function selectRequest<Fields extends RequestFields>(fields: Fields) {
    return withJoins(
      selectRequestWithEarlierAttempts(fields),
      [made, eq(made.request_id, contextParams.request_id)],
      [claim, isClaimOfKey()],
      ...creation().joins,
    )
  }

  const insertBulkChange = statement(requestParams, () =>
    orm.insert(bulk_changes).select(selectRequest(rowOf(creation().columns)).where(noneHolds(rules()))),
  )

  const selectResult = statement(requestParams, () => {
    const fields = { ...resultOf(rules()), claimed_fingerprint: claimedFingerprint, ...bulkChangeColumns() }
    const id = sql`coalesce(${made.id}, ${claim.record_id})`
    return joinActor(withJoins(selectRequest(fields), [bulk_changes, eq(bulk_changes.id, id)]))
  })

  return async function createBulk(
    db: Db,
    context: RequestContext,
    own: ValuesOf<P>,
    key: IdempotencyKey | undefined,
  ): Promise<CreatedBulkChange> {
    const values = { ...claimValues(key, context), ...own }
    const { result } = await commitSteps(db, context, {
      bulkChange: insertBulkChange(values),
      event: insertCreatedEvent({}),
      ...consequences,
      claim: key && insertClaimOfBulkChange(values),
      result: selectResult(values),
    })
    return {
      row: requireRecord<BulkChangeRecord>(result),
      replayedFingerprint: result.outcome === 'replayed' ? result.claimed_fingerprint : null,
      isNew: result.outcome === 'applied',
    }
  }
}

function rowOf(columns: OwnColumns & { dry_run: SQLWrapper }) {
  const other = alias(bulk_changes, 'other')
  const last: SQL = sql`${orm
    .select({ position: sql`max(${other.position})` })
    .from(other)
    .where(isOfStore(other.position, request.store))}`
  const position = sql`coalesce(${last}, ${idIn(request.store, 0)}) + 1`
  return columnsOf(bulk_changes, {
    ...NOT_STARTED,
    ...columns,
    id: sql`iif(${columns.dry_run}, ${position} + ${sql.raw(String(DRY_RUNS_FROM))}, ${newEventId})`,
    store: request.store,
    position,
    request_id: contextParams.request_id,
    attempt: attemptParams.attempt,
    actor_id: contextParams.caller,
    created_at: contextParams.now,
    progressed_at: contextParams.now,
    event_id: sql`iif(${columns.dry_run}, null, ${newEventId})`,
  })
}

const insertCreatedEvent = statement({}, () =>
  orm.insert(events).select(
    orm
      .select(
        eventColumns({
          id: bulk_changes.event_id,
          type: 'bulk_change.created',
          created_at: bulk_changes.created_at,
          request_id: bulk_changes.request_id,
          attempt: bulk_changes.attempt,
          actor_id: bulk_changes.actor_id,
          subject_id: bulk_changes.id,
        }),
      )
      .from(bulk_changes)
      .where(and(isRowOfThisAttempt, isNotNull(bulk_changes.event_id))),
  ),
)

const insertClaimOfBulkChange = insertClaimOf(bulk_changes, () => isRowOfThisAttempt)
