/** The errors of the API for what domain code throws. */
import type { Context } from '../hono.ts'
import { Unavailable, ValueTooBig } from '../../db/database.ts'
import { type DetailsOf, DomainError, type DomainErrorCode, type NamedProduct } from '../../change/errors.ts'
import { rejectUnauthorized } from '../../change/request.ts'
import { ApiError, type Detail, type ErrorOptions } from './api-error.ts'
import { type ErrorCode, errorKinds, ERRORS, isErrorCode, type Returned } from '../../error-codes.ts'
import { echo, echoAt, type SentValues } from '../echo.ts'
import { parseDigits } from '../../lib/json.ts'
import { RETRY_AFTER_SECONDS } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { REALM } from '../middleware/bearer.ts'
import { idempotencyHeader } from '../middleware/idempotency-key.ts'
import { contextOf } from '../request-context.ts'

const RETRY_AFTER = { 'Retry-After': String(RETRY_AFTER_SECONDS) }

interface Described extends ErrorOptions {
  code: ErrorCode
  /** What is wrong with each invalid field. */
  fields?: Record<string, string>
}

type Describe<Code extends DomainErrorCode> = (
  details: DetailsOf<Code>,
  sent: Required<Pick<Sent, 'scope' | 'keyHeader'>>,
) => Described

/** As the table describes the code, or the reason for it, which the log has if the service is unavailable. */
function ofTable(reason: DomainErrorCode, options: ErrorOptions = {}): Described {
  const [code, { message, field, explanation }] = entryOf(reason)
  return {
    code,
    ...(message && { message }),
    ...(field && explanation && { fields: { [field]: explanation } }),
    ...(code === 'service_unavailable' && { failure: reason, headers: RETRY_AFTER }),
    ...options,
  }
}

function entryOf(reason: DomainErrorCode): [ErrorCode, Returned] {
  if (isErrorCode(reason)) return [reason, errorKinds[reason]]
  for (const [code, { cases = {} }] of Object.entries(errorKinds)) {
    const returned = cases[reason]
    if (returned && isErrorCode(code)) return [code, returned]
  }
  throw new Error(`${reason} is not described`)
}

type Descriptions = { [Code in DomainErrorCode]: Describe<Code> }

/** The codes for which the table says everything. */
type PlainCode = { [Code in DomainErrorCode]: keyof DetailsOf<Code> extends never ? Code : never }[DomainErrorCode]

/** A plain code that is not here is described by the table alone. */
const DESCRIPTIONS: Omit<Descriptions, PlainCode> & Partial<Descriptions> = {
  invalid_token: () => ofTable('invalid_token', { headers: challenge('invalid_token') }),
  token_rotated: () => ofTable('token_rotated', { headers: challenge('invalid_token') }),
  insufficient_scope: (_, { scope }) =>
    ofTable('insufficient_scope', { headers: challenge('insufficient_scope', scope) }),
  email_taken: ({ existing }) => ofTable('email_taken', { headers: existingId(existing) }),
  access_exists: ({ existing, named_by }) => ({
    code: 'access_exists',
    headers: existingId(existing),
    fields: { [named_by]: ERRORS.access_exists.explanation },
  }),
  idempotency_key_reused: (_, { keyHeader }) => ({
    code: 'idempotency_key_reused',
    fields: { [keyHeader]: ERRORS.idempotency_key_reused.explanation },
  }),
  unknown_stores: ({ positions }) => ({
    code: 'invalid_parameter',
    fields: Object.fromEntries(positions.map((position) => [`stores.${position}`, 'there is no such store'])),
  }),
  unknown_custom_fields: ({ keys }) => ({ code: 'invalid_parameter', fields: unknownCustomFields(keys) }),
  unknown_values: ({ keys, accesses }) => ({
    code: 'invalid_parameter',
    fields: { ...unknownCustomFields(keys), ...ofProducts(accesses, 'the store has no such product') },
  }),
  product_repeated: ({ accesses }) => ({
    code: 'access_exists',
    fields: ofProducts(accesses, 'names a product that an earlier item of the list names'),
  }),
  unknown_records: ({ lacks_user, lacks_product, named_by }) => ({
    code: 'invalid_parameter',
    fields: {
      ...(lacks_user ? { user_id: 'the store has no such user' } : {}),
      ...(lacks_product ? { [named_by]: 'the store has no such product' } : {}),
    },
  }),
  unknown_filter: ({ lacks_product, lacks_field, unknown_users }) => ({
    code: 'invalid_parameter',
    fields: {
      ...(lacks_product ? { 'filter.product_id': 'the store has no such product' } : {}),
      ...(lacks_field ? { 'filter.custom_field.key': 'the store has no such custom field' } : {}),
      ...Object.fromEntries(unknown_users.map((index) => [`filter.user_ids.${index}`, 'the store has no such user'])),
    },
  }),
  cursor_expired: ({ oldest }) => ({
    code: 'cursor_expired',
    message: `What follows this cursor is no longer kept; the oldest event that is kept has the id ${oldest}.`,
    details: { field: 'after', explanation: `Events are kept from ${oldest} on.` },
  }),
}

