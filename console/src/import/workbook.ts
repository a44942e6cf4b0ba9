/**
 * Reads a sheet of an Excel workbook as CSV, so that everything after it is the same as for a CSV file. The library is
 * loaded when the first workbook is chosen.
 */
import { csvLine } from './engine.ts'

export interface Workbook {
  sheets: string[]
  /** The sheet that was read. */
  sheet: string
  /** It has one record for each row of the sheet, so that the rows keep their numbers. Empty rows are empty lines. */
  csv: Blob
}

type Cell = string | number | boolean | Date | null

/** The file of failed rows is opened in Excel too, which needs this mark to read the accents. */
const BYTE_ORDER_MARK = '\ufeff'

/** Reads the first sheet, or the one with this name. Throws if the file is not a workbook. */
export async function readWorkbook(file: File, name: string | undefined, delimiter: string): Promise<Workbook> {
  const { default: readSheets } = await import('read-excel-file/browser')
  const sheets = await readSheets(file)
  const chosen = sheets.find(({ sheet }) => sheet === name) ?? sheets[0]
  const rows: Cell[][] = (chosen?.data ?? []).map((row) => row.map(cellOf))
  const header = rows.find(hasValue) ?? []
  const width = header.findLastIndex((cell) => cell !== null) + 1
  // Excel stores no empty cells at the end of a row, and may store some beyond the header.
  const cellsOf = (row: Cell[]) => Array.from({ length: width }, (_, i) => textOf(row[i] ?? null))
  const lines = rows.map((row) => (hasValue(row) ? csvLine(cellsOf(row), delimiter) : '\r\n'))
  return {
    sheets: sheets.map(({ sheet }) => sheet),
    sheet: chosen?.sheet ?? '',
    csv: new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv' }),
  }
}

function hasValue(row: Cell[]): boolean {
  return row.some((cell) => cell !== null)
}

/** The types of the library say `typeof Date` for a date. */
function cellOf(cell: unknown): Cell {
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return cell
  return cell instanceof Date ? cell : null
}

/**
 * A date without a time is written as a day. Excel knows no time zones: the library returns its dates as UTC, and the import
 * takes a time without a zone for one of the operator. Excel stores fractions of days, so the seconds are rounded.
 */
function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (!(cell instanceof Date)) return String(cell)
  const seconds = new Date(Math.round(cell.getTime() / 1000) * 1000)
  const [day = '', time = ''] = seconds.toISOString().split(/[T.]/)
  return time === '00:00:00' ? day : `${day}T${time}`
}
