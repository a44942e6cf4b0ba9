import type { ContentfulStatusCode } from 'hono/utils/http-status'

interface ErrorKind {
  status: ContentfulStatusCode
  type: string
  message: string
}

export const ERRORS = {
  missing_parameter: { status: 400, type: 'invalid_request', message: 'A required parameter is missing.' },
  malformed_body: { status: 400, type: 'invalid_request', message: 'The body is not a JSON object.' },
  invalid_header: { status: 400, type: 'invalid_request', message: 'A header has an invalid value.' },
  missing_token: {
    status: 401,
    type: 'authentication_error',
    message: 'Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.',
  },
  invalid_token: {
    status: 401,
    type: 'authentication_error',
    message: 'The access token is unknown, expired, revoked or of another store.',
  },
  https_required: { status: 403, type: 'permission_error', message: 'Call this service over https.' },
  store_suspended: {
    status: 403,
    type: 'permission_error',
    message: 'The store is suspended; its operator knows why.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    message: 'The access token lacks the scope of this operation.',
  },
  not_found: { status: 404, type: 'not_found', message: 'There is no such record.' },
  route_not_found: { status: 404, type: 'not_found', message: 'This path is not served.' },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request',
    message: 'This path does not serve that method; see the header Allow.',
  },
  cursor_expired: { status: 410, type: 'gone', message: 'What follows this cursor is no longer kept.' },
  etag_mismatch: {
    status: 412,
    type: 'precondition_failed',
    message: 'The record is in another state than `If-Match` names; read it again.',
  },
  payload_too_large: { status: 413, type: 'invalid_request', message: 'The body is too large.' },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request',
    message: 'Send the body as `Content-Type: application/json`, without a Content-Encoding.',
  },
  invalid_parameter: { status: 422, type: 'validation_error', message: 'A parameter is invalid.' },
  email_taken: {
    status: 422,
    type: 'validation_error',
    message: 'An account with this e-mail already exists in the store.',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'validation_error',
    message: 'This idempotency key was used with another request.',
  },
  access_exists: {
    status: 422,
    type: 'validation_error',
    message: 'The user already has an access to this product.',
  },
  already_exists: { status: 422, type: 'validation_error', message: 'This identifier is already taken.' },
  in_use: { status: 422, type: 'validation_error', message: 'Other records need this one.' },
  rate_limited: { status: 429, type: 'rate_limited', message: 'Too many requests; wait as Retry-After says.' },
  internal_error: {
    status: 500,
    type: 'internal_error',
    message: 'The service failed. The request id names the case.',
  },
  service_unavailable: {
    status: 503,
    type: 'service_unavailable',
    message: 'The database is unavailable for the moment; wait as Retry-After says.',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERRORS

/** One refused field. `value` is a string, whatever was sent (see `echo`). */
export interface Detail {
  field: string
  value: string
  explanation: string
}

export interface ErrorOptions {
  /** Replaces the code's message. */
  message?: string
  /** An object on 400 and 410, a list on 422. */
  details?: Omit<Detail, 'value'> | Detail[]
  headers?: Record<string, string>
  /** Why, for the log alone: a code. */
  failure?: string
  /** Logged, never answered. */
  cause?: unknown
}

/** An answer of the table above; `onError` gives it the envelope of the path's version. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorOptions['details']
  readonly headers: Record<string, string>
  readonly failure: string | undefined

  constructor(code: ErrorCode, { message, details, headers = {}, failure, cause }: ErrorOptions = {}) {
    super(message ?? ERRORS[code].message, { cause })
    this.code = code
    this.details = details
    this.headers = headers
    this.failure = failure
  }
}
