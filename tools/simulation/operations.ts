/** The operations of the service, from its own OpenAPI document: one that the simulation forgets is found by a test. */
import type { ApiRequest } from './contract.ts'
import { DOCUMENT_TEXT } from './world/openapi-document.ts'
import { type Row, toRow } from './rows.ts'

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete'])

interface Document {
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, Schema> }
}

const document: Document = JSON.parse(DOCUMENT_TEXT)

/** Each as method and path template, such as `GET /v1/stores/{store_id}/users/{id}`. */
export const OPERATIONS: readonly string[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((method) => METHODS.has(method))
    .map((method) => `${method.toUpperCase()} ${path}`),
)

interface Documented {
  parameters?: { name?: string; $ref?: string }[]
}

/** The part of JSON Schema that the document uses for what requests contain. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
}

/** A field of the body or a parameter of the query. */
export interface Input {
  name: string
  isQuery: boolean
  isRequired: boolean
  schema: Schema
}

export function inputsOf(operation: string): Input[] {
  const [method = '', path = ''] = operation.split(' ')
  const { parameters, requestBody } = toRow(document.paths[path]?.[method.toLowerCase()])
  const query = (Array.isArray(parameters) ? parameters.map(resolve) : []).filter((each) => each['in'] === 'query')
  const content = toRow(resolve(requestBody)['content'])
  const { properties, required } = resolve(toRow(content['application/json'])['schema'])
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return [
    ...query.map(({ name, schema }) => ({
      name: String(name),
      isQuery: true,
      isRequired: false,
      schema: resolve(schema),
    })),
    ...Object.entries(toRow(properties)).map(([name, schema]) => ({
      name,
      isQuery: false,
      isRequired: isRequired(name),
      schema: resolve(schema),
    })),
  ]
}

/** The names of the fields of a record, such as `User`, in their order. */
export function fieldsOf(record: string): string[] {
  return Object.keys(document.components.schemas[record]?.properties ?? {})
}

/** What a `$ref` of the document stands for, such as `#/components/schemas/User`. */
function resolve(part: unknown): Row {
  const { $ref, ...rest } = toRow(part)
  if (typeof $ref !== 'string') return rest
  return resolve(
    $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((found, key) => toRow(found)[key], document),
  )
}

/** True if the operation takes the query parameter. */
export function hasParameter(operation: string, name: string): boolean {
  const [method = '', path = ''] = operation.split(' ')
  const { parameters = [] }: Documented = Object(document.paths[path]?.[method.toLowerCase()])
  // A parameter that several operations share has the name of one of them before its own: `listUsers.order`.
  return parameters.some((parameter) => (parameter.name ?? parameter.$ref)?.split(/[./]/).at(-1) === name)
}

const patterns = OPERATIONS.map((name) => ({
  name,
  // A path without parameters wins over one with parameters: `/users/batch` is no user's id.
  parameters: name.split('{').length,
  pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
})).toSorted((a, b) => a.parameters - b.parameters)

const known = new Map<string, string>()

/** The operation of a request; undefined if the service does not serve it. */
export function operationOf({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string | undefined {
  const sent = `${method} ${path.replace(/\?.*/, '')}`
  // Without the digits of ids, the same few texts come again and again.
  const key = sent.replaceAll(/\/\d+/g, '/0')
  const found = known.get(key) ?? patterns.find(({ pattern }) => pattern.test(sent))?.name
  if (found !== undefined && known.size < 10_000) known.set(key, found)
  return found
}
