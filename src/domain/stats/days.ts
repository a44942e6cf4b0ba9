import { and, eq, inArray, sql, type SQLWrapper } from 'drizzle-orm'
import { idIn } from '../../db/ids.ts'
import { day_stats, events, store_stats } from '../../db/schema.ts'
import { columnsOf, orm, statement } from '../../db/statement.ts'
import { DAY_MS } from '../../limits.ts'
import type { EventType } from '../events/event-types.ts'
import { isCurrentPlan, isPlannedEvent, planList, planned, planParams } from './plan.ts'

const DAY_COUNTS = {
  users_created: 'user.created',
  users_erased: 'user.erased',
  accesses_granted: 'product_access.granted',
  accesses_updated: 'product_access.updated',
  accesses_expired: 'product_access.expired',
} as const satisfies Record<string, EventType>

/** An event counts on the day of its own time. */
export const addToDays = statement(planParams, () => {
  const count = (type: EventType) => sql<number>`count(*) filter (where ${eq(events.type, type)})`
  const day = idIn(planned('store'), sql`${events.created_at} / ${DAY_MS}`)
  const added = (column: SQLWrapper, name: string) => sql`${column} + excluded.${sql.raw(name)}`
  return orm
    .insert(day_stats)
    .select(
      orm
        .select(
          columnsOf(day_stats, {
            id: day,
            users_created: count(DAY_COUNTS.users_created),
            users_erased: count(DAY_COUNTS.users_erased),
            accesses_granted: count(DAY_COUNTS.accesses_granted),
            accesses_updated: count(DAY_COUNTS.accesses_updated),
            accesses_expired: count(DAY_COUNTS.accesses_expired),
          }),
        )
        .from(planList)
        .crossJoin(store_stats)
        .crossJoin(events)
        .where(and(isCurrentPlan(), isPlannedEvent(), inArray(events.type, Object.values(DAY_COUNTS))))
        .groupBy(day),
    )
    .onConflictDoUpdate({
      target: day_stats.id,
      set: {
        users_created: added(day_stats.users_created, 'users_created'),
        users_erased: added(day_stats.users_erased, 'users_erased'),
        accesses_granted: added(day_stats.accesses_granted, 'accesses_granted'),
        accesses_updated: added(day_stats.accesses_updated, 'accesses_updated'),
        accesses_expired: added(day_stats.accesses_expired, 'accesses_expired'),
      },
    })
})
