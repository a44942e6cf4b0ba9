/**
 * `custom_fields.{key}` is the only parameter of a query in whose name the caller chooses a part. A schema has one field
 * for all of them.
 */
import type { Context } from './hono.ts'
import { isOperator } from '../change/request.ts'
import { isObject } from '../lib/json.ts'

const FIELD = 'custom_fields'
const PREFIX = `${FIELD}.`

const isFieldFilter = (parameter: string): boolean => parameter.startsWith(PREFIX)

/** The field of the schema that a parameter belongs to. `custom_fields` itself is no parameter. */
export function fieldOfParameter(parameter: string): string {
  if (isFieldFilter(parameter)) return FIELD
  return parameter === FIELD ? '' : parameter
}

/** The parameters of a query, with those of custom fields as an object by key. */
export function withFieldFilters(query: object): object {
  const parameters = Object.entries(query).filter(([name]) => name !== FIELD)
  const filters = parameters.filter(([name]) => isFieldFilter(name))
  if (filters.length === 0) return Object.fromEntries(parameters)
  const others = parameters.filter(([name]) => !isFieldFilter(name))
  // fromEntries makes `__proto__` an ordinary key.
  const values = Object.fromEntries(filters.map(([name, value]) => [name.slice(PREFIX.length), value]))
  return { ...Object.fromEntries(others), [FIELD]: values }
}

/** Who filters by what users have must be allowed to read users. */
export function requireScopeOfFieldFilter(c: Context): void {
  if (Object.keys(c.req.query()).some(isFieldFilter)) requireUsersRead(c)
}

/** The same for the filter of a bulk change. */
export function requireScopeOfBodyFilter(c: Context, { filter }: { filter?: unknown }): void {
  if (isObject(filter) && filter['custom_field'] !== undefined) requireUsersRead(c)
}

function requireUsersRead(c: Context): void {
  if (!isOperator(c.get('caller').id)) c.set('requiredScopes', [...c.get('requiredScopes'), 'users:read'])
}