/** The error of the API for a domain error or an unavailable database; undefined for any other error. */
export async function describeKnownError(error: unknown, c: Context): Promise<ApiError | undefined> {
  if (error instanceof Unavailable) {
    return new ApiError('service_unavailable', { failure: error.failure, cause: error.cause, headers: RETRY_AFTER })
  }
  if (error instanceof ValueTooBig) {
    // The batch has failed as a whole, and with it the check of the caller.
    await rejectUnauthorizedCaller(c)
    return valueTooBig(error)
  }
  if (!(error instanceof DomainError)) return undefined
  // Parsed once for all fields of the error.
  const body = lazy(() => readBody(c))
  const scope = (c.get('requiredScopes') ?? []).join(' ')
  return describeDomainError(error, {
    scope,
    keyHeader: idempotencyHeader(c),
    echoOf: (path) => echoOf(c, path, body),
  })
}

/** Throws if the caller may not call the operation. A request without a usable token has no caller. */
export async function rejectUnauthorizedCaller(c: Context): Promise<void> {
  if (c.get('caller')) await rejectUnauthorized(c.get('db'), contextOf(c))
}

interface Sent {
  /** What the operation requires of the caller. */
  scope?: string
  /** The name of the header with the idempotency key. */
  keyHeader?: string
  /** What an error shows of what was sent at the path of a field. */
  echoOf: (path: string[]) => string | Promise<string>
}

export async function describeDomainError<Code extends DomainErrorCode>(
  error: DomainError<Code>,
  { scope = '', keyHeader = ERRORS.idempotency_key_reused.field, echoOf }: Sent,
): Promise<ApiError> {
  const descriptions: Partial<Descriptions> = DESCRIPTIONS
  const describe = descriptions[error.code]
  const { code, fields, ...options } = describe?.(error.details, { scope, keyHeader }) ?? ofTable(error.code)
  if (fields === undefined) return new ApiError(code, options)
  const details: Detail[] = []
  for (const [field, explanation] of Object.entries(fields)) {
    const path = pathOf(field)
    details.push({ field, value: await echoOf(path), explanation })
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

/** Which value is too big is not known. The body is not shown: it may contain a password. */
function valueTooBig({ failure, cause }: ValueTooBig): ApiError {
  const details = [{ field: 'body', value: '', explanation: 'contains a value that is too large to be stored' }]
  return new ApiError('invalid_parameter', { failure, cause, details })
}

/** What was sent for a field in a header, the query, the path or the body. */
async function echoOf(c: Context, path: string[], body: () => Promise<SentValues>): Promise<string> {
  const [field = '', ...rest] = path
  if (field === idempotencyHeader(c)) return echo(path, c.get('idempotencyKey'))
  // The specified creates ignore a query, so a field of their bodies must not be looked for in it.
  const inQuery = c.req.method === 'GET' ? c.req.query(path.join('.')) : undefined
  const inUrl = inQuery ?? (rest.length > 0 ? undefined : c.req.param(field))
  return inUrl === undefined ? echoAt(await body(), path) : echo(path, inUrl)
}

async function readBody(c: Context): Promise<SentValues> {
  const text = (await c.req.text()) || '{}'
  return { parsed: JSON.parse(text), digits: lazy(() => parseDigits(text)) }
}

/** The path of a field. The key of a custom field may contain dots. */
function pathOf(field: string): string[] {
  const [first = '', ...rest] = field.split('.')
  return first === 'custom_fields' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
}
