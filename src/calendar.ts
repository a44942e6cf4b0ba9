/**
 * Days and months in a time zone, for the service, the import and the console alike. `Intl` knows the offsets of a zone,
 * which is all that is asked of the runtime: neither workerd nor Node 24 has Temporal, and its polyfill is as large as a
 * fifth of the Worker. An instant is milliseconds since 1970 in UTC, a day is `2027-12-31`, and a wall time is the number
 * that would be the instant if the zone were UTC.
 */

/** The last moment that the API has. Whoever writes "for ever" as 9999-12-31 gets it west of Greenwich, too. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z')

const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Shorter than any two changes of one zone are apart: Gaza changes its clocks for Ramadan, in 2040 a week before winter. */
const SEARCH_STEP = 5 * DAY

const AREA_AND_PLACE = /^[A-Za-z_]+(?:\/[A-Za-z_-]+)+$/
const LONG_OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** To build a formatter costs a thousand times as much as to use it. */
const formats = new Map<string, Intl.DateTimeFormat>()
/** Each takes 30 KB, and a zone has a name in each combination of letter cases: without a limit, they could fill an instance. */
const MAX_FORMATS = 200

/** True for `UTC` and the IANA names of places that the runtime knows. Abbreviations and `Etc/GMT+5` name an offset. */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || (AREA_AND_PLACE.test(name) && resolvedZone(name) !== undefined)
}

/** True if both names resolve to one zone, such as `Asia/Kolkata` and `Asia/Calcutta`. */
export function isSameZone(one: string, other: string): boolean {
  return one === other || (resolvedZone(one) !== undefined && resolvedZone(one) === resolvedZone(other))
}

/** Milliseconds that the clocks of the zone are ahead of UTC. Throws a RangeError for a zone that the runtime lacks. */
export function offsetAt(instant: number, zone: string): number {
  if (zone === 'UTC') return 0
  const [, sign, hours, minutes, seconds = 0] = LONG_OFFSET.exec(formatFor(zone).format(instant)) ?? []
  const size = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * SECOND
  return sign === '-' ? -size : size
}

/** The offset at `from`, and each later one until `until`, each with the instant from which it holds. */
export function offsetChanges(zone: string, from: number, until: number): [instant: number, offset: number][] {
  const changes: [number, number][] = [[from, offsetAt(from, zone)]]
  for (let start = from; start < until; start += SEARCH_STEP) {
    const end = Math.min(start + SEARCH_STEP, until)
    if (offsetAt(end, zone) === offsetAt(start, zone)) continue
    const change = changeBetween(start, end, zone)
    changes.push([change, offsetAt(change, zone)])
  }
  return changes
}

/**
 * The instant, or the nearest one that has a year of four digits in the zone: it may be the year 10000 there while it is 9999
 * in UTC, and an input for a day takes no such year.
 */
export function withinYears(instant: number, zone: string): number {
  return Math.min(Math.max(instant, startOfDay('0000-01-01', zone)), endOfDay('9999-12-31', zone))
}

export function wallTimeAt(instant: number, zone: string): number {
  return instant + offsetAt(instant, zone)
}

/** In the year 10000 it is still the last day of 9999: neither the API nor an input for a day takes a later one. */
export function dayAt(instant: number, zone: string): string {
  return dayOf(withFourDigits(wallTimeAt(instant, zone)))
}

/**
 * A wall time that the clocks skip is later by the length of the gap, and of one that comes twice, the second counts: so
 * nobody's access ends early.
 */
export function instantAt(wallTime: number, zone: string): number {
  const { before, after } = offsetsAround(wallTime, zone)
  const last = wallTime - after
  return offsetAt(last, zone) === after ? last : wallTime - before
}

/** The first millisecond whose date in the zone is this day. */
export function startOfDay(day: string, zone: string): number {
  const midnight = midnightOf(day)
  const { before, after } = offsetsAround(midnight, zone)
  for (const offset of [before, after]) if (offsetAt(midnight - offset, zone) === offset) return midnight - offset
  return changeBetween(midnight - DAY, midnight + DAY, zone)
}

/** The last millisecond whose date in the zone is this day, or the last moment of the API if that is earlier. */
export function endOfDay(day: string, zone: string): number {
  return Math.min(lastOf(day, zone), LAST_MOMENT)
}

export function addDays(day: string, days: number): string {
  return dayOf(midnightOf(day) + days * DAY)
}

/** A month that has no such day ends with its last one: 31 January and one month is 28 or 29 February. */
export function addMonths(day: string, months: number): string {
  const date = new Date(midnightOf(day))
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0)
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()))
  return dayOf(date.getTime())
}

/**
 * The instant that many days or months later, at the same time of day. In the last second of a day it stays as far from
 * the end of the day, however long the days are. Undefined if it would leave the year 9999 in UTC.
 */
