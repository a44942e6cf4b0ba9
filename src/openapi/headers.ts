/** The headers of answers, each once; responses refer to them by name. */
import { HSTS_SECONDS, RATE_LIMIT_PERIOD_SECONDS, RETRY_AFTER_SECONDS } from '../limits.ts'

const text = { type: 'string' } as const
const seconds = { type: 'integer', minimum: 0 } as const

export const headers = {
  'X-Request-Id': {
    description: 'A fresh UUID for each request: `request_id` in an error body, in events and in the log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: 'b36f6f66-ab6a-450a-8557-d7acb534ccf7',
  },
  'Cache-Control': {
    description: 'Always `no-store`: no answer may be kept by a cache.',
    required: true,
    schema: text,
    example: 'no-store',
  },
  'X-Content-Type-Options': {
    description: 'Always `nosniff`: a browser takes the body for nothing but what `Content-Type` says.',
    required: true,
    schema: text,
    example: 'nosniff',
  },
  'Strict-Transport-Security': {
    description: 'In production, on https: a browser is not to call the service over plain http for a year.',
    schema: text,
    example: `max-age=${HSTS_SECONDS}`,
  },
  ETag: {
    description:
      'The state of the record, for `If-Match`: a strong tag that each change of a field changes. A replay has none.',
    schema: text,
    example: '"12-12"',
  },
  'Idempotent-Replayed': {
    description: '`true` where the answer is that of an earlier request with the same key; nothing was created again.',
    schema: text,
    example: 'true',
  },
  'X-Existing-Id': {
    description:
      'The id of the record that is there: the user with this e-mail, the access of this user to this product.',
    schema: text,
    example: '12',
  },
  'X-Newest-Id': {
    description:
      'The id of the newest event of the feed, whatever the filter: where to begin for who wants the end first. Left out where nothing has happened yet.',
    schema: text,
    example: '14',
  },
  'WWW-Authenticate': {
    description:
      'RFC 6750: what was wrong with the token; with `insufficient_scope`, the scope or role that is asked for.',
    schema: text,
    example: 'Bearer realm="registrar", error="invalid_token"',
  },
  'Retry-After': {
    description: 'How many seconds to wait before the request is sent again.',
    schema: seconds,
    example: RETRY_AFTER_SECONDS,
  },
  'RateLimit-Policy': {
    description: 'The quota that is used up: its name, how many requests (`q`) in how many seconds (`w`).',
    schema: text,
    example: `"token";q=600;w=${RATE_LIMIT_PERIOD_SECONDS}`,
  },
} as const

export type HeaderName = keyof typeof headers

const OF_EVERY_ANSWER = [
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
  'Strict-Transport-Security',
] as const

/** The headers that every answer has, and these. */
export function headerRefs(...names: HeaderName[]) {
  return Object.fromEntries(
    [...OF_EVERY_ANSWER, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  )
}
