import { type Hook, zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { ApiError, type Detail } from '../errors.ts'
import { isObject, jsonText } from '../json.ts'
import { LENGTH } from '../limits.ts'
import { malformedBody } from './error-body.ts'

/** A rule that a schema cannot know, because it depends on the caller: what else is wrong with the body. */
type ExtraCheck = (c: Context<AppEnv>, body: Record<string, unknown>) => Promise<Detail[]>

type BodyHook<S extends z.ZodObject, Target extends 'json' | 'query'> = Hook<z.output<S>, AppEnv, string, Target, {}, S>

const noExtraCheck: ExtraCheck = () => Promise.resolve([])

/** The JSON body under a schema; refuses missing fields (400) before invalid ones (422), and names them all. */
export function jsonBody<S extends z.ZodObject>(schema: S, extraCheck = noExtraCheck) {
  const order = Object.keys(schema.shape)
  const required = order.filter((field) => !schema.shape[field]?._zod.optin)
  const hook: BodyHook<S, 'json'> = async (result, c) => {
    const body: unknown = result.data
    // Without a Content-Type the validator takes an absent body for an empty object.
    if (!isObject(body) || (await c.req.text()) === '') throw malformedBody()
    const issues = result.success ? [] : result.error.issues
    const missing = [
      ...required.filter((field) => (Object.hasOwn(body, field) ? body[field] : undefined) == null),
      ...issues.filter(isMissing).map((issue) => issue.path.join('.')),
    ]
    const [field] = missing
    if (field !== undefined) {
      throw new ApiError('missing_parameter', {
        message: `Missing: ${missing.join(', ')}.`,
        details: { field, explanation: 'This field is required and may not be null.' },
      })
    }
    const details = [...issues.map((issue) => toDetail(issue, body)), ...(await extraCheck(c, body))]
    refuse(sortByField(details, order))
  }
  return zValidator<S, 'json', AppEnv, string, typeof hook>('json', schema, hook)
}

/** The query string under a schema; a repeated parameter is an invalid one. */
export function queryString<S extends z.ZodObject>(schema: S) {
  const hook: BodyHook<S, 'query'> = (result) => {
    if (!result.success) refuse(result.error.issues.map((issue) => toDetail(issue, result.data)))
  }
  return zValidator<S, 'query', AppEnv, string, typeof hook>('query', schema, hook)
}

/** Marks an issue of `.check` as a missing field (400) rather than an invalid one. */
export const MISSING = { missing: true } as const

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['missing'] === true
}

function refuse(details: Detail[]): void {
  const fields = new Set<string>()
  const first = details.filter(({ field }) => !fields.has(field) && fields.add(field))
  if (first.length > 0) throw new ApiError('invalid_parameter', { details: first })
}

function sortByField(details: Detail[], order: string[]): Detail[] {
  const rank = ({ field }: Detail) => order.findIndex((name) => field === name || field.startsWith(`${name}.`))
  return details.toSorted((a, b) => rank(a) - rank(b))
}

function toDetail(issue: z.core.$ZodIssue, body: unknown): Detail {
  const path = issue.path.map(String)
  let value = body
  for (const key of path) value = Object.getOwnPropertyDescriptor(Object(value), key)?.value
  return { field: path.join('.'), value: echo(path, value), explanation: issue.message }
}

/** A refused value as an error shows it: a string as sent, else compact JSON, cut; never a password. */
export function echo(path: string[], value: unknown): string {
  if (path.at(-1) === 'password') return '[redacted]'
  const text =
    typeof value === 'string' ? value : jsonText(value, { limit: 2 * LENGTH.echoedValue, redact: 'password' })
  return text.length <= LENGTH.echoedValue ? text : Array.from(text).slice(0, LENGTH.echoedValue).join('')
}
