/**
 * A token that is revoked, or whose store is suspended, must change nothing more: what it has created and has not ended
 * is canceled. A chunk begins with this, and the every-minute job does it for the bulk changes that wait. A token that expires
 * ends nothing, and what an operator has created goes on.
 */
import { and, asc, eq, exists, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { storeIn, storeOf, storeRowIdIn } from '../../db/ids.ts'
import { bulk_changes } from '../../db/schema/accesses.ts'
import { access_tokens, stores } from '../../db/schema/stores.ts'
import { named, orm, statement } from '../../db/statement.ts'
import { BULK } from './limits.ts'
import { idsIn } from '../../change/commit.ts'
import { contextParams, serviceContext } from '../../change/request.ts'
import { insertEndEvent, setLastEvent } from './end-events.ts'
import { type BulkChangeStatus, idParams, type Run, selectStatus } from './runnable.ts'

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

interface Orphaned {
  canceled: number
  /** Their stores, which may have others to go on with. */
  stores: number[]
  /** The webhook endpoints to wake. */
  endpoints: number[]
  /** The first error of one that could not be canceled. */
  error?: unknown
}

export async function cancelAllOrphaned(db: Db, run: Run): Promise<Orphaned> {
  const { orphaned } = await batch(
    db,
    { orphaned: selectOrphaned({}) },
    { retry: 'only reads', shared: { now: run.now } },
  )
  const endpoints: number[] = []
  let [canceled, error]: [number, unknown] = [0, undefined]
  for (const { id } of orphaned) {
    try {
      const ended = await cancel(db, id, run)
      canceled++
      endpoints.push(...idsIn(ended.endpoints))
    } catch (failure) {
      error ??= failure
    }
  }
  return { canceled, stores: [...new Set(orphaned.map(({ id }) => storeOf(id)))], endpoints, error }
}

async function cancel(db: Db, id: number, run: Run): Promise<BulkChangeStatus> {
  const values = { bulk_change_id: id }
  const { status } = await batch(
    db,
    {
      canceled: cancelOrphaned(values),
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
