/** What the facts that domain code throws are called on the wire. */
import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { Unavailable } from '../db/failures.ts'
import { type FactCode, type FactOf, Refusal } from '../domain/facts.ts'
import { confirmCaller } from '../domain/gate.ts'
import { ApiError, type Detail, type ErrorCode, type ErrorOptions } from '../errors.ts'
import { echo } from '../http/validate.ts'
import { isObject } from '../json.ts'
import { RETRY_AFTER_SECONDS } from '../limits.ts'
import { REALM } from './bearer.ts'
import { callOf } from './call.ts'

/** Who asked for what: the scope or role that is missing. */
interface Asked {
  needs: string
}

interface Words extends ErrorOptions {
  code: ErrorCode
  /** What is wrong with each field that is to blame. */
  fields?: Record<string, string>
}

const WORDS: { [Code in FactCode]: (fact: FactOf<Code>, asked: Asked) => Words } = {
  invalid_token: ({ code }) => ({ code, headers: challenge(code) }),
  insufficient_scope: ({ code }, { needs }) => ({ code, headers: challenge(code, needs) }),
  store_suspended: ({ code }) => ({ code }),
  not_found: ({ code }) => ({ code }),
  etag_mismatch: ({ code }) => ({ code }),
  email_taken: ({ code, existing }) => ({
    code,
    fields: { email: 'an account with this e-mail exists in the store' },
    headers: { 'X-Existing-Id': String(existing) },
  }),
  access_exists: ({ code, existing }) => ({
    code,
    fields: { product_id: 'the user already has an access to this product' },
    headers: { 'X-Existing-Id': String(existing) },
  }),
  idempotency_key_reused: ({ code }) => ({
    code,
    fields: { 'X-Idempotency-Key': 'this key was used with another request' },
  }),
  store_exists: () => ({ code: 'already_exists', fields: { id: 'a store with this id exists' } }),
  slug_taken: () => ({ code: 'already_exists', fields: { slug: 'a product of this store has this slug' } }),
  in_use: ({ code }) => ({ code, fields: { id: 'there are accesses to this product' } }),
  unknown_custom_fields: ({ keys }) => ({
    code: 'invalid_parameter',
    fields: Object.fromEntries(keys.map((key) => [`custom_fields.${key}`, 'is not a custom field of this store'])),
  }),
  unknown_records: ({ fields }) => ({
    code: 'invalid_parameter',
    fields: Object.fromEntries(
      fields.map((field) => [field, `the store has no such ${field.slice(0, -'_id'.length)}`]),
    ),
  }),
  too_many_secrets: () => ({
    code: 'invalid_parameter',
    fields: { overlap_hours: 'four secrets are good at once: wait until one ends, or end them all with 0' },
  }),
  cursor_ahead: () => ({ code: 'invalid_parameter', fields: { after: 'lies beyond the newest event' } }),
  cursor_expired: ({ code, oldest }) => ({
    code,
    message: `What follows this cursor is no longer kept; the oldest event that is has the id ${oldest}.`,
    details: { field: 'after', explanation: `Events are kept from ${oldest} on.` },
  }),
  no_token_key: () => unavailable('token_key_missing_or_too_short'),
}

/** What an error of the database or a fact is answered as; undefined for what is neither. */
export async function translate(error: Error, c: Context<AppEnv>): Promise<ApiError | undefined> {
  if (error instanceof Unavailable) return toApiError(unavailable(error.failure, error.cause), c)
  return error instanceof Refusal ? toApiError(wordsOf(error.fact, c), c) : undefined
}

export async function confirmCallerOf(c: Context<AppEnv>): Promise<void> {
  if (c.get('caller')) await confirmCaller(c.get('db'), callOf(c))
}

function wordsOf<Code extends FactCode>(fact: FactOf<Code>, c: Context<AppEnv>): Words {
  return WORDS[fact.code](fact, { needs: c.get('caller')?.needs ?? '' })
}

/** RFC 6750, section 3. */
function challenge(error: string, scope?: string): Record<string, string> {
  return { 'WWW-Authenticate': `${REALM}, error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}` }
}

function unavailable(failure: string, cause?: unknown): Words {
  return { code: 'service_unavailable', failure, cause, headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } }
}

async function toApiError({ code, fields, ...options }: Words, c: Context<AppEnv>): Promise<ApiError> {
  if (fields === undefined) return new ApiError(code, options)
  const details: Detail[] = []
  for (const [field, explanation] of Object.entries(fields)) {
    details.push({ field, value: echo([field], await valueOf(c, field)), explanation })
  }
  return new ApiError(code, { ...options, details })
}

/** What was sent for a field: in a header, in the query, in the path or in the body. */
async function valueOf(c: Context<AppEnv>, field: string): Promise<unknown> {
  if (field.startsWith('X-')) return c.req.header(field)
  const inUrl = c.req.query(field) ?? c.req.param(field)
  if (inUrl !== undefined) return inUrl
  const body: unknown = (await c.req.text()) === '' ? {} : await c.req.json()
  const [first = '', ...rest] = field.split('.')
  const key = rest.join('.')
  const value = isObject(body) && Object.hasOwn(body, first) ? body[first] : undefined
  if (key === '') return value ?? ''
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : ''
}
