import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Params, statement } from '../../db/statement.ts'
import { idIn, isOfStore } from '../../db/ids.ts'
import { events, stores } from '../../db/schema.ts'
import { DAY_MS } from '../../limits.ts'
import { deleteInChunks } from '../purge.ts'

/**
 * Deletes the events that are older than so many days, of each store and of the operators, but never the newest of a
 * store: no number is given twice, and the oldest that is kept tells which cursors are out of date.
 */
export function purgeEvents(db: Db, { days, now }: { days: number; now: number }): Promise<number> {
  return deleteInChunks(db, (limit) => deleteOld({ cutoff: now - days * DAY_MS, limit }))
}

/**
 * What is left of a store is the end of its history: a chunk ends at the first young event, or after as many ids, so
 * that it reads as many rows as it deletes and a few per store: one bound on either side, or SQLite takes the wider one.
 */
const deleteOld = statement((p: Params<{ cutoff: number; limit: number }>, orm) => {
  const inStore = (id: SQL) => isOfStore(id, sql`s.number`)
  const oldest = sql`(select min(o.id) from ${events} o where ${inStore(sql`o.id`)})`
  const end = sql`coalesce((select y.id from ${events} y where ${inStore(sql`y.id`)}
      and (y.created_at >= ${p.cutoff} or y.id >= ${oldest} + ${p.limit}) order by y.id limit 1),
    (select max(n.id) from ${events} n where ${inStore(sql`n.id`)}))`
  return orm
    .delete(events)
    .where(
      sql`${events.id} in (select e.id from (select 0 as number union all select id >> 32 from ${stores}) s
        cross join ${events} e where e.id > ${idIn(sql`s.number`, sql`0`)} and e.id < ${end} limit ${p.limit})`,
    )
    .returning({ id: events.id })
})
