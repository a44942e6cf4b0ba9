/**
 * What the creation of a bulk change and of a revert have in common. One batch, which D1 runs as one transaction:
 *   1. insert the bulk change, unless a rule rejects the request
 *   2. insert the event `bulk_change.created`, unless it is a dry run
 *   3. insert the claim of the idempotency key, if one was sent
 *   4. select the outcome and the bulk change
 * A dry run has no event, so here the row itself decides, as the event does elsewhere (change/event.ts): it has the
 * request and the attempt that inserted it, and the steps after it act only on the row of this very attempt.
 */
import { and, eq, isNotNull, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { attemptParams } from '../../db/batch.ts'
import type { Db } from '../../db/batch.ts'
import { DRY_RUNS_FROM, idIn, isOfStore } from '../../db/ids.ts'
import { bulk_changes, events } from '../../db/schema.ts'
import { columnsOf, type ColumnValues, orm, type Params, statement, type Step, withJoins } from '../../db/statement.ts'
import { authorization, request, type RequestFields } from '../change/authorize.ts'
import { commitSteps, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import { eventColumns, newEventId, selectRequestWithEarlierAttempts, superseded } from '../change/event.ts'
import { noneHolds, type Rule, rule } from '../change/rules.ts'
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
} from '../idempotency/claims.ts'
import { bulkChangeColumns, type BulkChangeRecord, joinActor } from './bulk-changes.ts'

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

interface Creation {
  parameters: Params<string>
  /** Joins what the rules and columns below need. */
  join?: (query: object) => void
  rules: () => readonly Rule[]
  columns: () => OwnColumns & { cursor: SQLWrapper; dry_run: SQLWrapper }
}

/** The statements of a creation. */
export function creationOf({ parameters, join, rules, columns }: Creation) {
  const requestParams = { ...claimParams, ...parameters }
  const allRules = (): Rule[] => [
    rule('applied', isNotNull(made.id)),
    superseded,
    ...authorization,
    ...keyRules,
    ...rules(),
  ]

  function selectRequest<Fields extends RequestFields>(fields: Fields) {
    const query = withJoins(
      selectRequestWithEarlierAttempts(fields),
      [made, eq(made.request_id, contextParams.request_id)],
      [claim, isClaimOfKey()],
    )
    join?.(query)
    return query
  }

  return {
    bulkChange: statement(requestParams, () =>
      orm.insert(bulk_changes).select(selectRequest(rowOf(columns())).where(noneHolds(allRules()))),
    ),
    result: statement(requestParams, () => {
      const fields = { ...resultOf(allRules()), claimed_fingerprint: claimedFingerprint, ...bulkChangeColumns() }
      const query = selectRequest(fields)
      return joinActor(
        withJoins(query, [bulk_changes, eq(bulk_changes.id, sql`coalesce(${made.id}, ${claim.record_id})`)]),
      )
    }),
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

type CreationResult = ReturnType<ReturnType<typeof creationOf>['result']> extends Step<infer Row> ? Row : never

interface CreationSteps {
  bulkChange: Step<unknown>
  /** Notes a revert in the bulk change that it reverts. */
  reverted?: Step<unknown>
  result: Step<CreationResult>
}

/** A bulk change that was created, and whether this request has done it: the object of the store is then to be woken. */
export interface CreatedBulkChange extends Created<BulkChangeRecord> {
  isNew: boolean
}

/** Throws the errors of the authorization, `idempotency_key_reused`, and those of the rules. */
export async function createWith(
  db: Db,
  context: RequestContext,
  { key, ...steps }: CreationSteps & { key: IdempotencyKey | undefined },
): Promise<CreatedBulkChange> {
  const { result } = await commitSteps(db, context, {
    bulkChange: steps.bulkChange,
    event: insertCreatedEvent({}),
    reverted: steps.reverted,
    claim: key && insertClaimOfBulkChange(claimValues(key, context)),
    result: steps.result,
  })
  return {
    row: requireRecord<BulkChangeRecord>(result),
    replayedFingerprint: result.outcome === 'replayed' ? result.claimed_fingerprint : null,
    isNew: result.outcome === 'applied',
  }
}
