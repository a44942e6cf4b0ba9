/**
 * Days and months in SQL: what `extend` of src/calendar.ts computes, from the row of the time zone. A chunk of a bulk change
 * extends hundreds of dates, so the changes of offset are read once per statement, as a table that is not correlated with
 * the dates; as `json_each` for each date, 400 dates would take 50 ms.
 */
import { eq, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { time_zones } from '../../db/schema.ts'
import { orm } from '../../db/statement.ts'
import { DAY_MS, MAX_TIME } from '../../limits.ts'

interface Extension {
  /** The instant that is extended, not before 2026; null remains null. */
  from: SQLWrapper
  /** One of them is null. */
  days: SQLWrapper
  months: SQLWrapper
}

/** Before and after every date. */
const ALWAYS = sql.raw(String(4 * MAX_TIME))

/**
 * For each offset of the zone, from when until when it holds, as instants and as wall times. A wall time that comes twice
 * belongs to the second offset, and one that is skipped to the offset before it.
 */
export function clockOf(zone: SQLWrapper): SQL {
  const changes = orm.select({ changes: time_zones.changes }).from(time_zones).where(eq(time_zones.name, zone))
  return sql`clock(at, until, ahead, wall_at, wall_until) as materialized (
    select at, lead(at, 1, ${ALWAYS}) over (order by at), ahead, at + ahead, lead(at + ahead, 1, ${ALWAYS}) over (order by at)
    from (select iif(key = 0, -${ALWAYS}, value ->> 0) as at, value ->> 1 as ahead
      from json_each(coalesce((${changes}), '[[0,0]]'))))`
}

/** The day after `months` months, counted from 1970; the last day of the month if that month lacks the day. */
function dayAfterMonths(day: SQL, months: SQLWrapper): SQL {
  const date = sql`${day} * 86400, 'unixepoch'`
  const first = sql`${date}, 'start of month', cast(${months} as integer) || ' months'`
  const lastOfMonth = sql`coalesce(cast(strftime('%d', ${first}, '+1 month', '-1 day') as integer), 31)`
  return sql`cast(strftime('%s', ${first}) as integer) / 86400 - 1
    + min(cast(strftime('%d', ${date}) as integer), ${lastOfMonth})`
}

/**
 * The date so many days or months later; null if it would leave the year 9999 in UTC, and for a date that is null. The
 * statement must have `clockOf`. Each `limit 1` keeps SQLite from computing an expression anew for every row of the clock.
 */
export function extendedDate({ from, days, months }: Extension): SQL<number | null> {
  const newDay = sql`coalesce(day + cast(${days} as integer), ${dayAfterMonths(sql`day`, months)})`
  const started = sql`(select instant, instant + clock.ahead as wall, (instant + clock.ahead) / ${DAY_MS} as day
    from (select cast(${from} as integer) as instant limit 1)
    join clock on instant >= clock.at and instant < clock.until limit 1)`
  const endOfDay = sql`min(clock.until, (day + 1) * ${DAY_MS} - clock.ahead) - 1`
  const moved = sql`(select wall, day, ${endOfDay} - instant as rest, ${newDay} as new_day from ${started}
    join clock on (day + 1) * ${DAY_MS} > clock.wall_at and (day + 1) * ${DAY_MS} <= clock.wall_until limit 1)`
  // A date in the last second of its day stays as far from the end of the day, and every other one keeps its wall time.
  const isAtEnd = sql`rest between 0 and 999`
  const target = sql`(select rest, iif(${isAtEnd}, (new_day + 1) * ${DAY_MS} - 1, new_day * ${DAY_MS} + wall - day * ${DAY_MS})
    as target from ${moved} limit 1)`
  const extended = sql`(select iif(${isAtEnd}, min(clock.until, target + 1 - clock.ahead) - 1 - rest, target - clock.ahead)
    as extended from ${target} join clock on target >= clock.wall_at and target < clock.wall_until limit 1)`
  return sql<number | null>`(select iif(extended <= ${MAX_TIME}, extended, null) from ${extended})`
}
