/**
 * Values from the OpenAPI document: at the limits that it names and just beyond them, of other types, null, or omitted.
 * Whether a value is valid is for the contract to say, that is, for the reference.
 */
import type { ApiRequest } from '../contract.ts'
import { type Input, inputsOf, type Schema } from '../operations.ts'
import type { Random } from '../world/random.ts'

/** The request with other values of one to three of its fields or parameters. */
export function vary(operation: string, request: ApiRequest, random: Random): ApiRequest {
  const inputs = inputsOf(operation)
  let varied = request
  for (let i = 0; i <= random.below(3) && inputs.length > 0; i++) {
    const input = random.pick(inputs)
    const values = valuesOf(input)
    varied = withValue(varied, input, values[random.below(values.length)])
  }
  return varied
}

/** A field that is undefined is not sent. */
export function withValue(request: ApiRequest, { name, isQuery }: Input, value: unknown): ApiRequest {
  if (!isQuery) return { ...request, body: { ...request.body, [name]: value } }
  const [path = '', query] = request.path.split('?')
  const parameters = new URLSearchParams(query)
  if (value === undefined) parameters.delete(name)
  else parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return { ...request, path: parameters.size > 0 ? `${path}?${parameters.toString()}` : path }
}

/** Forms that common libraries write, and forms that are nearly date-times. */
const DATE_TIMES = [
  '2027-12-31T23:59Z',
  '2027-12-31 23:59:59.9999+0530',
  '2028-02-29t00:00:00.5z',
  '2027-01-01T00:00:00-00:00',
  '2027-01-01T00:00:60Z',
  '2027-01-01T24:00:00Z',
  '2027-01-01T00:00:00',
  '2027-01-01T00:00.5Z',
  '0000-01-01T00:00+01',
]
const EMAILS = ['nobody@', 'a b@example.com', 'a..b@example.com', '"a"@example.com', 'a@[127.0.0.1]', 'á@example.com']

export function valuesOf(input: Input): unknown[] {
  const values = [...invalidValues(input), ...validValues(input.schema)]
  if (input.isQuery) return [...values, undefined]
  return [...values, undefined, null, ...(input.name === 'custom_fields' ? [{}, { a: 1, b: {} }, { x: '\0' }] : [])]
}

/** Values at the limits. */
function validValues({ anyOf, enum: named, type, format, pattern, maxLength, minimum, maximum }: Schema): unknown[] {
  if (named) return named
  if (anyOf) return anyOf.flatMap(validValues)
  if (format === 'date-time') return DATE_TIMES
  if (format === 'email') return EMAILS
  const types = new Set([type].flat())
  if (types.has('boolean')) return [true, false]
  if (types.has('number')) return [0, -1.5]
  if (types.has('integer')) return [minimum, maximum].filter((value) => value !== undefined)
  if (!types.has('string') || format !== undefined || pattern !== undefined) return []
  return ['\ud800', ...(maxLength === undefined ? [] : ['😀'.repeat(maxLength)])]
}

export function invalidValues({ schema, isQuery }: Input): unknown[] {
  const values = beyond(schema)
  const isInteger = schema.type === 'integer'
  if (!isQuery) return isInteger ? [...values, '1'] : values
  // In a query everything is text, so a number is only wrong where one is expected.
  return values.filter((value) => typeof value === 'string' || isInteger)
}

/** None if the schema does not limit its values. */
function beyond(schema: Schema): unknown[] {
  const { anyOf, format, minLength, maxLength, minimum, maximum, minItems, pattern } = schema
  if (schema.enum) return ['nobody']
  // A value of another type may be one of the alternatives.
  if (anyOf) return anyOf.flatMap((each) => (each.maxLength === undefined ? [] : ['x'.repeat(each.maxLength + 1)]))
  const types = new Set([schema.type].flat())
  if (types.has('integer'))
    return [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1]), 1.5, 'x']
  if (types.has('boolean')) return ['true', 0]
  if (types.has('array')) return ['x', 7, ...(minItems === 1 ? [[]] : [])]
  if (types.has('object')) return ['x', 7, []]
  if (!types.has('string')) return []
  return [
    7,
    ...(minLength === 1 ? ['', ' \u3000'] : []),
    ...(minLength !== undefined && minLength > 1 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(format === 'date-time' ? ['2027-02-30T00:00:00Z', '2027-01-01'] : []),
    ...(format === 'email' ? ['nobody', 'nobody@example'] : []),
    ...(pattern === undefined ? [] : ['#']),
  ]
}
