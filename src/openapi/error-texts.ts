/** When each error is returned, and what the docs show as an example. docs/errors.md and the OpenAPI document have both. */
import type { ErrorCode } from '../http/errors/error-codes.ts'

interface ErrorText {
  when: string
  /** The operations that return it, if that does not follow from their routes. */
  returnedBy?: readonly string[]
  /** The value of the field, or a message that names the case. */
  example?: { value?: string; message?: string; field?: string; explanation?: string }
}

export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  missing_parameter: {
    when: 'A required field is absent or null. `field` is the first one; `message` lists them all.',
    example: { field: 'email', message: 'Missing: email.' },
  },
  malformed_body: {
    when: 'The body is empty, not JSON, not UTF-8, or not a JSON object. `explanation` says which; for JSON, with line and column of the first wrong character.',
    example: { explanation: 'The body is not JSON: line 1, column 24 is wrong.' },
  },
  invalid_header: {
    when: '`X-Idempotency-Key` (or `Idempotency-Key`) is not 1 to 255 characters from `!` to `~`, or is sent with two values. The field is the name that was sent.',
  },
  missing_token: {
    when: 'There is no usable `Authorization: Bearer …` header; `message` says what is wrong with its form.',
  },
  invalid_token: { when: 'The token is unknown, expired or revoked, or does not belong to the store in the path.' },
  https_required: { when: 'The request uses plain HTTP, and the service runs in production.' },
  store_suspended: { when: 'The operator has suspended the store of the token.' },
  insufficient_scope: { when: 'The token lacks the scope, or the operator the role. `WWW-Authenticate` names it.' },
  cross_site: {
    when: 'The caller signed on without a token, and the change has a `Sec-Fetch-Site` other than `same-origin` or the `Origin` of another site.',
  },
  not_found: {
    when: 'The store has no such record, or the record was erased. On v1 the update of an access returns no `code`.',
  },
  route_not_found: { when: 'The path is not served.' },
  method_not_allowed: { when: 'The path does not support the method; see `Allow`.' },
  cursor_expired: {
    when: 'The events after the cursor are no longer kept. `message` names the oldest event that is.',
    example: {
      message: 'What follows this cursor is no longer kept; the oldest event that is kept has the id 1001.',
      explanation: 'Events are kept from 1001 on.',
    },
    returnedBy: ['listEvents', 'listOperatorEvents'],
  },
  etag_mismatch: { when: 'The record is in another state than `If-Match` names. Nothing has changed.' },
  payload_too_large: { when: 'The body is over 65,536 bytes; of a batch, over 1,048,576.' },
  unsupported_media_type: { when: 'The body is not `application/json`, or has a `Content-Encoding`.' },
  invalid_parameter: {
    when: 'A field or parameter is invalid; every one is listed, up to 100, and `message` says how many more there are. Except in the three operations of the specification, this includes unknown fields and parameters.',
    example: { field: 'email', value: 'ada@', explanation: 'must be an email address' },
  },
  email_taken: {
    when: 'The email has an account in the store. `X-Existing-Id` is its id.',
    example: { value: 'ada@example.com' },
    returnedBy: ['createPublicUser', 'createUser', 'updateUser'],
  },
  idempotency_key_reused: {
    when: 'The key was used with a different request. The field is the name of the header that was sent.',
    example: { value: 'order-1001' },
  },
  access_exists: {
    when: 'The user already has an access to this product. `X-Existing-Id` is its id. The field is `slug` if that was sent.',
    example: { value: '4' },
    returnedBy: ['grantProductAccess'],
  },
  already_exists: {
    when: 'The id of a store, the slug of a product or the email of an operator is already taken.',
    example: { field: 'id', value: 'academy', explanation: 'a store with this id exists' },
    returnedBy: ['createOperator', 'updateOperator', 'createProduct', 'updateProduct', 'createStore'],
  },
  in_use: {
    when: 'The product cannot be deleted while accesses to it exist.',
    example: { value: '4' },
    returnedBy: ['deleteProduct'],
  },
  limit_reached: {
    when: 'The store has 16 webhook endpoints, disabled ones included.',
    example: { value: 'https://hooks.example.com/registrar' },
    returnedBy: ['createWebhookEndpoint'],
  },
  not_running: {
    when: 'The bulk change has ended, so it cannot be canceled.',
    example: { value: '21' },
    returnedBy: ['cancelBulkChange'],
  },
  not_done: {
    when: 'The bulk change cannot be reverted: it has not ended, was reverted already, or its events are no longer kept.',
    example: { value: '21' },
    returnedBy: ['revertBulkChange'],
  },
  rate_limited: { when: 'A rate limit is exceeded. Wait `Retry-After` seconds; `RateLimit-Policy` names the limit.' },
  internal_error: { when: 'The service has a defect. Report the `request_id`.' },
  service_unavailable: {
    when: 'The database is temporarily unavailable, or the request has waited too long for passwords to be hashed or for expensive requests of its store, or 100 dry runs of bulk changes of the store are under way. Wait `Retry-After` seconds and repeat the request.',
  },
}
