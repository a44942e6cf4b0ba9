/** What stands behind a time of the day. Only UTC and offsets say the same to everybody: IST is three zones. */

const ZONE = /^[([]?(?:(Z|UTC|GMT)|(?:UTC|GMT)?\s*([-+])(\d\d?)(?::?(\d\d))?)[)\]]?$/i
/** In hours: that of Kiribati. */
const MAX_OFFSET = 14
/** How `18:30 h` and the like end, and formats of East Asia. */
const UNIT = /^(?:h|hs|hrs?|horas?|hours?|m|min|minutos?|minutes?|s|seg|sec|uhr|[时時点點分秒시분초])\.?$/iu
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Returns `Z` or an offset, nothing for a unit, and undefined for any other text, such as CET. */
export function offsetIn(text: string): string | undefined {
  const [, utc, sign, hours = '', minutes = '00'] = ZONE.exec(text) ?? []
  if (utc !== undefined) return 'Z'
  if (sign !== undefined) return Number(hours) > MAX_OFFSET ? undefined : `${sign}${hours.padStart(2, '0')}:${minutes}`
  return UNIT.test(text) || !LETTER_OR_DIGIT.test(text) ? '' : undefined
}
