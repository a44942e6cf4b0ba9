/** The responses of errors: every code of the table of errors, in the envelope of the version. Operations share them. */
import type { ZodOpenApiExampleObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { ERROR_TYPES, type ErrorCode, errorKinds, ERRORS, isErrorCode } from '../error-codes.ts'
import { LENGTH } from '../limits.ts'
import {
  choice,
  type Field,
  list,
  component,
  object,
  openChoice,
  optional,
  proseOf,
  text,
  TIME,
  time,
} from './fields.ts'
import { headerRefs } from './headers.ts'

/** `v1 without code` is the 404 of the update of an access, whose schema has an optional `code` that is never sent. */
export type Envelope = 'v1' | 'v1 without code' | 'v3'

export const REQUEST_ID = 'b36f6f66-ab6a-450a-8557-d7acb534ccf7'

export const ALL_CODES = Object.keys(ERRORS).filter(isErrorCode)

export const docsOfError = (code: ErrorCode) => proseOf(errorKinds[code].docs)

const knownCode = component<ErrorCode>('ErrorCode', choice(ALL_CODES, 'The codes of errors that this version returns.'))

const BRANCH_ON_IT = 'What happened. Branch on this. Codes may be added: treat one that you do not know by its `type`.'

export function codeOf(example: ErrorCode | undefined, description = BRANCH_ON_IT): Field<ErrorCode> {
  return openChoice(knownCode, description, example)
}

const fieldName = text('A dotted path into the body, or the name of a parameter or a header.', 'email')
const explanationText = text('What is wrong with it, in words for people.', 'must be an email address')

export const invalidField = object(
  { field: fieldName, explanation: explanationText },
  'The invalid field. If several are missing, the first one.',
)

export const invalidFields = list(
  object({
    field: fieldName,
    value: {
      schema: {
        type: 'string',
        maxLength: LENGTH.echoedValue,
        description: `What was sent: a string as sent, anything else as JSON, truncated to ${LENGTH.echoedValue} characters. A password is \`[redacted]\`.`,
      },
      example: 'ada@',
    },
    explanation: explanationText,
  }),
  'Every invalid field, in the order in which the fields are described.',
)

const DETAILS = {
  none: undefined,
  one: invalidField,
  list: { ...invalidFields, schema: { ...invalidFields.schema, minItems: 1 } },
}

/** Schemas named `Error` or `ApiError` would collide with the classes of these names in generated TypeScript. */
const NAMES = { none: 'ErrorEnvelope', one: 'ErrorEnvelopeOfField', list: 'ErrorEnvelopeOfFields' } as const

function detailsOf(code: ErrorCode): keyof typeof DETAILS {
  const { status } = ERRORS[code]
  if (status === 400 || status === 410) return 'one'
  return status === 422 ? 'list' : 'none'
}

/** The body of an error: one schema for each envelope and shape of the details. */
const bodyOf = memoized((envelope: Envelope, shape: keyof typeof DETAILS): Field<unknown> => {
  const codes = ALL_CODES.filter((code) => detailsOf(code) === shape)
  const hasCode = envelope !== 'v1 without code'
  const types = new Set(hasCode ? codes.map((code) => ERROR_TYPES[ERRORS[code].status]) : [ERROR_TYPES[404]])
  const details = DETAILS[shape]
  const [code, type] = [codes[0], [...types][0]]
  const body = object({
    type: choice([...types], 'The kind of error. Handle codes of one kind alike.', type),
    // Without the property, `switch (error.code)` would not compile for the errors of the update.
    code: hasCode
      ? codeOf(code)
      : optional(
          codeOf(undefined, 'This 404 has no code. The property is here so that programs can read it of any error.'),
        ),
    message: text('What happened, in words for people. The words may change.', ''),
    ...(details && { details }),
    timestamp: time('When it happened.'),
    request_id: {
      schema: { type: 'string', format: 'uuid', description: 'As in `X-Request-Id`. Quote it when you ask for help.' },
      example: REQUEST_ID,
    },
    ...(envelope !== 'v3' && {
      log_id: text('The `CF-Ray` of the request if Cloudflare has set it, otherwise the request id.', REQUEST_ID),
    }),
  })
  return component(`${envelope === 'v3' ? 'Public' : ''}${NAMES[shape]}${hasCode ? '' : 'WithoutCode'}`, body)
})

/** The details of the example: the field and the explanation are those of the table, unless its example has others. */
function exampleDetails(code: ErrorCode): object | undefined {
  const kind = errorKinds[code]
  const { example = {} } = docsOfError(code)
  const { field = kind.field, explanation = kind.explanation, value } = example
  if (field === undefined || explanation === undefined) return undefined
  return detailsOf(code) === 'list' ? [{ field, value, explanation }] : { field, explanation }
}

const exampleOf = memoized((envelope: Envelope, code: ErrorCode): ZodOpenApiExampleObject => {
  const { status, message } = errorKinds[code]
  const { example } = docsOfError(code)
  const details = exampleDetails(code)
  return {
    id: { v1: code, 'v1 without code': `${code}-without-code`, v3: `public-${code}` }[envelope],
    summary: message,
    value: {
      type: ERROR_TYPES[status],
      ...(envelope !== 'v1 without code' && { code }),
      message: example?.message ?? message,
      ...(details && { details }),
      timestamp: TIME,
      request_id: REQUEST_ID,
      ...(envelope !== 'v3' && { log_id: REQUEST_ID }),
    },
  }
})

/** One response for each envelope and set of codes. The codes have the same status. */
const responseOf = memoized((envelope: Envelope, ...codes: ErrorCode[]): ZodOpenApiResponseObject => {
  const [first = 'internal_error'] = codes
  const names = new Set(codes.flatMap((code) => errorKinds[code].headers ?? []))
  return {
    id: `${envelope === 'v3' ? 'Public' : ''}${codes.map(pascalCase).join('Or')}${envelope === 'v1 without code' ? 'WithoutCode' : ''}`,
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    headers: headerRefs(...names),
    content: {
      'application/json': {
        schema: bodyOf(envelope, detailsOf(first)).schema,
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

/** `email_taken` is `EmailTaken`, `user.updated` is `UserUpdated`, and `createUser` is `CreateUser`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

/** Returns the same object for the same arguments: the document names what it has seen before. */
function memoized<Args extends string[], Result>(make: (...args: Args) => Result): (...args: Args) => Result {
  const made = new Map<string, Result>()
  return (...args) => {
    const key = args.join(' ')
    const known = made.get(key) ?? make(...args)
    made.set(key, known)
    return known
  }
}
