/**
 * The table of errors: what the service returns for each code. src/http/errors/domain-errors.ts maps what domain code throws
 * to these codes; src/openapi/error-texts.ts says when each is returned, for the docs, which the Worker does not need.
 */

/** The type of an error follows from its status. */
export const ERROR_TYPES = {
  400: 'invalid_request',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found',
  405: 'invalid_request',
  410: 'gone',
  412: 'precondition_failed',
  413: 'invalid_request',
  415: 'invalid_request',
  422: 'validation_error',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'service_unavailable',
} as const

interface ErrorKind {
  status: keyof typeof ERROR_TYPES
  message: string
  /** The invalid field and what is wrong with it, if this is always the same. */
  field?: string
  explanation?: string
  /** Headers of the response beyond those of every response. */
  headers?: readonly ('WWW-Authenticate' | 'X-Existing-Id' | 'Retry-After' | 'RateLimit-Policy')[]
}

export const ERRORS = {
  missing_parameter: {
    status: 400,
    message: 'A required parameter is missing.',
    explanation: 'This field is required and may not be null.',
  },
  malformed_body: {
    status: 400,
    message: 'The body is not a JSON object.',
    field: 'body',
    explanation: 'Send a JSON object in UTF-8, without a byte order mark.',
  },
  invalid_header: {
    status: 400,
    message: 'A header has an invalid value.',
    field: 'X-Idempotency-Key',
    explanation: 'Send it once, with 1 to 255 characters from ! to ~.',
  },
  missing_token: {
    status: 401,
    message: 'Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.',
    headers: ['WWW-Authenticate'],
  },
  invalid_token: {
    status: 401,
    message: 'The access token is unknown, expired, revoked, or belongs to another store.',
    headers: ['WWW-Authenticate'],
  },
  https_required: { status: 403, message: 'Use HTTPS to call this service.' },
  store_suspended: { status: 403, message: 'The store is suspended; ask its operator for the reason.' },
  insufficient_scope: {
    status: 403,
    message: 'The access token lacks the scope of this operation.',
    headers: ['WWW-Authenticate'],
  },
  cross_site: { status: 403, message: 'A browser has sent this change from another site.' },
  not_found: { status: 404, message: 'There is no such record.' },
  route_not_found: { status: 404, message: 'This path is not served.' },
  method_not_allowed: { status: 405, message: 'This path does not support the method; see the header Allow.' },
  cursor_expired: { status: 410, message: 'What follows this cursor is no longer kept.', field: 'after' },
  etag_mismatch: { status: 412, message: 'The record is in another state than `If-Match` names; read it again.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as `Content-Type: application/json`, without a Content-Encoding.',
  },
  invalid_parameter: { status: 422, message: 'A parameter is invalid.' },
  email_taken: {
    status: 422,
    message: 'An account with this email already exists in the store.',
    field: 'email',
    explanation: 'an account with this email exists in the store',
    headers: ['X-Existing-Id'],
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This idempotency key was used with a different request.',
    field: 'X-Idempotency-Key',
    explanation: 'this key was used with a different request',
  },
  access_exists: {
    status: 422,
    message: 'The user already has an access to this product.',
    field: 'product_id',
    explanation: 'the user already has an access to this product',
    headers: ['X-Existing-Id'],
  },
  already_exists: { status: 422, message: 'This identifier is already taken.' },
  in_use: {
    status: 422,
    message: 'Other records need this one.',
    field: 'id',
    explanation: 'there are accesses to this product',
  },
  limit_reached: {
    status: 422,
    message: 'The store has as many of these as it may have.',
    field: 'url',
    explanation: 'the store has 16 webhook endpoints; delete one first',
  },
  not_running: {
    status: 422,
    message: 'The bulk change has ended.',
    field: 'id',
    explanation: 'this bulk change has ended',
  },
  not_done: {
    status: 422,
    message:
      'The bulk change cannot be reverted: it has not ended, was reverted already, or its events are no longer kept.',
    field: 'id',
    explanation: 'this bulk change has not ended, was reverted already, or its events are no longer kept',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests; wait as Retry-After says.',
    headers: ['Retry-After', 'RateLimit-Policy'],
  },
  internal_error: { status: 500, message: 'The service failed. The request id identifies the case.' },
  service_unavailable: {
    status: 503,
    message: 'The database is temporarily unavailable; wait as Retry-After says.',
    headers: ['Retry-After'],
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERRORS

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

/** The table with the type of its rows, for code that reads optional columns. */
export const errorKinds: Readonly<Record<ErrorCode, ErrorKind>> = ERRORS
