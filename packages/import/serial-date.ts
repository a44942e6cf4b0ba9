/** Dates and times of spreadsheets: the days since 1900 or 1904, and ISO text. Both are times of the wall. */

/** What a format shows of a date. */
export interface DateParts {
  hasDay: boolean
  hasTime: boolean
  hasSeconds: boolean
  /** The unit that counts beyond a day, such as `[h]`. */
  elapsed: 'h' | 'm' | 's' | undefined
  /** `Z` or an offset, if the format writes one behind the time. */
  zone: string
}

const DAY_MS = 86_400_000
const SECOND_MS = 1000
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?)?Z?$/
const ISO_TIME = /^\d\d:\d\d/

/** Returns undefined if no spreadsheet can show the date. */
export function dateText(value: number, parts: DateParts, is1904: boolean): string | undefined {
  // A sum of fractions may be a hair less than the day that a spreadsheet shows, with its fifteen digits.
  const serial = Number.isInteger(value) ? value : Number(value.toPrecision(15))
  const { hasDay, hasTime, hasSeconds, elapsed, zone } = parts
  if (!hasTime && elapsed === undefined) return dayText(Math.floor(serial), is1904)
  const date = new Date(rounded(serial * DAY_MS) + epoch(serial, is1904))
  if (serial < 0 || !(date.getUTCFullYear() <= 9999)) return undefined
  if (elapsed !== undefined) return durationText(serial * DAY_MS, elapsed, hasSeconds)
  const [day = '', clock = ''] = date.toISOString().split(/[TZ]/)
  const time = clock.replace('.000', '')
  if (!hasDay && hasTime) return (hasSeconds || !time.endsWith(':00') ? time.slice(0, 8) : time.slice(0, 5)) + zone
  return zone === '' ? wallTime(day, time) : `${day}T${time}${zone}`
}

/** The days of a column repeat, and a million of them would take a second. */
const days = new Map<number, string>()
const MAX_DAYS = 10_000

function dayText(serial: number, is1904: boolean): string | undefined {
  const time = serial * DAY_MS + epoch(serial, is1904)
  const known = days.get(time)
  if (known !== undefined) return known
  const date = new Date(time)
  if (serial < 0 || !(date.getUTCFullYear() <= 9999)) return undefined
  if (days.size >= MAX_DAYS) days.clear()
  const text = date.toISOString().slice(0, 10)
  days.set(time, text)
  return text
}

/** A cell may have its date as ISO text. It is a time of the wall, even with a Z. Undefined if it is neither day nor time. */
export function isoText(text: string): string | undefined {
  const [, day, minutes, seconds = ':00', fraction = ''] = ISO.exec(text) ?? []
  if (day === undefined) return ISO_TIME.test(text) ? text : undefined
  if (minutes === undefined) return day
  // Date.parse misreads a fraction of ten digits or more.
  const time = Date.parse(`${day}T${minutes}${seconds}${fraction.slice(0, 4)}Z`)
  if (Number.isNaN(time)) return undefined
  const [, clock = ''] = new Date(rounded(time)).toISOString().split(/[TZ]/)
  return wallTime(day, clock.replace('.000', ''))
}

/**
 * Spreadsheets store fractions of days, so the seconds are rounded. Within the last second before midnight they are cut,
 * or an access that ends with its day would have another day. The last millisecond stays one: it is the end of the day.
 */
function rounded(milliseconds: number): number {
  const midnight = (Math.floor(milliseconds / DAY_MS) + 1) * DAY_MS
  const seconds = Math.round(milliseconds / SECOND_MS) * SECOND_MS
  if (seconds < midnight) return seconds
  return Math.round(milliseconds) >= midnight - 1 ? midnight - 1 : midnight - SECOND_MS
}

/** Excel's day 0 is before 1900-01-01, and its day 60 is one that did not exist. */
function epoch(serial: number, is1904: boolean): number {
  if (is1904) return Date.UTC(1904, 0, 1)
  return serial < 60 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30)
}

/** A date at midnight is a day. */
function wallTime(day: string, time: string): string {
  return time === '00:00:00' ? day : `${day}T${time}`
}

function durationText(milliseconds: number, unit: 'h' | 'm' | 's', hasSeconds: boolean): string {
  const seconds = Math.round(milliseconds / SECOND_MS)
  const pad = (count: number) => String(count).padStart(2, '0')
  if (unit === 's') return String(seconds)
  const minutes = Math.floor(seconds / 60)
  const end = hasSeconds ? `:${pad(seconds % 60)}` : ''
  return unit === 'm' ? `${pad(minutes)}${end}` : `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}${end}`
}
