/** What requests consist of: the schemas that validate them, each under a name and with a sentence for each field. */
import * as z from 'zod'
import { extend, type ZodMiniObject } from 'zod/mini'
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi'
import { LENGTH } from '../limits.ts'
import { noFields } from '../formats/values.ts'
import { pageQuery } from '../formats/pages.ts'

type Sentences = Readonly<Record<string, string>>

const schemasById = new Map<string, ZodMiniObject>()

/** The schema under a name, with its fields described. */
export function namedBody(id: string, schema: ZodMiniObject, sentences: Sentences, isChange = false): ZodMiniObject {
  const known = schemasById.get(id)
  if (known) return known
  const copy = describeFields(id, schema, sentences, isChange)
  z.globalRegistry.add(copy, { id })
  schemasById.set(id, copy)
  return copy
}

/** The schema with its fields described, as a part of another one. */
export function describeFields(
  of: string,
  schema: ZodMiniObject,
  sentences: Sentences,
  isChange = false,
): ZodMiniObject {
  const { shape } = schema
  const surplus = Object.keys(sentences).filter((name) => !(name in shape))
  if (surplus.length > 0) throw new Error(`${of} has no field ${surplus.join(', ')}`)
  const described = Object.entries(shape).map(([name, field]) => [
    name,
    describe(field, withDefaults(sentenceOf(sentences, name, of), field, isChange)),
  ])
  return z.clone(schema, { ...schema._zod.def, shape: Object.fromEntries(described) })
}

/** Adds what follows from the schema: that a text must not be blank, and in a change what null does, unless the sentence says it. */
function withDefaults(sentence: string, field: z.core.$ZodType, isChange: boolean): string {
  const { anyOf: [kind] = [], ...schema } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
  // With null as another kind of value, the text is one of two.
  const { minLength, format } = { ...schema, ...kind }
  const isFilled = minLength === 1 && format === undefined
  const ofBlank = isFilled ? ' It must not be blank.' : ''
  const ofNull = isChange && isClearable(field) && !/\bnull\b/i.test(sentence) ? ' Null removes it.' : ''
  return `${sentence}${ofBlank}${ofNull}`
}

/** As `clearable` makes it. */
function isClearable(field: z.core.$ZodType): boolean {
  return field instanceof z.core.$ZodOptional && field._zod.def.innerType instanceof z.core.$ZodNullable
}

export interface BodyProse {
  fields?: Sentences
  /** Schemas that say more than those of the route, such as the schema that validates each item of a list. */
  shape?: Record<string, z.core.$ZodType>
  example?: object
}

const bodies = new Map<string, ZodOpenApiRequestBodyObject>()

/** Operations that take no field share the same body. */
export function describeBody(
  id: string,
  schema: ZodMiniObject,
  {
    fields = {},
    shape = {},
    example = {},
    isOptional,
    isChange,
  }: BodyProse & { isOptional: boolean; isChange: boolean },
): ZodOpenApiRequestBodyObject {
  const name = schema === noFields() ? 'NoFields' : id
  const known = bodies.get(name)
  if (known) return known
  const content = { 'application/json': { schema: namedBody(name, extend(schema, shape), fields, isChange), example } }
  const body = { id: name, required: !isOptional, content }
  bodies.set(name, body)
  return body
}

/** True if a body can lack something that the schema requires. */
export function hasRequiredFields({ shape }: ZodMiniObject): boolean {
  return Object.values(shape).some((field) => !field._zod.optin)
}

function describe(field: z.core.$ZodType, description: string, param?: { id: string }): z.core.$ZodType {
  const described = z.clone(field)
  z.globalRegistry.add(described, { ...z.globalRegistry.get(field), description, ...(param && { param }) })
  return described
}

function sentenceOf(sentences: Sentences, name: string, of: string): string {
  const sentence = sentences[name]
  if (sentence === undefined) throw new Error(`${of} does not describe ${name}`)
  return sentence
}

const page: Readonly<Record<string, z.core.$ZodType>> = {
  limit: describe(
    pageQuery(z.string()).shape.limit,
    'The maximum number of records on the page. A page may have fewer while `next` says where to continue.',
    { id: 'limit' },
  ),
  after: describe(
    z.string().optional(),
    'Where the page starts: the `next` of the previous page. If it is omitted, the list starts at the beginning.',
    { id: 'after' },
  ),
}

/** The query of an operation. Its parameters are named after the operation, but `limit` and `after` are those of all lists. */
export function queryOf(operation: string, { shape }: ZodMiniObject, sentences: Sentences) {
  const surplus = Object.keys(sentences).filter((name) => !(name in shape))
  if (surplus.length > 0) throw new Error(`${operation} has no parameter ${surplus.join(', ')}`)
  const parameters = Object.entries(shape).map(([name, field]) => {
    const ofAllLists = sentences[name] === undefined ? page[name] : undefined
    return [name, ofAllLists ?? parameter(`${operation}.${name}`, field, sentenceOf(sentences, name, operation))]
  })
  return z.object(Object.fromEntries(parameters))
}

const parameters = new Map<z.core.$ZodType, Map<string, z.core.$ZodType>>()

/** Two operations that share a filter, and the sentence about it, share one parameter. */
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
    'Makes a retry safe for 24 hours. The same key with the same body returns the response of the first success again, byte for byte, and creates nothing. With a different body the response is 422 `idempotency_key_reused`. Only a success uses up a key. `Idempotency-Key` is another name of this header.',
    { id: 'X-Idempotency-Key' },
  ),
  'If-Match': describe(
    z.string().optional(),
    'One or more ETags, such as `"12-12"`, or `*`. The record is changed only if it is in one of these states. Otherwise the response is 412, and nothing has changed. A weak tag (`W/"12-12"`) counts as the strong one, because whoever compresses a response on its way weakens its tag.',
    { id: 'If-Match' },
  ),
}

/** The reference fills in the example of a parameter, not that of its schema. It is a record of the demo store, if that has one. */
const inPath = (id: string, example: string, description: string) =>
  z.string().meta({ description, param: { id, example } })

const id = (name: string, noun: string, description: string, example = '12') =>
  inPath(`${name}-of-${noun}`, example, description)

/** The parameters of paths: by name, or for `id` by the collection before it. */
const pathParameters: Record<string, z.ZodType> = {
  store_id: inPath(
    'store_id',
    'demo',
    'The id of the store. An access token is valid only for its own store: with any other id the response is 401 `invalid_token`.',
  ),
  users: id('id', 'user', 'The id of the user, as v1 shows it. Ids are unique only within a store.', '4'),
  product_accesses: id('id', 'access', 'The id of the access. The access of another store is 404.', '6'),
  tokens: id('id', 'token', 'The id of the access token. It is not a secret.'),
  bulk_changes: id('id', 'bulk_change', 'The id of the bulk change.', '21'),
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
      const described = pathParameters[name === 'id' ? collection : name]
      if (!described) throw new Error(`${path}: ${name} is not described`)
      return [name, described]
    }),
  )
}
