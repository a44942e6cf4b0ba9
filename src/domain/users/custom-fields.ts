/** The rule that a user has no custom fields but those that the store defines. */
import { and, eq, ne, notExists, sql } from 'drizzle-orm'
import { custom_fields } from '../../db/schema.ts'
import { orm, params } from '../../db/statement.ts'
import { isObject } from '../../json.ts'
import { request } from '../change/authorize.ts'
import { rule } from '../change/rules.ts'

interface Input {
  user: { custom_fields?: unknown }
  /** Custom fields that need not be defined in the store. */
  builtInFields?: readonly string[]
}

/** `custom_field_keys` is a JSON list. */
export const customFieldParams = params('custom_field_keys')

export function customFieldValues({ user, builtInFields = [] }: Input) {
  const keys = isObject(user.custom_fields) ? Object.keys(user.custom_fields) : []
  return { custom_field_keys: JSON.stringify(keys.filter((key) => !builtInFields.includes(key))) }
}

/** The key that is compared, in a query over the list. */
const key = sql`value`

const definition = orm
  .select({ defined: sql`1` })
  .from(custom_fields)
  .where(and(eq(custom_fields.store, request.store), eq(custom_fields.key, key)))

/** The keys that are not custom fields of the store, as a JSON list. */
const unknownKeys = sql`(select json_group_array(${key}) from json_each(${customFieldParams.custom_field_keys}) where ${notExists(definition)})`

export const unknownCustomFields = rule('unknown_custom_fields', ne(unknownKeys, '[]'), {
  keys: sql`json(${unknownKeys})`,
})
