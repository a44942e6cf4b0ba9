/** Which values are valid (contract, sections 2, 3, 5 and 7). */
import { domainToASCII } from 'node:url'
import { CUSTOM_FIELDS, LENGTH, MAX_TIME } from '../../../src/limits.ts'
import { type Row, toRow } from '../rows.ts'
import { COUNTRIES } from './countries.ts'

/** Returns the paths within the value that are invalid: `''` is the value itself, `x` its key x; none if it is valid. */
export type Rule = (value: unknown, now: number) => string[]

export const rule =
  (isValid: (value: unknown) => boolean): Rule =>
  (value) =>
    isValid(value) ? [] : ['']

/** A rule for texts. */
const textRule = (isValid: (text: string) => boolean) => rule((value) => typeof value === 'string' && isValid(value))

/** A field that may be omitted, or sent as null. */
export const optional =
  (inner: Rule): Rule =>
  (value, now) =>
    value === undefined || value === null ? [] : inner(value, now)

/** A field that may be omitted, but not sent as null. */
export const ifSent =
  (inner: Rule): Rule =>
  (value, now) =>
    value === undefined ? [] : inner(value, now)

/** A character is a Unicode code point. */
const isText = (text: string, max: number) =>
  text.isWellFormed() && !text.includes('\0') && Array.from(text).length <= max
const isBlank = (text: string) => /^\p{White_Space}*$/u.test(text)

export const text = (max: number) => textRule((value) => isText(value, max))
/** A text that is not blank. */
export const filled = (max: number) => textRule((value) => isText(value, max) && !isBlank(value))
export const oneOf = (values: readonly string[]) => textRule((value) => values.includes(value))
export const integer = (min: number, max: number) =>
  rule((value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
export const boolean = rule((value) => typeof value === 'boolean')
export const recordId = textRule((value) => /^[1-9]\d{0,15}$/.test(value))
export const slug = textRule((value) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(value))
export const fieldKey = textRule((value) => /^[A-Za-z0-9_.-]{1,64}$/.test(value))
export const language = oneOf(['ES', 'PT', 'EN'])
/** The IANA name of an area and a place that the runtime resolves. */
export const timeZone = textRule(
  (value) => value === 'UTC' || (/^[a-z_]+(\/[a-z_-]+)+$/i.test(value) && isResolved(value)),
)
export const country = textRule((value) => /^[A-Za-z]{2}$/.test(value) && COUNTRIES.has(value.toUpperCase()))
export const upperCaseLetters = textRule((value) => /^[A-Z]{2}$/.test(value))
export const letters = textRule((value) => /^[A-Za-z]{2}$/.test(value))
export const httpUrl = textRule(
  (value) => isText(value, LENGTH.url) && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
)

function isResolved(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LOCAL_PART = new RegExp(`^${ATOM}(\\.${ATOM})*$`)
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const known = new Map<unknown, string | undefined>()

/** Domains are compared as Punycode, local parts without regard to ASCII case. Undefined if the value is no email. */
export function emailKey(value: unknown): string | undefined {
  if (known.size > 10_000) known.clear()
  if (!known.has(value)) known.set(value, toEmailKey(value))
  return known.get(value)
}

function toEmailKey(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isText(value, LENGTH.email)) return undefined
  const at = value.lastIndexOf('@')
  if (at < 0) return undefined
  const domain = domainToASCII(value.slice(at + 1))
  const labels = domain.split('.')
  const isName = labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return LOCAL_PART.test(value.slice(0, at)) && isName ? `${value.slice(0, at).toLowerCase()}@${domain}` : undefined
}

export const email = rule((value) => emailKey(value) !== undefined)

const DATE_TIME =
  /^(?<date>\d{4}-\d\d-\d\d)[Tt ](?<time>\d\d:\d\d)(?<seconds>:\d\d)?(?<fraction>(?<=:\d\d:\d\d)\.\d+)? ?(?:[Zz]|(?<sign>[+-])(?<hours>\d\d)(?::?(?<minutes>\d\d))?)$/
const FIRST = Date.parse('0000-01-01T00:00:00Z')

/** The instant of a date-time, as RFC 3339 and common libraries write it; undefined if the value is none. */
export function parseDateTime(value: unknown): number | undefined {
  const groups = typeof value === 'string' ? DATE_TIME.exec(value)?.groups : undefined
  if (!groups) return undefined
  const { date, time, seconds = ':00', fraction = '', sign = '+', hours = '0', minutes = '0' } = groups
  const local = Date.parse(`${date}T${time}${seconds}Z`)
  // Otherwise the 30th of February would be a day in March.
  const isReal = !Number.isNaN(local) && iso(local).startsWith(`${date}T${time}${seconds}`)
  if (!isReal || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const offset = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const at = local + Math.floor(Number(`0${fraction}`) * 1000) - offset
  return at >= FIRST && at <= MAX_TIME ? at : undefined
}

const iso = (ms: number) => new Date(ms).toISOString()

export const dateTime = rule((value) => parseDateTime(value) !== undefined)

/** A date-time as it is stored: in UTC, with milliseconds. */
export const storedTime = (value: unknown) => {
  const at = parseDateTime(value)
  return at === undefined ? null : iso(at)
}

/** A number counts as long as it is written. */
const isNumber = (value: unknown) =>
  (typeof value === 'number' || JSON.isRawJSON(value)) && JSON.stringify(value).length <= LENGTH.number
const isScalar = (value: unknown, max: number) =>
  value === null || typeof value === 'boolean' || isNumber(value) || (typeof value === 'string' && isText(value, max))

export const grade = rule((value) => isScalar(value, LENGTH.grade))

export const isTooLarge = (fields: Row) => Buffer.byteLength(JSON.stringify(fields)) > CUSTOM_FIELDS.bytes

export const customFields: Rule = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['']
  const entries = Object.entries(toRow(value))
  if (entries.length > CUSTOM_FIELDS.keys) return ['']
  return entries.filter(([, each]) => !isScalar(each, LENGTH.customFieldValue)).map(([key]) => key)
}

/** The first rule says what is a value at all; only then do the others count. */
export const all =
  (first: Rule, ...others: Rule[]): Rule =>
  (value, now) => {
    const invalid = first(value, now)
    return invalid.includes('') ? invalid : [...new Set([...others.flatMap((each) => each(value, now)), ...invalid])]
  }
