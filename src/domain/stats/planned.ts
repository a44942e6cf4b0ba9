/** The plans of a batch (pending.ts) in SQL: they are bound as one JSON list. */
import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import { idIn, storeRowIdIn } from '../../db/ids.ts'
import { events, store_stats } from '../../db/schema.ts'
import { params } from '../../db/statement.ts'
import type { Plan } from './pending.ts'

export const planParams = params('plans')

/** A field of the plan of a store. */
export function planned(field: keyof Plan): SQL<number> {
  return sql<number>`(plan.value ->> ${field})`
}

export const planList = sql`json_each(${planParams.plans}) plan`

/** The id in the store of the plan whose number is this field. */
export function plannedId(field: keyof Plan): SQL<number> {
  return idIn(planned('store'), planned(field))
}

/** True if nobody has counted the store since the plan was made. */
export const isCurrentPlan = () =>
  and(eq(store_stats.id, storeRowIdIn(planned('store'))), eq(store_stats.version, planned('version')))

/** The events to count. */
export const isPlannedEvent = () => and(gt(events.id, plannedId('cursor')), lte(events.id, plannedId('until')))
