/**
 * What happened in a store on each day, counted from its newest events: one statement that reads a bounded number of
 * them. The ids are in the order of the commits and so nearly in that of the times. Therefore the first event of the
 * first day is found by bisection, which reads one event a step, and not by an index that every change would pay for.
 */
import { and, asc, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore, NO_NUMBER, numberOf } from '../../db/ids.ts'
import { events } from '../../db/schema.ts'
import { orm, params, type RowOf, statement } from '../../db/statement.ts'
import { DAY_MS, STATS } from '../../limits.ts'
import { type RequestContext, storeNumber } from '../change/context.ts'
import { readAll } from '../change/read.ts'
import type { EventType } from '../events/event-types.ts'

const COUNTED = {
  users_created: 'user.created',
  accesses_granted: 'product_access.granted',
  accesses_updated: 'product_access.updated',
  accesses_expired: 'product_access.expired',
} as const satisfies Record<string, EventType>

type Counts = Record<keyof typeof COUNTED, number>

export interface Stats {
  /** Each day, the oldest first and today last; `start` in milliseconds since the epoch. */
  days: { start: number; counts: Counts }[]
  /** True if every event of these days has been counted. */
  complete: boolean
}

/** The counts of the last days in UTC, today included. Throws the errors of the authorization. */
export async function readStats(db: Db, context: RequestContext, days: number): Promise<Stats> {
  const today = context.now - (context.now % DAY_MS)
  const first = today - (days - 1) * DAY_MS
  const { counted, oldest } = await readAll(db, context, {
    counted: countEvents({ counted_from: first - STATS.latenessMs }),
    oldest: selectOldest({}),
  })
  const byDay = new Map(counted.map((row) => [row.day * DAY_MS, row]))
  const starts = Array.from({ length: days }, (_, i) => first + i * DAY_MS)
  return {
    days: starts.map((start) => ({ start, counts: byDay.get(start) ?? NOTHING })),
    complete: reachesBack(oldest, first) && counted.reduce((sum, { total }) => sum + total, 0) < STATS.events,
  }
}

const NOTHING: Counts = { users_created: 0, accesses_granted: 0, accesses_updated: 0, accesses_expired: 0 }

/** True if no event since then has been purged. */
function reachesBack([oldest]: RowOf<typeof selectOldest>[], since: number): boolean {
  return oldest === undefined || numberOf(oldest.id) === 1 || oldest.created_at < since
}

const isOfThisStore = isOfStore(events.id, storeNumber)

const selectOldest = statement({}, () =>
  orm
    .select({ id: events.id, created_at: events.created_at })
    .from(events)
    .where(isOfThisStore)
    .orderBy(asc(events.id))
    .limit(1),
)

const countParams = params('counted_from')

/** The events of the store from this id on. SQLite would start at the store's first event if that were a bound as well. */
function isFrom(id: SQL): SQL | undefined {
  return and(gte(events.id, id), lt(events.id, idIn(storeNumber, NO_NUMBER)))
}

/** The columns of the bisection: every event before `low` is earlier, and `step` is how far it goes next. */
const low = sql`low`
const step = sql`step`

/**
 * The id of the first event from which events are counted. Each step is half as long as the one before it, and is taken
 * if the events up to its end are earlier.
 */
function firstCounted(): SQL {
  const firstOfStore = orm
    .select({ low: sql`min(${events.id})`, step: sql`${2 ** 31}` })
    .from(events)
    .where(isOfThisStore)
  const endOfStep = orm
    .select({ created_at: events.created_at })
    .from(events)
    .where(isFrom(sql`${low} + ${step} - 1`))
    .orderBy(asc(events.id))
    .limit(1)
  const isEarlier = sql`coalesce(${endOfStep} < ${countParams.counted_from}, 0)`
  return sql`(with recursive bisection(${low}, ${step}) as (${firstOfStore.getSQL()} union all
      select ${low} + iif(${isEarlier}, ${step}, 0), ${step} / 2 from bisection where ${step} > 0)
    select ${low} from bisection where ${step} = 0)`
}

/**
 * Each event counts on the day of its own time. `counted_from` is earlier than the first day by as much as an event can
 * be written late: otherwise one that was overtaken by another would be missed, or would mislead the bisection.
 */
const countEvents = statement(countParams, () => {
  const newest = orm
    .select({ type: events.type, day: sql<number>`${events.created_at} / ${DAY_MS}`.as('day') })
    .from(events)
    .where(isFrom(firstCounted()))
    .orderBy(desc(events.id))
    .limit(STATS.events)
    .as('newest')
  const countOf = (name: keyof Counts) =>
    sql<number>`count(*) filter (where ${eq(newest.type, COUNTED[name])})`.as(name)
  return orm
    .select({
      day: newest.day,
      total: sql<number>`count(*)`.as('total'),
      users_created: countOf('users_created'),
      accesses_granted: countOf('accesses_granted'),
      accesses_updated: countOf('accesses_updated'),
      accesses_expired: countOf('accesses_expired'),
    })
    .from(newest)
    .groupBy(sql`${newest.day}`)
})
