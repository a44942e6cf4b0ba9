/**
 * The feed of a store. The ids of its events are consecutive and in the order of the commits. So a range of ids bounds
 * what a page reads, whatever the filter, and a cursor never skips an event that is written at the same time.
 */
import { and, asc, eq, gt, gte, isNull, lt, lte, max, min, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore, numberIn, numberOf, storeIn, storeOf, storeRowIdIn } from '../../db/ids.ts'
import { access_tokens, events, stores } from '../../db/schema/stores.ts'
import { limitOf, named, orm, params, type RowOf, statement } from '../../db/statement.ts'
import { SCAN_LIMIT } from '../../limits.ts'
import {
  type ActorFilter,
  actorParams,
  actorValues,
  isByActor,
  NO_TIMES,
  timeParams,
  type Times,
  TIMES,
  withTimes,
} from './feed-conditions.ts'
import { newestEventOf } from '../../change/event.ts'
import type { RequestContext } from '../../change/request.ts'
import { readAll } from '../../change/commit.ts'
import { DomainError } from '../../change/errors.ts'
import {
  inBothOrders,
  isAfterCursor,
  type Order,
  orderBy,
  type Page,
  pageParams,
  type PageRequest,
  startOf,
} from '../../change/pages.ts'
import type { EventType } from '../../change/event-types.ts'

/**
 * Selects events with the name of their actor and the slug of their store, which is null for the events of operators.
 * Columns that share a name with another table's are renamed: D1 returns one value per column name.
 */
export function selectEvents(query: Pick<typeof orm, 'select'> = orm) {
  return query
    .select(
      named({
        id: sql<number>`${events.id}`,
        type: sql<EventType>`${events.type}`,
        created_at: sql<number>`${events.created_at}`,
        request_id: events.request_id,
        actor_id: events.actor_id,
        subject_id: events.subject_id,
        user_id: events.user_id,
        product_id: events.product_id,
        data: events.data,
        actor_name: sql<string | null>`${access_tokens.name}`,
        store_slug: sql<string | null>`${stores.slug}`,
      }),
    )
    .from(events)
    .leftJoin(access_tokens, eq(access_tokens.id, events.actor_id))
    .leftJoin(stores, eq(stores.id, storeRowIdIn(storeIn(events.id))))
}

export type EventRecord = ReturnType<typeof selectEvents>['_']['result'][number]

/** Ids are numbers, as the API shows them, and times milliseconds since the epoch. */
interface EventFilter extends PageRequest<number> {
  type?: EventType | undefined
  user_id?: number | undefined
  product_access_id?: number | undefined
  actor?: ActorFilter | undefined
  /** Inclusive. */
  since?: number | undefined
  /** Exclusive. */
  until?: number | undefined
  order?: Order | undefined
}

export interface EventPage extends Page<EventRecord> {
  /**
   * The number up to which the feed has been read, also at the end; null if nothing has happened yet. Undefined if the newest
   * events come first.
   */
  cursor: string | null | undefined
  /** The number of the newest event, whatever the filter; null if nothing has happened yet. */
  newest: string | null
}

const rangeParams = { ...pageParams, ...timeParams }

const feedParams = { ...rangeParams, ...actorParams, ...params('type', 'user', 'access') }

/** The first event after the cursor and between the times. */
function firstEvent(order: Order, times: Times): SQL<number | null> {
  const end = sql`${order === 'asc' ? min(events.id) : max(events.id)}`
  const cursor = idIn(times.store, pageParams.after)
  const isBetween =
    order === 'asc'
      ? and(gt(events.id, sql`max(${cursor}, ${times.start})`), lt(events.id, times.end))
      : and(gt(events.id, times.start), lt(events.id, sql`min(${cursor}, ${times.end})`))
  const isInside = times === NO_TIMES ? isAfterCursor(order, events.id) : isBetween
  return sql<number | null>`${orm.select({ id: end }).from(events).where(isInside)}`
}

/**
 * The first event after the cursor that is of the time `until` or later: a cursor after it would skip it for whoever goes on
 * with a later `until`. Null if there is none, and if the page cannot reach the end of the range, where this is of use.
 */
function firstNewer(times: Times): SQL<number | null> {
  const { until } = timeParams
  const first = firstEvent('asc', times)
  const newer = orm
    .select({ id: events.id })
    .from(events)
    .where(and(gte(events.id, first), lt(events.id, times.end), gte(events.created_at, until)))
    .orderBy(asc(events.id))
    .limit(1)
  return sql<number | null>`iif(${until} is null or ${times.end} - ${first} > ${SCAN_LIMIT}, null, ${newer})`
}

/** The number before that of the oldest event; after a restore, the number before the gap. */
function numberBeforeOldest(times: Times): SQL<number | null> {
  const oldest = orm
    .select({ number: sql`coalesce(${events.data} ->> 'gap_after', ${numberIn(events.id)} - 1)` })
    .from(events)
    .where(isOfStore(events.id, times.store))
    .orderBy(asc(events.id))
    .limit(1)
  return sql<number | null>`${oldest}`
}

function queryOf(times: Times) {
  return times === NO_TIMES ? orm : orm.with(withTimes())
}

/** For requests with a time, and for those without one, in both orders. */
function forTimes<T>(make: (order: Order, times: Times) => T) {
  return {
    anyTime: inBothOrders((order) => make(order, NO_TIMES)),
    between: inBothOrders((order) => make(order, TIMES)),
  }
}

