/** Deletes the deliveries of endpoints and events that no longer exist. */
import { and, eq, gt, gte, lt, min, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { batch } from '../../db/batch.ts'
import { isOfStore, storeIn } from '../../db/ids.ts'
import { events, webhook_deliveries, webhook_endpoints } from '../../db/schema.ts'
import { orm, params, type RowOf, statement } from '../../db/statement.ts'
import { BACKLOG_LIMIT, PURGE } from '../../limits.ts'
import { EVENT_PURGE_NAME } from '../events/purge.ts'
import { positionOf } from '../job-runs.ts'
import type { Purge } from '../purge.ts'

const PURGE_NAME = 'deliveries'

/**
 * The deliveries to delete, from this endpoint on. Each step of the recursion finds the next endpoint that has deliveries
 * in the primary key and reads one row, so this reads what it finds and little more.
 */
function orphansFrom(firstEndpoint: SQL, count: number) {
  const { endpoint_id } = webhook_deliveries
  const known = { id: sql`known.id` }
  const first = orm
    .select({ id: min(endpoint_id) })
    .from(webhook_deliveries)
    .where(gte(endpoint_id, firstEndpoint))
  const following = orm
    .select({ id: min(endpoint_id) })
    .from(webhook_deliveries)
    .where(gt(endpoint_id, known.id))
  const endpoints = sql`(with recursive known(id) as (select ${first} union all
    select ${following} from known where ${known.id} is not null) select ${known.id} from known) known`
  const orphan = alias(webhook_deliveries, 'orphan')
  const oldestEvent = orm
    .select({ id: min(events.id) })
    .from(events)
    .where(isOfStore(events.id, storeIn(webhook_endpoints.id)))
  // The deliveries of an endpoint before this event are deleted: all of them if the endpoint no longer exists.
  const end = sql`iif(${webhook_endpoints.id} is null, ${Number.MAX_SAFE_INTEGER}, ${oldestEvent})`
  return (
    orm
      .select({ endpoint_id: orphan.endpoint_id, event_id: orphan.event_id })
      .from(endpoints)
      .leftJoin(webhook_endpoints, eq(webhook_endpoints.id, known.id))
      // SQLite keeps the order of a cross join. In another order it would read every delivery.
      .crossJoin(orphan)
      .where(and(eq(orphan.endpoint_id, known.id), lt(orphan.event_id, end)))
      .limit(count)
  )
}

const chunkParams = params('first_endpoint')

const deleteOrphans = statement(chunkParams, () => {
  const { endpoint_id, event_id } = webhook_deliveries
  return orm
    .delete(webhook_deliveries)
    .where(sql`(${endpoint_id}, ${event_id}) in ${orphansFrom(chunkParams.first_endpoint, PURGE.chunk)}`)
    .returning({ endpoint_id })
})

/** It follows the purge of events: an endpoint whose oldest deliveries lack their events would lease these again and again. */
export const deliveryPurge: Purge = {
  name: PURGE_NAME,
  follows: EVENT_PURGE_NAME,
  statements: 1,
  async deleteChunk(db, after) {
    const { deleted } = await batch(db, { deleted: deleteOrphans({ first_endpoint: after ?? 0 }) })
    return { deleted: deleted.length, next: deleted.length < PURGE.chunk ? null : lastEndpointOf(deleted) }
  },
}

/** The endpoint at which the chunk ended: it may have more deliveries to delete. */
function lastEndpointOf(deleted: RowOf<typeof deleteOrphans>[]): number {
  return deleted.reduce((last, { endpoint_id }) => Math.max(last, endpoint_id), 0)
}

/** How many of the deliveries that the purge examines next are to be deleted, up to a bound. */
export function countOrphans(): SQL<number> {
  const orphans = orphansFrom(sql`coalesce(${positionOf('hourly', PURGE_NAME)}, 0)`, BACKLOG_LIMIT).as('orphans')
  return sql<number>`${orm.select({ count: sql`count(*)` }).from(orphans)}`
}
