/** Reads the records of a store page by page and writes them in the columns that the import accepts. */
import { isObject, parseLossless } from '../../src/lib/json.ts'
import { type Cell, csvLine, jsonCell, PLAIN_CSV, spreadsheetCsv } from '../../src/modules/csv-files/csv.ts'
import { localCell } from '../../src/modules/csv-files/local-cells.ts'
import { USER_COLUMNS } from '../../src/modules/users/csv-columns.ts'
import { ACCESS_COLUMNS, SPREADSHEET_ACCESS_COLUMNS } from '../../src/modules/accesses/csv-columns.ts'
import type { Client } from './client.ts'
import { textIn } from './text-in.ts'
import { readStore } from './time-zone.ts'

export type Kind = 'users' | 'product_accesses'

/** The custom fields of users share one column, because a token of a store cannot read which fields are defined. */
export const COLUMNS = {
  users: [...USER_COLUMNS, 'custom_fields'],
  product_accesses: ACCESS_COLUMNS,
} as const

export function columnsOf(kind: Kind, { isForSpreadsheet }: { isForSpreadsheet: boolean }): readonly string[] {
  return kind === 'product_accesses' && isForSpreadsheet ? SPREADSHEET_ACCESS_COLUMNS : COLUMNS[kind]
}

/** Yields the lines of the same file that the service writes. For spreadsheets, its separator is that of the store's language. */
export async function* csvLines(
  client: Client,
  kind: Kind,
  { isForSpreadsheet }: { isForSpreadsheet: boolean },
): AsyncGenerator<string> {
  const columns = columnsOf(kind, { isForSpreadsheet })
  const { zone, language } = isForSpreadsheet ? await readStore(client) : {}
  const csv = language === undefined ? PLAIN_CSV : spreadsheetCsv(language)
  yield csv.start + csvLine([...columns], csv)
  for await (const record of listAll(client, kind)) yield csvLine(cellsOf(record, kind, columns, zone), csv)
}

export async function* listAll(client: Client, kind: Kind): AsyncGenerator<Record<string, unknown>> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const response = await client.call(
      'GET',
      `/${kind}?limit=100${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
    )
    // JSON.parse would change digits of numbers.
    const page = parseLossless(response.text)
    yield* isObject(page) && Array.isArray(page['data']) ? page['data'].filter(isObject) : []
    after = textIn(page, 'next')
  }
}

/**
 * Returns a record as the cells of the service's own file: values that are not strings, and each grade, are JSON. With a
 * zone, times are local.
 */
export function cellsOf(
  record: Record<string, unknown>,
  kind: Kind,
  columns: readonly string[],
  zone?: string,
): Cell[] {
  return columns.map((column) => {
    const [, nested, field = ''] = (kind === 'product_accesses' && /^(product|user)_(\w+)$/.exec(column)) || []
    const value = nested === undefined ? record[column] : nestedValue(record[nested], field)
    if (value == null) return undefined
    return typeof value === 'string' && column !== 'grade' ? localCell(column, value, zone) : jsonCell(value)
  })
}

/** The name of a user is the first and the last name. */
function nestedValue(record: unknown, field: string): string | undefined {
  const last = field === 'name' ? textIn(record, 'last_name') : undefined
  const value = textIn(record, field)
  return last === undefined ? value : `${value} ${last}`
}
