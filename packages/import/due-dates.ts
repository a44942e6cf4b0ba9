/**
 * Due dates as people and programs write them. Spreadsheets know no time zones: days and times are those of the store. A day
 * lasts until its end, and a time of midnight is what programs write for a day.
 */
import { endOfDay, instantAt, LAST_MOMENT, localText } from '../../src/calendar.ts'
import { parseDateTime } from '../../src/lib/date-time.ts'
import { withoutNames } from './named-dates.ts'
import { normalizeName } from './normalize-name.ts'
import type { DateOrder } from './source.ts'
import { offsetIn } from './zone-text.ts'

export type DueDate =
  /** `local`: a day or a time of the store, as an export writes it. Any other date is a moment, whatever the zone. */
  | { date: string | null; local?: string }
  /** `unclear`: the order of day and month is not known. */
  | { problem: DueProblem; explanation: string }

type DueProblem = 'unclear_date' | 'not_date' | 'short_year' | 'none_date' | 'zone_date'

export interface Reading {
  order?: DateOrder | undefined
  /** The time zone of the store, which the runtime must know. */
  zone: string
}

/** Dates before this year are the empty date of a program: year 1, 1899, 1900 or 1904. */
const FIRST_YEAR = 1905
/** Clocks of twelve hours are those of Mexico and of the United States; `18h30` is the time of Portugal and Brazil. */
const TIME = String.raw`(\d\d?[:h]\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:\s?([ap])\.?\s?m\.?)?`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/])(\d\d)\2(\d\d)(?:[Tt ]${TIME})?$`, 'iu')
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:,? ${TIME})?$`, 'iu')
/** A time, and what stands behind it. */
const TIMED = /^(.*\d[:h]\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?[ap]\.?\s?m\b\.?)?)\s?(?![ap]\.?\s?m\b)([^\d\s:.,].*)$/iu
/** The end of a lesson, as in `31/12/2027 08:30-10:00`, is no offset. */
const SPAN = /^-\d\d?:\d\d$/
const SECONDS = /:\d\d:\d\d/
const SHORT_YEAR = /^\d{1,2}([-/.])\d{1,2}\1\d\d(?:\s|,|$)/
/** What the console writes where there is no due date, in its three languages, as `normalizeName` returns it. */
const NO_LIMIT = new Set(['nolimit', 'sinlimite', 'semlimite'])
const ACCEPTED =
  'write a day, like 2027-12-31 or, with --dates dmy, 31/12/2027, a time, like 2027-12-31 18:00 (in the time zone of the store), or "none" for no due date'
const NO_ZONE = `several time zones may have the name behind the time, or it is none; write the offset, like 2027-12-31T18:00+01:00, or Z for UTC, or ${ACCEPTED}`

export function dueDateOf(text: string, reading: Reading): DueDate {
  if (text === 'none' || NO_LIMIT.has(normalizeName(text))) return { date: null }
  const instant = parseDateTime(text)
  if (instant !== undefined) return instant < Date.UTC(FIRST_YEAR) ? notDate() : { date: text }
  const [, wall = text, end = ''] = TIMED.exec(text) ?? []
  const offset = SPAN.test(end) && !SECONDS.test(wall) ? undefined : offsetIn(end)
  const due = wallDate(withoutNames(wall.replaceAll(/\s+/gu, ' ')), { ...reading, offset: offset ?? '' })
  if ('problem' in due) return due.problem === 'not_date' ? notDate(text) : due
  return offset === undefined ? { problem: 'zone_date', explanation: NO_ZONE } : due
}

interface WallReading extends Reading {
  /** `Z` or an offset behind the time. Without one, the time is that of the zone. */
  offset: string
}

function wallDate(text: string, { order, ...reading }: WallReading): DueDate {
  const [, year = '', , month = '', day = '', ...time] = YEAR_FIRST.exec(text) ?? []
  if (year !== '') return localDate({ year, month, day, ...reading }, time)
  const [, first = '', , second = '', lastYear = '', ...lastTime] = YEAR_LAST.exec(text) ?? []
  if (lastYear === '') return notDate(text)
  if (order === undefined) {
    const explanation = `it is not clear which number is the day and which the month; say it with --dates dmy or --dates mdy, or ${ACCEPTED}`
    return { problem: 'unclear_date', explanation }
  }
  const [lastDay, lastMonth] = order === 'dmy' ? [first, second] : [second, first]
  return localDate({ year: lastYear, month: lastMonth, day: lastDay, ...reading }, lastTime)
}

