/** Reads the chosen file: its first rows, its fingerprint, and its failed rows for the download. */
import {
  failedWriter,
  FileError,
  Fingerprint,
  type Inspection,
  isUnclearDueDate,
  openFile,
  type Reason,
  type Row,
  type Source,
} from './engine.ts'

export interface Head {
  format: 'csv' | 'ndjson'
  /** The header of a CSV file, or the fields of the first rows of an NDJSON file. */
  columns: string[]
  rows: Row[]
}

/** Enough rows to find fields that only some objects of an NDJSON file have. */
const HEAD_ROWS = 200
/**
 * The failed rows are collected in parts of this length. One string for all of them could exceed the limit of the
 * browser.
 */
const PART_LENGTH = 1_000_000

/** The stream is read with a reader, because not every browser can iterate over `file.stream()`. */
export function sourceOf(file: Blob): Source {
  return { size: file.size, open: () => chunksOf(file.stream()) }
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

/** Throws FileError if the file cannot be read. */
export async function readHead(source: Source): Promise<Head> {
  const { format, header, rows } = await openFile(source)
  const first: Row[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === HEAD_ROWS) break
  }
  const fields = first.flatMap((row) => ('object' in row ? Object.keys(row.object) : []))
  return { format, columns: format === 'csv' ? header : [...new Set(fields)], rows: first }
}

/** Reads rows until one has a due date whose day and month may be mixed up. */
export async function findUnclearDate(source: Source, head: Head, rename: Record<string, string>): Promise<boolean> {
  const index = head.format === 'csv' ? head.columns.findIndex((column) => rename[column] === 'product_due_date') : -1
  if (source.dates !== undefined || index < 0) return false
  try {
    const { rows } = await openFile(source)
    for await (const row of rows) if ('cells' in row && isUnclearDueDate(row.cells[index]?.trim() ?? '')) return true
  } catch (error) {
    // The run, which reads the whole file first, says what is wrong with it.
    if (!(error instanceof FileError)) throw error
  }
  return false
}

/** Returns the same fingerprint as `inspect`, which can only run once the columns are mapped. */
export async function fingerprintOf(source: Source, onBytes: (bytes: number) => void): Promise<number> {
  const fingerprint = new Fingerprint()
  let bytes = 0
  for await (const chunk of source.open()) {
    fingerprint.add(chunk)
    onBytes((bytes += chunk.length))
  }
  return fingerprint.value
}

/** Returns the value of a cell or field as text; it is empty if there is no value. */
export function valueIn(row: Row, column: string, index: number): string {
  if ('cells' in row) return row.cells[index] ?? ''
  const value = Object.hasOwn(row.object, column) ? row.object[column] : undefined
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Returns a file with the failed rows. They are read from the file again, because no personal data of an import is
 * kept.
 */
export async function failedFile(
  source: Source,
  inspection: Inspection,
  failed: ReadonlyMap<number, Reason[]>,
  textOf: (reason: Reason) => string,
): Promise<Blob> {
  const { head, rowText } = failedWriter(inspection, textOf)
  const parts: Blob[] = []
  let text = head
  const { rows } = await openFile(source)
  for await (const row of rows) {
    const reasons = failed.get(row.line)
    if (reasons !== undefined) text += rowText({ row, reasons })
    if (text.length < PART_LENGTH) continue
    parts.push(new Blob([text]))
    text = ''
  }
  return new Blob([...parts, text], { type: inspection.format === 'csv' ? 'text/csv' : 'application/x-ndjson' })
}
