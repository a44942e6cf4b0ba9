import { type Hook, zValidator } from '@hono/zod-validator'
import * as z from 'zod/mini'
import type { AppEnv } from '../app-env.ts'
import type { Context } from '../hono.ts'
import { ApiError, type Detail } from '../errors/api-error.ts'
import { ERRORS } from '../../error-codes.ts'
import { MISSING, noFields } from '../../formats/values.ts'
import { isObject, parseDigits } from '../../lib/json.ts'
import { lazy } from '../../lib/lazy.ts'
import { malformedBody } from '../errors/malformed-body.ts'
import { echo, echoAt, type SentValues } from '../echo.ts'
import { setBodyText } from './body.ts'
import { fieldOfParameter, withFieldFilters } from '../field-filters.ts'
import { withRequirements } from '../route-requirements.ts'

type JsonObject = Record<string, unknown>

/** Both functions get the body as it was sent if the schema rejects it, and otherwise as the schema parses it. */
interface BodyOptions {
  /** Runs before anything in the body is validated. */
  before?: (c: Context, body: JsonObject) => void
  /** What else is wrong with the body, beyond what a schema can check. */
  check?: (c: Context, body: JsonObject) => Detail[] | Promise<Detail[]>
  /** For the operations of the specification: a caller may send more than the service knows. */
  ignoresUnknownParameters?: boolean
}

type InputHook<S extends z.ZodMiniObject, Target extends 'json' | 'query'> = Hook<
  z.output<S>,
  AppEnv,
  string,
  Target,
  {},
  S
>

/**
 * Validates the JSON body. Missing fields (400) are reported before invalid ones (422), and all of them are named. A
 * strict schema rejects unknown fields. Query parameters are rejected too, because an operation with a body takes none.
 */
export function jsonBody<S extends z.ZodMiniObject>(
  schema: () => S,
  { before, check, ignoresUnknownParameters = false }: BodyOptions = {},
) {
  const hook: InputHook<S, 'json'> = async (result, c) => {
    const body: unknown = result.data
    // Without a Content-Type, the validator treats a body that is absent as an empty object.
    const text = await c.req.text()
    if (!isObject(body) || text === '') throw malformedBody(text)
    before?.(c, body)
    const invalid = (await check?.(c, body)) ?? []
    const unknown = ignoresUnknownParameters ? [] : unknownParameters(c)
    const sent = { parsed: body, digits: lazy(() => parseDigits(text)) }
    if (!result.success) throw toValidationError(schema(), sent, { issues: result.error.issues, invalid, unknown })
    if (invalid.length + unknown.length > 0) throw invalidParameters([...invalid, ...unknown])
  }
  return withRequirements({ body: schema }, validator('json', schema, hook))
}

/** The same for a body whose fields are all optional: a request without a body then has an empty object. */
export function optionalBody<S extends z.ZodMiniObject>(schema: () => S, options: BodyOptions = {}) {
  const validate = jsonBody(schema, options)
  const middleware: typeof validate = async function optionalBody(c, next) {
    if ((await c.req.text()) === '') setBodyText(c, '{}')
    return validate(c, next)
  }
  return withRequirements({ body: schema, isBodyOptional: true }, middleware)
}

/** For operations that change something and take nothing: the body is omitted, or an empty object. */
export function noBody() {
  return optionalBody(noFields)
}

interface SentObject extends SentValues {
  parsed: JsonObject
}

interface Problems {
  issues: z.core.$ZodIssue[]
  /** Invalid fields that the schema cannot detect. */
  invalid?: Detail[]
  unknown?: Detail[]
}

/** The error for a body: 400 with all missing fields, or else 422 with all invalid fields and then all unknown ones. */
export function toValidationError(schema: z.ZodMiniObject, sent: SentObject, problems: Problems): ApiError {
  const { issues, invalid = [], unknown = [] } = problems
  const body = sent.parsed
  const order = Object.keys(schema.shape)
  const required = order.filter((field) => !schema.shape[field]?._zod.optin)
  const missing = [
    ...required.filter((field) => (Object.hasOwn(body, field) ? body[field] : undefined) == null),
    ...issues.filter(isMissing).map((issue) => issue.path.join('.')),
  ]
  const [field] = missing
  if (field !== undefined) {
    return new ApiError('missing_parameter', {
      message: `Missing: ${missing.join(', ')}.`,
      details: { field, explanation: ERRORS.missing_parameter.explanation },
    })
  }
  const invalidFields = [...issues.flatMap((issue) => toDetails(issue, sent)), ...invalid]
  const unknownFields = issues.flatMap((issue) => toUnknownFields(issue, sent))
  return invalidParameters([...sortByField(invalidFields, order), ...unknownFields, ...unknown])
}

interface QueryOptions {
  /** Runs before anything in the query is validated. */
  before?: (c: Context) => void
}

