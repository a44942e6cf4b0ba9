/** Fields of an update that may be omitted: an omitted field keeps its value. */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { lazy } from '../lib/lazy.ts'
import { ofEach } from '../lib/names.ts'
import { type Params, params, type ValuesOf } from '../db/statement.ts'

type SetName<Field extends string> = `sets_${Field}`

type FieldParams<Field extends string> = Params<Field | SetName<Field>>

type Given<Field extends string> = { readonly [F in Field]?: string | number | null | undefined }

/**
 * Two parameters for each field: its new value, and 1 if it is set. Without the second one, a field that is set to null
 * could not be told from one that is omitted.
 */
export function optionalFields<Table extends SQLiteTable, const Field extends keyof Table['$inferSelect'] & string>(
  table: Table,
  names: readonly Field[],
) {
  const fieldParams: FieldParams<Field> = params<Field | SetName<Field>>(
    ...names,
    ...names.map((name): SetName<Field> => `sets_${name}`),
  )
  return {
    params: fieldParams,
    valuesOf: (given: Given<Field>) => valuesOf(names, given),
    after: lazy(() => after(table, names, fieldParams)),
  }
}

function valuesOf<Field extends string>(names: readonly Field[], given: Given<Field>): ValuesOf<FieldParams<Field>> {
  const values = names.flatMap((name): [string, string | number | null][] => [
    [name, given[name] ?? null],
    [`sets_${name}`, given[name] === undefined ? 0 : 1],
  ])
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- fromEntries forgets the names
  return Object.fromEntries(values) as ValuesOf<FieldParams<Field>>
}

/** Each column after the update. */
function after<Field extends string>(
  table: SQLiteTable,
  names: readonly Field[],
  fieldParams: Readonly<Record<string, SQL>>,
): Readonly<Record<Field, SQL>> {
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  return ofEach(names, (name) => sql`iif(${fieldParams[`sets_${name}`]}, ${fieldParams[name]}, ${columns[name]})`)
}
