/** CSV as in RFC 4180. It imports nothing, so that the import library can read files by the same rules. */

/** Undefined is an empty cell: the field is omitted. An empty string is a pair of quotes, which most readers treat the same. */
export type Cell = string | undefined

/** With `forSpreadsheet`, no cell is a formula that a spreadsheet would run. */
export function csvLine(cells: Cell[], { forSpreadsheet = false } = {}): string {
  const written = cells.map((cell) => (cell === undefined ? '' : quoted(forSpreadsheet ? disarm(cell) : cell)))
  return `${written.join(',')}\r\n`
}

function quoted(cell: string): string {
  return cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A cell that a spreadsheet would run as a formula gets a leading `'` (OWASP, "CSV Injection"). */
export function disarm(cell: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
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
