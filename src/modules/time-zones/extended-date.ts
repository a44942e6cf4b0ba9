/**
 * Days and months in SQL: what `extend` of src/calendar.ts computes, from the row of the time zone. A chunk of a bulk change
 * extends hundreds of dates, so the changes of offset are read once per statement, as a table that is not correlated with
 * the dates; as `json_each` for each date, 400 dates would take 50 ms.
 */
import { eq, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { time_zones } from '../../db/schema/stores.ts'
import { orm } from '../../db/statement.ts'
import { DAY_MS, MAX_TIME } from '../../limits.ts'
import { ZONE_ROWS_UNTIL } from './zone-rows.ts'

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

/**
 * How many milliseconds before this time the clocks of the zone are the same, within the last 28 years that the row of the
 * zone has; 0 for a time that the row has itself. The calendar repeats every 28 years, and 12 years earlier for each year such as
 * 2200 that has no 29 February. Years begin with March here, behind the leap day: so late, no zone changes its clocks in
 * January or February.
 */
function repetition(time: SQL): SQL {
  const yearOfTime = sql`cast(strftime('%Y', min(${time}, ${MAX_TIME}) / 1000, 'unixepoch', '-2 months') as integer)`
  const sameYear = sql`2101 + (year - 12 * (year / 100 - year / 400 - 16) - 2101) % 28`
  const march = (year: SQL) => sql`julianday(${year} || '-03-01')`
  return sql`iif(${time} < ${sql.raw(String(ZONE_ROWS_UNTIL))}, 0, (select
    cast(${march(sql`year`)} - ${march(sql`(${sameYear})`)} as integer) * ${DAY_MS} from (select ${yearOfTime} as year limit 1)))`
}

/** The days of 400 years, after which the calendar repeats. */
const CALENDAR_CYCLE = sql.raw('146097')

/**
 * The day after `months` months, counted from 1970; the last day of the month if that month lacks the day. It is computed 400
 * years earlier, because SQLite has no date after 9999, which is over in the east while it is still 9999 in UTC.
 */
function dayAfterMonths(day: SQL, months: SQLWrapper): SQL {
  const date = sql`(${day} - ${CALENDAR_CYCLE}) * 86400, 'unixepoch'`
  const first = sql`${date}, 'start of month', cast(${months} as integer) || ' months'`
  const lastOfMonth = sql`cast(strftime('%d', ${first}, '+1 month', '-1 day') as integer)`
  return sql`cast(strftime('%s', ${first}) as integer) / 86400 + ${CALENDAR_CYCLE} - 1
    + min(cast(strftime('%d', ${date}) as integer), ${lastOfMonth})`
}

/**
 * The date so many days or months later; null if it would leave the year 9999 in UTC, and for a date that is null. The
 * statement must have `clockOf`. Each `limit 1` keeps SQLite from computing an expression anew for every row of the clock.
 */
export function extendedDate({ from, days, months }: Extension): SQL<number | null> {
  const newDay = sql`coalesce(day + cast(${days} as integer), ${dayAfterMonths(sql`day`, months)})`
  const given = sql`(select instant, ${repetition(sql`instant`)} as repeats from (select cast(${from} as integer) as instant limit 1) limit 1)`
  const started = sql`(select instant, repeats, instant + clock.ahead as wall, (instant + clock.ahead) / ${DAY_MS} as day
    from ${given} join clock on instant - repeats >= clock.at and instant - repeats < clock.until limit 1)`
  const endOfDay = sql`min(clock.until + repeats, (day + 1) * ${DAY_MS} - clock.ahead) - 1`
  const nextDay = sql`(day + 1) * ${DAY_MS} - repeats`
  const moved = sql`(select wall, day, ${endOfDay} - instant as rest, ${newDay} as new_day from ${started}
    join clock on ${nextDay} > clock.wall_at and ${nextDay} <= clock.wall_until limit 1)`
  // A date in the last second of its day stays as far from the end of the day, and every other one keeps its wall time.
  const isAtEnd = sql`rest between 0 and 999`
  const target = sql`(select rest, iif(${isAtEnd}, (new_day + 1) * ${DAY_MS} - 1, new_day * ${DAY_MS} + wall - day * ${DAY_MS})
    as target from ${moved} limit 1)`
  const reached = sql`(select rest, target, ${repetition(sql`target`)} as repeats from ${target} limit 1)`
  const extended = sql`(select iif(${isAtEnd}, min(clock.until + repeats, target + 1 - clock.ahead) - 1 - rest, target - clock.ahead)
    as extended from ${reached} join clock on target - repeats >= clock.wall_at and target - repeats < clock.wall_until limit 1)`
  return sql<number | null>`(select iif(extended <= ${MAX_TIME}, extended, null) from ${extended})`
}
