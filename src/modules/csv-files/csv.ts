/** CSV as in RFC 4180. It imports nothing, because `npm run export` writes the same files with it, without the service. */

/** Undefined is an empty cell: the field is omitted. An empty string is a pair of quotes, which most readers treat the same. */
export type Cell = string | undefined

export interface CsvFormat {
  /** What the file begins with. */
  start: string
  separator: ',' | ';'
  /** What only a cell in quotes may contain. */
  special: RegExp
  toText: (cell: string) => string
}

/** Every value exactly as it is. */
export const PLAIN_CSV: CsvFormat = { start: '', separator: ',', special: /[",\r\n]/, toText: (cell) => cell }

/** Without a byte order mark, Excel takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * A file that Excel opens with a double click. Where a comma is the decimal sign, as in Spanish and Portuguese, Excel
 * separates cells by semicolons and would show each line of a file with commas in one column.
 */
export function spreadsheetCsv(language: string): CsvFormat {
  const separator = language === 'ES' || language === 'PT' ? ';' : ','
  // A spreadsheet that separates cells by the other characters would split a cell without quotes.
  return { start: BYTE_ORDER_MARK, separator, special: /[",;\t\r\n]/, toText: disarm }
}

export function csvLine(cells: Cell[], { separator, special, toText } = PLAIN_CSV): string {
  const written = cells.map((cell) => (cell === undefined ? '' : quoted(toText(cell), special)))
  return `${written.join(separator)}\r\n`
}

function quoted(cell: string, special: RegExp): string {
  return cell === '' || special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/**
 * Puts a `'` before what a spreadsheet would run as a formula (OWASP, "CSV Injection"): at the beginning of the cell, of
 * each line in it, and of each part that a spreadsheet with another separator would take for a cell.
 */
export function disarm(cell: string): string {
  return cell.replaceAll(/(?<=^|[\n\r;\t,])(?=[=+\-@\t\r])/g, "'")
}

/**
 * The cell of a value of any JSON type. A string is written as it is. Any other value is written as JSON, and so is a string
 * that would be read as JSON or as an omitted value.
 */
export function jsonCell(value: unknown): string {
  return typeof value === 'string' && value !== '' && !isJson(value) ? value : JSON.stringify(value)
}

function isJson(text: string): boolean {
  // JSON begins with one of these characters. Without this check, most of the time of an export is spent on exceptions.
  if (!/^[\s\d"[{tfn-]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
