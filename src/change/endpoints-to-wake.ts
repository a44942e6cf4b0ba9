/**
 * The webhook endpoints that a change of their store wakes. Whoever has made the change wakes them
 * (src/modules/webhooks/wake-endpoints.ts).
 */
import { and, eq, isNull, sql, type SQLWrapper } from 'drizzle-orm'
import { isOfStore } from '../db/ids.ts'
import { webhook_endpoints } from '../db/schema.ts'
import { orm } from '../db/statement.ts'

/** True for an endpoint that each change wakes. One that is down is woken by its own alarm only. */
export const isWoken = and(isNull(webhook_endpoints.disabled_at), eq(webhook_endpoints.is_down, sql`0`))

/** Selects the ids of these endpoints as a JSON list. */
export function selectEndpointsToWake(store: SQLWrapper) {
  return orm
    .select({ ids: sql<string>`json_group_array(${webhook_endpoints.id})` })
    .from(webhook_endpoints)
    .where(and(isOfStore(webhook_endpoints.id, store), isWoken))
}

/** The ids in such a list. */
export function idsIn(list: string): number[] {
  return JSON.parse(list)
}
