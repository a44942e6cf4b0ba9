/** The values of bodies and queries as Zod schemas. The messages are the `explanation` of errors. */
import * as z from 'zod/mini'
import { isTimeZone } from '../calendar.ts'
import { dateTimeProblem, formatDateTime, parseDateTime } from '../lib/date-time.ts'
import { NO_NUMBER } from '../db/ids.ts'
import { emailKey } from '../lib/emails.ts'
import { isObject } from '../lib/json.ts'
import { LENGTH, MAX_EXPIRATION_DAYS, ROTATION } from '../limits.ts'
import { lazy } from '../lib/lazy.ts'
import { BLANK, CUSTOM_FIELD_KEY, isHttpUrl, SLUG } from './patterns.ts'

/** More digits than any id has. A number that no record can have is read as NO_NUMBER. */
const NUMBER = /^[1-9]\d{0,15}$/

/** Marks an issue of `.check` as a missing field (400) rather than an invalid one (src/http/middleware/validate.ts). */
export const MISSING = { missing: true } as const

/** A check that fails with the message of `findProblem`, if there is one. */
function check<T>(findProblem: (value: T) => string | undefined) {
  return (payload: z.core.ParsePayload<T>) => {
    const message = findProblem(payload.value)
    if (message !== undefined) payload.issues.push({ code: 'custom', message, input: payload.value })
  }
}

/**
 * For a check of a whole object or list. It runs even if a field or item is invalid, so that all errors are reported at
 * once. Therefore the fields can have any type, whatever the schema says.
 */
export function whereverThereIs(isOne: (value: unknown) => boolean) {
  return { when: ({ value }: z.core.ParsePayload) => isOne(value) }
}

interface Problem {
  path?: string[]
  error?: string
  params?: object
}

/** A check of a whole object, whatever its fields are. */
export function refineObject<T>(isValid: (value: NoInfer<T>) => boolean, problem: Problem) {
  return z.refine<T>(isValid, { ...problem, ...whereverThereIs(isObject) })
}

/** Checks of an object that has one of two fields: neither is a missing field, both are an invalid one. */
export function oneOfTwo<const First extends string, const Second extends string>(
  first: First,
  second: Second,
  error: string,
) {
  type Both = { readonly [Field in First | Second]?: unknown }
  return [
    refineObject<Both>((body) => body[first] != null || body[second] != null, { path: [first], params: MISSING }),
    refineObject<Both>((body) => body[first] == null || body[second] == null, { path: [second], error }),
  ] as const
}

/** What is wrong with the characters of a string; undefined if they are valid. */
export function characterProblem(value: string): string | undefined {
  if (!value.isWellFormed()) return 'must not hold a lone surrogate'
  return value.includes('\0') ? 'must not hold a NUL character' : undefined
}

/** What is wrong with a string of at most `max` code points; undefined if it is valid. */
export function textProblem(value: string, max: number): string | undefined {
  const message = characterProblem(value)
  if (message !== undefined) return message
  if (value.length > max && Array.from(value).length > max) return `must be at most ${max} characters`
  return undefined
}

/** Any string of at most `max` characters, blank or not. */
export function anyText(max: number) {
  return z.string({ error: 'must be a string' }).check(
    check((value) => textProblem(value, max)),
    z.meta({ maxLength: max }),
  )
}

/** A string of at most `max` characters that is not blank. */
export function filledText(max: number) {
  return anyText(max).check(
    check((value) => (BLANK.test(value) ? 'must not be blank' : undefined)),
    z.meta({ minLength: 1, maxLength: max }),
  )
}

