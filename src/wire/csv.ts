/** CSV by RFC 4180. A leaf, so that the import reads what is written here by the same rules. */

/** Undefined: the field is left out, an empty cell. An empty string is a pair of quotes, which most readers take for the same. */
export type Cell = string | undefined

/** `forSpreadsheet`: no cell that a spreadsheet would run. */
export function csvLine(cells: Cell[], { forSpreadsheet = false } = {}): string {
  const written = cells.map((cell) => (cell === undefined ? '' : quoted(forSpreadsheet ? disarm(cell) : cell)))
  return `${written.join(',')}\r\n`
}

function quoted(cell: string): string {
  return cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** What a spreadsheet would run gets a leading `'` (OWASP, "CSV Injection"). */
export function disarm(cell: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
}

/**
 * A value that may be a string, a number, a boolean or null: a string as it stands, and JSON for all else and for a
 * string that would read as JSON or as nothing.
 */
export function jsonCell(value: unknown): string {
  return typeof value === 'string' && value !== '' && !isJson(value) ? value : JSON.stringify(value)
}

function isJson(text: string): boolean {
  // Nothing else begins JSON, and throwing for each plain word takes longer than all the rest.
  if (!/^[\s\d"[{tfn-]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
