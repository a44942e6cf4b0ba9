/**
 * Writes failed rows in the format of their file, so that it can be corrected and imported again. It is corrected in a
 * spreadsheet, which would run a text of a workbook that looks like a formula, so `'` disarms it. Reading takes `'` off.
 */
import type { Reason } from './columns.ts'
import { disarm, OWN_COLUMNS } from './disarm.ts'
import type { Inspection } from './inspect.ts'
import type { Row } from './read.ts'
import type { FailedRow } from './run.ts'

export interface FailedWriter {
  head: string
  rowText: (failed: FailedRow) => string
}

/** `textOf` says a reason in the language of whoever imports. */
export function failedWriter(
  { format, delimiter, hasBom, header }: Inspection,
  textOf: (reason: Reason) => string = reasonText,
): FailedWriter {
  if (format === 'ndjson') {
    return {
      head: '',
      rowText: ({ row, reasons }) => {
        const object = 'object' in row ? row.object : {}
        return `${JSON.stringify({ ...object, _line: row.line, _errors: reasons.map(textOf) })}\n`
      },
    }
  }
  const kept = [...header.keys()].filter((i) => !OWN_COLUMNS.includes(header[i] ?? ''))
  const endsWithOwn = header.slice(-OWN_COLUMNS.length).join() === OWN_COLUMNS.join()

  function keptCells(row: Row): string[] {
    const cells = 'cells' in row ? row.cells : []
    // A row that is too long or too short stays so: a value may belong to another column than the one above it.
    if (row.problem?.code === 'width') return endsWithOwn ? cells.slice(0, -OWN_COLUMNS.length) : cells
    return kept.map((i) => cells[i] ?? '')
  }

  return {
    head: (hasBom ? '\ufeff' : '') + csvLine([...kept.map((i) => disarm(header[i] ?? '')), ...OWN_COLUMNS], delimiter),
    rowText: ({ row, reasons }) => {
      const own = [String(row.line), reasons.map(textOf).join('; ')]
      return csvLine([...keptCells(row), ...own].map(disarm), delimiter)
    },
  }
}

/** Writes a line by RFC 4180, with any delimiter. */
export function csvLine(cells: string[], delimiter = ','): string {
  // An empty cell that is alone in its row must be quoted, or it would be an empty line, which readers ignore.
  const quoted = cells.map((cell) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) || (cell === '' && cells.length === 1)
      ? `"${cell.replaceAll('"', '""')}"`
      : cell,
  )
  return `${quoted.join(delimiter)}\r\n`
}

export function reasonText({ column, explanation }: Reason): string {
  return column === '' ? explanation : `${column}: ${explanation}`
}