/** A string for which `isValid` is true; otherwise the error has the explanation. */
export function textWhere(isValid: (value: string) => boolean, explanation: string) {
  return z.string({ error: explanation }).check(check((value) => (isValid(value) ? undefined : explanation)))
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` })
}

/** A list of one or more items, without repetition. */
export function listOf<S extends z.ZodMiniType>(item: S, { noun, max }: { noun: string; max?: number }) {
  return z.array(item, { error: `must be a list of ${noun}s` }).check(
    z.minLength(1, { error: `must name a ${noun}` }),
    ...(max === undefined ? [] : [z.maxLength(max, { error: `must name at most ${max} ${noun}s` })]),
    z.refine((list) => new Set(list).size === list.length, {
      error: `must name each ${noun} once`,
      ...whereverThereIs(Array.isArray),
    }),
    z.meta({ uniqueItems: true }),
  )
}

/** A list of one or more of the values, without repetition. */
export function someOf<const Values extends readonly string[]>(values: Values, noun: string) {
  return listOf(oneOf(values), { noun })
}

/** Converts a valid value with `read`. */
export function readAs<S extends z.ZodMiniType, T>(schema: S, read: (value: z.output<S>) => T) {
  return z.pipe(schema, z.transform(read))
}

/** A field that may be omitted. Null is treated as omitted. */
export function optional<S extends z.ZodMiniType>(schema: S) {
  return readAs(z.nullish(schema), (value) => value ?? undefined)
}

/** A field of a change. If it is omitted, it keeps its value; null clears it. */
export function clearable<S extends z.ZodMiniType>(schema: S) {
  return z.optional(z.nullable(schema))
}

export const emailAddress = lazy(() =>
  anyText(LENGTH.email).check(
    check((value) => (emailKey(value) === undefined ? 'must be an email address' : undefined)),
    z.meta({ format: 'email', maxLength: LENGTH.email, example: 'ada@example.com' }),
  ),
)

export const slugText = lazy(() =>
  textWhere(
    (value) => SLUG.test(value),
    `must be 1 to ${LENGTH.slug} of a-z, 0-9, - and _, starting with a letter or digit`,
  ).check(z.meta({ pattern: SLUG.source, example: 'academy' })),
)

export const KEY_PROBLEM = `must be 1 to ${LENGTH.customFieldKey} letters, digits, _, - and .`

export const customFieldKey = lazy(() =>
  textWhere((value) => CUSTOM_FIELD_KEY.test(value), KEY_PROBLEM).check(
    z.meta({ pattern: CUSTOM_FIELD_KEY.source, example: 'field1' }),
  ),
)

/** The number in an id as the API shows it; undefined if the text is not an id. */
export function parseNumber(text: string): number | undefined {
  return NUMBER.test(text) ? Math.min(Number(text), NO_NUMBER) : undefined
}

/** The id of a record in a body or a query: its number in the store, as a string. */
export const recordId = lazy(() =>
  readAs(
    textWhere((value) => parseNumber(value) !== undefined, 'must be an id, as a string').check(
      z.meta({ pattern: NUMBER.source, example: '1' }),
    ),
    (value) => parseNumber(value) ?? NO_NUMBER,
  ),
)

/** A date-time with an offset, read as milliseconds since the epoch. */
export const dateTimeText = lazy(() =>
  readAs(
    z
      .string({ error: dateTimeProblem('') })
      .check(check(dateTimeProblem), z.meta({ format: 'date-time', example: formatDateTime(Date.UTC(2027, 11, 31)) })),
    (value) => parseDateTime(value) ?? Number.NaN,
  ),
)

export const storeLanguage = lazy(() => oneOf(['ES', 'PT', 'EN']))

export const timeZoneName = lazy(() =>
  textWhere(
    isTimeZone,
    'must be UTC, or the IANA name of an area and a place, such as Europe/Lisbon; an abbreviation or an offset has no rules for its days',
  ).check(z.meta({ example: 'Europe/Lisbon' })),
)

export function integer(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`
  // Not `z.int`: its issue ends the checks of the whole object, and the other errors would not be listed.
  return z.number({ error }).check(z.multipleOf(1, { error }), z.minimum(min, { error }), z.maximum(max, { error }))
}

export const httpUrl = lazy(() =>
  anyText(LENGTH.url).check(
    check((value) =>
      isHttpUrl(value) ? undefined : 'must be an http or https URL, without blanks around it or line breaks in it',
    ),
    z.meta({ format: 'uri', maxLength: LENGTH.url, example: 'https://example.com/certificates/1' }),
  ),
)

/** The body of an operation that takes none: it is omitted, or an empty object. */
export const noFields = lazy(() => z.strictObject({}))

export const trueOrFalse = lazy(() => z.boolean({ error: 'must be true or false' }))

export const expirationDays = lazy(() => integer(1, MAX_EXPIRATION_DAYS))

/** The body of a rotation: how long the older secrets stay valid. */
export const rotationBody = lazy(() =>
  z.strictObject({ overlap_hours: optional(integer(0, ROTATION.maxOverlapHours)) }),
)

export const trueOrFalseText = lazy(() => readAs(oneOf(['true', 'false']), (text) => text === 'true'))
