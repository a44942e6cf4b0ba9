/**
 * The statistics of a store: totals in `store_stats` and `products`, and counts of days in `day_stats`. A request reads
 * what this job has written, so its cost does not grow with the store.
 *
 * The counts of days are brought forward from the events, because they outlive them. Once a store has no more of them, its
 * totals are counted anew from its rows, in chunks. One batch, which the database runs as one transaction, writes both and
 * moves the cursor past the events. If the job is killed or two runs overlap, the second batch finds the store as it did not
 * expect it (src/modules/statistics/plan.ts) and writes nothing for it.
 */
import { and, eq, gt, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { idIn, storeRowIdIn } from '../../db/ids.ts'
import { products } from '../../db/schema/accesses.ts'
import { store_stats } from '../../db/schema/jobs.ts'
import { columnsOf, orm, params, statement } from '../../db/statement.ts'
import { STATS } from './limits.ts'
import { ofEach } from '../../lib/names.ts'
import { workInRounds } from '../../jobs/rounds.ts'
import { addToDays } from './days.ts'
import { isCurrentPlan, planCounts, planList, planned, plannedId, planParams } from './plan.ts'
import { countRows } from './rows.ts'

interface Run {
  now: number
  /** Where an earlier run stopped: the number of the last store that it counted. */
  afterStore: number
}

interface Counted {
  events: number
  /** Where the next run continues; 0 if this run found nothing more to count. */
  afterStore: number
  /** The first error of a store that could not be counted. */
  error?: unknown
}

/** Each store with work gets its share before any store gets another one. */
export async function countStats(db: Db, { now, afterStore }: Run): Promise<Counted> {
  let events = 0
  const { last, error } = await workInRounds(afterStore, {
    failureCode: 'statistics_failed',
    limits: STATS,
    find: (after) => planCounts(db, { now, afterStore: after }),
    work: async (plans) => {
      const upToDate = plans.filter(({ isLast }) => isLast).map(({ store }) => store)
      const { totals, products: counted } = await countRows(db, upToDate, now)
      const values = {
        plans: JSON.stringify(plans.map((plan) => ({ ...plan, ...totals.get(plan.store) }))),
        products: JSON.stringify(counted),
      }
      const steps = {
        stores: insertStores(values),
        days: addToDays(values),
        products: updateProducts(values),
        cursors: moveCursors(values),
      }
      await batch(db, steps, { retry: 'idempotent', shared: { now } })
      for (const { cursor, until } of plans) events += until - cursor
    },
  })
  return { events, afterStore: last, error }
}

// Writes what was counted. The totals of a store whose plan has none keep their values.

const COUNTED = ['count_ms', 'users', 'accesses', 'in_force', 'ending'] as const

/** A store is counted from its first event on, in the first batch after its creation. */
const insertStores = statement(planParams, () => {
  return orm
    .insert(store_stats)
    .select(
      orm
        .select(
          columnsOf(store_stats, {
            id: storeRowIdIn(planned('store')),
            cursor: idIn(planned('store'), 0),
            counted_at: 0,
            ...ofEach(COUNTED, () => 0),
          }),
        )
        .from(planList)
        .where(sql`true`),
    )
    .onConflictDoNothing()
})

const productParams = { ...planParams, ...params('products') }

/** Products that have no access any more are not among those that were counted. */
const updateProducts = statement(productParams, () => {
  const { id, store, accesses, in_force } = products
  const value = (i: number) => sql`(counted.value ->> ${i})`
  const withAccesses = orm
    .select({ id, accesses: sql`0`.as('accesses'), in_force: sql`0`.as('in_force') })
    .from(planList)
    .crossJoin(products)
    .where(and(isNotNull(planned('count_at')), eq(store, planned('store')), gt(accesses, 0)))
  const totals: SQL = sql`(select id, sum(accesses) as accesses, sum(in_force) as in_force from (
    select ${idIn(value(0), value(1))} as id, ${value(2)} as accesses, ${value(3)} as in_force
      from json_each(${productParams.products}) counted
    union all select id, accesses, in_force from ${withAccesses}) group by id) totals`
  const current = orm
    .select({ id: store_stats.id })
    .from(planList)
    .crossJoin(store_stats)
    .where(and(eq(planned('store'), store), isCurrentPlan()))
  return orm
    .update(products)
    .set({ accesses: sql`totals.accesses`, in_force: sql`totals.in_force` })
    .from(totals)
    .where(
      and(
        eq(id, sql`totals.id`),
        or(ne(accesses, sql`totals.accesses`), ne(in_force, sql`totals.in_force`)),
        sql`exists ${current}`,
      ),
    )
})

/** Last, because the other statements write only for a store whose cursor is where the plan has found it. */
const moveCursors = statement(planParams, () => {
  return orm
    .update(store_stats)
    .set({
      cursor: plannedId('until'),
      counted_at: sql`coalesce(${planned('count_at')}, ${store_stats.counted_at})`,
      ...ofEach(COUNTED, (name) => sql`coalesce(${planned(name)}, ${store_stats[name]})`),
    })
    .from(planList)
    .where(isCurrentPlan())
})