/** The ends of the feed, and of the range that the page reads. */
const selectRange = forTimes((order, times) =>
  statement(rangeParams, () => {
    const oldest = orm
      .select({ id: min(events.id) })
      .from(events)
      .where(isOfStore(events.id, times.store))
    const ends = times === NO_TIMES ? { start: sql<number>`0`, end: sql<number>`${Number.MAX_SAFE_INTEGER}` } : times
    return queryOf(times)
      .select(
        named({
          oldest: sql<number | null>`${oldest}`,
          before_oldest: numberBeforeOldest(times),
          newest: newestEventOf(times.store),
          first: firstEvent(order, times),
          start: ends.start,
          end: ends.end,
          newer: times === NO_TIMES || order === 'desc' ? sql<number | null>`null` : firstNewer(times),
        }),
      )
      .from(sql`(select 1)`)
  }),
)

type Range = RowOf<typeof selectRange.anyTime.asc>

/** True if the event is about the record, which is of the kind whose events have this prefix. */
function isAbout(record: SQLWrapper, prefix: 'user' | 'product_access'): SQL | undefined {
  return and(eq(events.subject_id, record), sql`${events.type} glob ${`${prefix}.*`}`)
}

/** The events of the range that begins with the first event after the cursor. */
function isInRange(order: Order, times: Times): SQL | undefined {
  const first = firstEvent(order, times)
  const [past, before] = [sql`${first} + ${SCAN_LIMIT}`, sql`${first} - ${SCAN_LIMIT}`]
  if (order === 'desc') return and(lte(events.id, first), gt(events.id, sql`max(${before}, ${times.start})`))
  // One bound on either side: of two, SQLite might read to the wider one.
  return and(gte(events.id, first), lt(events.id, times === NO_TIMES ? past : sql`min(${past}, ${times.end})`))
}

/** A number of another kind of record finds nothing: the type of an event shows what its subject is. */
const selectPage = forTimes((order, times) =>
  statement(feedParams, () => {
    const { type, user, access, since, until } = feedParams
    const userId = idIn(times.store, user)
    return selectEvents(queryOf(times))
      .where(
        and(
          isInRange(order, times),
          or(isNull(since), gte(events.created_at, since)),
          or(isNull(until), lt(events.created_at, until)),
          isByActor(times.store),
          or(isNull(type), eq(events.type, type)),
          or(isNull(user), eq(events.user_id, userId), isAbout(userId, 'user')),
          or(isNull(access), isAbout(idIn(times.store, access), 'product_access')),
        ),
      )
      .orderBy(orderBy(order, events.id))
      .limit(limitOf(pageParams.count))
  }),
)

/** Throws `cursor_expired` unless the newest events come first, and `cursor_ahead`. */
export async function listEvents(
  db: Db,
  context: RequestContext,
  { limit, after, order = 'asc', ...filter }: EventFilter,
): Promise<EventPage> {
  const values = {
    after: after ?? startOf(order),
    type: filter.type ?? null,
    since: filter.since ?? null,
    until: filter.until ?? null,
    ...actorValues(filter.actor),
    user: filter.user_id ?? null,
    access: filter.product_access_id ?? null,
    count: limit + 1,
  }
  const kind = filter.since === undefined && filter.until === undefined ? 'anyTime' : 'between'
  const { ranges, found } = await readAll(db, context, {
    ranges: selectRange[kind][order](values),
    found: selectPage[kind][order](values),
  })
  const [range] = ranges
  if (range === undefined) throw new Error('the range of the feed returned no row')
  if (after !== undefined) validateCursor(after, range, order)
  return order === 'asc' ? pageForwards(found, limit, range, after ?? 0) : pageBackwards(found, limit, range)
}

/** From the newest event backwards, a cursor before the oldest event has nothing left to read. */
function validateCursor(after: number, { oldest, before_oldest, newest }: Range, order: Order): void {
  if (oldest === null || newest === null || after > numberOf(newest)) throw new DomainError('cursor_ahead', {})
  if (order === 'asc' && after < (before_oldest ?? 0)) {
    throw new DomainError('cursor_expired', { oldest: numberOf(oldest) })
  }
}

/** If `found` has one row more than the page, the page ends with its own last row, otherwise with the range. */
function endOfPage(found: EventRecord[], limit: number, rangeEnd: number | null) {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, readTo: found.length > limit && last ? last.id : rangeEnd }
}

function pageForwards(found: EventRecord[], limit: number, range: Range, after: number): EventPage {
  const { first, newest, end, newer, before_oldest } = range
  const shown = newest === null ? null : String(numberOf(newest))
  if (newest === null) return { rows: [], next: null, cursor: null, newest: shown }
  // The last event that may be between the times: whatever follows it is newer.
  const last = Math.min(newest, end - 1)
  const { rows, readTo } = endOfPage(found, limit, first === null ? null : Math.min(first + SCAN_LIMIT - 1, last))
  if (readTo !== null && readTo < last)
    return { rows, next: String(numberOf(readTo)), cursor: String(numberOf(readTo)), newest: shown }
  const read = storeOf(last) === storeOf(newest) ? numberOf(last) : 0
  // The cursor of the caller may be beyond the times, and an event may be older than one before it.
  const lastShown = numberOf(rows.at(-1)?.id ?? 0)
  const cursor = Math.max(after, lastShown, newer === null ? read : numberOf(newer) - 1, before_oldest ?? 0)
  return { rows, next: null, cursor: cursor === 0 ? null : String(cursor), newest: shown }
}

/** It has no cursor, because it ends at the beginning of the feed. */
function pageBackwards(found: EventRecord[], limit: number, { first, oldest, newest, start }: Range): EventPage {
  const { rows, readTo } = endOfPage(found, limit, first === null ? null : first - SCAN_LIMIT + 1)
  const hasMore = readTo !== null && oldest !== null && readTo > Math.max(oldest, start + 1)
  return {
    rows,
    next: hasMore ? String(numberOf(readTo)) : null,
    cursor: undefined,
    newest: newest === null ? null : String(numberOf(newest)),
  }
}
