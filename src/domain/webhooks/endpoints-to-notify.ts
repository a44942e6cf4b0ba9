/** The webhook endpoints of a store that are sent a wake-up when there are new events. */
import { and, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { isOfStore } from '../../db/ids.ts'
import { webhook_endpoints } from '../../db/schema.ts'
import { orm } from '../../db/statement.ts'
import { isNotified } from './endpoint-state.ts'

/** Selects their ids as a JSON list. */
export function endpointsToNotify(store: SQLWrapper) {
  return orm
    .select({ ids: sql<string>`json_group_array(${webhook_endpoints.id})` })
    .from(webhook_endpoints)
    .where(and(isOfStore(webhook_endpoints.id, store), isNotified))
}

/** Notes the ids of such a list. The wake-ups are sent after the response, or by the job. */
export function noteEndpoints(db: Db, ids: string): void {
  for (const id of JSON.parse(ids)) db.endpointsToNotify.add(id)
}
