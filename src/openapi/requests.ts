/** What requests are made of: the very schemas that validate them, under names and with a description of each field. */
import * as z from 'zod'
import type { ZodMiniObject } from 'zod/mini'
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi'
import { LENGTH } from '../limits.ts'
import { noFields, pageQuery } from '../wire/fields.ts'

/** A description of each field; a schema that gains a field does not compile until it is described. */
type Descriptions<S extends ZodMiniObject> = { [Field in keyof S['shape']]: string }

/** The schema under a name, with its fields described. */
export function named<S extends ZodMiniObject>(id: string, schema: S, fields: Descriptions<S>): S {
  const described = Object.entries(schema.shape).map(([name, field]) => [name, describe(field, fieldOf(fields, name))])
  const copy = z.clone(schema, { ...schema._zod.def, shape: Object.fromEntries(described) })
  z.globalRegistry.add(copy, { id })
  return copy
}

export interface RequestBody {
  object: ZodOpenApiRequestBodyObject
  schema: ZodMiniObject
}

interface BodyParts<S extends ZodMiniObject> {
  schema: () => S
  fields: Descriptions<S>
  example: z.input<S>
  /** No body counts as an empty object. */
  isOptional?: boolean
}

export function requestBody<S extends ZodMiniObject>(
  id: string,
  { schema, fields, example, isOptional = false }: BodyParts<S>,
): RequestBody {
  const content = { 'application/json': { schema: named(id, schema(), fields), example } }
  return { object: { id, required: !isOptional, content }, schema: content['application/json'].schema }
}

/** Whether a body under the schema can lack something. */
export function hasRequiredFields({ shape }: ZodMiniObject): boolean {
  return Object.values(shape).some((field) => !field._zod.optin)
}

/** Of operations that need no body and take an empty one. */
export const nothing = requestBody('NoFields', { schema: noFields, fields: {}, example: {}, isOptional: true })

function describe(field: z.core.$ZodType, description: string, param?: { id: string }): z.core.$ZodType {
  const described = z.clone(field)
  z.globalRegistry.add(described, { ...z.globalRegistry.get(field), description, ...(param && { param }) })
  return described
}

function fieldOf(descriptions: Record<string, string>, name: string): string {
  const description = descriptions[name]
  if (description === undefined) throw new Error(`${name} lacks a description`)
  return description
}

const page = {
  limit: describe(
    pageQuery(z.string()).shape.limit,
    'How many records the page has at most; it may have fewer while `next` says where to go on.',
    { id: 'limit' },
  ),
  after: describe(
    z.string().optional(),
    'Where the page starts: the `next` of the page before. Left out: at the beginning.',
    {
      id: 'after',
    },
  ),
}

/** The query of an operation; its parameters are named after it. `limit` and `after` are those of every list. */
export function queryOf<S extends ZodMiniObject>(
  operation: string,
  schema: () => S,
  fields: Omit<Descriptions<S>, keyof typeof page> & { after?: string },
) {
  const known: Record<string, string> = { ...fields }
  const parameters = Object.entries(schema().shape).map(([name, field]) => {
    const isOfEveryList = (name === 'limit' || name === 'after') && known[name] === undefined
    return [name, isOfEveryList ? page[name] : parameter(`${operation}.${name}`, field, fieldOf(known, name))]
  })
  return z.object(Object.fromEntries(parameters))
}

const parameters = new Map<z.core.$ZodType, Map<string, z.core.$ZodType>>()

/** A filter that two operations have in common, in the same words, is one parameter. */
function parameter(id: string, field: z.core.$ZodType, description: string): z.core.$ZodType {
  const described = parameters.get(field) ?? new Map<string, z.core.$ZodType>()
  const same = described.get(description) ?? describe(field, description, { id })
  parameters.set(field, described.set(description, same))
  return same
}

export const requestHeaders = {
  'X-Idempotency-Key': describe(
    z
      .string()
      .min(1)
      .max(LENGTH.idempotencyKey)
      .regex(/^[!-~]+$/)
      .optional(),
    'Makes a retry safe for 24 hours: the same key with the same body answers the first success again, byte for byte, and creates nothing. Any other body is 422 `idempotency_key_reused`. Only a success uses up a key.',
    { id: 'X-Idempotency-Key' },
  ),
  'If-Match': describe(
    z.string().optional(),
    'One or several ETags, such as `"12-12"`, or `*`: the record is changed only while it is in one of these states, else the answer is 412 and nothing has changed. A weak tag matches none.',
    { id: 'If-Match' },
  ),
}

/** The reference fills in the example of a parameter, not that of its schema: of the demo store where it has one. */
const inPath = (id: string, example: string, description: string) =>
  z.string().meta({ description, param: { id, example } })

const id = (name: string, noun: string, description: string, example = '12') =>
  inPath(`${name}-of-${noun}`, example, description)

/** The parameters of paths: by name, or for `id` by the collection before it. */
const pathParameters: Record<string, z.ZodType> = {
  store_id: inPath(
    'store_id',
    'demo',
    'The id of the store. An access token is good for its own store alone: any other is 401 `invalid_token`.',
  ),
  users: id('id', 'user', 'The id of the user, as v1 shows it; another store may have one of the same number.', '4'),
  product_accesses: id(
    'id',
    'access',
    'The id of the access. One of another store is 404, as one that does not exist.',
    '6',
  ),
  tokens: id('id', 'token', 'The id of the access token, which is no secret.'),
  products: id('id', 'product', 'The id of the product.'),
  operators: id('id', 'operator', 'The id of the operator.'),
  webhook_endpoints: id('id', 'webhook_endpoint', 'The id of the webhook endpoint.'),
  event_id: id('event_id', 'delivery', 'The id of the event that is delivered.'),
  key: inPath('key', 'department', 'The key of the custom field: 1 to 64 letters, digits, `_`, `-` and `.`.'),
}

/** The parameters that a path such as `/users/{id}` names, in its order. */
export function parametersIn(path: string): Record<string, z.ZodType> {
  return Object.fromEntries(
    [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, collection = '', name = '']) => {
      const parameter = pathParameters[name === 'id' ? collection : name]
      if (!parameter) throw new Error(`${path}: ${name} is not described`)
      return [name, parameter]
    }),
  )
}