/**
 * True if an export for spreadsheets writes the stored date as the text that was read, so that nothing has changed. The texts
 * are compared, too, because a time that comes twice on a day is read as the second one.
 */
export function isSameLocalDate(
  stored: string | null,
  read: { date: string | null; local: string },
  zone: string,
): boolean {
  if (stored === null || read.date === null) return stored === read.date
  const text = localText(Date.parse(stored), zone)
  return text === read.local || text === localText(Date.parse(read.date), zone)
}

/** True for a day or a time in any order of its parts, and for the words for no limit. */
export function isDue(text: string): boolean {
  return (['dmy', 'mdy'] as const).some((order) => 'date' in dueDateOf(text, { order, zone: 'UTC' }))
}

export interface DateSurvey {
  /** True if there are dates with the day or the month first. */
  hasDates: boolean
  /** The order of which the column has proof, such as 30/06/2027, and none of the other one. */
  order: DateOrder | undefined
  /** A date whose day and month could be exchanged. */
  example: string | undefined
}

/** Looks through the cells of a column of due dates for the order of day and month. */
export async function surveyDates(cells: AsyncIterable<string>): Promise<DateSurvey> {
  const orders = new Set<DateOrder>()
  let [hasDates, example]: [boolean, string | undefined] = [false, undefined]
  for await (const cell of cells)
    for (const text of cell.split('|').map((part) => part.trim())) {
      const [, first, , second, year] = YEAR_LAST.exec(numbersIn(text)) ?? []
      if (year === undefined) continue
      hasDates = true
      if (Number(first) > 12) orders.add('dmy')
      else if (Number(second) > 12) orders.add('mdy')
      else if (first !== second) example ??= text
    }
  const [order] = orders
  return { hasDates, order: orders.size === 1 ? order : undefined, example }
}

/** Returns the day that a text such as 03/04/2027 names in this order, in UTC. No month has a 31/02/2027. */
export function dayIn(text: string, order: DateOrder): Date | undefined {
  const [, first = '', , second = '', year = ''] = YEAR_LAST.exec(numbersIn(text)) ?? []
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  const start = parseDateTime(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`)
  return start === undefined ? undefined : new Date(start)
}

/** A date without the names in it, and without what stands behind its time. */
function numbersIn(text: string): string {
  return withoutNames(TIMED.exec(text)?.[1] ?? text)
}

function notDate(text = ''): DueDate {
  if (SHORT_YEAR.test(text)) return { problem: 'short_year', explanation: `the year needs four digits; ${ACCEPTED}` }
  if (/^(?:none|null|nil|nan|nat)$/i.test(text))
    return {
      problem: 'none_date',
      explanation: `${text} is what programs write for a missing value; leave the cell empty, so that the product decides, or ${ACCEPTED}`,
    }
  return { problem: 'not_date', explanation: `is not a date that the import accepts; ${ACCEPTED}` }
}

interface LocalDay extends Omit<WallReading, 'order'> {
  year: string
  month: string
  day: string
}

function localDate(
  { year, month, day, zone, offset }: LocalDay,
  [clock = '00:00', seconds = '00', fraction = '', half]: (string | undefined)[],
): DueDate {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const written = `${hoursOf(clock, half)}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
  // The end of a day is its last moment.
  const time = offset === '' && written === '24:00:00.000' ? '00:00:00.000' : written
  const wallTime = parseDateTime(`${date}T${time}Z`)
  if (Number(year) < FIRST_YEAR || wallTime === undefined) return notDate()
  if (offset !== '')
    return parseDateTime(`${date}T${time}${offset}`) === undefined ? notDate() : { date: `${date}T${time}${offset}` }
  const isDay = time === '00:00:00.000'
  const instant = isDay ? endOfDay(date, zone) : Math.min(instantAt(wallTime, zone), LAST_MOMENT)
  return { date: new Date(instant).toISOString(), local: isDay ? date : `${date} ${time.slice(0, 8)}` }
}

/** 12 a.m. is midnight. An hour that a clock of twelve hours lacks stays, so that it is rejected. */
function hoursOf(clock: string, half: string | undefined): string {
  const [hour = '', minutes = ''] = clock.toLowerCase().split(/[:h]/)
  if (half === undefined) return `${hour.padStart(2, '0')}:${minutes}`
  const hours = Number(hour)
  if (hours < 1 || hours > 12) return `99:${minutes}`
  return `${String((hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes}`
}
