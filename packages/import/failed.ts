/**
 * Writes failed rows in the format of their file, so that it can be corrected and imported again. It is corrected in a
 * spreadsheet, which would run a text of a workbook that looks like a formula, so `'` disarms it. Reading takes `'` off.
 */
import { disarm, isOwn, OWN_COLUMNS } from './disarm.ts'
import type { Inspection } from './inspect.ts'
import type { Row } from './read.ts'
import type { Reason } from './reasons.ts'
import type { FailedRow } from './state.ts'

export interface FailedWriter {
  head: string
  rowText: (failed: Pick<FailedRow, 'row' | 'reasons'>) => string
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
  const { kept, cellsOf } = keptOf(header)

  return {
    head: (hasBom ? '\ufeff' : '') + csvLine([...kept.map((i) => disarm(header[i] ?? '')), ...OWN_COLUMNS], delimiter),
    rowText: ({ row, reasons }) => {
      const own = [String(row.line), reasons.map(textOf).join('; ')]
      return csvLine([...cellsOf(row), ...own].map(disarm), delimiter)
    },
  }
}

/** What a file of failed rows keeps of the one that it is made of, which may be such a file, too. */
export function keptOf(header: string[]): { kept: number[]; cellsOf: (row: Row) => string[] } {
  const kept = [...header.keys()].filter((i) => !isOwn(header[i] ?? ''))
  const count = OWN_COLUMNS.length
  const [beginsWithOwn, endsWithOwn] = [header.slice(0, count), header.slice(-count)].map((names) => names.every(isOwn))
  return {
    kept,
    cellsOf(row) {
      const cells = 'cells' in row ? row.cells : []
      // A row that is too long or too short stays so: a value may belong to another column than the one above it.
      if (row.problem?.code !== 'width') return kept.map((i) => cells[i] ?? '')
      return beginsWithOwn ? cells.slice(count) : endsWithOwn ? cells.slice(0, -count) : cells
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
