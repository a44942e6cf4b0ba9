/**
 * What happened in a store, day by day, counted from its newest events: one statement that reads no more of them than
 * a bound. Their numbers are in the order of the commits and thus nearly in that of their times, so where the first
 * day begins is found by bisection, an event a step, and not by an index that every change would pay for.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Params, type RowOf, statement } from '../../db/statement.ts'
import { idIn, isOfStore, NO_NUMBER, numberOf } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { events } from '../../db/schema.ts'
import { DAY_MS, STATS } from '../../limits.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import type { EventType } from '../events/event-types.ts'
import { readAll } from '../change/read.ts'

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
  /** Whether all that happened on these days has been counted. */
  complete: boolean
}

/** Of the last so many days in UTC, today included. */
export async function readStats(db: Db, call: Call, days: number): Promise<Stats> {
  const today = call.now - (call.now % DAY_MS)
  const first = today - (days - 1) * DAY_MS
  const values = { ...callValues(call), first, from: first - STATS.latenessMs }
  const { counted, kept } = await readAll(db, call, { counted: countEvents(values), kept: selectOldest(values) })
  const byDay = new Map(counted.map((row) => [row.day * DAY_MS, row]))
  const starts = Array.from({ length: days }, (_, i) => first + i * DAY_MS)
  return {
    days: starts.map((start) => ({ start, counts: byDay.get(start) ?? NOTHING })),
    complete: reachesBack(kept, first) && counted.reduce((sum, { total }) => sum + total, 0) < STATS.events,
  }
}

const NOTHING: Counts = { users_created: 0, accesses_granted: 0, accesses_updated: 0, accesses_expired: 0 }

/** Whether no event since then has been deleted for its age. */
function reachesBack([oldest]: RowOf<typeof selectOldest>[], since: number): boolean {
  return oldest === undefined || numberOf(oldest.id) === 1 || oldest.created_at < since
}

type Values = CallValues & { first: number; from: number }

const selectOldest = statement((p: Params<Values>, orm) =>
  orm
    .select({ id: events.id, created_at: events.created_at })
    .from(events)
    .where(isOfStore(sql`${events.id}`, p.store))
    .orderBy(events.id)
    .limit(1),
)

/**
 * Each event counts on the day of its own time. The bisection begins earlier than the first day, by as much as an
 * event can be written late, because one that overtook another would be missed or would lead it astray.
 */
const countEvents = statement((p: Params<Values>, orm) => {
  const inStore = isOfStore(sql`id`, p.store)
  // Of two lower bounds SQLite would take the store's.
  const from = (id: SQL) => sql`id >= ${id} and id < ${idIn(p.store, literal(NO_NUMBER))}`
  const isEarlier = sql`coalesce((select created_at from ${events} where ${from(sql`low + step - 1`)}
    order by id limit 1) < ${p.from}, 0)`
  // Whatever is below `low` is earlier; each step, half as long as the one before, goes as far as that stays so.
  const start = sql`(with recursive search(low, step) as (
      select min(id), ${literal(2 ** 31)} from ${events} where ${inStore} union all
      select low + iif(${isEarlier}, step, 0), step / 2 from search where step > 0)
    select low from search where step = 0)`
  const newest = sql`(select type, created_at / ${literal(DAY_MS)} as day from ${events}
    where ${from(start)} order by id desc limit ${literal(STATS.events)})`
  const countOf = (name: keyof Counts) => sql<number>`count(*) filter (where type = ${literal(COUNTED[name])})`.as(name)
  return orm
    .select({
      day: sql<number>`day`.as('day'),
      total: sql<number>`count(*)`.as('total'),
      users_created: countOf('users_created'),
      accesses_granted: countOf('accesses_granted'),
      accesses_updated: countOf('accesses_updated'),
      accesses_expired: countOf('accesses_expired'),
    })
    .from(newest)
    .groupBy(sql`day`)
})
