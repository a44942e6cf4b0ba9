/** Writes what was counted. The totals of a store whose plan has none keep their values. */
import { and, eq, gt, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { idIn, storeRowIdIn } from '../../db/ids.ts'
import { products, store_stats } from '../../db/schema.ts'
import { columnsOf, orm, params, statement } from '../../db/statement.ts'
import { ofEach } from '../../lib/names.ts'
import { isCurrentPlan, planList, planned, plannedId, planParams } from './plan.ts'

const COUNTED = ['count_ms', 'users', 'accesses', 'in_force', 'ending'] as const

/** A store is counted from its first event on, in the first batch after its creation. */
export const insertStores = statement(planParams, () => {
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
export const updateProducts = statement(productParams, () => {
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
export const moveCursors = statement(planParams, () => {
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
