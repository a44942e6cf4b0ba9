/** Checks the status, headers, code and body of every response in the tests against the OpenAPI document. */
import { Validator } from '@cfworker/json-schema'
import { operations } from './document.ts'

/** A response of the service. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  json: any
}

/** These paths are served, but they are not operations of the API. */
const UNDOCUMENTED_PATHS = /^\/((docs|console)(\/.*)?|openapi\.json|llms\.txt|\.well-known\/.*)?$/

/** These statuses of an unknown path, an unknown method and plain HTTP belong to no operation. */
const WITHOUT_OPERATION = new Set([403, 404, 405])

const known = operations.map(({ method, path, operation }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  // `/users/verify_password` also matches `/users/{id}`, so paths with fewer parameters are compared first.
  parameters: path.split('{').length,
  responses: operation.responses,
}))
const byLiteralness = known.toSorted((a, b) => a.parameters - b.parameters)

/** Throws if the document does not describe this response. */
export function assertDocumented(method: string, path: string, answer: Answer): void {
  const pathname = path.split('?', 1)[0] ?? ''
  if (UNDOCUMENTED_PATHS.test(pathname)) return
  const where = `${method} ${path} ${answer.status}`
  const wanted = method === 'HEAD' ? 'GET' : method
  const operation = byLiteralness.find((each) => each.method === wanted && each.pattern.test(pathname))
  if (operation === undefined) {
    if (!WITHOUT_OPERATION.has(answer.status)) throw new Error(`undocumented operation: ${where}`)
    return
  }
  const response = operation.responses[answer.status]
  if (response === undefined) throw new Error(`undocumented status: ${where}\n${answer.text}`)
  assertHeaders(where, response.headers, answer.headers)
  if (method === 'HEAD') return
  if (response.content === undefined) {
    if (answer.text !== '') throw new Error(`undocumented body: ${where}`)
    return
  }
  const [mediaType = ''] = (answer.headers.get('Content-Type') ?? '').split(';')
  const content = response.content[mediaType]
  if (content === undefined) throw new Error(`undocumented media type ${mediaType}: ${where}`)
  if (mediaType !== 'application/json') return
  const errors = findErrors(content.schema, answer.json)
  if (errors.length > 0) throw new Error(`${where} is not as documented: ${errors.join('; ')}\n${answer.text}`)
  const { code } = answer.json
  if (answer.status >= 400 && code !== undefined && !(code in content.examples)) {
    throw new Error(`${where}: the document does not name the code ${code} (returnedBy in src/error-codes.ts)`)
  }
}

function assertHeaders(where: string, documented: Record<string, any>, answered: Headers): void {
  for (const [name, { required }] of Object.entries(documented)) {
    if (required && !answered.has(name)) throw new Error(`${where} lacks the header ${name}`)
  }
  const names = new Set(
    [...Object.keys(documented), 'Content-Type', 'Content-Length'].map((name) => name.toLowerCase()),
  )
  for (const [name] of answered) if (!names.has(name)) throw new Error(`undocumented header ${name}: ${where}`)
}

const validators = new WeakMap<object, Validator>()

/** Returns the errors of a value under a schema of the document; an undescribed field is an error. */
export function findErrors(schema: object, value: unknown): string[] {
  const validator = validators.get(schema) ?? new Validator(closed(schema), '2020-12')
  validators.set(schema, validator)
  return validator.validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
}

/** The document allows new fields in responses, so a forgotten field would pass unless the schemas are closed. */
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const { example: _example, examples: _examples, ...rest } = schema
  const inside = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, closed(item)]))
  return isObjectSchema(inside) ? { additionalProperties: false, ...inside } : inside
}

/** A schema of ours has no field named `properties` or `example`; one that had would be mistaken for a schema. */
function isObjectSchema(schema: Record<string, unknown>): boolean {
  return schema['type'] === 'object' && typeof schema['properties'] === 'object'
}
