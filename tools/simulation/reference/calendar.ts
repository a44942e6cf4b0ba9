/** Days and months in the time zone of a store (contract, section 9, "Extending an access"). */
import { DAY_MS, MAX_TIME } from '../../../src/limits.ts'

const SECOND = 1000
const FIELDS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', { ...FIELDS, second: '2-digit', hourCycle: 'h23', timeZone })
  clocks.set(timeZone, clock)
  return clock
}

/** What the clocks of the zone show, as the instant at which those of UTC show the same. */
function wallAt(at: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(at)
  const [year = 0, month = 1, day, hour, minute, second] = Object.keys({ ...FIELDS, second: '' }).map((name) =>
    Number(parts.find(({ type }) => type === name)?.value),
  )
  return Date.UTC(year, month - 1, day, hour, minute, second) + (at % SECOND)
}

/** The instants at which the clocks show this: none in a gap, and two where they go back. */
function instantsOf(wall: number, zone: string): number[] {
  const guesses = [wall - DAY_MS, wall + DAY_MS].map((at) => wall - (wallAt(at, zone) - at))
  return guesses.filter((at) => wallAt(at, zone) === wall)
}

/** The last instant of the day that has this midnight: where the clocks skip it, the last one before the gap. */
function endOf(midnight: number, zone: string): number {
  const ends = instantsOf(midnight + DAY_MS - 1, zone)
  if (ends.length > 0) return Math.max(...ends)
  let [last, next] = [midnight - DAY_MS, midnight + 2 * DAY_MS]
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2)
    if (wallAt(middle, zone) < midnight + DAY_MS) last = middle
    else next = middle
  }
  return last
}

const midnightOf = (wall: number) => wall - (wall % DAY_MS)

/** The last instant of the day. */
export const endOfDay = (at: number, zone: string) => endOf(midnightOf(wallAt(at, zone)), zone)

/** The last day of the month, if the month has no such day. */
function monthsAfter(midnight: number, months: number): number {
  const date = new Date(midnight)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  return Date.UTC(year, month, Math.min(date.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate()))
}

/** The instant so many days or months later. Undefined if it would leave the year 9999. */
export function extended(at: number, by: { days?: number; months?: number }, zone: string): number | undefined {
  const wall = wallAt(at, zone)
  const midnight = midnightOf(wall)
  const newMidnight = by.days === undefined ? monthsAfter(midnight, by.months ?? 0) : midnight + by.days * DAY_MS
  const rest = endOf(midnight, zone) - at
  const isAtEnd = rest >= 0 && rest < SECOND
  const later = isAtEnd ? endOf(newMidnight, zone) - rest : instantAt(newMidnight + wall - midnight, zone)
  return later > MAX_TIME ? undefined : later
}

/** What the clocks skip is later by the length of the gap, and of what they show twice, the second counts. */
function instantAt(wall: number, zone: string): number {
  const instants = instantsOf(wall, zone)
  const before = wall - DAY_MS
  return instants.length > 0 ? Math.max(...instants) : wall - (wallAt(before, zone) - before)
}

/** Until then, a year has four digits. */
const LAST_WALL = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const dayText = (midnight: number) => new Date(midnight).toISOString().slice(0, 10)

/** The local time in a file for spreadsheets, to the second. */
export function timeText(at: number, zone: string): string {
  const text = new Date(wallAt(at, zone)).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/** A due date there: what ends with a day, in its last second or at the midnight after it, is that day alone. */
export function dueText(at: number, zone: string): string {
  const wall = wallAt(at, zone)
  if (wall > LAST_WALL) return dayText(LAST_WALL)
  const midnight = midnightOf(wall)
  const [since, rest] = [at - endOf(midnight - DAY_MS, zone) - 1, endOf(midnight, zone) - at]
  if (since >= 0 && since < SECOND) return dayText(midnight - DAY_MS)
  return rest >= 0 && rest < SECOND ? dayText(midnight) : timeText(at, zone)
}
