/**
 * RFC 3339, section 5.6, and what libraries of Java, Python, SQL, PHP and Ruby write for an instant: a blank instead of `T`,
 * no seconds, an offset without a colon or without minutes, and a blank before it.
 */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?: ?[Zz]| ?([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/

const OFFSET = /^ ?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/i

const YEAR_0000 = Date.parse('0000-01-01T00:00:00.000Z')
const YEAR_10000 = Date.parse('+010000-01-01T00:00:00.000Z')

/** The parts of a date-time. What follows the time need not be an offset. */
const PARTS = /^\d{4}-\d\d-\d\d(?:[Tt ](\d\d:\d\d(?::(\d\d)(?:\.\d+)?)?)(.*))?$/

/**
 * Milliseconds since the epoch; smaller fractions are truncated. Undefined for text without an offset, for a leap second,
 * which Date does not have, and for a year outside 0000 to 9999 in UTC.
 */
export function parseDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [, year = '', month = '', day = '', hour, minute, second = '00', fraction = '', sign, ...offsetParts] = match
  const local = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`,
  )
  // Date.parse turns 30 February into a day in March.
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) return undefined
  const [offsetHour, offsetMinute] = offsetParts
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000
  const time = sign === '-' ? local + offset : local - offset
  return time >= YEAR_0000 && time < YEAR_10000 ? time : undefined
}

/** What is wrong with text that is meant as a date-time; undefined if it is one. */
export function dateTimeProblem(text: string): string | undefined {
  if (parseDateTime(text) !== undefined) return undefined
  const reason = partProblem(text)
  return `must be an RFC 3339 date-time with an offset or Z${reason === undefined ? '' : `: ${reason}`}`
}

function partProblem(text: string): string | undefined {
  if (text !== text.trim()) return 'there are blanks before or after it'
  // Date.toISOString of JavaScript writes later years like this.
  if (/^(?:[+-]\d{4,6}|\d{5,6})-/.test(text)) return 'a year has four digits, from 0000 to 9999'
  const [isDate, time, second, rest = ''] = PARTS.exec(text) ?? []
  if (isDate === undefined) return undefined
  if (time === undefined) return 'the time and the offset are missing'
  if (second === '60') return 'second 60 is not accepted'
  return restProblem(rest) ?? dayProblem(text) ?? timeProblem(time) ?? yearProblem(text)
}

/** What follows the time and, if there is one, its fraction. */
function restProblem(rest: string): string | undefined {
  if (rest === '') return 'the offset is missing'
  if (/^,\d/.test(rest)) return 'the fraction of a second follows a point, not a comma'
  if (rest.startsWith('.')) return 'a fraction has digits, and follows the seconds'
  if (/\[[^\]]*\]$/.test(rest)) return 'the name of a time zone in brackets is not accepted; send the offset alone'
  if (/^ ?(?:UTC|GMT)$/i.test(rest)) return 'write Z for UTC'
  if (/^ ?(?!Z$)[A-Za-z]/i.test(rest)) return 'the name of a time zone is not accepted; send the offset'
  // In a query, a plus sign that is not encoded is a blank.
  if (/^ \d\d(?::?\d\d)?$/.test(rest))
    return 'a blank is where the + of the offset belongs; in a query, write it as %2B'
  if (rest.startsWith('  ')) return 'there may be one blank before the offset'
  return OFFSET.test(rest) ? undefined : 'an offset is written like +01:00, and is at most 23:59'
}

function timeProblem(time: string): string | undefined {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d|$)/.test(time) ? undefined : `there is no time ${time}`
}

function dayProblem(text: string): string | undefined {
  const [date = ''] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
  const time = Date.parse(`${date}T00:00:00Z`)
  // Date.parse turns 30 February into a day in March.
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
  return exists ? undefined : `there is no day ${date}`
}

/** The year of a date-time that is well formed, and whose day exists. */
function yearProblem(text: string): string | undefined {
  if (!DATE_TIME.test(text)) return undefined
  return text.startsWith('0000')
    ? 'in UTC, it is before the year 0000'
    : 'in UTC, it is after the year 9999, with which dates end'
}

export function formatDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export function formatNullableDateTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatDateTime(milliseconds)
}
