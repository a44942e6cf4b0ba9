/** This is the OpenAPI document with its references replaced by what they refer to. */
import document from '../../src/assets/openapi.json'

const root: any = document

/** A discriminator refers to schemas by text, which stays as it is. */
function resolve(value: any): any {
  if (Array.isArray(value)) return value.map(resolve)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value
  const target = typeof $ref === 'string' ? targetOf($ref) : {}
  return { ...target, ...Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, resolve(item)])) }
}

const resolved = new Map<string, any>()

function targetOf(ref: string): any {
  const known = resolved.get(ref)
  if (known !== undefined) return known
  let target = root
  for (const key of ref.replace(/^#\//, '').split('/')) target = target[key]
  if (target === undefined) throw new Error(`${ref} leads nowhere`)
  const whole = resolve(target)
  resolved.set(ref, whole)
  return whole
}

export interface Operation {
  method: string
  path: string
  operation: any
}

export const operations: Operation[] = Object.entries<any>(root.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation: resolve(operation) })),
)

export const webhooks: [string, any][] = Object.entries<any>(root.webhooks).map(([type, { post }]) => [
  type,
  resolve(post),
])

export const schemas: [string, any][] = Object.entries<any>(root.components.schemas).map(([name, schema]) => [
  name,
  resolve(schema),
])
