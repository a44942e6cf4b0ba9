/** The statistics of a store as the job has counted them (count.ts): at most 200 rows, whatever the size of the store. */
import { and, asc, desc, eq, getTableColumns, gt, gte, isNotNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, NO_NUMBER, numberIn, storeRowIdIn } from '../../db/ids.ts'
import { day_stats, events, products, store_stats } from '../../db/schema.ts'
import { named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { DAY_MS, STATS } from '../../limits.ts'
import { storeNumber } from '../change/authorize.ts'
import { type RequestContext } from '../change/context.ts'
import { readAll } from '../change/read.ts'
import { doneUntil } from '../job-runs.ts'

export type Stats = Awaited<ReturnType<typeof readStats>>

/** The totals, and the counts of the last days in UTC, today included. Throws the errors of the authorization. */
export async function readStats(db: Db, context: RequestContext, days: number) {
  const first = Math.floor(context.now / DAY_MS) - days + 1
  const { totals, products, counts } = await readAll(db, context, {
    totals: selectTotals({}),
    products: selectProducts({}),
    counts: selectDays({ first_day: first }),
  })
  const [total = NO_TOTALS] = totals
  const byDay = new Map(counts.map((row) => [row.day, row]))
  return {
    totals: total,
    products,
    days: Array.from({ length: days }, (_, i) => ({ ...NO_COUNTS, ...byDay.get(first + i), day: first + i })),
    as_of: asOf(total, context.now),
  }
}

const NO_TOTALS: RowOf<typeof selectTotals> = {
  users: 0,
  accesses: 0,
  in_force: 0,
  ending: 0,
  uncounted_since: null,
  done_until: null,
}

const NO_COUNTS = {
  users_created: 0,
  users_erased: 0,
  accesses_granted: 0,
  accesses_updated: 0,
  accesses_expired: 0,
}

/** Everything that the job has done is counted, or up to the first event that is not. */
function asOf({ uncounted_since, done_until }: RowOf<typeof selectTotals>, now: number): number {
  return Math.min(now, done_until ?? now, uncounted_since ?? now)
}

const selectTotals = statement({}, () => {
  const uncounted = orm
    .select({ created_at: events.created_at })
    .from(events)
    .where(
      and(
        gt(events.id, sql`coalesce(${store_stats.cursor}, ${idIn(storeNumber, 0)})`),
        lt(events.id, idIn(storeNumber, NO_NUMBER)),
      ),
    )
    .orderBy(asc(events.id))
    .limit(1)
  return orm
    .select(
      named({
        users: sql<number>`coalesce(${store_stats.users}, 0)`,
        accesses: sql<number>`coalesce(${store_stats.accesses}, 0)`,
        in_force: sql<number>`coalesce(${store_stats.in_force}, 0)`,
        ending: sql<number>`coalesce(${store_stats.ending}, 0)`,
        uncounted_since: sql<number | null>`${uncounted}`,
        done_until: doneUntil(),
      }),
    )
    .from(sql`(select ${storeRowIdIn(storeNumber)} as id) store`)
    .leftJoin(store_stats, eq(store_stats.id, sql`store.id`))
    .where(isNotNull(sql`store.id`))
})

/**
 * The index holds the products with accesses. The others follow, by their ids: if there are fewer than 20 with accesses,
 * all that are needed are among the first 39 of the store.
 */
const selectProducts = statement({}, () => {
  const { id, name, accesses, in_force } = products
  const columns = { id, name, accesses, in_force }
  const most = orm
    .select(columns)
    .from(products)
    .where(and(eq(products.store, storeNumber), gt(accesses, 0)))
    .orderBy(desc(accesses), asc(id))
    .limit(STATS.products)
    .as('most')
  const first = orm
    .select(columns)
    .from(products)
    .where(and(gt(id, idIn(storeNumber, 0)), lt(id, idIn(storeNumber, NO_NUMBER))))
    .orderBy(asc(id))
    .limit(2 * STATS.products - 1)
    .as('first')
  const listed = orm
    .select()
    .from(most)
    .unionAll(orm.select().from(first).where(eq(first.accesses, 0)))
    .as('listed')
  return orm.select().from(listed).orderBy(desc(listed.accesses), asc(listed.id)).limit(STATS.products)
})

const dayParams = params('first_day')

const selectDays = statement(dayParams, () => {
  const { id, ...counts } = getTableColumns(day_stats)
  return orm
    .select({ day: numberIn(id).as('day'), ...counts })
    .from(day_stats)
    .where(and(gte(id, idIn(storeNumber, dayParams.first_day)), lt(id, idIn(storeNumber, NO_NUMBER))))
    .orderBy(asc(id))
    .limit(STATS.maxDays)
})
