/** When a store with a database of its own has work to do next: its alarm is set to that time (store-object.ts). */
import { and, eq, gt, isNotNull, isNull, max, min, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { storeIn } from '../../db/ids.ts'
import {
  bulk_changes,
  events,
  product_accesses,
  store_stats,
  stores,
  webhook_deliveries,
  webhook_endpoints,
} from '../../db/schema.ts'
import { orm, type RowOf, statement } from '../../db/statement.ts'
import { DAY_MS, PLACES, STATS, WEBHOOK } from '../../limits.ts'
import { contextParams } from '../change/context.ts'
import { isNotified } from '../webhooks/endpoint-state.ts'

/** The time of the next run, between a second and an hour from now. */
export async function nextRunOf(db: Db, now: number): Promise<number> {
  const { rows } = await batch(db, { rows: selectNextWork({}) }, { retry: 'only reads', shared: { now } })
  const [work] = rows
  if (work === undefined) return now + PLACES.idleMs
  return Math.min(Math.max(dueAt(work, now), now + PLACES.minPauseMs), now + PLACES.idleMs)
}

function dueAt(work: RowOf<typeof selectNextWork>, now: number): number {
  const { is_open, ends_at, ending_at, notice_at, recount_at, wake_at, leased_until } = work
  const graceTimes = [wake_at, leased_until].map((time) => (time === null ? null : time + WEBHOOK.graceMs))
  const times = [ends_at, ending_at, notice_at, recount_at, ...graceTimes, is_open === 1 ? now + PLACES.soonMs : null]
  return Math.min(...times.filter((time) => time !== null))
}

/** The first end of an access after a time, by the indexes of those that have not been announced. */
function firstEnd(after: SQL, isUnannounced: SQL | undefined): SQL {
  const { store, status, access_due_date } = product_accesses
  const first = orm
    .select({ due: min(access_due_date) })
    .from(product_accesses)
    .where(and(eq(store, storeIn(stores.id)), eq(status, 'with_access'), gt(access_due_date, after), isUnannounced))
  return sql`${first}`
}

const selectNextWork = statement({}, () => {
  const { now } = contextParams
  const { probe_at, wake_at, disabled_at, cursor } = webhook_endpoints
  const { next_attempt_at, leased_until, endpoint_id } = webhook_deliveries
  const notice = sql`${stores.expiry_notice_days} * ${DAY_MS}`
  const hasNotExpired = isNull(product_accesses.expired_at)
  const newest = sql`${orm.select({ id: max(events.id) }).from(events)}`
  const unfinished = orm
    .select({ id: bulk_changes.id })
    .from(bulk_changes)
    .where(isNull(bulk_changes.finished_at))
    .limit(1)
  const behind = orm
    .select({ id: webhook_endpoints.id })
    .from(webhook_endpoints)
    .where(and(isNotified, sql`${cursor} < ${newest}`))
    .limit(1)
  const firstWake = orm
    .select({ at: sql`min(coalesce(${probe_at}, ${wake_at}))` })
    .from(webhook_endpoints)
    .where(isNull(disabled_at))
  const firstLease = orm
    .select({ at: min(leased_until) })
    .from(webhook_endpoints)
    .innerJoin(
      webhook_deliveries,
      and(eq(endpoint_id, webhook_endpoints.id), isNotNull(next_attempt_at), isNotNull(leased_until)),
    )
    .where(isNull(disabled_at))
  const isOpen = sql`coalesce(${store_stats.cursor}, 0) < ${newest} or ${store_stats.recount_user} is not null
    or exists ${unfinished} or exists ${behind}`
  return orm
    .select({
      is_open: sql<0 | 1>`(${isOpen})`.as('is_open'),
      ends_at: sql<number | null>`${firstEnd(now, hasNotExpired)}`.as('ends_at'),
      ending_at: sql<number | null>`${firstEnd(sql`${store_stats.ending_due}`, hasNotExpired)} - ${STATS.endingMs}`.as(
        'ending_at',
      ),
      notice_at: sql<
        number | null
      >`${firstEnd(sql`${now} + ${notice}`, isNull(product_accesses.notified_at))} - ${notice}`.as('notice_at'),
      recount_at: sql<number | null>`${store_stats.recounted_at} + ${STATS.recountEveryMs}`.as('recount_at'),
      wake_at: sql<number | null>`${firstWake}`.as('wake_at'),
      leased_until: sql<number | null>`${firstLease}`.as('leased_until'),
    })
    .from(stores)
    .leftJoin(store_stats, eq(store_stats.id, stores.id))
})
