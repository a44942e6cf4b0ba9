/** The chosen file: its first rows, what tells it from any other, and its failed rows to be corrected. */
import { failedWriter, Fingerprint, type Inspection, openFile, type Reason, type Row, type Source } from './engine.ts'

export interface Head {
  format: 'csv' | 'ndjson'
  /** The header of a CSV file; of NDJSON the fields of its first rows. */
  columns: string[]
  rows: Row[]
}

/** Enough to meet the fields that only some objects of an NDJSON file have. */
const HEAD_ROWS = 200
/** Texts are gathered to parts of this length. */
const PART_LENGTH = 1_000_000

/** Not `file.stream()` alone: not every browser can iterate over a stream. */
export function sourceOf(file: File): Source {
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

/** Throws FileError for what cannot be read. */
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

/** The same that `inspect` finds, before the columns are known. */
export async function fingerprintOf(source: Source, onBytes: (bytes: number) => void): Promise<number> {
  const fingerprint = new Fingerprint()
  let bytes = 0
  for await (const chunk of source.open()) {
    fingerprint.add(chunk)
    onBytes((bytes += chunk.length))
  }
  return fingerprint.value
}

/** What a cell or field holds, as text; empty where there is none. */
export function valueIn(row: Row, column: string, index: number): string {
  if ('cells' in row) return row.cells[index] ?? ''
  const value = Object.hasOwn(row.object, column) ? row.object[column] : undefined
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Read again from the file: nobody has kept the persons whom its failed rows are about. */
export async function failedFile(
  file: File,
  inspection: Inspection,
  failed: ReadonlyMap<number, Reason[]>,
): Promise<Blob> {
  const { head, rowText } = failedWriter(inspection)
  const parts: Blob[] = []
  let text = head
  const { rows } = await openFile(sourceOf(file))
  for await (const row of rows) {
    const reasons = failed.get(row.line)
    if (reasons !== undefined) text += rowText({ row, reasons })
    if (text.length < PART_LENGTH) continue
    parts.push(new Blob([text]))
    text = ''
  }
  return new Blob([...parts, text], { type: inspection.format === 'csv' ? 'text/csv' : 'application/x-ndjson' })
}
