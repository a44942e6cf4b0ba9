import { eq, sql } from 'drizzle-orm'
import type { Orm } from '../db/batch.ts'
import { idIn } from '../db/ids.ts'
import { access_tokens, events, stores } from '../db/schema.ts'
import type { EventType } from './event-types.ts'

/** Events with the name of who caused each, and the slug of its store, which those of operators lack. */
export function selectEvents(orm: Orm) {
  return orm
    .select({
      id: events.id,
      type: sql<EventType>`${events.type}`.as('type'),
      created_at: sql<number>`${events.created_at}`.as('created_at'),
      request_id: events.request_id,
      actor_id: events.actor_id,
      subject_id: events.subject_id,
      user_id: events.user_id,
      product_id: events.product_id,
      data: events.data,
      actor_name: sql<string | null>`${access_tokens.name}`.as('actor_name'),
      store_slug: sql<string | null>`${stores.slug}`.as('store_slug'),
    })
    .from(events)
    .leftJoin(access_tokens, eq(access_tokens.id, events.actor_id))
    .leftJoin(stores, eq(stores.id, idIn(sql`(${events.id} >> 32)`, sql`1`)))
}

export type EventRecord = Awaited<ReturnType<typeof selectEvents>>[number]
