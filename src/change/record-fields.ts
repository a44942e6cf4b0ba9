/**
 * What a change of a record is made of: the record and the ETag that it must have, fields that may be omitted, and what
 * differs afterwards, which the event shows.
 */
import { and, getTableColumns, isNotNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { numberIn } from '../db/ids.ts'
import { type Params, params, type ValuesOf } from '../db/statement.ts'
import { lazy } from '../lib/lazy.ts'
import { ofEach } from '../lib/names.ts'
import { rule } from './request.ts'

export interface RecordRequest {
  /** The number of the record in its store, from the path. */
  number: number
  /**
   * The event numbers of the ETags in `If-Match`: the record's last change must be one of them, or the change fails with
   * `etag_mismatch`. If this is undefined, the change can overwrite a concurrent one.
   */
  ifMatch?: readonly number[] | undefined
}

export const recordParams = params('number', 'if_match')

export function recordValues({ number, ifMatch }: RecordRequest) {
  return { number, if_match: ifMatch === undefined ? null : JSON.stringify(ifMatch) }
}

/** `lastChange` is the column with the event of the record's last change, whose number is in the ETag. */
export function etagMismatch(lastChange: SQLiteColumn) {
  const { if_match } = recordParams
  const matching = sql`(select value from json_each(${if_match}))`
  return rule('etag_mismatch', and(isNotNull(if_match), notInArray(numberIn(lastChange), matching)))
}

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
    newValues: lazy(() => newValuesOf(table, names, fieldParams)),
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

function newValuesOf<Field extends string>(
  table: SQLiteTable,
  names: readonly Field[],
  fieldParams: Readonly<Record<string, SQL>>,
): Readonly<Record<Field, SQL>> {
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  return ofEach(names, (name) => sql`iif(${fieldParams[`sets_${name}`]}, ${fieldParams[name]}, ${columns[name]})`)
}

/** Columns of a table with their values after a change. */
type NewValues<Table extends SQLiteTable> = { readonly [Column in keyof Table['$inferSelect']]?: SQL }

/** A field with its values before and after a change. */
export interface Difference {
  field: string
  from: SQLiteColumn | SQL
  to: SQL
}

export function differencesOf<Table extends SQLiteTable>(table: Table, newValues: NewValues<Table>): Difference[] {
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  return Object.entries(newValues).flatMap(([field, to]) => {
    const from = columns[field]
    return from === undefined || to === undefined ? [] : [{ field, from, to }]
  })
}

export function isUnchanged(differences: readonly Difference[]): SQL | undefined {
  return and(...differences.map(({ from, to }) => sql`${from} is ${to}`))
}

export function isChanged(differences: readonly Difference[]): SQL | undefined {
  return or(...differences.map(({ from, to }) => sql`${from} is not ${to}`))
}

/** `{"changes":{"status":{"from":"with_access","to":"without_access"}}}` with the fields that change. */
export function changesJson(differences: readonly Difference[]): SQL {
  return selectDifferences(
    differences,
    sql`json_object('changes', json_group_object(field, json_object('from', "from", 'to', "to")))`,
  )
}

/** `{"fields":["email","phone"]}` with the names of the fields that change. */
export function changedFieldsJson(differences: readonly Difference[]): SQL {
  return selectDifferences(differences, sql`json_object('fields', json_group_array(field))`)
}

/** VALUES and not UNION: D1 allows five terms of a compound SELECT. */
function selectDifferences(differences: readonly Difference[], json: SQL): SQL {
  const rows = differences.map(({ field, from, to }) => sql`(${field}, ${from}, ${to})`)
  return sql`(with difference(field, "from", "to") as (values ${sql.join(rows, sql`, `)})
    select ${json} from difference where "from" is not "to")`
}