/** Validates the query string. An unknown parameter, and one that is given twice, is rejected. */
export function queryString<S extends z.ZodMiniObject>(schema: () => S, { before }: QueryOptions = {}) {
  const hook: InputHook<S, 'query'> = (result, c) => {
    before?.(c)
    const order = Object.keys(schema().shape)
    const unknown = unknownParameters(c, order)
    const notUtf8 = parametersNotInUtf8(c, order)
    const issues = result.success ? [] : result.error.issues
    if (issues.length + unknown.length + notUtf8.length === 0) return
    const sent = { parsed: result.success ? {} : withFieldFilters(result.data), digits: noDigits }
    const invalid = [...notUtf8, ...issues.flatMap((issue) => toDetails(issue, sent))]
    const others = invalid.filter(({ field }) => !unknown.some((each) => each.field === field))
    throw invalidParameters([...sortByField(others, order), ...unknown])
  }
  return withRequirements({ query: schema }, validator('query', schema, hook))
}

// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- the type of the validator knows only the results of full Zod
const QUERY_OPTIONS = {
  validationFunction: (schema: z.ZodMiniObject, query: object) => z.safeParse(schema, withFieldFilters(query)),
} as unknown as NonNullable<Parameters<typeof zValidator>[3]>

/** The schema is built for the first request, because building all schemas would slow down the start. */
function validator<S extends z.ZodMiniObject, Target extends 'json' | 'query'>(
  target: Target,
  schema: () => S,
  hook: InputHook<S, Target>,
) {
  const options = target === 'query' ? QUERY_OPTIONS : undefined
  const validate = lazy(() => zValidator<S, Target, AppEnv, string, typeof hook>(target, schema(), hook, options))
  const middleware: ReturnType<typeof validate> = (c, next) => validate()(c, next)
  return middleware
}

const emptyQuery = lazy(() => z.object({}))

/** For operations that take neither a body nor a query. */
export function noQuery() {
  return queryString(emptyQuery)
}

/**
 * The query parameters that are unknown or given twice. If a misspelled filter were ignored, the response would be the
 * first page of all records.
 */
function unknownParameters(c: Context, known: string[] = []): Detail[] {
  // Most requests have no query. Hono's own parser omits a parameter without a name.
  const start = c.req.url.indexOf('?')
  if (start < 0) return []
  const seen = new Set<string>()
  return [...new URLSearchParams(c.req.url.slice(start))].flatMap(([field, value]) => {
    const isRepeated = seen.has(field)
    seen.add(field)
    const isKnown = known.includes(fieldOfParameter(field))
    if (isKnown && !isRepeated) return []
    const explanation = isKnown ? 'is given twice' : 'is not a known parameter of this operation'
    return [{ field, value: echo([field], value), explanation }]
  })
}

/**
 * The known parameters whose percent-encoding is not UTF-8. The bytes would be replaced by U+FFFD, which no record has, so
 * the response would be an empty page.
 */
function parametersNotInUtf8(c: Context, known: string[]): Detail[] {
  const [, query = ''] = c.req.url.split(/\?(.*)/s)
  if (!query.includes('%')) return []
  return query
    .split('&')
    .filter((pair) => !isUtf8(pair))
    .flatMap((pair) => Array.from(new URLSearchParams(pair)))
    .filter(([field]) => known.includes(fieldOfParameter(field)))
    .map(([field, value]) => ({ field, value: echo([field], value), explanation: 'is not percent-encoded UTF-8' }))
}

function isUtf8(encoded: string): boolean {
  try {
    for (const [bytes] of encoded.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(bytes)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['missing'] === MISSING.missing
}

/** Only the first detail of each field is reported. */
function invalidParameters(details: Detail[]): ApiError {
  const fields = new Set<string>()
  const first = details.filter(({ field }) => !fields.has(field) && fields.add(field))
  return new ApiError('invalid_parameter', { details: first })
}

function sortByField(details: Detail[], order: string[]): Detail[] {
  const rank = ({ field }: Detail) => order.findIndex((name) => field === name || field.startsWith(`${name}.`))
  return details.toSorted((a, b) => rank(a) - rank(b))
}

/** A query has strings only. */
function noDigits(): undefined {}

function toDetails(issue: z.core.$ZodIssue, sent: SentValues): Detail[] {
  if (issue.code === 'unrecognized_keys') return []
  return [detailOf(issue.path.map(String), sent, issue.message)]
}

function detailOf(path: string[], sent: SentValues, explanation: string): Detail {
  return { field: path.join('.'), value: echoAt(sent, path), explanation }
}

function toUnknownFields(issue: z.core.$ZodIssue, sent: SentValues): Detail[] {
  if (issue.code !== 'unrecognized_keys') return []
  const path = issue.path.map(String)
  return issue.keys.map((key) => detailOf([...path, key], sent, 'is not a known field of this operation'))
}
