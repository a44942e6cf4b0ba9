import { and, asc, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore, storeIn } from '../../db/ids.ts'
import { events, stores } from '../../db/schema.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { DAY_MS } from '../../limits.ts'
import { deleteInChunks } from '../purge.ts'

/**
 * Deletes the events of stores and operators that are older than so many days. The newest event of a store is never
 * deleted: otherwise an id could be used twice. The oldest event that is kept shows which cursors have expired.
 */
export function purgeEvents(db: Db, { days, now }: { days: number; now: number }): Promise<number> {
  return deleteInChunks(db, (limit) => deleteOldEvents({ cutoff: now - days * DAY_MS, chunk: limit }))
}

const purgeParams = params('cutoff', 'chunk')

/** The number of each store, and 0 for the operators. */
const eachStore = sql`(select 0 as number union all select ${storeIn(stores.id)} from ${stores}) each_store`
const storeOfEach = sql<number>`each_store.number`

/**
 * A chunk of a store ends at the first event that is young enough, or after as many ids as the chunk has. So it reads as
 * many rows as it deletes, and a few per store. Each range has one bound on either side: given two lower ones, SQLite
 * would use the wider.
 */
const deleteOldEvents = statement(purgeParams, () => {
  const oldest = alias(events, 'oldest')
  const kept = alias(events, 'kept')
  const newest = alias(events, 'newest')
  const old = alias(events, 'old')

  const oldestId = orm
    .select({ id: sql`min(${oldest.id})` })
    .from(oldest)
    .where(isOfStore(oldest.id, storeOfEach))
  const isEndOfChunk = or(
    gte(kept.created_at, purgeParams.cutoff),
    gte(kept.id, sql`${oldestId} + ${purgeParams.chunk}`),
  )
  const endOfChunk = orm
    .select({ id: kept.id })
    .from(kept)
    .where(and(isOfStore(kept.id, storeOfEach), isEndOfChunk))
    .orderBy(asc(kept.id))
    .limit(1)
  const newestId = orm
    .select({ id: sql`max(${newest.id})` })
    .from(newest)
    .where(isOfStore(newest.id, storeOfEach))
  const end: SQL = sql`coalesce(${endOfChunk}, ${newestId})`

  const chunk = orm
    .select({ id: old.id })
    .from(eachStore)
    .crossJoin(old)
    .where(and(gt(old.id, idIn(storeOfEach, 0)), lt(old.id, end)))
    .limit(limitOf(purgeParams.chunk))
  return orm.delete(events).where(inArray(events.id, chunk)).returning({ id: events.id })
})
