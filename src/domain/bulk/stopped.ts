/** Bulk changes that have stopped: their message was lost, or their consumer died. The minutely job looks for them. */
import { and, asc, eq, isNull, lt, lte, max, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { isOfStore } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema.ts'
import { named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { BULK } from '../../limits.ts'
import { contextParams, serviceContext } from '../change/context.ts'
import { noteEndpoints } from '../webhooks/endpoints-to-notify.ts'
import { firstInLine } from './bulk-changes.ts'
import { insertFinishedEvent, setLastEvent } from './end.ts'
import { type BulkChangeStatus, idParams, type Run, selectStatus } from './status.ts'

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

/**
 * Ends the bulk changes that have made no progress for an hour. Returns the ids of those that are to go on: the others
 * that have stopped, and those whose turn it is now, and the first error of one that could not be ended.
 */
export async function endFailed(db: Db, run: Run): Promise<{ failed: number; toResume: number[]; error?: unknown }> {
  const { stopped } = await batch(db, { stopped: selectStopped({}) }, { retry: 'only reads', shared: { now: run.now } })
  const next: number[] = []
  let [failed, error]: [number, unknown] = [0, undefined]
  for (const bulkChange of stopped.filter(({ has_failed }) => has_failed === 1)) {
    try {
      const { first_in_line } = await fail(db, bulkChange, run)
      failed++
      if (first_in_line !== null) next.push(first_in_line)
    } catch (failure) {
      error ??= failure
    }
  }
  const others = stopped.filter(({ has_failed }) => has_failed === 0)
  return { failed, toResume: [...others.map(({ id }) => id), ...next], error }
}

/** Does nothing if it has made progress meanwhile. */
async function fail(db: Db, { id, progressed_at }: RowOf<typeof selectStopped>, run: Run): Promise<BulkChangeStatus> {
  const values = { bulk_change_id: id }
  const { status } = await batch(
    db,
    {
      failed: failBulkChange({ ...values, seen_progress_at: progressed_at }),
      event: insertFinishedEvent(values),
      last_event: setLastEvent({}),
      status: selectStatus(values),
    },
    { retry: 'idempotent', shared: serviceContext(id, run.now, run.run_id) },
  )
  const [ended] = status
  if (ended === undefined) throw new Error('a bulk change has vanished')
  if (ended.dry_run === 0) noteEndpoints(db, ended.endpoints)
  return ended
}
