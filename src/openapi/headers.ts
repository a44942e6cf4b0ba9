/** The headers of responses, each described once. Responses refer to them by name. */
import { HSTS_SECONDS, RATE_LIMIT_PERIOD_SECONDS, RETRY_AFTER_SECONDS } from '../limits.ts'

const TEXT = { type: 'string' } as const
const REQUIRED = { required: true, schema: TEXT } as const

function header(description: string, example: string | number, more: object = {}) {
  return { description, schema: TEXT, ...more, example }
}

export const headers = {
  'X-Request-Id': header(
    'A new UUID for each request. An error body and an event have it as `request_id`, and the log has it too.',
    'b36f6f66-ab6a-450a-8557-d7acb534ccf7',
    { required: true, schema: { type: 'string', format: 'uuid' } },
  ),
  'Cache-Control': header('Always `no-store`: a cache must not keep any response.', 'no-store', REQUIRED),
  'X-Content-Type-Options': header(
    'Always `nosniff`: a browser must not guess another media type than that of `Content-Type`.',
    'nosniff',
    REQUIRED,
  ),
  'Strict-Transport-Security': header(
    'In production, over HTTPS: a browser must not call the service over plain HTTP for a year.',
    `max-age=${HSTS_SECONDS}`,
  ),
  ETag: header(
    'The state of the record, for `If-Match`: a strong tag that changes whenever a field changes. It arrives as a weak one if the response was compressed on its way.',
    '"12-12"',
  ),
  'Idempotent-Replayed': header(
    '`true` if this is the response to an earlier request with the same key. Nothing was created again.',
    'true',
  ),
  'X-Existing-Id': header(
    'The id of the existing record: the user with this email, or the access of this user to this product.',
    '12',
  ),
  'X-Newest-Id': header(
    'The id of the newest event of the feed, whatever the filter. To receive only future events, start after it. Omitted if there is no event yet.',
    '14',
  ),
  'WWW-Authenticate': header(
    'RFC 6750: what is wrong with the token. With `insufficient_scope`, it names the required scope or role.',
    'Bearer realm="registrar", error="invalid_token"',
  ),
  'Retry-After': header('How many seconds to wait before sending the request again.', RETRY_AFTER_SECONDS, {
    schema: { type: 'integer', minimum: 0 },
  }),
  'RateLimit-Policy': header(
    'The rate limit that is exceeded: its name, and how many requests (`q`) it allows in how many seconds (`w`).',
    `"token";q=600;w=${RATE_LIMIT_PERIOD_SECONDS}`,
  ),
} as const

export type HeaderName = keyof typeof headers

const OF_EVERY_RESPONSE = [
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
  'Strict-Transport-Security',
] as const

/** The headers of every response, and these. */
export function headerRefs(...names: HeaderName[]) {
  return Object.fromEntries(
    [...OF_EVERY_RESPONSE, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  )
}
