/** What is written once per store and batch: its first row, the end of a recount, and how far the job has come. */
import { and, between, eq, gt, isNull, lte, ne, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { idIn, NO_NUMBER, storeRowIdIn } from '../../db/ids.ts'
import { products, store_stats, users } from '../../db/schema.ts'
import { columnsOf, orm, statement } from '../../db/statement.ts'
import { STATS } from '../../limits.ts'
import { isCurrentPlan, planList, planned, plannedId, planParams } from './planned.ts'

/** A store is counted from its first event on, in the first batch after its creation. */
export const insertStores = statement(planParams, () => {
  const zero = { users: 0, accesses: 0, in_force: 0, ending: 0 }
  const noRecount = { recount_users: 0, recount_accesses: 0, recount_in_force: 0, recount_ending: 0 }
  return orm
    .insert(store_stats)
    .select(
      orm
        .select(
          columnsOf(store_stats, {
            id: storeRowIdIn(planned('store')),
            version: 0,
            cursor: idIn(planned('store'), 0),
            counted_at: planned('now'),
            ...zero,
            ending_due: planned('ending_due'),
            ending_id: plannedId('ending_id'),
            recounted_at: planned('now'),
            recount_user: null,
            recount_access: null,
            ...noRecount,
          }),
        )
        .from(planList)
        .where(sql`true`),
    )
    .onConflictDoNothing()
})

/** The products of a recount that has reached its end. */
export const replaceProducts = statement(planParams, () => {
  const ended = orm
    .select({ store: planned('store').as('ended_store') })
    .from(planList)
    .crossJoin(store_stats)
    .where(and(isCurrentPlan(), eq(planned('ends_recount'), 1)))
    .as('ended')
  const { accesses, in_force, recount_accesses, recount_in_force } = products
  return orm
    .update(products)
    .set({
      accesses: sql`${recount_accesses}`,
      in_force: sql`${recount_in_force}`,
      recount_accesses: sql`0`,
      recount_in_force: sql`0`,
    })
    .from(ended)
    .where(
      and(
        between(products.id, idIn(ended.store, 0), idIn(ended.store, NO_NUMBER)),
        or(ne(accesses, recount_accesses), ne(in_force, recount_in_force), ne(recount_accesses, 0)),
      ),
    )
})

/** Counts the new users and moves everything that says how far the job has come. Starts a recount when one is due. */
export const moveCursor = statement(planParams, () => {
  const countUsers = (after: SQL, until: SQL) =>
    sql`(select count(*) from ${users} where ${and(gt(users.id, after), lte(users.id, until))})`
  const newUsers = countUsers(plannedId('cursor'), plannedId('until'))
  const recountedUsers = countUsers(plannedId('recount_user'), plannedId('recount_user_end'))
  const ends = eq(planned('ends_recount'), 1)
  const isDue = lte(store_stats.recounted_at, sql`${planned('now')} - ${STATS.recountEveryMs}`)
  const replaced = (total: SQLWrapper, recounted: SQLWrapper) => sql`iif(${ends}, ${recounted}, ${total})`
  const added = (recounted: SQLWrapper) => sql`iif(${ends}, 0, ${recounted})`
  const position = (reached: SQLWrapper, end: SQL) =>
    sql`case when ${ends} then null when ${isNull(reached)} then iif(${isDue}, ${idIn(planned('store'), 0)}, null) else ${end} end`
  const stats = store_stats
  return orm
    .update(store_stats)
    .set({
      version: sql`${stats.version} + 1`,
      cursor: plannedId('until'),
      counted_at: planned('now'),
      users: sql`${replaced(stats.users, stats.recount_users)} + ${newUsers}`,
      accesses: replaced(stats.accesses, stats.recount_accesses),
      in_force: replaced(stats.in_force, stats.recount_in_force),
      ending: replaced(stats.ending, stats.recount_ending),
      ending_due: planned('ending_until_due'),
      ending_id: plannedId('ending_until_id'),
      recounted_at: sql`iif(${ends}, ${planned('now')}, ${stats.recounted_at})`,
      recount_user: position(stats.recount_user, plannedId('recount_user_end')),
      recount_access: position(stats.recount_access, plannedId('recount_access_end')),
      recount_users: added(sql`${stats.recount_users} + ${recountedUsers}`),
      recount_accesses: added(stats.recount_accesses),
      recount_in_force: added(stats.recount_in_force),
      recount_ending: added(stats.recount_ending),
    })
    .from(planList)
    .where(isCurrentPlan())
})
