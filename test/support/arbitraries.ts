/** Generates requests from the OpenAPI document: most of them are valid, and each part is sometimes invalid. */
import * as fc from 'fast-check'
import { operations } from './document.ts'

export interface GeneratedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

type Schema = Record<string, any>

const HOSTILE_STRINGS = [
  '',
  ' ',
  '\u0085',
  '\u0000',
  '\ud800',
  '\u202e',
  'é'.repeat(300),
  '😀'.repeat(256),
  '__proto__',
  "'; drop table users; --",
  '${7*7}',
  '../../etc/passwd',
  '0001-01-01T00:00:00-23:59',
  '9'.repeat(400),
]

const hostileKey = fc.constantFrom('__proto__', 'constructor', 'toString', 'field1', 'a.b', '\ud800', '')

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_STRINGS, null, true, -0, 1e308, -1, 2 ** 53, [], {}, [[[[[]]]]]),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(hostileKey, fc.jsonValue({ maxDepth: 1 }), { noNullPrototype: true }),
)

/** Generates values that are mostly valid, because the schema does not contain every rule. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema['anyOf']) return fc.oneof(...schema['anyOf'].map(valueOf))
  if (schema['enum']) return fc.constantFrom(...schema['enum'])
  if (Array.isArray(schema['type'])) return fc.oneof(...schema['type'].map((type) => valueOf({ ...schema, type })))
  switch (schema['type']) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(valueOf(schema['items']), { maxLength: 3 })
    case 'integer':
      return fc.integer({ min: schema['minimum'] ?? 0, max: schema['maximum'] ?? 100 })
    case 'number':
      return fc.double({ noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return stringOf(schema)
  }
}

function stringOf({ format, pattern, maxLength = 64 }: Schema): fc.Arbitrary<string> {
  if (format === 'email') return fc.uuid().map((id) => `${id}@example.com`)
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 40) })
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries<Schema>(properties).map(([name, schema]): [string, fc.Arbitrary<unknown>] => {
    return [name, fc.oneof({ weight: 12, arbitrary: valueOf(schema) }, { weight: 1, arbitrary: hostile })]
  })
  const isUsuallyWhole = { weight: 9, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: required }) }
  return fc.oneof(isUsuallyWhole, { weight: 1, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) })
}

const bodyText = (body: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 30, arbitrary: body.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: hostile.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }) },
    { weight: 1, arbitrary: fc.nat(20_000).map((depth) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`) },
  )

/** An operation without a body ignores a body, so its requests have an invalid body or none. */
function bodyFor({ requestBody }: Record<string, any>): fc.Arbitrary<string | Uint8Array | undefined> {
  if (requestBody === undefined) return fc.oneof(fc.constant(undefined), bodyText(hostile))
  return bodyText(valueOf(requestBody.content['application/json'].schema))
}

const header = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'Application/JSON',
      'application/json; charset=utf-16',
      'text/plain',
      'application/problem+json',
    ),
    'Content-Encoding': fc.constantFrom('gzip', 'identity'),
    Authorization: fc.constantFrom('Bearer', 'Bearer  x', 'Basic eDp5', `Bearer rgs_1_2_${'A'.repeat(86)}`, 'bearer ~'),
    'CF-Ray': fc.constantFrom('8f1b2c3d4e5f6a7b-MAD', 'x'),
  },
  { requiredKeys: [] },
)

const key = fc.oneof(fc.constantFrom('a', 'b', 'a b', 'x'.repeat(256)), fc.stringMatching(/^[!-~]{1,20}$/))

/** Generates requests that write to the known store and record, with parts that may be anything. */
export function generatedRequest(known: { store_id: string; id: string }): fc.Arbitrary<GeneratedRequest> {
  const writing = operations
    .filter(({ method }) => ['post', 'put', 'patch'].includes(method))
    .map(({ path, method, operation }) => ({ path, method, body: bodyFor(operation) }))
  const parameter = (right: string) =>
    fc.oneof(
      { weight: 15, arbitrary: fc.constant(right) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_STRINGS) },
    )
  return fc.constantFrom(...writing).chain((operation) =>
    fc
      .record({
        store_id: parameter(known.store_id),
        id: parameter(known.id),
        event_id: parameter(known.id),
        body: operation.body,
        header: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: header }),
        key: fc.option(key),
      })
      .map((parts) => ({
        method: operation.method.toUpperCase(),
        path: operation.path
          .replace('{store_id}', encode(parts.store_id))
          .replace('{id}', encode(parts.id))
          .replace('{event_id}', encode(parts.event_id))
          .replace('{key}', encode(parts.id)),
        headers: { ...parts.header, ...(parts.key !== null && { 'X-Idempotency-Key': parts.key }) },
        body: parts.body,
      })),
  )
}

function encode(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
}
