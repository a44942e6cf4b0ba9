/**
 * What the every-minute job ends: bulk changes whose token or store may change nothing more, and those that have failed. Others
 * have stopped because nobody has woken the object of their store, and it finds those stores.
 */
import { and, asc, eq, exists, gt, isNotNull, isNull, lt, lte, max, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { isOfStore, storeIn, storeOf, storeRowIdIn } from '../../db/ids.ts'
import { access_tokens, stores } from '../../db/schema/stores.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { named, orm, params, statement, type Step } from '../../db/statement.ts'
import { BULK } from './limits.ts'
import { contextParams, serviceContext } from '../../change/request.ts'
import { idsIn } from '../../change/commit.ts'
import { firstInLine } from './read-bulk-changes.ts'
import { insertEndEvent, setLastEvent } from './end-events.ts'
import { idParams, requireStatus, type Run, selectStatus } from './runnable.ts'

interface Ended {
  count: number
  /** The stores of all that were found: they may have others to go on with. */
  stores: number[]
  /** The webhook endpoints to wake. */
  endpoints: number[]
  /** The first error of one that could not be ended. */
  error?: unknown
}

/** Ends each that was found by its statement; one without a statement goes on. */
async function endEach(db: Db, run: Run, found: { id: number; end: Step<unknown> | undefined }[]): Promise<Ended> {
  const ended: Ended = { count: 0, stores: [...new Set(found.map(({ id }) => storeOf(id)))], endpoints: [] }
  for (const { id, end } of found) {
    if (end === undefined) continue
    const values = { bulk_change_id: id }
    const steps = { end, event: insertEndEvent(values), last_event: setLastEvent({}), status: selectStatus(values) }
    try {
      const { status } = await batch(db, steps, {
        retry: 'idempotent',
        shared: serviceContext(id, run.now, run.run_id),
      })
      ended.endpoints.push(...idsIn(requireStatus(status).endpoints))
      ended.count++
    } catch (failure) {
      ended.error ??= failure
    }
  }
  return ended
}

/** Operators are kept under the store number 0. In a store with a database of its own, a suspension is in its row there. */
function isOrphaned() {
  const { actor_id, store } = bulk_changes
  const revoked = orm
    .select({ id: access_tokens.id })
    .from(access_tokens)
    .where(and(eq(access_tokens.id, actor_id), isNotNull(access_tokens.revoked_at)))
  const suspended = orm
    .select({ id: stores.id })
    .from(stores)
    .where(and(eq(stores.id, storeRowIdIn(store)), isNotNull(stores.suspended_at)))
  return and(isNull(bulk_changes.finished_at), gt(storeIn(actor_id), sql`0`), or(exists(revoked), exists(suspended)))
}

/** Does nothing to a bulk change that has ended, or whose token may still change accesses. */
export const cancelOrphaned = statement(idParams, () =>
  orm
    .update(bulk_changes)
    .set({ state: 'canceled', finished_at: contextParams.now })
    .where(and(eq(bulk_changes.id, idParams.bulk_change_id), isOrphaned())),
)

const selectOrphaned = statement({}, () =>
  orm
    .select(named({ id: sql<number>`${bulk_changes.id}` }))
    .from(bulk_changes)
    .where(isOrphaned())
    .orderBy(asc(bulk_changes.store))
    .limit(BULK.restarts),
)

/**
 * A token that is revoked, or whose store is suspended, must change nothing more: what it has created and has not ended is
 * canceled. A chunk begins with this, and the job does it for the bulk changes that wait. A token that expires ends nothing,
 * and what an operator has created goes on.
 */
export async function cancelAllOrphaned(db: Db, run: Run): Promise<Ended> {
  const shared = { now: run.now }
  const { orphaned } = await batch(db, { orphaned: selectOrphaned({}) }, { retry: 'only reads', shared })
  return endEach(
    db,
    run,
    orphaned.map(({ id }) => ({ id, end: cancelOrphaned({ bulk_change_id: id }) })),
  )
}

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

/** Does nothing if it has made progress in the meantime. */
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

/** Ends the bulk changes that have made no progress for an hour, and finds the stores of all that have stopped. */
export async function endFailed(db: Db, run: Run): Promise<Ended> {
  const { stopped } = await batch(db, { stopped: selectStopped({}) }, { retry: 'only reads', shared: { now: run.now } })
  const found = stopped.map(({ id, progressed_at, has_failed }) => {
    const values = { bulk_change_id: id, seen_progress_at: progressed_at }
    return { id, end: has_failed === 1 ? failBulkChange(values) : undefined }
  })
  return endEach(db, run, found)
}
