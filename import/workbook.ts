/**
 * Reads a sheet of an Excel workbook as CSV, so that everything after it is the same as for a CSV file. hucre reads
 * valid workbooks that other libraries reject, keeps errors and formulas without a result apart from empty cells, and
 * reads every character. SheetJS, which gives the text as shown, drops such formulas, and breaks characters above
 * U+FFFF. The price: the text of a cell is made here from its value and its format, and the digits of long integers,
 * which hucre rounds, are read from the archive.
 */
import { HucreError } from 'hucre'
import { readXlsx } from 'hucre/xlsx'
import { isContainer, withSlashes } from './archive.ts'
import { csvLine } from './failed.ts'
import { FileError } from './file-error.ts'
import { cellText } from './cell-text.ts'
import { cellBefore, longIntegers } from './long-integers.ts'
import type { CellError, SheetCells } from './source.ts'

export interface Workbook {
  sheets: string[]
  /** The sheet that was read. */
  sheet: string
  /** It has one record for each row of the sheet, so that the rows keep their numbers. Empty rows are empty lines. */
  csv: string
  cells: SheetCells
}

interface ReadCell {
  text: string
  /** False for numbers and booleans. */
  isText: boolean
  /** What is wrong with the cell. */
  error?: string
}

/** The file of failed rows is opened in Excel too, which needs this mark to read the accents. */
const BYTE_ORDER_MARK = '\ufeff'
const EMPTY: ReadCell = { text: '', isText: true }

/** Reads the first visible sheet, or the one with this name. Throws FileError if that is not possible. */
export async function readWorkbook(
  file: Uint8Array<ArrayBuffer>,
  name: string | undefined,
  delimiter: string,
): Promise<Workbook> {
  if (isContainer(file)) throw new FileError(1, { code: isEncrypted(file) ? 'password' : 'old_workbook' })
  const bytes = withSlashes(file)
  const names: { name: string; isHidden: boolean }[] = []
  let index = -1
  try {
    // The first pass reads the names only.
    await readXlsx(bytes, {
      sheets: ({ name: sheet, hidden, veryHidden }) => {
        names.push({ name: sheet, isHidden: (hidden ?? false) || (veryHidden ?? false) })
        return false
      },
    })
    const sheets = names.map((each) => each.name)
    const chosen = name === undefined ? (names.find((each) => !each.isHidden) ?? names[0])?.name : name
    index = sheets.indexOf(chosen ?? '')
    if (chosen === undefined || index < 0)
      throw new FileError(1, { code: 'unknown_sheet', name: chosen ?? '', known: sheets })
    const { sheets: read, dateSystem } = await readXlsx(bytes, { sheets: [index], readStyles: true })
    const [sheet] = read
    const digits = await longIntegers(bytes, index, sheet?.rows ?? [])
    const rows = (sheet?.rows ?? []).map((row, y) =>
      row.map((value, x): ReadCell => {
        const cell = sheet?.cells?.get(`${y},${x}`)
        if (cell?.type === 'error') return { text: String(value), isText: true, error: String(value) }
        if (cell?.type === 'formula' && value === null)
          return { text: '', isText: true, error: 'a formula without a stored result' }
        if (value === null || value === undefined) return EMPTY
        if (value instanceof Date && !isShown(value))
          return { text: '', isText: true, error: 'a date that no spreadsheet can show' }
        const exact = digits.get(`${y},${x}`)
        if (exact !== undefined) return { text: exact, isText: false }
        return cellText(value, cell?.style?.numFmt, dateSystem === '1904')
      }),
    )
    return { sheets, sheet: chosen, ...toCsv(rows, delimiter) }
  } catch (error) {
    if (!(error instanceof HucreError)) throw error
    const cell = await cellBefore(bytes, index, error.message)
    throw new FileError(1, { code: 'workbook', message: error.message, cell })
  }
}

/** Before day 0, and after the year 9999, a spreadsheet shows an error. */
function isShown(date: Date): boolean {
  return date.getTime() >= Date.UTC(1899, 11, 30) && date.getUTCFullYear() <= 9999
}

function toCsv(rows: ReadCell[][], delimiter: string): Pick<Workbook, 'csv' | 'cells'> {
  const header = rows.find((row) => row.some(hasValue)) ?? []
  const width = header.findLastIndex(hasValue) + 1
  const errors = new Map<number, CellError[]>()
  const values = new Map<number, Set<number>>()
  const lines = rows.map((row, y) => {
    const line = y + 1
    const found = row.flatMap(({ error }, x) =>
      error === undefined ? [] : [{ index: x, cell: cellName(x, y), error }],
    )
    if (found.length > 0) errors.set(line, found)
    const typed = row.flatMap(({ isText }, x) => (isText ? [] : [x]))
    if (typed.length > 0) values.set(line, new Set(typed))
    if (!row.some(hasValue)) return '\r\n'
    // Excel stores no empty cells at the end of a row. Values beyond the headings make the row too long, which is reported.
    const length = Math.max(width, row.findLastIndex(hasValue) + 1)
    return csvLine(
      Array.from({ length }, (_, x) => row[x]?.text ?? ''),
      delimiter,
    )
  })
  return { csv: BYTE_ORDER_MARK + lines.join(''), cells: { errors, values } }
}

function hasValue({ text, error }: ReadCell): boolean {
  return text.trim() !== '' || error !== undefined
}

function cellName(x: number, y: number): string {
  let letters = ''
  for (let rest = x; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  return `${letters}${y + 1}`
}

/** A workbook with a password is a stream of this name in the container; the names are UTF-16. */
function isEncrypted(bytes: Uint8Array): boolean {
  const name = 'EncryptedPackage'.split('').join('\0')
  return new TextDecoder('latin1').decode(bytes).includes(name)
}
