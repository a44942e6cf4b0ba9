/** The promises of src/calendar.ts, compared with Temporal. They hold in the Worker as in Node, whose data of zones may differ. */
import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import {
  addDays,
  addMonths,
  dayAt,
  endOfDay,
  extend,
  instantAt,
  localText,
  offsetChanges,
  startOfDay,
  wallTimeAt,
} from '../../src/calendar.ts'

const FROM = Date.UTC(1970, 0, 1)
const UNTIL = Date.UTC(2100, 11, 31)
const DAY = 86_400_000

/** Clocks change at midnight, by half an hour, over two hours, over a day, for a month; they are 14 hours ahead. */
const SOME_ZONES = [
  'UTC',
  'Europe/Lisbon',
  'Europe/Madrid',
  'Atlantic/Azores',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/Bogota',
  'America/Havana',
  'America/St_Johns',
  'America/Nuuk',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
]

/** A dozen zones and more, or with `all` (the nightly run) every zone that the runtime has. */
export function zonesToTry(which: string | undefined): string[] {
  return which === 'all' ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : SOME_ZONES
}

export function allChanges(zone: string): [number, number][] {
  return offsetChanges(zone, FROM, UNTIL)
}

/** Half of the instants are within three days of a change of the clocks, where the faults are. */
function instantsOf(zone: string): fc.Arbitrary<number> {
  const changes = allChanges(zone).map(([instant]) => instant)
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -3 * DAY, max: 3 * DAY }))
    .map(([change, distance]) => Math.max(FROM, change + distance))
  return fc.oneof(fc.integer({ min: FROM, max: UNTIL }), near)
}

/** Instants of which many are within two seconds of an end or a beginning of a day. */
function timesOf(zone: string): fc.Arbitrary<number> {
  const ends = fc
    .tuple(instantsOf(zone), fc.integer({ min: -2000, max: 2000 }))
    .map(([instant, distance]) => endOfDay(dayAt(instant, zone), zone) + distance)
  return fc.oneof(instantsOf(zone), ends)
}

function shownAt(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
}

function dateAt(instant: number, zone: string): string {
  return shownAt(instant, zone).toPlainDate().toString()
}

/** The end of a day is the last millisecond with its date: no later instant has it, even where clocks go back. */
function checkDay(instant: number, zone: string): void {
  const day = dateAt(instant, zone)
  equal(dayAt(instant, zone), day)
  const [start, end] = [startOfDay(day, zone), endOfDay(day, zone)]
  equal(dateAt(start, zone), day)
  equal(dateAt(end, zone), day)
  const isLater = (later: number) => Temporal.PlainDate.compare(dateAt(later, zone), day) > 0
  const isEarlier = (earlier: number) => Temporal.PlainDate.compare(dateAt(earlier, zone), day) < 0
  let next = shownAt(end, zone).getTimeZoneTransition('next')
  for (const later of [end + 1, ...(next === null ? [] : [next.epochMilliseconds])]) equal(isLater(later), true)
  next = shownAt(start, zone).getTimeZoneTransition('previous')
  const before = [start - 1, ...(next === null ? [] : [next.epochMilliseconds - 1])]
  for (const earlier of before) equal(isEarlier(earlier), true)
}

type Span = { days: number } | { months: number }

const spans: fc.Arbitrary<Span> = fc.oneof(
  fc.record({ days: fc.integer({ min: 1, max: 3650 }) }),
  fc.record({ days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ months: fc.integer({ min: 1, max: 120 }) }),
)

function checkExtend(instant: number, span: Span, zone: string): void {
  const shown = shownAt(instant, zone)
  const date = shown.toPlainDate().add(span)
  const day = shown.toPlainDate().toString()
  equal('days' in span ? addDays(day, span.days) : addMonths(day, span.months), date.toString())
  const rest = endOfDay(day, zone) - instant
  const expected =
    rest >= 0 && rest < 1000
      ? endOfDay(date.toString(), zone) - rest
      : date.toPlainDateTime(shown.toPlainTime()).toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
  equal(extend(instant, span, zone), expected)
}

function checkWallTime(instant: number, zone: string): void {
  // Not the time shown at the instant: that one would exist.
  const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC').toPlainDateTime()
  const expected = wall.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
  equal(instantAt(instant, zone), expected)
}

/**
 * What an export writes, read as the end of a day or as a wall time, is within a second of what it was written for. The
 * first of two equal wall times cannot be written.
 */
function checkText(instant: number, zone: string): void {
  if (instantAt(wallTimeAt(instant, zone), zone) !== instant) return
  const text = localText(instant, zone)
  const wallTime = Date.parse(`${text.replace(' ', 'T')}Z`)
  const read = text.length === 10 ? endOfDay(text, zone) : instantAt(wallTime, zone)
  equal(Math.abs(read - instant) <= 1000, true)
  equal(localText(read, zone), text)
}

/** Throws with the failing example if a promise does not hold in this zone. */
export function checkZone(zone: string, numRuns: number): void {
  fc.assert(
    fc.property(timesOf(zone), (instant) => checkDay(instant, zone)),
    { numRuns },
  )
  fc.assert(
    fc.property(timesOf(zone), spans, (instant, span) => checkExtend(instant, span, zone)),
    { numRuns },
  )
  fc.assert(
    fc.property(instantsOf(zone), (instant) => checkWallTime(instant, zone)),
    { numRuns },
  )
  fc.assert(
    fc.property(timesOf(zone), (instant) => checkText(instant, zone)),
    { numRuns },
  )
}

function equal(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${String(actual)} is not ${String(expected)}`)
}
