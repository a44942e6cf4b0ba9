/**
 * The text of a number as the person sees it. numfmt renders number formats, which are a language of their own. Dates and
 * times keep their meaning instead of the order of their parts, so they are written in ISO 8601.
 */
import { format, getFormatDateInfo, isDateFormat, isTextFormat, type Token, tokenize } from 'numfmt'
import { dateText, type DateParts } from './serial-date.ts'
import { offsetIn } from './zone-text.ts'

export interface CellText {
  text: string
  /** False for numbers and booleans. */
  isText: boolean
}

export type CellFormat = (value: number) => CellText | undefined

interface Section {
  pattern: string
  condition: RegExpExecArray | null
  /** It has a fixed number of digits, as a postal code has. */
  isCode: boolean
  date: DateParts | undefined
}

const CONDITION = /^(<=|>=|<>|<|>|=)(-?[\d.]+(?:E[-+]?\d+)?)$/i
/** A number as any program writes one. `-` alone is the zero of accountants. */
const PLAIN = /^-?\(?-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)?(?:\.\d*)?(?:E[-+]?\d+)?\)?$|^-$/i
const PERCENT = /^\(?[-+]?[\d.,]+\s*%\s*\)?$/
/** The abbreviation of a time zone, such as CET or UTC. */
const ZONE_NAME = /^[([]?(?:UTC|GMT|[A-Z]{1,4}T)[)\]]?$/
/** From here on, a double does not have all digits that a format would show. */
const MAX_SHOWN = 1e15

/** Returns undefined for a date that no spreadsheet can show. */
export function cellFormat(pattern: string, is1904: boolean, locale?: string): CellFormat {
  const tokens = tokensOf(pattern)
  if (tokens === undefined || tokens.every(({ type }) => type === 'GENERAL') || isTextFormat(pattern))
    return plainNumber
  const sections = sectionsOf(tokens)
  return (value) => {
    if (Math.abs(value) >= MAX_SHOWN) return plainNumber(value)
    const section = sectionFor(value, sections)
    if (section.date !== undefined) {
      // A format may hide the zeros of a column.
      if (value === 0 && format(pattern, value).trim() === '') return { text: '', isText: true }
      const text = dateText(value, section.date, is1904)
      return text === undefined ? undefined : { text, isText: true }
    }
    return shownNumber(value, pattern, { isCode: section.isCode, locale })
  }
}

function shownNumber(
  value: number,
  pattern: string,
  { isCode, locale = '' }: { isCode: boolean; locale: string | undefined },
): CellText {
  const shown = format(pattern, value).trim()
  if (shown === '') return { text: '', isText: true }
  if (PERCENT.test(shown)) return { text: percentText(shown), isText: true }
  if (!isCode && PLAIN.test(shown)) return plainNumber(value)
  const isLocal = locale !== '' && /[\d][.,]\d/.test(shown)
  return { text: isLocal ? format(pattern, value, { locale }).trim() : shown, isText: true }
}

/** As it is rounded in the sheet. Programs differ in blanks, brackets and zeros, which are no part of the value. */
function percentText(shown: string): string {
  const number = Number(shown.replaceAll(/[^\d.]/g, ''))
  return `${/[-(]/.test(shown) && number !== 0 ? '-' : ''}${number}%`
}

/** The number with all its digits, which its format may not show. */
export function plainNumber(value: number): CellText {
  // A double has more digits than a spreadsheet shows: 0.1 + 0.2 is 0.3.
  if (!Number.isInteger(value)) return { text: String(Number(value.toPrecision(15))), isText: false }
  // The digits of a larger integer are unknown, and those of the double would look like an id.
  return { text: Number.isSafeInteger(value) ? String(value) : value.toExponential(), isText: false }
}

/** Undefined if no program could have made the format. */
function tokensOf(pattern: string): Token[] | undefined {
  try {
    format(pattern, 1)
    return tokenize(pattern)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

function sectionsOf(tokens: Token[]): Section[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.type === 'BREAK') parts.push([])
    else parts.at(-1)?.push(token)
  }
  const isForText = (part: Token[]) => part.some(({ type }) => type === 'TEXT')
  return parts
    .filter((part, i) => i === 0 || !isForText(part))
    .map((part) => {
      const pattern = part.map(({ raw }) => raw).join('')
      const condition = CONDITION.exec(part.find(({ type }) => type === 'CONDITION')?.value ?? '')
      const end = part.findIndex(({ type }) => type === 'POINT' || type === 'EXP')
      const zeros = part.slice(0, end < 0 ? part.length : end).filter(({ type }) => type === 'ZERO')
      return {
        pattern,
        condition,
        isCode: zeros.length > 1,
        date: isDateFormat(pattern) ? datePartsOf(pattern, part) : undefined,
      }
    })
}

/** Those with conditions in their order, otherwise positive; negative; zero. */
function sectionFor(value: number, sections: Section[]): Section {
  const [first = { pattern: '', condition: null, isCode: false, date: undefined }] = sections
  if (sections.some(({ condition }) => condition !== null))
    return sections.find(({ condition }) => condition === null || holds(value, condition)) ?? first
  return sections[value < 0 ? 1 : value === 0 ? 2 : 0] ?? first
}

function holds(value: number, [, sign = '', limit]: RegExpExecArray): boolean {
  const difference = Math.sign(value - Number(limit))
  return sign === '<>' ? difference !== 0 : sign.includes({ '-1': '<', '0': '=', '1': '>' }[String(difference)] ?? ' ')
}

function datePartsOf(pattern: string, tokens: Token[]): DateParts {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern)
  const elapsed = tokens.find(({ type }) => type === 'DURATION')?.value[0]?.toLowerCase()
  const isWeekday = tokens.some(({ type, raw }) => type === 'DATETIME' && /^[ad]/i.test(raw))
  return {
    // `mm` alone is the month, even in `mm:ss`, where it is none.
    hasDay: year || day || isWeekday || (month && !hours && !seconds),
    hasTime: hours || minutes || seconds,
    hasSeconds: seconds,
    elapsed: elapsed === 'h' || elapsed === 'm' || elapsed === 's' ? elapsed : undefined,
    zone: zoneOf(tokens),
  }
}

/**
 * What stands behind the time, such as `"Z"` or ` UTC`, is shown, so it counts. The name of another zone stays behind the
 * time, and so does UTC in another place: a time that was read without it would be another one.
 */
function zoneOf(tokens: Token[]): string {
  const last = tokens.findLastIndex(({ type }) => ['DATETIME', 'DURATION', 'AMPM', 'ZERO'].includes(type))
  const end = tokens
    .slice(last + 1)
    .filter(({ type }) => !['COLOR', 'LOCALE', 'SKIP', 'FILL'].includes(type))
    .map(({ value }) => value)
    .join('')
    .trim()
  const named = tokens.slice(0, last).find(({ type, value }) => type === 'STRING' && ZONE_NAME.test(value.trim()))
  return named ? ` ${named.value.trim()}` : (offsetIn(end) ?? ` ${end}`)
}
