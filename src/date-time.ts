/** RFC 3339, section 5.6, with `T` and `Z` in either case and any number of fraction digits. */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i

const YEAR_0000 = Date.parse('0000-01-01T00:00:00.000Z')
const YEAR_10000 = Date.parse('+010000-01-01T00:00:00.000Z')

/**
 * Milliseconds since the epoch; smaller fractions are truncated. Undefined for text that is not an RFC 3339 date-time, for a
 * leap second, which Date does not have, and for a year outside 0000 to 9999 in UTC.
 */
export function parseDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [, year = '', month = '', day = '', hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match
  const local = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`,
  )
  // Date.parse turns 30 February into a day in March.
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) return undefined
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000
  const time = sign === '-' ? local + offset : local - offset
  return time >= YEAR_0000 && time < YEAR_10000 ? time : undefined
}

export function formatDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export function formatNullableDateTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatDateTime(milliseconds)
}
