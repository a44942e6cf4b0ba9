/**
 * An erasure deletes rows that the statistics have counted, so its batch subtracts them, before it deletes them. What has
 * not been counted yet will not be: the job counts rows, and they are gone.
 */
import { and, eq, sql } from 'drizzle-orm'
import { storeIn, storeRowIdIn } from '../../db/ids.ts'
import { events, product_accesses, products, store_stats } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { lazy } from '../../lazy.ts'
import { isEventOfThisAttempt } from '../change/attempts.ts'
import { COUNTED_AS } from './counted-as.ts'

/** The counted accesses of the user, and those of them that the running recount contains. */
const counted = lazy(() => {
  const { id, counted_as } = product_accesses
  const isRecounted = sql`${id} <= ${store_stats.recount_access}`
  return {
    accesses: sql<number>`count(${counted_as})`.as('erased_accesses'),
    in_force: sql<number>`count(*) filter (where ${counted_as} >= ${COUNTED_AS.inForce})`.as('erased_in_force'),
    ending: sql<number>`count(*) filter (where ${counted_as} >= ${COUNTED_AS.ending})`.as('erased_ending'),
    recount_accesses: sql<number>`count(*) filter (where ${counted_as} >= ${COUNTED_AS.access} and ${isRecounted})`.as(
      'erased_recount_accesses',
    ),
    recount_in_force: sql<number>`count(*) filter (where ${counted_as} >= ${COUNTED_AS.inForce} and ${isRecounted})`.as(
      'erased_recount_in_force',
    ),
    recount_ending: sql<number>`count(*) filter (where ${counted_as} >= ${COUNTED_AS.ending} and ${isRecounted})`.as(
      'erased_recount_ending',
    ),
  }
})

const isStatsOfEvent = () => eq(store_stats.id, storeRowIdIn(storeIn(events.id)))

export const subtractFromProducts = statement({}, () => {
  const { accesses, in_force, recount_accesses, recount_in_force } = counted()
  const erased = orm
    .select({
      product_id: sql<number>`${product_accesses.product_id}`.as('erased_product_id'),
      accesses,
      in_force,
      recount_accesses,
      recount_in_force,
    })
    .from(events)
    .innerJoin(product_accesses, eq(product_accesses.user_id, events.subject_id))
    .innerJoin(store_stats, isStatsOfEvent())
    .where(isEventOfThisAttempt)
    .groupBy(product_accesses.product_id)
    .as('erased')
  return orm
    .update(products)
    .set({
      accesses: sql`${products.accesses} - ${erased.accesses}`,
      in_force: sql`${products.in_force} - ${erased.in_force}`,
      recount_accesses: sql`${products.recount_accesses} - ${erased.recount_accesses}`,
      recount_in_force: sql`${products.recount_in_force} - ${erased.recount_in_force}`,
    })
    .from(erased)
    .where(and(eq(products.id, erased.product_id), sql`${erased.accesses} > 0`))
})

export const subtractFromTotals = statement({}, () => {
  const erased = orm
    .select({
      stats_id: sql<number>`${store_stats.id}`.as('erased_stats_id'),
      user_id: sql<number>`${events.subject_id}`.as('erased_user_id'),
      ...counted(),
    })
    .from(events)
    .innerJoin(store_stats, isStatsOfEvent())
    .leftJoin(product_accesses, eq(product_accesses.user_id, events.subject_id))
    .where(isEventOfThisAttempt)
    .groupBy(store_stats.id)
    .as('erased')
  const stats = store_stats
  return orm
    .update(store_stats)
    .set({
      users: sql`${stats.users} - (${erased.user_id} <= ${stats.cursor})`,
      accesses: sql`${stats.accesses} - ${erased.accesses}`,
      in_force: sql`${stats.in_force} - ${erased.in_force}`,
      ending: sql`${stats.ending} - ${erased.ending}`,
      recount_users: sql`${stats.recount_users} - ifnull(${erased.user_id} <= ${stats.recount_user}, 0)`,
      recount_accesses: sql`${stats.recount_accesses} - ${erased.recount_accesses}`,
      recount_in_force: sql`${stats.recount_in_force} - ${erased.recount_in_force}`,
      recount_ending: sql`${stats.recount_ending} - ${erased.recount_ending}`,
    })
    .from(erased)
    .where(eq(stats.id, erased.stats_id))
})
