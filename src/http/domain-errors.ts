/** What the facts that domain code throws are called on the wire. */
import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { Unavailable } from '../db/failures.ts'
import { type FactCode, type FactOf, type NamedProduct, Refusal } from '../domain/errors.ts'
import { confirmCaller } from '../domain/change/authorize.ts'
import { ApiError, type Detail, type ErrorCode, type ErrorOptions } from '../errors.ts'
import { echo } from './validate.ts'
import { valueAt } from '../json.ts'
import { RETRY_AFTER_SECONDS, ROTATION } from '../limits.ts'
import { once } from '../once.ts'
import { REALM } from './bearer.ts'
import { callOf } from './request-context.ts'

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
    headers: existingId(existing),
  }),
  access_exists: ({ code, existing }) => ({
    code,
    fields: { product_id: 'the user already has an access to this product' },
    headers: existingId(existing),
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
    fields: unknownCustomFields(keys),
  }),
  unknown_values: ({ keys, accesses }) => ({
    code: 'invalid_parameter',
    fields: { ...unknownCustomFields(keys), ...ofProducts(accesses, 'the store has no such product') },
  }),
  product_repeated: ({ accesses }) => ({
    code: 'access_exists',
    fields: ofProducts(accesses, 'names a product that the user is given before'),
  }),
  no_quota: () => ({ code: 'rate_limited' }),
  unknown_records: ({ kinds }) => ({
    code: 'invalid_parameter',
    fields: Object.fromEntries(kinds.map((kind) => [`${kind}_id`, `the store has no such ${kind}`])),
  }),
  too_many_secrets: () => ({
    code: 'invalid_parameter',
    fields: {
      overlap_hours: `${ROTATION.secrets} secrets are good at once: wait until one ends, or end them all with 0`,
    },
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
  if (error instanceof Unavailable) return new ApiError('service_unavailable', unavailable(error.failure, error.cause))
  if (!(error instanceof Refusal)) return undefined
  const caller = c.get('caller')
  const asked = { needs: [caller?.needs, caller?.alsoNeeds].filter(Boolean).join(' ') }
  // Read once: there may be thousands of fields to tell of.
  const body = once(() => readBody(c))
  return describeFact(error.fact, asked, (path) => valueOf(c, path, body))
}

export async function confirmCallerOf(c: Context<AppEnv>): Promise<void> {
  if (c.get('caller')) await confirmCaller(c.get('db'), callOf(c))
}

/** The error that a fact is; `valueOf` tells what was sent at the path of a field. */
export async function describeFact<Code extends FactCode>(
  fact: FactOf<Code>,
  asked: Asked,
  valueOf: (path: string[]) => unknown,
): Promise<ApiError> {
  const { code, fields, ...options } = WORDS[fact.code](fact, asked)
  if (fields === undefined) return new ApiError(code, options)
  const details: Detail[] = []
  for (const [field, explanation] of Object.entries(fields)) {
    const path = pathOf(field)
    details.push({ field, value: echo(path, await valueOf(path)), explanation })
  }
  return new ApiError(code, { ...options, details })
}

function unknownCustomFields(keys: string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [`custom_fields.${key}`, 'is not a custom field of this store']))
}

function ofProducts(accesses: NamedProduct[], explanation: string): Record<string, string> {
  return Object.fromEntries(accesses.map(({ index, by }) => [`product_accesses.${index}.${by}`, explanation]))
}

function existingId(existing: number | undefined): Record<string, string> {
  return existing === undefined ? {} : { 'X-Existing-Id': String(existing) }
}

/** RFC 6750, section 3. */
function challenge(error: string, scope?: string): Record<string, string> {
  return { 'WWW-Authenticate': `${REALM}, error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}` }
}

function unavailable(failure: string, cause?: unknown): Words {
  return { code: 'service_unavailable', failure, cause, headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } }
}

/** What was sent for a field: in a header, in the query, in the path or in the body. */
async function valueOf(c: Context<AppEnv>, path: string[], body: () => Promise<unknown>): Promise<unknown> {
  const [field = '', ...rest] = path
  if (field.startsWith('X-')) return c.req.header(field)
  const inUrl = rest.length > 0 ? undefined : (c.req.query(field) ?? c.req.param(field))
  return inUrl ?? valueAt(await body(), path)
}

async function readBody(c: Context<AppEnv>): Promise<unknown> {
  return (await c.req.text()) === '' ? {} : await c.req.json()
}

/** Where a field stands; a custom field's key may have dots of its own. */
function pathOf(field: string): string[] {
  const [first = '', ...rest] = field.split('.')
  return first === 'custom_fields' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
}
