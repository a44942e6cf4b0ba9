/** What users have in a custom field, as a filter compares it. */
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'

/**
 * True if the value of this key is this string, or a number, a boolean or null that is written like this in JSON. `fields`
 * is a user's column of custom fields. `->` returns a number as it was sent, while `->>` would turn 1.0 and 1e0 into the
 * same. Without the quotes of the path, a dot in a key would be read as a key within a value.
 */
export function hasFieldValue(fields: SQLWrapper, { key, value }: Record<'key' | 'value', SQLWrapper>): SQL {
  const path = sql`('$."' || ${key} || '"')`
  return sql`(case json_type(${fields}, ${path}) when 'text' then ${fields} ->> ${path} else ${fields} -> ${path} end = ${value})`
}
