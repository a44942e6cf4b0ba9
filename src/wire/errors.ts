/**
 * The table of errors: everything about an error is here, and docs/errors.md and the OpenAPI document are generated from
 * it. http/domain-errors.ts maps what domain code throws to these codes.
 */
type Status = 400 | 401 | 403 | 404 | 405 | 410 | 412 | 413 | 415 | 422 | 429 | 500 | 503

interface ErrorKind {
  status: Status
  type: string
  message: string
  /** When it is returned, for the docs. */
  when: string
  /** The invalid field and what is wrong with it, if this is always the same. */
  field?: string
  explanation?: string
  /** What the docs show: the value of the field, or a message that names the case. */
  example?: { value?: string; message?: string; field?: string; explanation?: string }
  /** Headers of the response beyond those of every response. */
  headers?: readonly ('WWW-Authenticate' | 'X-Existing-Id' | 'Retry-After' | 'RateLimit-Policy')[]
}

export const ERRORS = {
  missing_parameter: {
    status: 400,
    type: 'invalid_request',
    message: 'A required parameter is missing.',
    when: 'A required field is absent or null. `field` is the first one; `message` lists them all.',
    explanation: 'This field is required and may not be null.',
    example: { field: 'email', message: 'Missing: email.' },
  },
  malformed_body: {
    status: 400,
    type: 'invalid_request',
    message: 'The body is not a JSON object.',
    when: 'The body is empty, not JSON, not UTF-8, or not a JSON object. `explanation` says which; for JSON, with line and column of the first wrong character.',
    field: 'body',
    explanation: 'Send a JSON object in UTF-8, without a byte order mark.',
    example: { explanation: 'The body is not JSON: line 1, column 24 is wrong.' },
  },
  invalid_header: {
    status: 400,
    type: 'invalid_request',
    message: 'A header has an invalid value.',
    when: '`X-Idempotency-Key` (or `Idempotency-Key`) is not 1 to 255 characters from `!` to `~`, or is sent with two values. The field is the name that was sent.',
    field: 'X-Idempotency-Key',
    explanation: 'Send it once, with 1 to 255 characters from ! to ~.',
  },
  missing_token: {
    status: 401,
    type: 'authentication_error',
    message: 'Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.',
    when: 'There is no usable `Authorization: Bearer …` header; `message` says what is wrong with its form.',
    headers: ['WWW-Authenticate'],
  },
  invalid_token: {
    status: 401,
    type: 'authentication_error',
    message: 'The access token is unknown, expired, revoked, or belongs to another store.',
    when: 'The token is unknown, expired or revoked, or does not belong to the store in the path.',
    headers: ['WWW-Authenticate'],
  },
  https_required: {
    status: 403,
    type: 'permission_error',
    message: 'Use HTTPS to call this service.',
    when: 'The request uses plain HTTP, and the service runs in production.',
  },
  store_suspended: {
    status: 403,
    type: 'permission_error',
    message: 'The store is suspended; ask its operator for the reason.',
    when: 'The operator has suspended the store of the token.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    message: 'The access token lacks the scope of this operation.',
    when: 'The token lacks the scope, or the operator the role. `WWW-Authenticate` names it.',
    headers: ['WWW-Authenticate'],
  },
  cross_site: {
    status: 403,
    type: 'permission_error',
    message: 'A browser has sent this change from another site.',
    when: 'The caller signed on without a token, and the change has a `Sec-Fetch-Site` other than `same-origin` or the `Origin` of another site.',
  },
  not_found: {
    status: 404,
    type: 'not_found',
    message: 'There is no such record.',
    when: 'The store has no such record, or the record was erased. On v1 the update of an access returns no `code`.',
  },
  route_not_found: {
    status: 404,
    type: 'not_found',
    message: 'This path is not served.',
    when: 'The path is not served.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request',
    message: 'This path does not support the method; see the header Allow.',
    when: 'The path does not support the method; see `Allow`.',
  },
  cursor_expired: {
    status: 410,
    type: 'gone',
    message: 'What follows this cursor is no longer kept.',
    when: 'The events after the cursor are no longer kept. `message` names the oldest event that is.',
    field: 'after',
    example: {
      message: 'What follows this cursor is no longer kept; the oldest event that is kept has the id 1001.',
      explanation: 'Events are kept from 1001 on.',
    },
  },
  etag_mismatch: {
    status: 412,
    type: 'precondition_failed',
    message: 'The record is in another state than `If-Match` names; read it again.',
    when: 'The record is in another state than `If-Match` names. Nothing has changed.',
  },
  payload_too_large: {
    status: 413,
    type: 'invalid_request',
    message: 'The body is too large.',
    when: 'The body is over 65,536 bytes; of a batch, over 1,048,576.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request',
    message: 'Send the body as `Content-Type: application/json`, without a Content-Encoding.',
    when: 'The body is not `application/json`, or has a `Content-Encoding`.',
  },
  invalid_parameter: {
    status: 422,
    type: 'validation_error',
    message: 'A parameter is invalid.',
    when: 'A field or parameter is invalid; every one is listed, up to 100, and `message` says how many more there are. Except in the three operations of the specification, this includes unknown fields and parameters.',
    example: { field: 'email', value: 'ada@', explanation: 'must be an email address' },
  },
  email_taken: {
    status: 422,
    type: 'validation_error',
    message: 'An account with this email already exists in the store.',
    when: 'The email has an account in the store. `X-Existing-Id` is its id.',
    field: 'email',
    explanation: 'an account with this email exists in the store',
    example: { value: 'ada@example.com' },
    headers: ['X-Existing-Id'],
  },
  idempotency_key_reused: {
    status: 422,
    type: 'validation_error',
    message: 'This idempotency key was used with a different request.',
    when: 'The key was used with a different request. The field is the name of the header that was sent.',
    field: 'X-Idempotency-Key',
    explanation: 'this key was used with a different request',
    example: { value: 'order-1001' },
  },
  access_exists: {
    status: 422,
    type: 'validation_error',
    message: 'The user already has an access to this product.',
    when: 'The user already has an access to this product. `X-Existing-Id` is its id. The field is `slug` if that was sent.',
    field: 'product_id',
    explanation: 'the user already has an access to this product',
    example: { value: '4' },
    headers: ['X-Existing-Id'],
  },
  already_exists: {
    status: 422,
    type: 'validation_error',
    message: 'This identifier is already taken.',
    when: 'The id of a store, the slug of a product or the email of an operator is already taken.',
    example: { field: 'id', value: 'academy', explanation: 'a store with this id exists' },
  },
  in_use: {
    status: 422,
    type: 'validation_error',
    message: 'Other records need this one.',
    when: 'The product cannot be deleted while accesses to it exist.',
    field: 'id',
    explanation: 'there are accesses to this product',
    example: { value: '4' },
  },
  limit_reached: {
    status: 422,
    type: 'validation_error',
    message: 'The store has as many of these as it may have.',
    when: 'The store has 16 webhook endpoints, disabled ones included.',
    field: 'url',
    explanation: 'the store has 16 webhook endpoints; delete one first',
    example: { value: 'https://hooks.example.com/registrar' },
  },
  not_running: {
    status: 422,
    type: 'validation_error',
    message: 'The bulk change has ended.',
    when: 'The bulk change has ended, so it cannot be canceled.',
    field: 'id',
    explanation: 'this bulk change has ended',
    example: { value: '21' },
  },
  not_done: {
    status: 422,
    type: 'validation_error',
    message:
      'The bulk change cannot be reverted: it has not ended, was reverted already, or its events are no longer kept.',
    when: 'The bulk change cannot be reverted: it has not ended, was reverted already, or its events are no longer kept.',
    field: 'id',
    explanation: 'this bulk change has not ended, was reverted already, or its events are no longer kept',
    example: { value: '21' },
  },
  rate_limited: {
    status: 429,
    type: 'rate_limited',
    message: 'Too many requests; wait as Retry-After says.',
    when: 'A rate limit is exceeded. Wait `Retry-After` seconds; `RateLimit-Policy` names the limit.',
    headers: ['Retry-After', 'RateLimit-Policy'],
  },
  internal_error: {
    status: 500,
    type: 'internal_error',
    message: 'The service failed. The request id identifies the case.',
    when: 'The service has a defect. Report the `request_id`.',
  },
  service_unavailable: {
    status: 503,
    type: 'service_unavailable',
    message: 'The database is temporarily unavailable; wait as Retry-After says.',
    when: 'The database is temporarily unavailable, or the request has waited too long for passwords to be hashed or for expensive requests of its store, or 100 dry runs of bulk changes of the store are under way. Wait `Retry-After` seconds and repeat the request.',
    headers: ['Retry-After'],
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERRORS

/** The table with the type of its rows, for code that reads optional columns. */
export const errorKinds: Readonly<Record<ErrorCode, ErrorKind>> = ERRORS
