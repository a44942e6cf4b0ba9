/** What the document says of errors and headers: every code of ERRORS, in the envelope of the version. */
import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { type ErrorCode, ERRORS } from '../errors.ts'
import { LENGTH, RATE_LIMIT_PERIOD_SECONDS, RETRY_AFTER_SECONDS } from '../limits.ts'

export type Version = 'v1' | 'v3'

type Headers = Record<
  string,
  { description: string; schema: { type: 'string' | 'integer' }; example?: string | number }
>

const REQUEST_ID = 'b36f6f66-ab6a-450a-8557-d7acb534ccf7'
const TIMESTAMP = '2026-11-21T09:30:00.000Z'

const text = { type: 'string' } as const
const seconds = { type: 'integer' } as const

/** The headers of the document's components, by the names under which responses refer to them. */
export const headers: Headers = {
  'X-Request-Id': {
    description: 'A fresh UUID per request: the `request_id` of an error body and of the log line.',
    schema: text,
    example: REQUEST_ID,
  },
  'Cache-Control': { description: 'Always `no-store`.', schema: text, example: 'no-store' },
  'X-Content-Type-Options': { description: 'Always `nosniff`.', schema: text, example: 'nosniff' },
  'Idempotent-Replayed': {
    description: '`true` when the response of an earlier request with the same key is answered again.',
    schema: text,
    example: 'true',
  },
  ETag: {
    description: 'The state of the access: a strong tag that each change changes, for If-Match.',
    schema: text,
    example: '"1-1"',
  },
  'WWW-Authenticate': {
    description: 'RFC 6750: with `error="invalid_token"` when a token was sent, and the scope that a 403 asks for.',
    schema: text,
    example: 'Bearer realm="registrar", error="invalid_token"',
  },
  'Retry-After': { description: 'Seconds to wait.', schema: seconds, example: RETRY_AFTER_SECONDS },
  'RateLimit-Policy': {
    description: 'The quota (q) and its window in seconds (w).',
    schema: text,
    example: `"token";q=600;w=${RATE_LIMIT_PERIOD_SECONDS}`,
  },
  'X-Existing-Id': {
    description: 'On `email_taken`: the id of the user who has the e-mail.',
    schema: text,
    example: '1',
  },
}

const EVERY_RESPONSE = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']

const HEADERS_OF_STATUS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

/** References to the headers that every response has, and to more of them. */
export function headerRefs(...more: string[]) {
  return Object.fromEntries(
    [...EVERY_RESPONSE, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` } as const]),
  )
}

const detail = z.object({ field: z.string(), explanation: z.string() })
const details = z.array(detail.extend({ value: z.string().max(LENGTH.echoedValue) })).min(1)

const schemas = new Map<string, z.ZodType>()

/** The body of one status, once per version: with every code that the status has. */
function errorSchema(version: Version, status: number, hasCode: boolean): z.ZodType {
  const id = `${version === 'v3' ? 'Public' : ''}Error${status}${hasCode ? '' : 'WithoutCode'}`
  const known = schemas.get(id)
  if (known) return known
  const codes = Object.entries(ERRORS).filter(([, kind]) => kind.status === status)
  const schema = z
    .strictObject({
      type: z.enum(codes.map(([, kind]) => kind.type)),
      ...(hasCode && { code: z.enum(codes.map(([code]) => code)) }),
      message: z.string(),
      ...(status === 400 && { details: detail }),
      ...(status === 422 && { details }),
      timestamp: z.iso.datetime(),
      request_id: z.uuid(),
      ...(version === 'v1' && { log_id: z.string() }),
    })
    .meta({ id })
  schemas.set(id, schema)
  return schema
}

const EXAMPLE_DETAILS: Partial<Record<ErrorCode, object>> = {
  missing_parameter: { field: 'email', explanation: 'This field is required and may not be null.' },
  malformed_body: { field: 'body', explanation: 'Send a JSON object in UTF-8, without a byte order mark.' },
  invalid_header: { field: 'X-Idempotency-Key', explanation: 'Send it once, with 1 to 255 characters from ! to ~.' },
  invalid_parameter: [{ field: 'email', value: 'ada@', explanation: 'must be an e-mail address' }],
  email_taken: [
    { field: 'email', value: 'ada@example.com', explanation: 'an account with this e-mail exists in the store' },
  ],
  idempotency_key_reused: [
    { field: 'X-Idempotency-Key', value: 'order-1001', explanation: 'this key was used with another request' },
  ],
  access_exists: [{ field: 'product_id', value: '1', explanation: 'the user already has an access to this product' }],
  already_exists: [{ field: 'id', value: 'demo', explanation: 'a store with this id exists' }],
}

function errorExample(version: Version, code: ErrorCode, hasCode: boolean) {
  return {
    type: ERRORS[code].type,
    code: hasCode ? code : undefined,
    message: ERRORS[code].message,
    details: EXAMPLE_DETAILS[code],
    timestamp: TIMESTAMP,
    request_id: REQUEST_ID,
    log_id: version === 'v1' ? REQUEST_ID : undefined,
  }
}

interface ErrorsOfOperation {
  version: Version
  codes: ErrorCode[]
  /** The 404 of the v1 update has no code. */
  hides404Code: boolean
}

/** One response per status, with an example for each of its codes. */
export function errorResponses({ version, codes, hides404Code }: ErrorsOfOperation) {
  const responses: Record<string, ZodOpenApiResponseObject> = {}
  for (const [status, group] of Map.groupBy(codes, (code) => ERRORS[code].status)) {
    const hasCode = !(hides404Code && status === 404)
    responses[status] = {
      description: group.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
      headers: headerRefs(
        ...(HEADERS_OF_STATUS[status] ?? []),
        ...(group.includes('email_taken') ? ['X-Existing-Id'] : []),
      ),
      content: {
        'application/json': {
          schema: errorSchema(version, status, hasCode),
          examples: Object.fromEntries(group.map((code) => [code, { value: errorExample(version, code, hasCode) }])),
        },
      },
    }
  }
  return responses
}
