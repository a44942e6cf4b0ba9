/** Reads the chosen file: its fingerprint, and its failed rows for the download. */
import type { failedWorkbook } from '../../../import/failed-workbook.ts'
import {
  beforeTable,
  type Change,
  type DateOrder,
  type DateSurvey,
  failedWriter,
  FileError,
  type Head,
  type Inspection,
  openFile,
  type Reason,
  type Row,
  type Source,
  surveyDates,
  withFingerprint,
} from './engine.ts'

/**
 * The failed rows are collected in parts of this length. One string for all of them could exceed the limit of the
 * browser.
 */
const PART_LENGTH = 1_000_000

/** Looks at the due dates of the whole file, because the first proof of their order may be in the last row. */
export async function datesIn(source: Source, head: Head, rename: Record<string, string>): Promise<DateSurvey> {
  const index = head.format === 'csv' ? head.columns.findIndex((column) => rename[column] === 'product_due_date') : -1
  return surveyDates(index < 0 ? noCells() : cellsAt(index, source))
}

async function* noCells(): AsyncGenerator<never> {}

async function* cellsAt(index: number, source: Source): AsyncGenerator<string> {
  try {
    const { rows } = await openFile(source)
    for await (const row of rows) yield 'cells' in row ? (row.cells[index] ?? '') : ''
  } catch (error) {
    // The run, which reads the whole file first, says what is wrong with it.
    if (!(error instanceof FileError)) throw error
  }
}

export interface Surveyed {
  fingerprint: number
  /** How many hidden rows of a sheet are left out. */
  hiddenRows: number
}

/** Returns the same fingerprint as `inspect`, which can only run once the columns are mapped. */
export async function survey(source: Source, onBytes: (bytes: number) => void): Promise<Surveyed> {
  const counted = withFingerprint(source, onBytes)
  const { openSheet, open } = counted.source
  const chunks = openSheet ? openSheet() : open()
  for await (const chunk of chunks) void chunk
  return { fingerprint: counted.fingerprint.value, hiddenRows: counted.hidden() }
}

/** The failed rows of an import, for a download. */
export interface Failed {
  inspection: Inspection
  rename: Record<string, string>
  dates: DateOrder | undefined
  rows: () => AsyncIterable<{ row: Row; reasons: Reason[] }>
}

/** Returns the rows in the format of their file. */
export async function failedText({ inspection, rows }: Failed, textOf: (reason: Reason) => string): Promise<Blob> {
  const { head, rowText } = failedWriter(inspection, textOf)
  const parts: Blob[] = []
  let text = head
  for await (const failed of rows()) {
    text += rowText(failed)
    if (text.length < PART_LENGTH) continue
    parts.push(new Blob([text]))
    text = ''
  }
  return new Blob([...parts, text], { type: inspection.format === 'csv' ? 'text/csv' : 'application/x-ndjson' })
}

/** Returns the rows of a CSV file or a sheet as a workbook. */
export async function failedSheet(
  { inspection: { header }, rename, dates, rows }: Failed,
  texts: Pick<Parameters<typeof failedWorkbook>[0], 'textOf' | 'titles'>,
): Promise<Blob> {
  const { failedWorkbook } = await import('../../../import/failed-workbook.ts')
  return new Blob([await failedWorkbook({ header, rename, dates, rows: rows(), ...texts })])
}

/** Reads the failed rows from the file again. */
export async function* failedRows(
  source: Source,
  lines: ReadonlyMap<number, { reasons: Reason[] }>,
): AsyncGenerator<{ row: Row; reasons: Reason[] }> {
  const { rows } = await openFile(source)
  for await (const row of rows) {
    const found = lines.get(row.line)
    if (found !== undefined) yield { row, reasons: found.reasons }
  }
}

/** Returns the users as they were before an update, in the columns of its file. */
export async function beforeSheet(
  { inspection, rename, zone }: Pick<Failed, 'inspection' | 'rename'> & { zone: string },
  changes: Change[],
  name: string,
): Promise<Blob> {
  const { writeWorkbook } = await import('../../../import/write-workbook.ts')
  const { header, rowsOf } = beforeTable(inspection.header, rename, {
    zone,
    grantsProducts: inspection.grantsProducts,
  })
  const rows = rowsOf(changes).map(({ cells }) => cells)
  return new Blob([await writeWorkbook({ name, header, rows })])
}
