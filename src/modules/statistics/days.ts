import { and, eq, inArray, sql } from 'drizzle-orm'
import { idIn } from '../../db/ids.ts'
import { day_stats, store_stats } from '../../db/schema/jobs.ts'
import { events } from '../../db/schema/stores.ts'
import { columnsOf, orm, statement } from '../../db/statement.ts'
import { DAY_MS } from '../../limits.ts'
import { namesOf, ofEach } from '../../lib/names.ts'
import type { EventType } from '../../change/event-types.ts'
import { isCurrentPlan, isPlannedEvent, planList, planned, planParams } from './plan.ts'

const TYPES = {
  users_created: 'user.created',
  users_erased: 'user.erased',
  accesses_granted: 'product_access.granted',
  accesses_updated: 'product_access.updated',
  accesses_expired: 'product_access.expired',
} as const satisfies Record<string, EventType>

export const DAY_COUNTS = namesOf(TYPES)

/** An event counts on the day of its own time. */
export const addToDays = statement(planParams, () => {
  const day = idIn(planned('store'), sql`${events.created_at} / ${DAY_MS}`)
  return orm
    .insert(day_stats)
    .select(
      orm
        .select(
          columnsOf(day_stats, {
            id: day,
            ...ofEach(DAY_COUNTS, (name) => sql`count(*) filter (where ${eq(events.type, TYPES[name])})`),
          }),
        )
        .from(planList)
        .crossJoin(store_stats)
        .crossJoin(events)
        .where(and(isCurrentPlan(), isPlannedEvent(), inArray(events.type, Object.values(TYPES))))
        .groupBy(day),
    )
    .onConflictDoUpdate({
      target: day_stats.id,
      set: ofEach(DAY_COUNTS, (name) => sql`${day_stats[name]} + excluded.${sql.raw(name)}`),
    })
})
