/** A list as an Excel workbook, written in the browser row by row. */
import type { CellValue, ColumnDef } from 'hucre'

export interface SheetColumn<T> {
  head: string
  /** In characters. */
  width: number
  /** The Excel format of a time or a number. */
  format?: string
  cell: (row: T) => CellValue
}

interface Sheet<T> {
  title: string
  columns: SheetColumn<T>[]
  rows: AsyncIterable<T>
}

/** The body fails with the error of `rows`. */
export async function workbookOf<T>({ title, columns, rows }: Sheet<T>): Promise<Response> {
  // It is as large as the rest of the screen.
  const { writeXlsxStream } = await import('hucre/xlsx')
  async function* cells(): AsyncGenerator<CellValue[]> {
    for await (const row of rows) yield columns.map(({ cell }) => cell(row))
  }
  return new Response(
    writeXlsxStream(cells(), {
      name: sheetName(title),
      columns: columns.map(columnOf),
      freezePane: { rows: 1 },
    }),
  )
}

function columnOf<T>({ head, width, format }: SheetColumn<T>): ColumnDef {
  return { header: head, width, ...(format !== undefined && { numFmt: format }) }
}

/** Excel does not open a workbook whose sheet has one of these characters in its name, or a longer name. */
function sheetName(title: string): string {
  return title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31)
}

/** Excel knows no time zones. The cell has the time that the operator's clocks show. */
export function localTime(at: string | null | undefined): Date | null {
  if (at === null || at === undefined) return null
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
}

/** Of parts that may have any characters. */
export function fileNameOf(parts: (string | undefined)[], extension: string): string {
  const name = parts.flatMap((part) => part?.replace(/[\\/:*?"<>|\p{Cc}\s]+/gu, ' ').trim() || []).join(' - ')
  return `${name}.${extension}`
}
