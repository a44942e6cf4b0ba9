/**
 * What the creation of a bulk change and of a revert have in common. A dry run has no event, so here the row decides whether
 * the bulk change is created (`decidedBy` in src/change/create-record.ts).
 */
import { and, eq, exists, isNull, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { attemptParams, type Steps } from '../../db/batch.ts'
import { DRY_RUNS_FROM, idIn, isOfStore } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { columnsOf, type ColumnValues, type Join, orm, type Params } from '../../db/statement.ts'
import { BULK } from './limits.ts'
import { contextParams, storeOfRequest, storeRow, type Rule } from '../../change/request.ts'
import { creationOf } from '../../change/create-record.ts'
import { newEventId } from '../../change/event.ts'
import { bulkChangeColumns, joinsOfBulkChange } from './read-bulk-changes.ts'

const NOT_STARTED = {
  state: 'queued',
  matched: 0,
  changed: 0,
  opened: 0,
  closed: 0,
  later: 0,
  earlier: 0,
  limited: 0,
  unlimited: 0,
  started_at: null,
  finished_at: null,
  run_id: null,
  canceled_by: null,
  last_event_id: null,
  reverted_by: null,
} as const

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
  | 'time_zone'
  | 'created_at'
  | 'progressed_at'
  | 'event_id'
> & { dry_run: SQLWrapper }

interface BulkCreation {
  /** What the rules and columns need besides the request. */
  joins: readonly Join[]
  /** What rejects the creation, besides the caller and a used key. */
  rules: readonly Rule[]
  columns: OwnColumns
}

/** The bulk change that any attempt of this request has inserted. */
const made = alias(bulk_changes, 'made')

/**
 * A function that creates a bulk change, and does what follows from it. It throws
 * `idempotency_key_reused`, and those of the rules.
 */
export function bulkCreationOf<P extends Params<string>>(
  parameters: P,
  define: () => BulkCreation,
  consequences: Steps = {},
) {
  return creationOf(
    parameters,
    () => {
      const { columns, ...creation } = define()
      return {
        ...creation,
        type: 'bulk_change.created',
        table: bulk_changes,
        isKeyed: true,
        columns: newBulkChange(columns),
        record: bulkChangeColumns(),
        recordJoins: joinsOfBulkChange(),
      }
    },
    { decidedBy: { table: bulk_changes, made }, consequences },
  )
}

/**
 * True if the store has as many bulk changes that have not ended as it may have, dry runs included: without a limit, one token
 * could queue hours of work in seconds.
 */
export function hasTooMany(): SQL {
  const unfinished = alias(bulk_changes, 'unfinished')
  const lastAllowed = orm
    .select({ id: unfinished.id })
    .from(unfinished)
    .where(and(eq(unfinished.store, storeOfRequest), isNull(unfinished.finished_at)))
    .limit(1)
    .offset(BULK.unfinished - 1)
  return exists(lastAllowed)
}

function newBulkChange(columns: OwnColumns) {
  const other = alias(bulk_changes, 'other')
  const last: SQL = sql`${orm
    .select({ position: sql`max(${other.position})` })
    .from(other)
    .where(isOfStore(other.position, storeOfRequest))}`
  const position = sql`coalesce(${last}, ${idIn(storeOfRequest, 0)}) + 1`
  return columnsOf(bulk_changes, {
    ...NOT_STARTED,
    ...columns,
    id: sql`iif(${columns.dry_run}, ${position} + ${sql.raw(String(DRY_RUNS_FROM))}, ${newEventId})`,
    store: storeOfRequest,
    position,
    request_id: contextParams.request_id,
    attempt: attemptParams.attempt,
    actor_id: contextParams.caller,
    time_zone: storeRow.time_zone,
    created_at: contextParams.now,
    progressed_at: contextParams.now,
    event_id: sql`iif(${columns.dry_run}, null, ${newEventId})`,
  })
}
