/** Counts the accesses that may have changed: adds the difference to the totals, and marks them as counted. */
import { and, eq, gt, inArray, lte, ne, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { storeRowIdIn } from '../../db/ids.ts'
import { events, product_accesses, products, store_stats } from '../../db/schema.ts'
import { named, orm, statement } from '../../db/statement.ts'
import { lazy } from '../../lazy.ts'
import { STATS } from '../../limits.ts'
import { isNotOpen } from '../accesses/product-accesses.ts'
import type { EventType } from '../events/event-types.ts'
import { COUNTED_AS } from './counted-as.ts'
import { hasNotExpired } from './pending.ts'
import { isCurrentPlan, isPlannedEvent, planList, planned, plannedId, planParams } from './planned.ts'

/** How an access is counted at the time of the plan: `counted_as`. */
function countedAsNow(now: SQLWrapper): SQL<number> {
  const { status, access_due_date } = product_accesses
  return sql<number>`case when ${isNotOpen(status)} or ${access_due_date} < ${now} then ${COUNTED_AS.access}
    when ${access_due_date} <= ${now} + ${STATS.endingMs} then ${COUNTED_AS.ending} else ${COUNTED_AS.inForce} end`
}

/** The changes of the status or the date of an access. */
const COUNTED_CHANGES: EventType[] = ['product_access.granted', 'product_access.updated', 'product_access.expired']

/** The accesses that may be counted differently now, each with the plan of its store. */
const touched = lazy(() => {
  const plan = {
    store: planned('store').as('plan_store'),
    now: planned('now').as('plan_now'),
    recount_access: plannedId('recount_access').as('plan_recount_access'),
    recount_access_end: plannedId('recount_access_end').as('plan_recount_access_end'),
    ends_recount: planned('ends_recount').as('plan_ends_recount'),
  }
  const { id, store, access_due_date } = product_accesses
  const ofEvents = orm
    .select({ id: sql<number>`${events.subject_id}`.as('touched_id'), ...plan })
    .from(planList)
    .crossJoin(store_stats)
    .crossJoin(events)
    .where(and(isCurrentPlan(), isPlannedEvent(), inArray(events.type, COUNTED_CHANGES)))
  const accessesWhere = (condition: SQL | undefined) =>
    orm
      .select({ id: sql<number>`${id}`.as('touched_id'), ...plan })
      .from(planList)
      .crossJoin(store_stats)
      .crossJoin(product_accesses)
      .where(and(isCurrentPlan(), condition))
  // An access after the cursor is counted with its first event, or the end of a recount would not contain it.
  const isOpen = and(eq(store, planned('store')), hasNotExpired(), lte(id, plannedId('until')))
  const withSameDate = and(
    isOpen,
    eq(access_due_date, planned('ending_due')),
    gt(id, plannedId('ending_id')),
    lte(id, plannedId('ending_until_id')),
  )
  const later = and(
    isOpen,
    gt(access_due_date, planned('ending_due')),
    sql`(${access_due_date}, ${id}) <= (${planned('ending_until_due')}, ${plannedId('ending_until_id')})`,
  )
  const recounted = and(gt(id, plannedId('recount_access')), lte(id, plannedId('recount_access_end')))
  return ofEvents
    .union(accessesWhere(withSameDate))
    .union(accessesWhere(later))
    .union(accessesWhere(recounted))
    .as('touched')
})

/**
 * What each of them changes. `before` is null if it was not counted. The totals of a recount contain the accesses up to
 * `recount_access`: for these the difference is added, for those of the chunk all of it.
 */
const changes = lazy(() => {
  const plan = touched()
  const { id, product_id, counted_as } = product_accesses
  const isRecounted = or(lte(id, plan.recount_access), eq(plan.ends_recount, 1))
  return orm
    .select(
      named({
        id: sql<number>`${id}`.as('access_id'),
        product_id: sql<number>`${product_id}`.as('access_product_id'),
        store: sql<number>`${plan.store}`.as('access_store'),
        before: sql<number | null>`${counted_as}`.as('counted_before'),
        after: countedAsNow(plan.now).as('counted_after'),
        joins_recount: sql<0 | 1>`(${or(isRecounted, lte(id, plan.recount_access_end))})`,
        recounted_before: sql<number | null>`iif(${isRecounted}, ${counted_as}, null)`,
      }),
    )
    .from(plan)
    .crossJoin(product_accesses)
    .where(eq(id, plan.id))
    .as('changes')
})

/** The difference that all changes make to each total. */
const differences = lazy(() => {
  const change = changes()
  const isIn = (least: number, value: SQLWrapper) => sql`ifnull(${value} >= ${least}, 0)`
  const sum = (least: number) => sql<number>`sum(${isIn(least, change.after)} - ${isIn(least, change.before)})`
  const recountSum = (least: number) =>
    sql<number>`sum(${change.joins_recount} * (${isIn(least, change.after)} - ${isIn(least, change.recounted_before)}))`
  return {
    accesses: sum(COUNTED_AS.access).as('added_accesses'),
    in_force: sum(COUNTED_AS.inForce).as('added_in_force'),
    ending: sum(COUNTED_AS.ending).as('added_ending'),
    recount_accesses: recountSum(COUNTED_AS.access).as('added_recount_accesses'),
    recount_in_force: recountSum(COUNTED_AS.inForce).as('added_recount_in_force'),
    recount_ending: recountSum(COUNTED_AS.ending).as('added_recount_ending'),
  }
})

export const addToProducts = statement(planParams, () => {
  const change = changes()
  const { accesses, in_force, recount_accesses, recount_in_force } = differences()
  const added = orm
    .select({ product_id: change.product_id, accesses, in_force, recount_accesses, recount_in_force })
    .from(change)
    .groupBy(sql`${change.product_id}`)
    .as('added')
  const differs = or(
    ne(added.accesses, 0),
    ne(added.in_force, 0),
    ne(added.recount_accesses, 0),
    ne(added.recount_in_force, 0),
  )
  return orm
    .update(products)
    .set({
      accesses: sql`${products.accesses} + ${added.accesses}`,
      in_force: sql`${products.in_force} + ${added.in_force}`,
      recount_accesses: sql`${products.recount_accesses} + ${added.recount_accesses}`,
      recount_in_force: sql`${products.recount_in_force} + ${added.recount_in_force}`,
    })
    .from(added)
    .where(and(eq(products.id, added.product_id), differs))
})

export const addToTotals = statement(planParams, () => {
  const change = changes()
  const added = orm
    .select({ store: change.store, ...differences() })
    .from(change)
    .groupBy(sql`${change.store}`)
    .as('added')
  return orm
    .update(store_stats)
    .set({
      accesses: sql`${store_stats.accesses} + ${added.accesses}`,
      in_force: sql`${store_stats.in_force} + ${added.in_force}`,
      ending: sql`${store_stats.ending} + ${added.ending}`,
      recount_accesses: sql`${store_stats.recount_accesses} + ${added.recount_accesses}`,
      recount_in_force: sql`${store_stats.recount_in_force} + ${added.recount_in_force}`,
      recount_ending: sql`${store_stats.recount_ending} + ${added.recount_ending}`,
    })
    .from(added)
    .where(eq(store_stats.id, storeRowIdIn(added.store)))
})

export const markAccesses = statement(planParams, () => {
  const change = changes()
  return orm
    .update(product_accesses)
    .set({ counted_as: sql`${change.after}` })
    .from(change)
    .where(and(eq(product_accesses.id, change.id), sql`${change.before} is not ${change.after}`))
})
