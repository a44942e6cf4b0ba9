/**
 * The times of files for spreadsheets: a spreadsheet knows no time zones, and shows an instant in UTC as text. Like csv.ts, it
 * is also what `npm run export` writes with.
 */
import { localText, localTimeText } from '../../calendar.ts'
import type { Cell } from './csv.ts'

const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'started_at', 'completed_at'])

/** The cell of a column; without a zone, an instant stays exactly what it is. */
export function localCell(column: string, cell: Cell, zone: string | undefined): Cell {
  if (zone === undefined || cell === undefined) return cell
  if (column === 'access_due_date') return localText(Date.parse(cell), zone)
  return TIMES.has(column) ? localTimeText(Date.parse(cell), zone) : cell
}
