import { type Hook, zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import { ApiError, type Detail } from '../errors.ts'
import { isObject, jsonText, valueAt } from '../json.ts'
import { LENGTH } from '../limits.ts'
import { lazy } from '../lazy.ts'
import { malformedBody } from './error-body.ts'

type JsonObject = Record<string, unknown>

/** Both see the body as it was sent where the schema refuses it, else as the schema reads it. */
interface BodyRules {
  /** Done before anything in the body is judged. */
  before?: (c: Context<AppEnv>, body: JsonObject) => void
  /** What a schema cannot know: what else is wrong with the body. */
  check?: (c: Context<AppEnv>, body: JsonObject) => Detail[]
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
 * The JSON body under a schema; refuses missing fields (400) before invalid ones (422), and names them all. A strict
 * schema refuses fields that it does not know. The query may hold nothing.
 */
export function jsonBody<S extends z.ZodMiniObject>(schema: () => S, { before, check }: BodyRules = {}) {
  const hook: InputHook<S, 'json'> = async (result, c) => {
    const body: unknown = result.data
    // Without a Content-Type the validator takes an absent body for an empty object.
    if (!isObject(body) || (await c.req.text()) === '') throw malformedBody()
    before?.(c, body)
    const known = check?.(c, body) ?? []
    const stray = strayParameters(c)
    if (!result.success) throw problemOf(schema(), body, { issues: result.error.issues, known, stray })
    if (known.length + stray.length > 0) throw invalidParameters([...known, ...stray])
  }
  return validator('json', schema, hook)
}

interface Found {
  issues: z.core.$ZodIssue[]
  /** What else is wrong with fields of the schema, and with what is none. */
  known?: Detail[]
  stray?: Detail[]
}

/** What is wrong with a body, as it was sent: missing fields before invalid ones, all of them, those that are not known last. */
export function problemOf(schema: z.ZodMiniObject, body: JsonObject, found: Found): ApiError {
  const { issues, known = [], stray = [] } = found
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
      details: { field, explanation: 'This field is required and may not be null.' },
    })
  }
  const invalid = [...issues.flatMap((issue) => toDetails(issue, body)), ...known]
  const unknown = issues.flatMap((issue) => unknownFields(issue, body))
  return invalidParameters([...sortByField(invalid, order), ...unknown, ...stray])
}

/** Before a `jsonBody` whose fields are all optional: no body counts as an empty object. */
export function optionalBody(): MiddlewareHandler<AppEnv> {
  return async function optionalBody(c, next) {
    if ((await c.req.text()) === '') Object.assign(c.req.bodyCache, { text: Promise.resolve('{}') })
    await next()
  }
}

/** The query string under a schema; nothing else may be in it, and nothing twice. */
export function queryString<S extends z.ZodMiniObject>(schema: () => S) {
  const hook: InputHook<S, 'query'> = (result, c) => {
    const stray = strayParameters(c, Object.keys(schema().shape))
    const issues = result.success ? [] : result.error.issues
    if (issues.length + stray.length === 0) return
    const invalid = issues.flatMap((issue) => toDetails(issue, result.data))
    const others = invalid.filter(({ field }) => !stray.some((each) => each.field === field))
    throw invalidParameters([...others, ...stray])
  }
  return validator('query', schema, hook)
}

/** The schema is made when the first request comes. */
function validator<S extends z.ZodMiniObject, Target extends 'json' | 'query'>(
  target: Target,
  schema: () => S,
  hook: InputHook<S, Target>,
) {
  const validate = lazy(() => zValidator<S, Target, AppEnv, string, typeof hook>(target, schema(), hook))
  const middleware: ReturnType<typeof validate> = (c, next) => validate()(c, next)
  return middleware
}

const emptyQuery = lazy(() => z.object({}))

/** For what takes neither a body nor a query. */
export function noQuery() {
  return queryString(emptyQuery)
}

/** Parameters of the query that are not known or given twice: a misspelt filter must not answer everything. */
function strayParameters(c: Context<AppEnv>, known: string[] = []): Detail[] {
  // Most requests have no query. Hono's own reading of one leaves out a parameter without a name.
  const start = c.req.url.indexOf('?')
  if (start < 0) return []
  const parameters = [...new URLSearchParams(c.req.url.slice(start))]
  return parameters
    .filter(([name], index) => !known.includes(name) || parameters.findIndex(([other]) => other === name) < index)
    .map(([field, value]) => ({
      field,
      value: echo([field], value),
      explanation: 'is not a parameter that is known here, or is given twice',
    }))
}

/** Marks an issue of `.check` as a missing field (400) rather than an invalid one. */
export const MISSING = { missing: true } as const

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['missing'] === true
}

/** Of several details of a field the first one is told. */
function invalidParameters(details: Detail[]): ApiError {
  const fields = new Set<string>()
  const first = details.filter(({ field }) => !fields.has(field) && fields.add(field))
  return new ApiError('invalid_parameter', { details: first })
}

function sortByField(details: Detail[], order: string[]): Detail[] {
  const rank = ({ field }: Detail) => order.findIndex((name) => field === name || field.startsWith(`${name}.`))
  return details.toSorted((a, b) => rank(a) - rank(b))
}

function toDetails(issue: z.core.$ZodIssue, body: unknown): Detail[] {
  if (issue.code === 'unrecognized_keys') return []
  return [detailOf(issue.path.map(String), body, issue.message)]
}

function detailOf(path: string[], body: unknown, explanation: string): Detail {
  return { field: path.join('.'), value: echo(path, valueAt(body, path)), explanation }
}

function unknownFields(issue: z.core.$ZodIssue, body: JsonObject): Detail[] {
  if (issue.code !== 'unrecognized_keys') return []
  const path = issue.path.map(String)
  return issue.keys.map((key) => detailOf([...path, key], body, 'is not a field that is known here'))
}

/**
 * A refused value as an error shows it: a string as sent, else compact JSON, cut; never a password or a batch's people.
 * An absent value is shown as the empty text.
 */
export function echo(path: string[], value: unknown): string {
  if (value === undefined) return ''
  if (path.at(-1) === 'password' || path[0] === 'items') return '[redacted]'
  const text =
    typeof value === 'string' ? value : jsonText(value, { limit: 2 * LENGTH.echoedValue, redact: 'password' })
  return text.length <= LENGTH.echoedValue ? text : Array.from(text).slice(0, LENGTH.echoedValue).join('')
}
