/**
 * Due dates as people and programs write them. Spreadsheets know no time zones: days and times are those of the store. A day
 * lasts until its end, and a time of midnight is what programs write for a day.
 */
import { endOfDay, instantAt, LAST_MOMENT, localText } from '../../src/calendar.ts'
import { parseDateTime } from '../../src/lib/date-time.ts'
import { normalizeName } from './normalize-name.ts'
import type { DateOrder } from './source.ts'

export type DueDate =
  /** `local`: a day or a time of the store, as an export writes it. Any other date is a moment, whatever the zone. */
  | { date: string | null; local?: string }
  /** `unclear`: the order of day and month is not known. */
  | { problem: DueProblem; explanation: string }

type DueProblem = 'unclear_date' | 'not_date' | 'short_year' | 'none_date'

export interface Reading {
  order?: DateOrder | undefined
  /** The time zone of the store, which the runtime must know. */
  zone: string
}

/** Dates before this year are the empty date of a program: year 1, 1899, 1900 or 1904. */
const FIRST_YEAR = 1905
const YEAR_FIRST = /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[Tt ](\d\d?:\d\d)(?::(\d\d)(?:\.(\d+))?)?)?$/
/** Clocks of twelve hours are those of Mexico and of the United States. */
const YEAR_LAST =
  /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:,? (\d\d?:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:\s?([ap])\.?\s?m\.?)?)?$/iu
const SHORT_YEAR = /^\d{1,2}([-/.])\d{1,2}\1\d\d(?:\s|,|$)/
/** What the console writes where there is no due date, in its three languages, as `normalizeName` returns it. */
const NO_LIMIT = new Set(['nolimit', 'sinlimite', 'semlimite'])
const ACCEPTED =
  'write a day, like 2027-12-31 or, with --dates dmy, 31/12/2027, a time, like 2027-12-31 18:00 (in the time zone of the store), or "none" for no due date'

export function dueDateOf(text: string, { order, zone }: Reading): DueDate {
  if (text === 'none' || NO_LIMIT.has(normalizeName(text))) return { date: null }
  const instant = parseDateTime(text)
  if (instant !== undefined) return instant < Date.UTC(FIRST_YEAR) ? notDate() : { date: text }
  const [, year = '', , month = '', day = '', ...time] = YEAR_FIRST.exec(text) ?? []
  if (year !== '') return localDate({ year, month, day, zone }, time)
  const [, first = '', , second = '', lastYear = '', ...lastTime] = YEAR_LAST.exec(text) ?? []
  if (lastYear === '') return notDate(text)
  if (order === undefined) {
    const explanation = `it is not clear which number is the day and which the month; say it with --dates dmy or --dates mdy, or ${ACCEPTED}`
    return { problem: 'unclear_date', explanation }
  }
  const [lastDay, lastMonth] = order === 'dmy' ? [first, second] : [second, first]
  return localDate({ year: lastYear, month: lastMonth, day: lastDay, zone }, lastTime)
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
      const [, first, , second, year] = YEAR_LAST.exec(text) ?? []
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
  const [, first = '', , second = '', year = ''] = YEAR_LAST.exec(text) ?? []
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  const start = parseDateTime(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`)
  return start === undefined ? undefined : new Date(start)
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

interface LocalDay {
  year: string
  month: string
  day: string
  zone: string
}

function localDate(
  { year, month, day, zone }: LocalDay,
  [clock = '00:00', seconds = '00', fraction = '', half]: (string | undefined)[],
): DueDate {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = `${hoursOf(clock, half)}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
  const wallTime = parseDateTime(`${date}T${time}Z`)
  if (Number(year) < FIRST_YEAR || wallTime === undefined) return notDate()
  const isDay = time === '00:00:00.000'
  const instant = isDay ? endOfDay(date, zone) : Math.min(instantAt(wallTime, zone), LAST_MOMENT)
  return { date: new Date(instant).toISOString(), local: isDay ? date : `${date} ${time.slice(0, 8)}` }
}

/** 12 a.m. is midnight. An hour that a clock of twelve hours lacks stays, so that it is rejected. */
function hoursOf(clock: string, half: string | undefined): string {
  const [hour = '', minutes = ''] = clock.split(':')
  if (half === undefined) return `${hour.padStart(2, '0')}:${minutes}`
  const hours = Number(hour)
  if (hours < 1 || hours > 12) return `99:${minutes}`
  return `${String((hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes}`
}
