/**
 * Conditions of the feed: who caused an event, and when. Events have no index on their time, and their times do not rise
 * strictly with their ids: a request that has waited writes an event with the time of its arrival. So the place of a time is
 * found by bisecting the ids, which reads some thirty rows, and lies some minutes before `since` and after `until`.
 */
import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { idIn, NO_NUMBER } from '../../db/ids.ts'
import { events } from '../../db/schema/stores.ts'
import { named, orm, params, type ValuesOf } from '../../db/statement.ts'
import { lazy } from '../../lib/lazy.ts'
import { newestEventOf } from '../../change/event.ts'
import { ROOT, storeNumber } from '../../change/request.ts'

/** `number` is the id as the API shows it. */
export type ActorFilter = { type: 'system' | 'root' } | { type: 'operator' | 'access_token'; number: number }

/** The type is null if the filter is omitted. */
export const actorParams = params('actor_type', 'actor')

export function actorValues(filter: ActorFilter | undefined): ValuesOf<typeof actorParams> {
  if (filter === undefined) return { actor_type: null, actor: null }
  return { actor_type: filter.type, actor: 'number' in filter ? filter.number : ROOT }
}

/** True without a filter. In the feed of operators, whose store has the number 0, no token would have another id than an operator. */
export function isByActor(inStore: SQL): SQL | undefined {
  const { actor_type, actor } = actorParams
  const ofToken = and(gt(inStore, sql`0`), eq(events.actor_id, idIn(inStore, actor)))
  return or(
    isNull(actor_type),
    sql`case ${actor_type} when 'system' then ${isNull(events.actor_id)} when 'access_token' then ${ofToken} else ${eq(events.actor_id, actor)} end`,
  )
}

/**
 * How much older an event may be than one before it: far longer than a request waits for its turn, for a password and for
 * the database together.
 */
const EVENT_DISORDER_MS = 5 * 60_000

/** Times in milliseconds since the epoch; null for one that is omitted. */
export const timeParams = params('since', 'until')

const store = sql<number>`(select permitted.store from permitted)`

/**
 * Two ids: of the events up to the first one, none is of this time or later, apart from the disorder, and the event of the
 * second one is the first such, or would be the next one of the store. Both are `fallback` if there is no time.
 */
function bisect(time: SQL, fallback: SQL): SQL {
  const middle = sql`((place.low + place.high) >> 1)`
  const isBefore = sql`probe.created_at < ${time}`
  return sql`with recursive place(low, high) as (
    select iif(${time} is null, ${fallback}, ${idIn(store, 0)}), iif(${time} is null, ${fallback}, ${newestEventOf(store)} + 1)
    union all
    select iif(${isBefore}, probe.id, place.low), iif(${isBefore}, place.high, ${middle})
    from place cross join ${events} probe
    where place.high - place.low > 1 and probe.id = (select min(${events.id}) from ${events} where ${events.id} >= ${middle}))`
}

const start = sql<number>`(${bisect(sql`(${timeParams.since} - ${EVENT_DISORDER_MS})`, idIn(store, 0))} select max(place.low) from place)`

const end = sql<number>`(${bisect(sql`(${timeParams.until} + ${EVENT_DISORDER_MS})`, idIn(store, NO_NUMBER))} select min(place.high) from place)`

const permitted = lazy(() =>
  orm.$with('permitted').as(orm.select({ store: storeNumber.as('store') }).from(sql`(select 1)`)),
)

/**
 * `TIMES`, for the statements that use it. Its columns are null for a caller who is rejected. Without DISTINCT, SQLite would
 * put the query in the place of each use, and bisect again for each.
 */
export const withTimes = lazy(() =>
  orm.$with('times').as(
    orm
      .with(permitted())
      .selectDistinct(named({ store, start, end }))
      .from(sql`(select 1)`),
  ),
)

/** The store, the id after which events may be between the times, and the id from which on none is. */
export interface Times {
  store: SQL<number>
  start: SQL<number>
  end: SQL<number>
}

/** Of a request with a time, for statements with `withTimes`. */
export const TIMES: Times = {
  store: sql`(select times.store from times)`,
  start: sql`(select times.start from times)`,
  end: sql`(select times.end from times)`,
}

/** Of a request without a time: all events of the store. */
export const NO_TIMES: Times = {
  store: sql`${storeNumber}`,
  start: idIn(storeNumber, 0),
  end: idIn(storeNumber, NO_NUMBER),
}
