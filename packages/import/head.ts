/** The first rows of a file, by which its columns are recognized and shown. */
import type { ValuesOf } from './headings.ts'
import { openFile, type Row } from './read.ts'
import type { Source } from './source.ts'
import { trimCell } from './trim.ts'

export interface Head {
  format: 'csv' | 'ndjson'
  /** The header of a CSV file, or the fields of the first rows of an NDJSON file. */
  columns: string[]
  rows: Row[]
}

/** Enough rows to find fields that only some objects of an NDJSON file have. */
const HEAD_ROWS = 200

export async function readHead(source: Source): Promise<Head> {
  const { format, header, rows } = await openFile(source)
  const first: Row[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === HEAD_ROWS) break
  }
  const fields = first.flatMap((row) => ('object' in row ? Object.keys(row.object) : []))
  return { format, columns: format === 'csv' ? header : [...new Set(fields)], rows: first }
}

/** Returns the value of a cell or field as text; it is empty if there is no value. */
export function valueIn(row: Row, column: string, index: number): string {
  if ('cells' in row) return row.cells[index] ?? ''
  const value = Object.hasOwn(row.object, column) ? row.object[column] : undefined
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function valuesIn({ columns, rows }: Head): ValuesOf {
  return (column) => {
    const index = columns.indexOf(column)
    return rows.map((row) => trimCell(valueIn(row, column, index))).filter((value) => value !== '')
  }
}
