/**
 * Deletes the events of stores and operators that are older than so many days. The newest event of a store is never
 * deleted: otherwise an id could be used twice. The oldest event that is kept shows which cursors have expired.
 */
import { and, asc, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { batch } from '../../db/batch.ts'
import { idIn, isOfStore, storeIn } from '../../db/ids.ts'
import { events, stores } from '../../db/schema/stores.ts'
import { orm, params, type RowOf, statement } from '../../db/statement.ts'
import { DAY_MS } from '../../limits.ts'
import { BACKLOG_LIMIT, PURGE } from '../../jobs/limits.ts'
import { positionOf } from '../../jobs/job-runs.ts'
import type { Purge, PurgeTime } from '../../jobs/purge-in-turns.ts'

const PURGE_NAME = 'events'

export const purgeParams = params('cutoff')

/** Events before this time are deleted. Without a number of days, none is. */
export function cutoffOf({ now, retentionDays }: PurgeTime): number {
  return retentionDays === undefined ? 0 : now - retentionDays * DAY_MS
}

/** The number of each store from this one on, and 0 for the operators. */
function storesFrom(first: SQL) {
  const number = sql<number>`each_store.number`
  const each = sql`(select 0 as number where ${first} = 0
    union all select ${storeIn(stores.id)} from ${stores} where ${gt(stores.id, idIn(first, 0))}) each_store`
  return { each, number }
}

/**
 * The old events of these stores, in the order of their ids, up to a number. The chunk of a store ends at the first event
 * that is young enough, or after as many ids as the chunk has. So it reads as many rows as it deletes, and a few per
 * store. Each range has one bound on either side: given two lower ones, SQLite would use the wider.
 */
function oldEvents(firstStore: SQL, count: number) {
  const oldest = alias(events, 'oldest')
  const kept = alias(events, 'kept')
  const newest = alias(events, 'newest')
  const old = alias(events, 'old')
  const { each, number } = storesFrom(firstStore)

  const oldestId = orm
    .select({ id: sql`min(${oldest.id})` })
    .from(oldest)
    .where(isOfStore(oldest.id, number))
  const isEndOfChunk = or(gte(kept.created_at, purgeParams.cutoff), gte(kept.id, sql`${oldestId} + ${count}`))
  const endOfChunk = orm
    .select({ id: kept.id })
    .from(kept)
    .where(and(isOfStore(kept.id, number), isEndOfChunk))
    .orderBy(asc(kept.id))
    .limit(1)
  const newestId = orm
    .select({ id: sql`max(${newest.id})` })
    .from(newest)
    .where(isOfStore(newest.id, number))
  const end: SQL = sql`coalesce(${endOfChunk}, ${newestId})`
  return orm
    .select({ id: old.id })
    .from(each)
    .crossJoin(old)
    .where(and(gt(old.id, idIn(number, 0)), lt(old.id, end)))
    .limit(count)
}

const chunkParams = { ...purgeParams, ...params('first_store') }

const deleteOld = statement(chunkParams, () =>
  orm
    .delete(events)
    .where(inArray(events.id, oldEvents(chunkParams.first_store, PURGE.chunk)))
    .returning({ store: storeIn(events.id).as('store') }),
)

export const eventPurge: Purge = {
  name: PURGE_NAME,
  statements: 1,
  async deleteChunk(db, after, time) {
    const step = deleteOld({ cutoff: cutoffOf(time), first_store: after ?? 0 })
    const { deleted } = await batch(db, { deleted: step })
    return { deleted: deleted.length, next: deleted.length < PURGE.chunk ? null : lastStoreOf(deleted) }
  },
  backlog() {
    const old = oldEvents(sql`coalesce(${positionOf('hourly', PURGE_NAME)}, 0)`, BACKLOG_LIMIT).as('old_events')
    return sql<number>`${orm.select({ count: sql`count(*)` }).from(old)}`
  },
}

/** The store in which the chunk ended: it may have more old events. */
function lastStoreOf(deleted: RowOf<typeof deleteOld>[]): number {
  return deleted.reduce((last, { store }) => Math.max(last, store), 0)
}
