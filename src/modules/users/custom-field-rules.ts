/** The rules about custom fields: the store defines them, and those of a user have a maximum size. */
import { ne, not, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { users } from '../../db/schema.ts'
import { params } from '../../db/statement.ts'
import { isObject } from '../../lib/json.ts'
import { lazy } from '../../lib/lazy.ts'
import { CUSTOM_FIELDS } from '../../limits.ts'
import { storeOfRequest, rule } from '../../change/request.ts'
import { isDefinedField } from '../custom-fields/field-filter.ts'

interface Input {
  user: { custom_fields?: unknown }
  /** Custom fields that need not be defined in the store. */
  builtInFields?: readonly string[]
}

/** `custom_field_keys` is a JSON list. */
export const customFieldParams = params('custom_field_keys')

export function customFieldKeyValues({ user, builtInFields = [] }: Input) {
  const keys = isObject(user.custom_fields) ? Object.keys(user.custom_fields) : []
  return { custom_field_keys: JSON.stringify(keys.filter((key) => !builtInFields.includes(key))) }
}

/** A JSON list: the keys that a query selects and that are not custom fields of the store. */
export function unknownKeys(key: SQL, query: SQL, store: SQLWrapper): SQL<string> {
  return sql<string>`(select json_group_array(${key}) from ${query} where ${not(isDefinedField(store, key))})`
}

export const unknownCustomFields = lazy(() => {
  const unknown = unknownKeys(sql`value`, sql`json_each(${customFieldParams.custom_field_keys})`, storeOfRequest)
  return rule('unknown_custom_fields', ne(unknown, '[]'), { keys: sql`json(${unknown})` })
})

/**
 * A user's custom fields after `given` is merged into them: a key that is null is removed. `json_patch` (RFC 7396) keeps
 * every digit of a number.
 */
export function mergedCustomFields(given: SQLWrapper): SQL<string> {
  return sql<string>`json_patch(coalesce(${users.custom_fields}, '{}'), ${given})`
}

/** The same for an item of a batch, of which a null counts as omitted: merging into an empty object drops it. */
export function mergedCustomFieldsOf(item: SQLWrapper): SQL<string> {
  return mergedCustomFields(sql`json_patch('{}', coalesce(${item} -> 'custom_fields', '{}'))`)
}

/** True if custom fields are too large to be stored. A request is limited, but requests could add up. */
export function areTooLarge(fields: SQLWrapper): SQL<0 | 1> {
  return sql<0 | 1>`(octet_length(${fields}) > ${CUSTOM_FIELDS.bytes})`
}
