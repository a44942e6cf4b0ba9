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
  FULL_NAME,
  type Head,
  type Inspection,
  isDoubtful,
  isNamedExport,
  openFile,
  type Product,
  type Reason,
  type Row,
  type Source,
  splitName,
  surveyDates,
  unknownProducts,
  withFingerprint,
} from './engine.ts'
import type { WholeName, WholeNames } from './run-state.ts'

/**
 * The failed rows are collected in parts of this length. One string for all of them could exceed the limit of the
 * browser.
 */
const PART_LENGTH = 1_000_000

/**
 * Looks at the due dates of the whole file, because the first proof of their order may be in the last row; for products that
 * the store does not have; and for whole names, each of which an operator may split otherwise.
 */
export async function surveyColumns(
  source: Source,
  { head, rename, products }: { head: Head; rename: Record<string, string>; products: Product[] },
): Promise<{ dates: DateSurvey; unknown: [string, number][]; wholeNames: WholeNames | undefined }> {
  const indexOf = (field: string) =>
    head.format === 'csv' ? head.columns.findIndex((column) => rename[column] === field) : -1
  const [date, product] = [indexOf('product_due_date'), indexOf('product')]
  // An export of accesses joins the names that are stored, and its rows keep those.
  const whole = isNamedExport(head.columns) ? -1 : indexOf(FULL_NAME)
  // With its ids, the accesses of an export are found without the names of their products.
  const hasIds = ACCESS_IDS.every((field) => Object.values(rename).includes(field))
  const unknown = unknownProducts(products)
  const names: WholeName[] = []
  const column = head.columns[whole] ?? ''
  async function* dates(): AsyncGenerator<string> {
    if (date < 0 && product < 0 && whole < 0) return
    for await (const { line, cells } of cellsOf(source)) {
      if (!hasIds) unknown.add(cells[product]?.trim() ?? '')
      const text = cells[whole]?.trim().replaceAll(/\s+/gu, ' ') ?? ''
      if (text !== '') names.push({ line, text, isDoubtful: isDoubtful(text) || !splitName(text, column) })
      yield cells[date] ?? ''
    }
  }
  return {
    dates: await surveyDates(dates()),
    unknown: unknown.list(),
    wholeNames: whole < 0 ? undefined : { column, names },
  }
}

async function* cellsOf(source: Source): AsyncGenerator<{ line: number; cells: string[] }> {
  try {
    const { rows } = await openFile(source)
    for await (const row of rows) if ('cells' in row) yield row
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
