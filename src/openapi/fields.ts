/**
 * Describes responses: a sentence and an example for each field. `T` is what the serializer returns, and a description that
 * lacks a field, has one too many or has another type does not compile.
 */
type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

interface Schema {
  [keyword: string]: unknown
  $ref?: string
  type?: JsonType | JsonType[]
  enum?: unknown[]
  format?: string
  description?: string
}

export interface Field<T> {
  schema: Schema
  /** If it is undefined, the example of the record omits the field, or has null if that is allowed. */
  example?: unknown
  isOptional?: true
  /** Exists in the type only: a field of `string` does not describe `string | null`, nor the other way round. */
  of?: (value: T) => T
}

// oxlint-disable-next-line typescript/no-explicit-any -- agrees with every type, in both directions
type Unchecked = any

/** Stored JSON has the type `unknown`, so its description is not checked. The tests compare it with the responses. */
type FieldOf<T> = unknown extends T ? Field<Unchecked> : Field<T>

/** The compiler gives members of a union the keys of the others, without a value. These keys are not fields. */
export type Fields<T> = {
  [Key in keyof T as [Exclude<T[Key], undefined>] extends [never] ? never : Key]-?: FieldOf<T[Key]>
}

/** The words that stand beside a fact. Only what the Worker does not load may ask for them, because its bundle has none. */
export function proseOf<T>(words: T | undefined): T {
  if (words === undefined) throw new Error('this bundle has no prose')
  return words
}

export const TIME = '2026-11-21T09:30:00.000Z'

export function text(description: string, example?: string): Field<string> {
  return { schema: { type: 'string', description }, example }
}

export function time(description: string, example?: string): Field<string> {
  return { schema: { type: 'string', format: 'date-time', description }, example }
}

export function integer(description: string, example?: number): Field<number> {
  return { schema: { type: 'integer', description }, example }
}

/** A number of bytes. Without the format, generators for typed languages choose 32 bits, which end at 2 GiB. */
export function bytes<T extends number>(description: string, example?: NoInfer<T>): Field<T> {
  return { schema: { type: 'integer', format: 'int64', description }, example }
}

export function flag(description: string, example?: boolean): Field<boolean> {
  return { schema: { type: 'boolean', description }, example }
}

/** One of these values. The type of a column may be any string, so it is taken from what is expected. */
export function choice<T extends string>(
  values: readonly NoInfer<T>[],
  description: string,
  example?: NoInfer<T>,
): Field<T> {
  return { schema: { type: 'string', enum: [...values], description }, example }
}

/** One of the known values, or one that is added later, which a generated client must accept. */
export function openChoice<T extends string>(
  known: Field<Unchecked>,
  description: string,
  example?: NoInfer<T>,
): Field<T> {
  return { schema: { anyOf: [known.schema, { type: 'string' }], description }, example }
}

export function constant<T extends boolean | string | number>(value: T, description: string): Field<T> {
  return { schema: { type: typeOf(value), const: value, description }, example: value }
}

function typeOf(value: boolean | string | number): JsonType {
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? 'number' : 'string'
}

/** What a custom field and a grade may be. Of a list of types, some generators take the first alone. */
const SCALAR = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] as const

export function scalar(description: string, example?: string | number): Field<Unchecked> {
  return { schema: { anyOf: [...SCALAR], description }, example: example ?? null }
}

export function list<T>(item: Field<T>, description: string, example?: NoInfer<T>[]): Field<T[]> {
  return { schema: { type: 'array', items: item.schema, description }, example: example ?? [exampleOf(item)] }
}

/** A JSON object whose keys are chosen by its owner. */
export function dictionary(values: Field<Unchecked>, description: string, example: object): Field<Unchecked> {
  return { schema: { type: 'object', additionalProperties: values.schema, description }, example }
}

/** Null is the example if the field has none. */
export function nullable<T>({ schema, example = null }: Field<T>): Field<T | null> {
  const { description, ...kind } = schema
  if (kind.enum !== undefined)
    return { schema: { anyOf: [kind, { type: 'null' }], ...(description !== undefined && { description }) }, example }
  const types = [schema.type ?? []].flat()
  return { schema: { ...schema, type: [...types, 'null'] }, example }
}

export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { schema: field.schema, example: field.example, isOptional: true }
}

export function object<T = Unchecked>(fields: Fields<T>, description?: string): Field<T> {
  const all = Object.entries<Field<Unchecked>>(fields)
  const required = all.filter(([, { isOptional }]) => !isOptional).map(([name]) => name)
  const properties = Object.fromEntries(all.map(([name, { schema }]) => [name, schema]))
  return {
    schema: { type: 'object', properties, required, ...(description !== undefined && { description }) },
    example: Object.fromEntries(all.map(([name, field]) => [name, exampleOf(field)])),
  }
}

/** Each kind is checked on its own. The example is that of the first. */
export function anyOf(kinds: Field<Unchecked>[], description: string): Field<Unchecked> {
  return { schema: { anyOf: kinds.map(({ schema }) => schema), description }, example: kinds[0]?.example }
}

/** The schemas of the document that have a name. `component` fills it. */
export const schemas: Record<string, Schema> = {}

export function component<T>(id: string, { schema, ...field }: Field<T>): Field<T> {
  schemas[id] = schema
  return { ...field, schema: { $ref: `#/components/schemas/${id}` } }
}

export function resource<T>(id: string, description: string, fields: Fields<T>): Field<T> {
  return component(id, object<T>(fields, description))
}

/** A time needs no example of its own. */
function exampleOf({ schema, example, isOptional }: Field<Unchecked>): unknown {
  if (example !== undefined || isOptional) return example
  if (schema.format === 'date-time') return TIME
  throw new Error(`lacks an example: ${schema.description}`)
}
