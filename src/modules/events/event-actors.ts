/** Events by who caused them. */
import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { idIn } from '../../db/ids.ts'
import { events } from '../../db/schema.ts'
import { params, type ValuesOf } from '../../db/statement.ts'
import { ROOT } from '../../change/request.ts'

/** `number` is the id as the API shows it. */
export type ActorFilter = { type: 'system' | 'root' } | { type: 'operator' | 'access_token'; number: number }

/** The type is null if the filter is omitted. */
export const actorParams = params('actor_type', 'actor')

export function actorValues(filter: ActorFilter | undefined): ValuesOf<typeof actorParams> {
  if (filter === undefined) return { actor_type: null, actor: null }
  return { actor_type: filter.type, actor: 'number' in filter ? filter.number : ROOT }
}

/** True without a filter. In the feed of operators, whose store has the number 0, no token would have another id than an operator. */
export function isByActor(store: SQL): SQL | undefined {
  const { actor_type, actor } = actorParams
  const ofToken = and(gt(store, sql`0`), eq(events.actor_id, idIn(store, actor)))
  return or(
    isNull(actor_type),
    sql`case ${actor_type} when 'system' then ${isNull(events.actor_id)} when 'access_token' then ${ofToken} else ${eq(events.actor_id, actor)} end`,
  )
}
