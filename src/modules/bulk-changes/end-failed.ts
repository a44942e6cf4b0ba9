/** Bulk changes that have stopped: nobody has woken the object of their store. The every-minute job looks for them. */
import { and, asc, eq, isNull, lt, lte, max, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { isOfStore, storeOf } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { BULK } from './limits.ts'
import { contextParams, serviceContext } from '../../change/request.ts'
import { idsIn } from '../../change/commit.ts'
import { firstInLine } from './read-bulk-changes.ts'
import { insertEndEvent, setLastEvent } from './end-events.ts'
import { type BulkChangeStatus, idParams, type Run, selectStatus } from './runnable.ts'

const selectStopped = statement({}, () => {
  const bulk = alias(bulk_changes, 'bulk')
  const earlier = alias(bulk_changes, 'earlier')
  const lastEnd = orm
    .select({ at: max(earlier.finished_at) })
    .from(earlier)
    .where(and(isOfStore(earlier.id, bulk.store), lt(earlier.id, bulk.id), eq(earlier.dry_run, 0)))
  // While earlier ones run, a bulk change waits, and it does not count as stopped. It does not wait for dry runs.
  const since = sql`iif(${bulk.dry_run}, ${bulk.progressed_at}, max(${bulk.progressed_at}, coalesce(${lastEnd}, 0)))`
  return orm
    .select(
      named({
        id: sql<number>`${bulk.id}`,
        progressed_at: bulk.progressed_at,
        has_failed: sql<0 | 1>`${lte(since, sql`${contextParams.now} - ${BULK.failsAfterMs}`)}`,
      }),
    )
    .from(bulk)
    .where(
      and(
        isNull(bulk.finished_at),
        lte(bulk.progressed_at, sql`${contextParams.now} - ${BULK.stoppedAfterMs}`),
        or(eq(bulk.dry_run, 1), eq(bulk.id, firstInLine(bulk.store))),
      ),
    )
    .orderBy(asc(bulk.progressed_at))
    .limit(BULK.restarts)
})

const failParams = { ...idParams, ...params('seen_progress_at') }

const failBulkChange = statement(failParams, () =>
  orm
    .update(bulk_changes)
    .set({ state: 'failed', finished_at: contextParams.now })
    .where(
      and(
        eq(bulk_changes.id, failParams.bulk_change_id),
        isNull(bulk_changes.finished_at),
        eq(bulk_changes.progressed_at, failParams.seen_progress_at),
      ),
    ),
)

interface Stopped {
  failed: number
  /** The stores that have bulk changes to go on with. */
  stores: number[]
  /** The webhook endpoints to wake. */
  endpoints: number[]
  /** The first error of one that could not be ended. */
  error?: unknown
}

/** Ends the bulk changes that have made no progress for an hour, and looks for the others that have stopped. */
export async function endFailed(db: Db, run: Run): Promise<Stopped> {
  const { stopped } = await batch(db, { stopped: selectStopped({}) }, { retry: 'only reads', shared: { now: run.now } })
  const endpoints: number[] = []
  let [failed, error]: [number, unknown] = [0, undefined]
  for (const bulkChange of stopped.filter(({ has_failed }) => has_failed === 1)) {
    try {
      const ended = await fail(db, bulkChange, run)
      failed++
      endpoints.push(...idsIn(ended.endpoints))
    } catch (failure) {
      error ??= failure
    }
  }
  return { failed, stores: [...new Set(stopped.map(({ id }) => storeOf(id)))], endpoints, error }
}

/** Does nothing if it has made progress meanwhile. */
async function fail(db: Db, { id, progressed_at }: RowOf<typeof selectStopped>, run: Run): Promise<BulkChangeStatus> {
  const values = { bulk_change_id: id }
  const { status } = await batch(
    db,
    {
      failed: failBulkChange({ ...values, seen_progress_at: progressed_at }),
      event: insertEndEvent(values),
      last_event: setLastEvent({}),
      status: selectStatus(values),
    },
    { retry: 'idempotent', shared: serviceContext(id, run.now, run.run_id) },
  )
  const [ended] = status
  if (ended === undefined) throw new Error('a bulk change has vanished')
  return ended
}
