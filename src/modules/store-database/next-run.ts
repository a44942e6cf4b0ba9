/**
 * When a store with a database of its own has work to do next: its alarm is set to that time
 * (src/modules/store-database/object.ts).
 */
import { and, eq, gt, gte, isNotNull, isNull, max, min, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { storeIn } from '../../db/ids.ts'
import { bulk_changes, product_accesses } from '../../db/schema/accesses.ts'
import { store_stats } from '../../db/schema/jobs.ts'
import { events, stores, webhook_endpoints } from '../../db/schema/stores.ts'
import { named, orm, type RowOf, statement } from '../../db/statement.ts'
import { DAY_MS } from '../../limits.ts'
import { OWN_STORE } from '../store-directory/limits.ts'
import { STATS } from '../statistics/limits.ts'
import { WEBHOOK } from '../webhooks/limits.ts'
import { isOpen } from '../accesses/access-record.ts'
import { contextParams } from '../../change/request.ts'
import { isWoken } from '../../change/commit.ts'

/**
 * Returns a time between a second and an hour from now. Work that is already due has failed or was cut short, and is tried
 * again soon: at once, it would run in a loop.
 */
export async function nextRunOf(db: Db, now: number): Promise<number> {
  const { rows } = await batch(db, { rows: selectNextWork({}) }, { retry: 'only reads', shared: { now } })
  const [work] = rows
  if (work === undefined) throw new Error('the object has no store')
  return Math.min(Math.max(dueAt(work, now), now + OWN_STORE.minPauseMs), now + OWN_STORE.idleMs)
}

function dueAt(work: RowOf<typeof selectNextWork>, now: number): number {
  const { is_open, ends_at, ending_at, notice_at, attempt_at } = work
  const overdueAt = attempt_at === null ? null : attempt_at + WEBHOOK.graceMs
  const soon = now + OWN_STORE.soonMs
  const times = [ends_at, ending_at, notice_at, overdueAt, is_open === 1 ? soon : null]
  return Math.min(...times.filter((time) => time !== null).map((time) => (time < now ? soon : time)))
}

/** The first end of an access, by the indexes of those that have not been announced. */
function firstEnd(isDue: SQL, isUnannounced: SQL): SQL {
  const { store, status, access_due_date } = product_accesses
  const first = orm
    .select({ due: min(access_due_date) })
    .from(product_accesses)
    .where(and(eq(store, storeIn(stores.id)), isOpen(status), isDue, isUnannounced))
  return sql`${first}`
}

const selectNextWork = statement({}, () => {
  const { now } = contextParams
  const { disabled_at, cursor, next_attempt_at } = webhook_endpoints
  const { access_due_date, expired_at, notified_at } = product_accesses
  const hasNotExpired = isNull(expired_at)
  const newest = sql`${orm.select({ id: max(events.id) }).from(events)}`
  const unfinished = orm
    .select({ id: bulk_changes.id })
    .from(bulk_changes)
    .where(isNull(bulk_changes.finished_at))
    .limit(1)
  const behind = orm
    .select({ id: webhook_endpoints.id })
    .from(webhook_endpoints)
    .where(and(isWoken, sql`${cursor} < ${newest}`))
    .limit(1)
  const firstAttempt = orm
    .select({ at: min(next_attempt_at) })
    .from(webhook_endpoints)
    .where(isNull(disabled_at))
  const hasUnfinishedWork = sql`coalesce(${store_stats.cursor}, 0) < ${newest}
    or exists ${unfinished} or exists ${behind}`
  return orm
    .select(
      named({
        is_open: sql<0 | 1>`(${hasUnfinishedWork})`,
        ends_at: sql<number | null>`${firstEnd(isNotNull(access_due_date), hasNotExpired)}`,
        ending_at: sql<
          number | null
        >`${firstEnd(gt(access_due_date, sql`${store_stats.counted_at} + ${STATS.endingMs}`), hasNotExpired)} - ${STATS.endingMs}`,
        // Without a notice, nothing is announced in advance.
        notice_at: sql<number | null>`${firstEnd(gte(access_due_date, now), isNull(notified_at))}
        - nullif(${stores.expiry_notice_days}, 0) * ${DAY_MS}`,
        attempt_at: sql<number | null>`${firstAttempt}`,
      }),
    )
    .from(stores)
    .leftJoin(store_stats, eq(store_stats.id, stores.id))
})
