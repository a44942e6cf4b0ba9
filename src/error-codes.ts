/**
 * The table of errors: one entry for each code, with what the service returns and what docs/ and the document say of it.
 * src/change/errors.ts has what domain code adds to a code, src/http/errors/domain-errors.ts makes fields and headers of it,
 * and packages/console/src/words/errors/codes.ts has the words of the console.
 */
import { prose } from '#prose'
import { CUSTOM_FIELDS, ROTATION, withCommas } from './limits.ts'

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

export interface Returned {
  message?: string
  /** The invalid field and what is wrong with it, if this is always the same. */
  field?: string | undefined
  explanation?: string | undefined
}

interface ErrorKind extends Returned {
  status: keyof typeof ERROR_TYPES
  message: string
  /** Headers of the response beyond those of every response. */
  headers?: readonly ('WWW-Authenticate' | 'X-Existing-Id' | 'Retry-After' | 'RateLimit-Policy')[]
  /** What domain code throws, by its own code, for which the service returns this one. */
  cases?: Readonly<Record<string, Returned>>
  docs: ErrorDocs | undefined
}

interface ErrorDocs {
  when: string
  /** The operations that return it, if that does not follow from their routes. */
  returnedBy?: readonly string[]
  /** What the example shows that is not in the table: the value of the field, or a message that names the case. */
  example?: Readonly<Partial<Record<'value' | 'message' | 'field' | 'explanation', string>>>
}

