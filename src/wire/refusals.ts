/** What the facts that domain code throws are called on the wire: code, field, explanation and headers of each. */
import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { Unavailable } from '../db/failures.ts'
import { type Fact, Refusal } from '../domain/facts.ts'
import { confirmCaller } from '../domain/gate.ts'
import { ApiError, type Detail, type ErrorCode } from '../errors.ts'
import { echo } from '../http/validate.ts'
import { isObject } from '../json.ts'
import { RETRY_AFTER_SECONDS } from '../limits.ts'
import { REALM } from './bearer.ts'
import { callOf } from './call.ts'

/** What an error of the database or a fact is answered as; undefined for what is neither. */
export async function translate(error: Error, c: Context<AppEnv>): Promise<ApiError | undefined> {
  if (error instanceof Unavailable) return unavailable(error.failure, error.cause)
  return error instanceof Refusal ? translateFact(error.fact, c) : undefined
}

export async function confirmCallerOf(c: Context<AppEnv>): Promise<void> {
  if (c.get('caller')) await confirmCaller(c.get('db'), callOf(c))
}

async function translateFact(fact: Fact, c: Context<AppEnv>): Promise<ApiError> {
  switch (fact.code) {
    case 'invalid_token':
      return new ApiError(fact.code, { headers: challenge('invalid_token') })
    case 'insufficient_scope':
      return new ApiError(fact.code, { headers: challenge(fact.code, c.get('caller').needs ?? '') })
    case 'store_suspended':
    case 'not_found':
    case 'etag_mismatch':
      return new ApiError(fact.code)
    case 'email_taken':
      return blame(c, fact.code, {
        fields: { email: 'an account with this e-mail exists in the store' },
        headers: { 'X-Existing-Id': String(fact.existing) },
      })
    case 'access_exists':
      return blame(c, fact.code, {
        fields: { product_id: 'the user already has an access to this product' },
        headers: { 'X-Existing-Id': String(fact.existing) },
      })
    case 'idempotency_key_reused':
      return blame(c, fact.code, { fields: { 'X-Idempotency-Key': 'this key was used with another request' } })
    case 'store_exists':
      return blame(c, 'already_exists', { fields: { id: 'a store with this id exists' } })
    case 'slug_taken':
      return blame(c, 'already_exists', { fields: { slug: 'a product of this store has this slug' } })
    case 'in_use':
      return blame(c, fact.code, { fields: { id: 'there are accesses to this product' } })
    case 'unknown_custom_fields':
      return blame(c, 'invalid_parameter', {
        fields: Object.fromEntries(fact.keys.map((key) => [`custom_fields.${key}`, 'is not a custom field of this store'])),
      })
    case 'unknown_records':
      return blame(c, 'invalid_parameter', {
        fields: Object.fromEntries(fact.fields.map((field) => [field, `the store has no such ${field.slice(0, -3)}`])),
      })
    case 'too_many_secrets':
      return blame(c, 'invalid_parameter', {
        fields: { overlap_hours: 'four secrets are good at once: wait until one ends, or end them all with 0' },
      })
    case 'cursor_ahead':
      return blame(c, 'invalid_parameter', { fields: { after: 'lies beyond the newest event' } })
    case 'cursor_expired':
      return new ApiError(fact.code, {
        message: `What follows this cursor is no longer kept; the oldest event that is has the id ${fact.oldest}.`,
        details: { field: 'after', explanation: `Events are kept from ${fact.oldest} on.` },
      })
    case 'no_token_key':
      return unavailable('token_key_missing_or_too_short')
  }
}

/** RFC 6750, section 3. */
function challenge(error: string, scope?: string): Record<string, string> {
  return { 'WWW-Authenticate': `${REALM}, error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}` }
}

function unavailable(failure: string, cause?: unknown): ApiError {
  return new ApiError('service_unavailable', {
    failure,
    cause,
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  })
}

interface Blame {
  /** The explanation of each field that is to blame. */
  fields: Record<string, string>
  headers?: Record<string, string>
}

async function blame(c: Context<AppEnv>, code: ErrorCode, { fields, headers = {} }: Blame): Promise<ApiError> {
  const details: Detail[] = []
  for (const [field, explanation] of Object.entries(fields)) {
    details.push({ field, value: echo([field], await valueOf(c, field)), explanation })
  }
  return new ApiError(code, { details, headers })
}

/** What was sent for a field: in a header, in the body, in the query or in the path. */
async function valueOf(c: Context<AppEnv>, field: string): Promise<unknown> {
  const elsewhere = c.req.header(field) ?? c.req.query(field) ?? c.req.param(field)
  if (elsewhere !== undefined) return elsewhere
  const body: unknown = (await c.req.text()) === '' ? {} : await c.req.json()
  const [first = '', ...rest] = field.split('.')
  const key = rest.join('.')
  const value = isObject(body) && Object.hasOwn(body, first) ? body[first] : undefined
  if (key === '') return value ?? ''
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : ''
}