export function extend(instant: number, by: { days: number } | { months: number }, zone: string): number | undefined {
  const day = dayOf(wallTimeAt(instant, zone))
  const newDay = 'days' in by ? addDays(day, by.days) : addMonths(day, by.months)
  const rest = lastOf(day, zone) - instant
  const extended =
    rest >= 0 && rest < SECOND
      ? lastOf(newDay, zone) - rest
      : instantAt(wallTimeAt(instant, zone) - midnightOf(day) + midnightOf(newDay), zone)
  return extended > LAST_MOMENT ? undefined : extended
}

/**
 * The local time as exports write it for spreadsheets. What ends with a day, in its last second or at the midnight after
 * it, is written as that day alone, everything else to the second: an import reads a time of 00:00:00 as a day.
 */
export function localText(instant: number, zone: string): string {
  const wallTime = quickWallTime(instant, zone)
  const day = dayOf(withFourDigits(wallTime))
  // A day before the first or after the last one could be imported nowhere.
  if (wallTime < FIRST_MOMENT || wallTime > LAST_MOMENT) return day
  const isSteady = steadyOffset(instant, zone) !== undefined
  const start = isSteady ? instant - wallTime + midnightOf(day) : startOfDay(day, zone)
  if (instant >= start && instant - start < SECOND)
    return isSteady ? dayOf(withFourDigits(wallTime - SECOND)) : dayAt(start - 1, zone)
  const rest = (isSteady ? start + DAY - 1 : lastOf(day, zone)) - instant
  if (rest >= 0 && rest < SECOND) return day
  return `${day} ${timeOf(wallTime)}`
}

/** The local time at which something happened. Midnight stays a time of the day that it begins. */
export function localTimeText(instant: number, zone: string): string {
  const wallTime = withFourDigits(quickWallTime(instant, zone))
  return `${dayOf(wallTime)} ${timeOf(wallTime)}`
}

/** At the ends of the API's years it may be another year in the zone, whose text would begin with a sign. */
function withFourDigits(wallTime: number): number {
  return Math.min(Math.max(wallTime, FIRST_MOMENT), LAST_MOMENT)
}

function quickWallTime(instant: number, zone: string): number {
  return instant + (steadyOffset(instant, zone) ?? offsetAt(instant, zone))
}

/** By zone and UTC day. To ask `Intl` for each time of a file with a million lines would take a minute. */
const steadyOffsets = new Map<string, number | undefined>()
const KEPT_OFFSETS = 10_000

/** The offset of the UTC day of an instant, the day before and the day after; undefined if the clocks change within them. */
function steadyOffset(instant: number, zone: string): number | undefined {
  const day = Math.floor(instant / DAY)
  const key = `${day} ${zone}`
  const kept = steadyOffsets.get(key)
  if (kept !== undefined || steadyOffsets.has(key)) return kept
  const [before, after] = [offsetAt((day - 1) * DAY, zone), offsetAt((day + 2) * DAY, zone)]
  if (steadyOffsets.size >= KEPT_OFFSETS) steadyOffsets.clear()
  const offset = before === after ? before : undefined
  steadyOffsets.set(key, offset)
  return offset
}

/** Where clocks go back over midnight, a date comes twice; the last millisecond is that of the second time. */
function lastOf(day: string, zone: string): number {
  const midnight = midnightOf(day) + DAY
  const { before, after } = offsetsAround(midnight, zone)
  for (const offset of [after, before])
    if (offsetAt(midnight - offset - 1, zone) === offset) return midnight - offset - 1
  const last = changeBetween(midnight - DAY, midnight + DAY, zone) - 1
  // Samoa had no 30 December 2011. Its end is a wall time that does not exist, like any other.
  return dayOf(wallTimeAt(last, zone)) === day ? last : midnight - 1 - before
}

/** No two changes of a zone lie within two days of each other, so these are all offsets that a wall time may have. */
function offsetsAround(wallTime: number, zone: string): { before: number; after: number } {
  return { before: offsetAt(wallTime - DAY, zone), after: offsetAt(wallTime + DAY, zone) }
}

/** The first instant with the offset that `end` has. */
function changeBetween(start: number, end: number, zone: string): number {
  const offset = offsetAt(end, zone)
  let [low, high] = [start, end]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle, zone) === offset) high = middle
    else low = middle
  }
  return high
}

function midnightOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

function dayOf(wallTime: number): string {
  const [day = ''] = new Date(wallTime).toISOString().split('T')
  return day
}

function timeOf(wallTime: number): string {
  return new Date(wallTime).toISOString().slice(-13, -5)
}

function resolvedZone(name: string): string | undefined {
  try {
    return formatFor(name).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function formatFor(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    if (formats.size >= MAX_FORMATS) formats.clear()
    formats.set(zone, format)
  }
  return format
}
