/**
 * Due dates as people and programs write them. Spreadsheets know no time zones: days and times are in the time zone of
 * whoever imports. A day lasts until its end.
 */
import { parseDateTime } from '../src/date-time.ts'
import type { DateOrder } from './source.ts'

export type DueDate =
  | { date: string | null }
  /** `unclear`: the order of day and month is not known. */
  | { problem: 'unclear_date' | 'not_date'; explanation: string }

/** Dates before this year are the empty date of a program: year 1, 1899, 1900 or 1904. */
const FIRST_YEAR = 1905
const YEAR_FIRST = /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?)?$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:,? (\d\d?:\d\d)(?::(\d\d)(?:\.(\d+))?)?)?$/
const ACCEPTED = 'write a day as 2027-12-31, a time as 2027-12-31 18:00 (in your time zone), or "none" for no due date'

export function dueDateOf(text: string, order?: DateOrder): DueDate {
  if (text === 'none') return { date: null }
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

/** True if a cell with the due dates of one or several products has one whose day and month may be mixed up. */
export function isUnclearDueDate(cell: string): boolean {
  return cell.split('|').some((text) => {
    const due = dueDateOf(text.trim())
    return 'problem' in due && due.problem === 'unclear_date'
  })
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
