/**
 * Reads a sheet of an Excel workbook as CSV, so that everything after it is the same as for a CSV file. hucre reads
 * valid workbooks that other libraries reject, keeps errors and formulas without a result apart from empty cells, and
 * reads every character. SheetJS, which gives the text as shown, drops such formulas, and breaks characters above
 * U+FFFF. The price: the text of a cell is made here from its value and its format, and the digits of long integers,
 * which hucre rounds, are read from the archive.
 */
import type { Cell } from 'hucre'
import { readXlsx } from 'hucre/xlsx'
import { isContainer, withSlashes } from './archive.ts'
import { csvLine } from './failed.ts'
import { FileError } from './file-error.ts'
import { cellName, cellText } from './cell-text.ts'
import { type RawCell, rawCells, sheetXml } from './sheet-xml.ts'
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
/** The values of each type of cell. */
const READABLE: Record<string, RegExp> = {
  n: /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:E[-+]?\d+)?\s*$/i,
  s: /^\s*\d+\s*$/,
  b: /^(?:[01]|true|false)$/i,
  d: /^(?:\d{4}-\d\d-\d\d|\d\d:\d\d)/,
  str: /^/,
  inlineStr: /^/,
}
const PROBLEMS: Record<string, string> = {
  n: 'a number that cannot be read',
  s: 'a text that the workbook does not have',
  d: 'a date that cannot be read',
}
const UNREADABLE = 'a value that cannot be read'
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
    const rows = (sheet?.rows ?? []).map((row) => row.map(() => EMPTY))
    for (const raw of rawCells(await sheetXml(bytes, index))) {
      const cell = sheet?.cells?.get(`${raw.y},${raw.x}`)
      const row = rows[raw.y]
      if (row === undefined) continue
      row[raw.x] = readCell(raw, sheet?.rows[raw.y]?.[raw.x], cell, dateSystem === '1904')
    }
    return { sheets, sheet: chosen, ...toCsv(rows, delimiter) }
  } catch (error) {
    // hucre throws TypeError too.
    if (error instanceof FileError || !(error instanceof Error)) throw error
    // If the sheet is at fault, this names the cell.
    const xml = index < 0 ? '' : await sheetXml(bytes, index).catch(() => '')
    for (const raw of xml === '' ? [] : rawCells(xml)) {
      const problem = raw.type === 'e' ? undefined : problemOf(raw)
      if (problem !== undefined) throw unreadable(problem, raw)
    }
    throw new FileError(1, { code: 'workbook', message: error.message })
  }
}

/** The value is that of hucre, the rest is what the file has. */
function readCell(raw: RawCell, value: unknown, cell: Cell | undefined, is1904: boolean): ReadCell {
  const text = raw.value ?? ''
  if (isBlank(raw) && raw.type !== 'e') {
    const hasResult = !raw.hasFormula || (raw.type === 'str' && raw.value !== undefined)
    return hasResult ? EMPTY : errorOf('a formula without a stored result')
  }
  const problem = problemOf(raw)
  if (problem !== undefined) return errorOf(problem)
  if (value === null || value === undefined || (value === '' && raw.type !== 's'))
    return errorOf(PROBLEMS[raw.type] ?? UNREADABLE)
  if (typeof value === 'number' && !Number.isFinite(value)) return errorOf('a number that no spreadsheet can show')
  if (value instanceof Date && !isShown(value)) return errorOf('a date that no spreadsheet can show')
  if (raw.phonetic !== '' && typeof value === 'string' && cell?.type !== 'richText') {
    if (!value.endsWith(raw.phonetic)) return errorOf(UNREADABLE)
    return { text: value.slice(0, -raw.phonetic.length), isText: true }
  }
  // A double has not the digits of a long integer.
  if (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(text.trim())
  )
    return { text: text.trim(), isText: false }
  return cellText(value, cell?.style?.numFmt, is1904)
}

function isBlank({ type, value = '', inline }: RawCell): boolean {
  return inline === '' && (type === 'str' || type === 'inlineStr' ? value : value.trim()) === ''
}

/** What is wrong with the text of a cell. */
function problemOf(raw: RawCell): string | undefined {
  const { type, value = '' } = raw
  if (type === 'e') return value === '' ? 'an error' : value
  if (isBlank(raw) || READABLE[type]?.test(value)) return undefined
  return PROBLEMS[type] ?? UNREADABLE
}

function unreadable(message: string, { x, y }: { x: number; y: number }): FileError {
  return new FileError(y + 1, { code: 'workbook', message, cell: cellName(x, y) })
}

function errorOf(error: string): ReadCell {
  return { text: error.startsWith('#') ? error : '', isText: true, error }
}

/** Before day 0, and after the year 9999, a spreadsheet shows an error. */
function isShown(date: Date): boolean {
  return date.getTime() >= Date.UTC(1899, 11, 30) && date.getUTCFullYear() <= 9999
}

function toCsv(rows: ReadCell[][], delimiter: string): Pick<Workbook, 'csv' | 'cells'> {
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
    const length = row.findLastIndex(hasValue) + 1
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

/** A workbook with a password is a stream of this name in the container; the names are UTF-16. */
function isEncrypted(bytes: Uint8Array): boolean {
  const name = 'EncryptedPackage'.split('').join('\0')
  return new TextDecoder('latin1').decode(bytes).includes(name)
}
