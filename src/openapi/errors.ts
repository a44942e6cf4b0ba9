/** What is answered instead: every code of ERRORS, in the envelope of the version. Operations share these responses. */
import * as z from 'zod'
import type { ZodOpenApiExampleObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { type ErrorCode, ERRORS } from '../wire/errors.ts'
import { LENGTH } from '../limits.ts'
import { choice, text, time } from './fields.ts'
import { type HeaderName, headerRefs } from './headers.ts'

/** `v1` without code: the 404 of the update of an access. */
export type Envelope = 'v1' | 'v1 without code' | 'v3'

const REQUEST_ID = 'b36f6f66-ab6a-450a-8557-d7acb534ccf7'

const HEADERS_OF_CODE: { [Code in ErrorCode]?: HeaderName[] } = {
  missing_token: ['WWW-Authenticate'],
  insufficient_scope: ['WWW-Authenticate'],
  email_taken: ['X-Existing-Id'],
  access_exists: ['X-Existing-Id'],
  rate_limited: ['Retry-After', 'RateLimit-Policy'],
  service_unavailable: ['Retry-After'],
}

/** An example for each code: what differs from the message of ERRORS, and the details. */
const EXAMPLES: { [Code in ErrorCode]?: { message?: string; details?: object } } = {
  missing_parameter: {
    message: 'Missing: email.',
    details: { field: 'email', explanation: 'This field is required and may not be null.' },
  },
  malformed_body: {
    details: { field: 'body', explanation: 'Send a JSON object in UTF-8, without a byte order mark.' },
  },
  invalid_header: {
    details: { field: 'X-Idempotency-Key', explanation: 'Send it once, with 1 to 255 characters from ! to ~.' },
  },
  cursor_expired: {
    message: 'What follows this cursor is no longer kept; the oldest event that is has the id 1001.',
    details: { field: 'after', explanation: 'Events are kept from 1001 on.' },
  },
  invalid_parameter: { details: [{ field: 'email', value: 'ada@', explanation: 'must be an e-mail address' }] },
  email_taken: {
    details: [
      { field: 'email', value: 'ada@example.com', explanation: 'an account with this e-mail exists in the store' },
    ],
  },
  idempotency_key_reused: {
    details: [
      { field: 'X-Idempotency-Key', value: 'order-1001', explanation: 'this key was used with another request' },
    ],
  },
  access_exists: {
    details: [{ field: 'product_id', value: '4', explanation: 'the user already has an access to this product' }],
  },
  already_exists: { details: [{ field: 'id', value: 'academy', explanation: 'a store with this id exists' }] },
  in_use: { details: [{ field: 'id', value: '4', explanation: 'there are accesses to this product' }] },
}

const detailFields = {
  field: text('What was refused: a dotted path into the body, or the name of a parameter or header.'),
  explanation: text('What is wrong with it, in words for a person.'),
}

const DETAILS = {
  none: undefined,
  one: z.object(detailFields).meta({ description: 'The first field that is to blame.' }),
  list: z
    .array(
      z.object({
        field: detailFields.field,
        value: z
          .string()
          .max(LENGTH.echoedValue)
          .meta({
            description: `What was sent: a string as it is, anything else as JSON, cut at ${LENGTH.echoedValue} characters. A password is \`[redacted]\`.`,
          }),
        explanation: detailFields.explanation,
      }),
    )
    .min(1)
    .meta({ description: 'Every field that is to blame, in the order in which the fields are described.' }),
} as const

const NAMES = { none: 'Error', one: 'ErrorOfField', list: 'ErrorOfFields' } as const

function detailsOf(status: number): keyof typeof DETAILS {
  if (status === 400 || status === 410) return 'one'
  return status === 422 ? 'list' : 'none'
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)
const ALL_CODES = Object.keys(ERRORS).filter(isCode)

/** The body of an error: one schema for each envelope and shape of details. */
const schemaOf = memoized((envelope: Envelope, shape: keyof typeof DETAILS) => {
  const codes = ALL_CODES.filter((code) => detailsOf(ERRORS[code].status) === shape)
  const hasCode = envelope !== 'v1 without code'
  const types = new Set(hasCode ? codes.map((code) => ERRORS[code].type) : ['not_found'])
  const details = DETAILS[shape]
  return z
    .object({
      type: choice([...types], 'The kind of error; codes of one kind are handled alike.'),
      ...(hasCode && { code: choice(codes, 'What happened; branch on this.') }),
      message: text('What happened, in words for a person; they may change.'),
      ...(details && { details }),
      timestamp: time('When it happened.'),
      request_id: z.uuid().meta({ description: 'As in `X-Request-Id`; tell it when asking for help.' }),
      ...(envelope !== 'v3' && {
        log_id: text('The `CF-Ray` of the request where Cloudflare gave it one, else the request id.'),
      }),
    })
    .meta({ id: `${envelope === 'v3' ? 'Public' : ''}${NAMES[shape]}${hasCode ? '' : 'WithoutCode'}` })
})

const exampleOf = memoized((envelope: Envelope, code: ErrorCode): ZodOpenApiExampleObject => {
  const { message = ERRORS[code].message, details } = EXAMPLES[code] ?? {}
  return {
    id: { v1: code, 'v1 without code': `${code}-without-code`, v3: `public-${code}` }[envelope],
    summary: ERRORS[code].message,
    value: {
      type: ERRORS[code].type,
      ...(envelope !== 'v1 without code' && { code }),
      message,
      ...(details && { details }),
      timestamp: '2026-11-21T09:30:00.000Z',
      request_id: REQUEST_ID,
      ...(envelope !== 'v3' && { log_id: REQUEST_ID }),
    },
  }
})

/** One response for each envelope and set of codes; the codes are of one status. */
const responseOf = memoized((envelope: Envelope, ...codes: ErrorCode[]): ZodOpenApiResponseObject => {
  const names = new Set(codes.flatMap((code) => HEADERS_OF_CODE[code] ?? []))
  const [status = 500] = codes.map((code) => ERRORS[code].status)
  return {
    id: `${envelope === 'v3' ? 'Public' : ''}${codes.map(pascalCase).join('Or')}${envelope === 'v1 without code' ? 'WithoutCode' : ''}`,
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    headers: headerRefs(...names),
    content: {
      'application/json': {
        schema: schemaOf(envelope, detailsOf(status)),
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(envelope, code)])),
      },
    },
  }
})

/** The responses of these codes, by status. */
export function errorResponses(codes: ReadonlySet<ErrorCode>, envelopeOf: (status: number) => Envelope) {
  const inOrder = ALL_CODES.filter((code) => codes.has(code))
  const byStatus = Map.groupBy(inOrder, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [`${status}` as const, responseOf(envelopeOf(status), ...group)]),
  )
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

/** The same object for the same arguments: the document names what it has seen before. */
function memoized<Args extends string[], Result>(make: (...args: Args) => Result): (...args: Args) => Result {
  const made = new Map<string, Result>()
  return (...args) => {
    const key = args.join(' ')
    const known = made.get(key) ?? make(...args)
    made.set(key, known)
    return known
  }
}
