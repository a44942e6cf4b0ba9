/** What a request may contain (contract, section 2): headers, fields of the body, parameters of the query. */
import { LENGTH, MAX_DETAILS } from '../../../src/limits.ts'
import type { ApiRequest } from '../contract.ts'
import type { Row } from '../rows.ts'
import { keyName } from './claims.ts'
import type { Call, Operation, Outcome } from './operation.ts'
import { fieldKey, type Rule } from './values.ts'

export function checkMediaType({ body, headers = {} }: ApiRequest): Outcome | undefined {
  const type = headers['Content-Type'] ?? 'application/json'
  if (body === undefined || /^application\/json\s*(;|$)/i.test(type)) return undefined
  return { status: 415, code: 'unsupported_media_type' }
}

export function checkHeaders(call: Call): Outcome | undefined {
  const name = keyName(call)
  const key = call.request.headers?.[name ?? '']
  if (name === undefined || (key && key.length <= LENGTH.idempotencyKey && /^[!-~]+$/.test(key))) return undefined
  return { status: 400, code: 'invalid_header', fields: [name] }
}

/** What is missing is reported before what is invalid. */
export function checkInput(operation: Operation, { body, query, request, now }: Call): Outcome | undefined {
  const [missing] = operation.required?.(body) ?? []
  if (missing !== undefined) return { status: 400, code: 'missing_parameter', fields: [missing] }
  const { body: fields = {}, ignoresUnknown } = operation
  const parameters = withFieldFilters(operation.query ?? {}, query)
  const names = [...new URLSearchParams(request.path.split('?')[1]).keys()]
  const repeated = names.filter((name, i) => names.indexOf(name) !== i)
  const invalid = [
    ...invalidIn(fields, body, now, operation.check),
    ...invalidIn(parameters, query, now, operation.check),
    ...(ignoresUnknown ? [] : [...unknownIn(fields, body), ...unknownIn(parameters, query), ...repeated]),
  ]
  if (invalid.length === 0) return undefined
  return { status: 422, code: 'invalid_parameter', fields: invalid.slice(0, MAX_DETAILS) }
}

/** How the parameters begin that filter by a custom field. */
export const FIELD = 'custom_fields.'

export const fieldFilters = (query: Row): string[] => Object.keys(query).filter((name) => name.startsWith(FIELD))

/** A rule for the name that they begin with is one for each of them, of which a query has one. */
function withFieldFilters(rules: Record<string, Rule>, query: Row): Record<string, Rule> {
  const never: Rule = () => ['']
  const filters = fieldFilters(query).map((name, i): [string, Rule] => {
    const isKey = fieldKey(name.slice(FIELD.length), 0).length === 0
    return [name, (isKey && i === 0 && rules[FIELD]) || never]
  })
  const each = Object.entries(rules).flatMap((entry) => (entry[0] === FIELD ? filters : [entry]))
  return Object.fromEntries(each)
}

/** The dotted paths of what is invalid, in the order of the fields. */
export function invalidIn(fields: Record<string, Rule>, values: Row, now: number, check: Rule = () => []): string[] {
  const together = check(values, now)
  return Object.entries(fields).flatMap(([name, rule]) => {
    const paths = rule(values[name], now)
    const isInvalid = paths.length === 0 && together.includes(name)
    return (isInvalid ? [''] : paths).map((path) => (path === '' ? name : `${name}.${path}`))
  })
}

export const unknownIn = (fields: Record<string, Rule>, values: Row) =>
  Object.keys(values).filter((name) => !Object.hasOwn(fields, name))

export const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that are absent or null. */
export const missingOf =
  (...names: string[]) =>
  (body: Row) =>
    names.filter((name) => body[name] === undefined || body[name] === null)
