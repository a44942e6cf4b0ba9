/** Filters by what users have in a custom field: of lists, files and bulk changes. */
import { and, eq, exists, isNull, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { custom_fields } from '../../db/schema/stores.ts'
import { orm, params, statement, type Step, type ValuesOf } from '../../db/statement.ts'
import { lazy } from '../../lib/lazy.ts'
import { readAll } from '../../change/commit.ts'
import { DomainError } from '../../change/errors.ts'
import { contextParams, ifAuthorized, type RequestContext } from '../../change/request.ts'

/** The key of a custom field, and the text that its value must be. */
export type FieldFilter = readonly [key: string, value: string]

/**
 * True if the value of this key is this string, or a number, a boolean or null that is written like this in JSON. `fields`
 * is a user's column of custom fields. `->` returns a number as it was sent, while `->>` would turn 1.0 and 1e0 into the
 * same. Without the quotes of the path, a dot in a key would be read as a key within a value.
 */
export function hasFieldValue(fields: SQLWrapper, { key, value }: Record<'key' | 'value', SQLWrapper>): SQL {
  const path = sql`('$."' || ${key} || '"')`
  return sql`(case json_type(${fields}, ${path}) when 'text' then ${fields} ->> ${path} else ${fields} -> ${path} end = ${value})`
}

export function isDefinedField(store: SQLWrapper, key: SQLWrapper): SQL {
  const definition = orm
    .select({ defined: sql`1` })
    .from(custom_fields)
    .where(and(eq(custom_fields.store, store), eq(custom_fields.key, key)))
  return exists(definition)
}

/** Both are null without such a filter. */
export const fieldParams = params('field_key', 'field_value')

export function fieldFilterValues(filter: FieldFilter | undefined): ValuesOf<typeof fieldParams> {
  const [field_key = null, field_value = null] = filter ?? []
  return { field_key, field_value }
}

/** True without a filter. */
export function passesFieldFilter(fields: SQLWrapper): SQL | undefined {
  const { field_key, field_value } = fieldParams
  return or(isNull(field_key), hasFieldValue(fields, { key: field_key, value: field_value }))
}

/** The store, or null if the caller may not read it, or if it does not define the field: then nothing is examined. */
const examined = ifAuthorized(
  sql<number | null>`iif(${or(
    isNull(fieldParams.field_key),
    isDefinedField(contextParams.store, fieldParams.field_key),
  )}, ${contextParams.store}, null)`,
)

/** `examinedStore`, for the statements that use it: computed once, because its text is long. */
export const withExaminedStore = lazy(() =>
  orm.$with('permitted').as(orm.select({ store: examined.as('store') }).from(sql`(select 1)`)),
)

export const examinedStore = sql<number>`(select permitted.store from permitted)`

const selectIsUnknown = statement(fieldParams, () =>
  orm.select({ is_unknown: sql<0 | 1>`(${examined} is null)`.as('is_unknown') }).from(sql`(select 1)`),
)

/** The rows that a step selects. Throws as `readAll`, and `unknown_custom_fields` for a field that the store does not define. */
export async function readFiltered<Row>(
  db: Db,
  context: RequestContext,
  step: Step<Row>,
  filter: FieldFilter | undefined,
): Promise<Row[]> {
  const field = filter && selectIsUnknown(fieldFilterValues(filter))
  const { rows, fields } = await readAll(db, context, { rows: step, fields: field })
  if (filter !== undefined && fields[0]?.is_unknown === 1)
    throw new DomainError('unknown_custom_fields', { keys: [filter[0]] })
  return rows
}
