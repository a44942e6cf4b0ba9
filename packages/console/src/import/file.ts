/** Reads the chosen file: its fingerprint, and its failed rows for the download. */
import type { failedWorkbook } from '../../../import/failed-workbook.ts'
import {
  ACCESS_IDS,
  beforeTable,
  type Change,
  type DateOrder,
  type DateSurvey,
  failedWriter,
  FileError,
  type Head,
  type Inspection,
  openFile,
  type Product,
  type Reason,
  type Row,
  type Source,
  surveyDates,
  unknownProducts,
  withFingerprint,
} from './engine.ts'

/**
 * The failed rows are collected in parts of this length. One string for all of them could exceed the limit of the
 * browser.
 */
const PART_LENGTH = 1_000_000

/**
 * Looks at the due dates of the whole file, because the first proof of their order may be in the last row, and for products
 * that the store does not have.
 */
export async function surveyColumns(
  source: Source,
  { head, rename, products }: { head: Head; rename: Record<string, string>; products: Product[] },
): Promise<{ dates: DateSurvey; unknown: [string, number][] }> {
  const indexOf = (field: string) =>
    head.format === 'csv' ? head.columns.findIndex((column) => rename[column] === field) : -1
  const [date, product] = [indexOf('product_due_date'), indexOf('product')]
  // With its ids, the accesses of an export are found without the names of their products.
  const hasIds = ACCESS_IDS.every((field) => Object.values(rename).includes(field))
  const unknown = unknownProducts(products)
  async function* dates(): AsyncGenerator<string> {
    if (date < 0 && product < 0) return
    for await (const cells of cellsOf(source)) {
      if (!hasIds) unknown.add(cells[product]?.trim() ?? '')
      yield cells[date] ?? ''
    }
  }
  return { dates: await surveyDates(dates()), unknown: unknown.list() }
}

async function* cellsOf(source: Source): AsyncGenerator<string[]> {
  try {
    const { rows } = await openFile(source)
    for await (const row of rows) yield 'cells' in row ? row.cells : []
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
