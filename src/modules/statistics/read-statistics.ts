/**
 * The statistics of a store as the job has counted them (src/modules/statistics/count-statistics.ts): at most 200 rows, whatever the size of
 * the store.
 */
import { and, asc, desc, eq, getTableColumns, gt, gte, isNotNull, lt, min, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, NO_NUMBER, numberIn, storeRowIdIn } from '../../db/ids.ts'
import { product_accesses, products } from '../../db/schema/accesses.ts'
import { day_stats, store_stats } from '../../db/schema/jobs.ts'
import { events } from '../../db/schema/stores.ts'
import { named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { DAY_MS } from '../../limits.ts'
import { STATS } from './limits.ts'
import { ofEach } from '../../lib/names.ts'
import { type RequestContext, storeNumber } from '../../change/request.ts'
import { readAll } from '../../change/commit.ts'
import { doneUntil } from '../../jobs/job-runs.ts'
import { DAY_COUNTS } from './days.ts'
import { hasNotExpired } from './plan.ts'

export type Stats = Awaited<ReturnType<typeof readStats>>

/** The totals, and the counts of the last days in UTC, today included. */
export async function readStats(db: Db, context: RequestContext, days: number) {
  const first = Math.floor(context.now / DAY_MS) - days + 1
  const { totals, ofProducts, counts } = await readAll(db, context, {
    totals: selectTotals({}),
    ofProducts: selectProducts({}),
    counts: selectDays({ first_day: first }),
  })
  const [total = NO_TOTALS] = totals
  const byDay = new Map(counts.map((row) => [row.day, row]))
  return {
    totals: total,
    products: ofProducts,
    days: Array.from({ length: days }, (_, i) => ({ ...NO_COUNTS, ...byDay.get(first + i), day: first + i })),
    as_of: asOf(total, context.now),
  }
}

const NO_TOTALS: RowOf<typeof selectTotals> = {
  users: 0,
  accesses: 0,
  in_force: 0,
  ending: 0,
  counted_at: 0,
  uncounted_since: null,
  ended_at: null,
  ending_since: null,
  done_until: null,
}

const NO_COUNTS = ofEach(DAY_COUNTS, () => 0)

/** The last run of the job has found the numbers true, unless something had changed by then: they were true until that. */
function asOf(totals: RowOf<typeof selectTotals>, now: number): number {
  const { counted_at, uncounted_since, ended_at, ending_since, done_until } = totals
  const found = Math.max(counted_at, done_until ?? now)
  // An access is in force up to its date, and ends in seven days from the millisecond on that is seven days before.
  const changes = [uncounted_since, ended_at, ending_since === null ? null : ending_since - 1]
  return Math.min(now, found, ...changes.filter((time) => time !== null))
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
  const firstEnd = (after: SQL | undefined) =>
    orm
      .select({ due: min(product_accesses.access_due_date) })
      .from(product_accesses)
      .where(and(eq(product_accesses.store, storeNumber), hasNotExpired(), after))
  const ended = firstEnd(gte(product_accesses.access_due_date, store_stats.counted_at))
  const ending = firstEnd(gt(product_accesses.access_due_date, sql`${store_stats.counted_at} + ${STATS.endingMs}`))
  return orm
    .select(
      named({
        users: sql<number>`coalesce(${store_stats.users}, 0)`,
        accesses: sql<number>`coalesce(${store_stats.accesses}, 0)`,
        in_force: sql<number>`coalesce(${store_stats.in_force}, 0)`,
        ending: sql<number>`coalesce(${store_stats.ending}, 0)`,
        counted_at: sql<number>`coalesce(${store_stats.counted_at}, 0)`,
        ended_at: sql<number | null>`${ended}`,
        ending_since: sql<number | null>`${ending} - ${STATS.endingMs}`,
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
