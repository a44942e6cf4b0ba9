/**
 * The feed of a store. Its numbers follow each other without a gap and in the order of the commits, so a range of them
 * bounds what a page reads, whatever the filter, and a cursor never skips what somebody writes meanwhile.
 */
import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Orm, type Params, type RowOf, statement } from '../../db/statement.ts'
import { idIn, isOfStore, numberIn, numberOf } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { access_tokens, events, stores } from '../../db/schema.ts'
import { SCAN_LIMIT } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { newestEvent } from '../change/event.ts'
import type { EventType } from './event-types.ts'
import { Refusal, refusal } from '../errors.ts'
import type { Page, PageRequest } from '../pages.ts'
import { readAll } from '../change/read.ts'

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

/** The numbers of a user and of an access. */
interface EventFilter extends PageRequest<number> {
  type?: EventType | undefined
  user_id?: number | undefined
  product_access_id?: number | undefined
}

export interface EventPage extends Page<EventRecord> {
  /** The number that has been read up to, at the end too; null where nothing has happened yet. */
  cursor: string | null
  /** The number of the newest event, whatever the filter; null where nothing has happened yet. */
  newest: string | null
}

interface FilterValues {
  after: number
  type: string | null
  user: number | null
  access: number | null
}

type Values = CallValues & FilterValues

const firstOf = (p: Params<Values>): SQL<number | null> =>
  sql`(select min(id) from ${events} where ${isOfStore(sql`id`, p.store, p.after)})`

/** The number that the oldest event follows: the one before it, or, after a restore, the one before the gap. */
const followedBy = (p: Params<Values>): SQL<number | null> =>
  sql`(select coalesce(data ->> 'gap_after', ${numberIn(sql`id`)} - 1) from ${events}
    where ${isOfStore(sql`id`, p.store)} order by id limit 1)`

const selectRange = statement((p: Params<Values>, orm) =>
  orm
    .select({
      oldest: sql<number | null>`(select min(id) from ${events} where ${isOfStore(sql`id`, p.store)})`.as('oldest'),
      follows: followedBy(p).as('follows'),
      newest: newestEvent(p.store).as('newest'),
      first: firstOf(p).as('first'),
    })
    .from(sql`(select 1)`),
)

/** An id that is no user's (no access's) finds nothing: the type of the event tells whose the subject is. */
const selectPage = statement((p: Params<Values & { count: number }>, orm) => {
  const { id, type, user_id, subject_id } = events
  const user = idIn(p.store, p.user)
  const access = idIn(p.store, p.access)
  return selectEvents(orm)
    .where(
      sql`${id} >= ${firstOf(p)} and ${id} < ${firstOf(p)} + ${literal(SCAN_LIMIT)}
        and (${p.type} is null or ${type} = ${p.type})
        and (${p.user} is null or ${user_id} = ${user} or (${subject_id} = ${user} and ${type} glob 'user.*'))
        and (${p.access} is null or (${subject_id} = ${access} and ${type} glob 'product_access.*'))`,
    )
    .orderBy(asc(id))
    .limit(p.count)
})

/** Throws `cursor_expired` and `cursor_ahead`. */
export async function listEvents(db: Db, call: Call, { limit, after, ...filter }: EventFilter): Promise<EventPage> {
  const values = {
    ...callValues(call),
    after: after ?? 0,
    type: filter.type ?? null,
    user: filter.user_id ?? null,
    access: filter.product_access_id ?? null,
    count: limit + 1,
  }
  const { range, found } = await readAll(db, call, { range: selectRange(values), found: selectPage(values) })
  const [ends] = range
  if (ends === undefined) throw new Error('a range without its ends')
  if (after !== undefined) confirmCursor(after, ends)
  return pageOfRange(found, limit, ends)
}

type Range = RowOf<typeof selectRange>

function confirmCursor(after: number, { oldest, follows, newest }: Range): void {
  if (oldest === null || newest === null || after > numberOf(newest)) throw refusal('cursor_ahead')
  if (after < (follows ?? 0)) throw new Refusal({ code: 'cursor_expired', oldest: numberOf(oldest) })
}

/** `found` may hold one row more than the page: then the page ends with its last row, else with the range. */
function pageOfRange(found: EventRecord[], limit: number, { first, newest }: Range): EventPage {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const end = newest === null ? null : String(numberOf(newest))
  const rangeEnd = first === null ? newest : first + SCAN_LIMIT - 1
  const readTo = found.length > limit && last ? last.id : rangeEnd
  if (readTo === null || newest === null) return { rows, next: null, cursor: null, newest: end }
  return readTo < newest
    ? { rows, next: String(numberOf(readTo)), cursor: String(numberOf(readTo)), newest: end }
    : { rows, next: null, cursor: end, newest: end }
}