export const ERRORS = {
  missing_parameter: {
    status: 400,
    message: 'A required parameter is missing.',
    explanation: 'This field is required and may not be null.',
    docs: prose({
      when: 'A required field is absent or null. `field` is the first one; `message` lists them all.',
      example: { field: 'email', message: 'Missing: email.' },
      returnedBy: ['extendProductAccess'],
    }),
  },
  malformed_body: {
    status: 400,
    message: 'The body is not a JSON object.',
    field: 'body',
    explanation: 'Send a JSON object in UTF-8, without a byte order mark.',
    docs: prose({
      when: 'The body is empty, not JSON, not UTF-8, or not a JSON object. `explanation` says which; for JSON, with line and column of the first wrong character.',
      example: { explanation: 'The body is not JSON: line 1, column 24 is wrong.' },
    }),
  },
  invalid_header: {
    status: 400,
    message: 'A header has an invalid value.',
    field: 'X-Idempotency-Key',
    explanation: 'Send it once, with 1 to 255 characters from ! to ~.',
    docs: prose({
      when: '`X-Idempotency-Key` (or `Idempotency-Key`) is not 1 to 255 characters from `!` to `~`, or is sent with two values. The field is the name that was sent.',
    }),
  },
  missing_token: {
    status: 401,
    message: 'Send an access token: `Authorization: Bearer <ACCESS_TOKEN>`.',
    headers: ['WWW-Authenticate'],
    docs: prose({
      when: 'There is no usable `Authorization: Bearer …` header; `message` says what is wrong with its form.',
    }),
  },
  invalid_token: {
    status: 401,
    message: 'The access token is unknown, expired, revoked, or belongs to another store.',
    headers: ['WWW-Authenticate'],
    cases: {
      token_rotated: {
        message:
          'The token has been rotated since: this secret is still valid, but only the newest one can rotate the token. If that one was lost, ask an operator to rotate it.',
      },
    },
    docs: prose({
      when: 'The token is unknown, expired or revoked, or does not belong to the store in the path. For `POST /v1/token/rotate` also: the token has been rotated since, as `message` says.',
    }),
  },
  https_required: {
    status: 403,
    message: 'Use HTTPS to call this service.',
    docs: prose({ when: 'The request uses plain HTTP, and the service runs in production.' }),
  },
  store_suspended: {
    status: 403,
    message: 'The store is suspended; ask its operator for the reason.',
    docs: prose({ when: 'The operator has suspended the store of the token.' }),
  },
  insufficient_scope: {
    status: 403,
    message: 'The access token lacks the scope of this operation.',
    headers: ['WWW-Authenticate'],
    docs: prose({ when: 'The token lacks the scope, or the operator the role. `WWW-Authenticate` names it.' }),
  },
  cross_site: {
    status: 403,
    message: 'A browser has sent this change from another site.',
    docs: prose({
      when: 'The caller signed on without a token, and the change has a `Sec-Fetch-Site` other than `same-origin` or the `Origin` of another site.',
    }),
  },
  not_found: {
    status: 404,
    message: 'There is no such record.',
    docs: prose({
      when: 'The store has no such record, or the record was erased. On v1 the update of an access returns no `code`.',
    }),
  },
  route_not_found: {
    status: 404,
    message: 'This path is not served.',
    docs: prose({ when: 'The path is not served.' }),
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support the method; see the header Allow.',
    docs: prose({ when: 'The path does not support the method; see `Allow`.' }),
  },
  cursor_expired: {
    status: 410,
    message: 'What follows this cursor is no longer kept.',
    field: 'after',
    docs: prose({
      when: 'The events after the cursor are no longer kept. `message` names the oldest event that is.',
      example: {
        message: 'What follows this cursor is no longer kept; the oldest event that is kept has the id 1001.',
        explanation: 'Events are kept from 1001 on.',
      },
      returnedBy: ['listEvents', 'listOperatorEvents'],
    }),
  },
  etag_mismatch: {
    status: 412,
    message: 'The record is in another state than `If-Match` names; read it again.',
    docs: prose({ when: 'The record is in another state than `If-Match` names. Nothing has changed.' }),
  },
  payload_too_large: {
    status: 413,
    message: 'The body is too large.',
    docs: prose({ when: 'The body is over 65,536 bytes; of a batch, over 1,048,576.' }),
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as `Content-Type: application/json`, without a Content-Encoding.',
    docs: prose({ when: 'The body is not `application/json`, or has a `Content-Encoding`.' }),
  },
  invalid_parameter: {
    status: 422,
    message: 'A parameter is invalid.',
    cases: {
      custom_fields_too_large: {
        field: 'custom_fields',
        explanation: `must be at most ${withCommas(CUSTOM_FIELDS.bytes)} bytes of JSON, together with what the user has already`,
      },
      cursor_ahead: { field: 'after', explanation: 'is beyond the newest event' },
      too_many_secrets: {
        field: 'overlap_hours',
        explanation: `${ROTATION.secrets} secrets are valid at once: wait until one expires, or end them all with 0 (which a token cannot do to itself, but an operator can)`,
      },
    },
    docs: prose({
      when: 'A field or parameter is invalid; every one is listed, up to 100, and `message` says how many more there are. Except in the three operations of the specification, this includes unknown fields and parameters.',
      example: { field: 'email', value: 'ada@', explanation: 'must be an email address' },
    }),
  },
  email_taken: {
    status: 422,
    message: 'An account with this email already exists in the store.',
    field: 'email',
    explanation: 'an account with this email exists in the store',
    headers: ['X-Existing-Id'],
    docs: prose({
      when: 'The email has an account in the store. `X-Existing-Id` is its id.',
      example: { value: 'ada@example.com' },
      returnedBy: ['createPublicUser', 'createUser', 'updateUser'],
    }),
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This idempotency key was used with a different request.',
    field: 'X-Idempotency-Key',
    explanation: 'this key was used with a different request',
    docs: prose({
      when: 'The key was used with a different request. The field is the name of the header that was sent.',
      example: { value: 'order-1001' },
    }),
  },
  access_exists: {
    status: 422,
    message: 'The user already has an access to this product.',
    field: 'product_id',
    explanation: 'the user already has an access to this product',
    headers: ['X-Existing-Id'],
    docs: prose({
      when: 'The user already has an access to this product. `X-Existing-Id` is its id. The field is `slug` if that was sent.',
      example: { value: '4' },
      returnedBy: ['grantProductAccess'],
    }),
  },
  already_exists: {
    status: 422,
    message: 'This identifier is already taken.',
    cases: {
      store_exists: { field: 'id', explanation: 'a store with this id exists' },
      slug_taken: { field: 'slug', explanation: 'a product of this store has this slug' },
      operator_email_taken: { field: 'email', explanation: 'another operator has this email' },
      endpoint_url_taken: { field: 'url', explanation: 'another webhook endpoint of this store has this URL' },
    },
    docs: prose({
      when: 'The id of a store, the slug of a product, the email of an operator or the URL of a webhook endpoint is already taken.',
      example: { field: 'id', value: 'academy', explanation: 'a store with this id exists' },
      returnedBy: [
        'createOperator',
        'updateOperator',
        'createProduct',
        'updateProduct',
        'createStore',
        'createWebhookEndpoint',
        'updateWebhookEndpoint',
      ],
    }),
  },
  in_use: {
    status: 422,
    message: 'Other records need this one.',
    field: 'id',
    explanation: 'there are accesses to this product',
    docs: prose({
      when: 'The product cannot be deleted while accesses to it exist.',
      example: { value: '4' },
      returnedBy: ['deleteProduct'],
    }),
  },
  limit_reached: {
    status: 422,
    message: 'The store has as many of these as it may have.',
    field: 'url',
    explanation: 'the store has 16 webhook endpoints; delete one first',
    cases: {
      too_many_bulk_changes: {
        field: 'filter',
        explanation: 'the store has 20 bulk changes that have not ended; wait for one, or cancel it',
      },
      too_many_to_revert: {
        field: 'id',
        explanation: 'the store has 20 bulk changes that have not ended; wait for one, or cancel it',
      },
    },
    docs: prose({
      when: 'The store has 16 webhook endpoints, disabled ones included, or 20 bulk changes that have not ended, dry runs and reverts included.',
      example: { value: 'https://hooks.example.com/registrar' },
      returnedBy: ['createWebhookEndpoint', 'createBulkChange', 'revertBulkChange'],
    }),
  },
  not_running: {
    status: 422,
    message: 'The bulk change has ended.',
    field: 'id',
    explanation: 'this bulk change has ended',
    docs: prose({
      when: 'The bulk change has ended, so it cannot be canceled.',
      example: { value: '21' },
      returnedBy: ['cancelBulkChange'],
    }),
  },
  not_done: {
    status: 422,
    message:
      'The bulk change cannot be reverted: it has not ended, was reverted already, or its events are no longer kept.',
    field: 'id',
    explanation: 'this bulk change has not ended, was reverted already, or its events are no longer kept',
    docs: prose({
      when: 'The bulk change cannot be reverted: it has not ended, was reverted already, or its events are no longer kept.',
      example: { value: '21' },
      returnedBy: ['revertBulkChange'],
    }),
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests; wait as Retry-After says.',
    headers: ['Retry-After', 'RateLimit-Policy'],
    cases: { password_quota_exceeded: {} },
    docs: prose({ when: 'A rate limit is exceeded. Wait `Retry-After` seconds; `RateLimit-Policy` names the limit.' }),
  },
  internal_error: {
    status: 500,
    message: 'The service failed. The request id identifies the case.',
    docs: prose({ when: 'The service has a defect. Report the `request_id`.' }),
  },
  service_unavailable: {
    status: 503,
    message: 'The database is temporarily unavailable; wait as Retry-After says.',
    headers: ['Retry-After'],
    cases: {
      hashing_too_busy: { message: 'Too many passwords wait to be hashed; wait as Retry-After says.' },
      store_too_busy: { message: 'Too many expensive requests of this store are under way; wait as Retry-After says.' },
      token_key_missing_or_too_short: {},
    },
    docs: prose({
      when: 'The database is temporarily unavailable, or the request has waited too long for passwords to be hashed or for expensive requests of its store. Wait `Retry-After` seconds and repeat the request.',
    }),
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERRORS

type CasesOf<Kind> = Kind extends { cases: infer Cases } ? keyof Cases : never

/** What domain code throws for one of several reasons that have the same code. */
export type CaseCode = { [Code in ErrorCode]: CasesOf<(typeof ERRORS)[Code]> }[ErrorCode]

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

/** The table with the type of its rows, for code that reads optional columns. */
export const errorKinds: Readonly<Record<ErrorCode, ErrorKind>> = ERRORS
