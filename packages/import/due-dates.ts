/**
 * Due dates as people and programs write them. Spreadsheets know no time zones: days and times are in the time zone of
 * whoever imports. A day lasts until its end.
 */
import { parseDateTime } from '../../src/lib/date-time.ts'
import { normalizeName } from './normalize-name.ts'
import type { DateOrder } from './source.ts'

export type DueDate =
  | { date: string | null }
  /** `unclear`: the order of day and month is not known. */
  | { problem: 'unclear_date' | 'not_date'; explanation: string }

/** Dates before this year are the empty date of a program: year 1, 1899, 1900 or 1904. */
const FIRST_YEAR = 1905
const YEAR_FIRST = /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?)?$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:,? (\d\d?:\d\d)(?::(\d\d)(?:\.(\d+))?)?)?$/
/** What the console writes where there is no due date, in its three languages, as `normalizeName` returns it. */
const NO_LIMIT = new Set(['nolimit', 'sinlimite', 'semlimite'])
const ACCEPTED =
  'write a day, like 2027-12-31 or, with --dates dmy, 31/12/2027, a time, like 2027-12-31 18:00 (in your time zone), or "none" for no due date'

export function dueDateOf(text: string, order?: DateOrder): DueDate {
  if (text === 'none' || NO_LIMIT.has(normalizeName(text))) return { date: null }
  const instant = parseDateTime(text)
  if (instant !== undefined) return instant < Date.UTC(FIRST_YEAR) ? notDate() : { date: text }
  const [, year = '', , month = '', day = '', ...time] = YEAR_FIRST.exec(text) ?? []
  if (year !== '') return localDate(year, month, day, time)
  const [, first = '', , second = '', lastYear = '', ...lastTime] = YEAR_LAST.exec(text) ?? []
  if (lastYear === '') return notDate()
  if (order === undefined) {
    const explanation = `it is not clear which number is the day and which the month; say it with --dates dmy or --dates mdy, or ${ACCEPTED}`
    return { problem: 'unclear_date', explanation }
  }
  return order === 'dmy' ? localDate(lastYear, second, first, lastTime) : localDate(lastYear, first, second, lastTime)
}

/** True for a day or a time in any order of its parts, and for the words for no limit. */
export function isDue(text: string): boolean {
  return 'date' in dueDateOf(text, 'dmy') || 'date' in dueDateOf(text, 'mdy')
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

function notDate(): DueDate {
  return { problem: 'not_date', explanation: `is not a date that the import accepts; ${ACCEPTED}` }
}

function localDate(
  year: string,
  month: string,
  day: string,
  [minutes, seconds = '00', fraction = '']: (string | undefined)[],
): DueDate {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = `${(minutes ?? '00:00').padStart(5, '0')}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
  if (Number(year) < FIRST_YEAR || parseDateTime(`${date}T${time}Z`) === undefined) return notDate()
  // Where the clocks go back at midnight, 23:59:59 comes twice, so the end is found from the next day.
  const end = new Date(Number(year), Number(month) - 1, Number(day) + 1).getTime() - 1
  return { date: new Date(minutes === undefined ? end : `${date}T${time}`).toISOString() }
}
