/** Finds out how a file is to be read. Whoever imports sees the result, and may correct it. */
import { isWorkbook } from './archive.ts'
import { detectEncoding, inUtf8 } from './encoding.ts'
import { openFile } from './read.ts'
import { concat, type DateOrder, type Source } from './source.ts'

export interface Recognized {
  kind: 'text' | 'workbook'
  encoding: string
  /** Is empty for NDJSON. */
  delimiter: string
  sheets: string[]
  sheet: string
  dates: DateOrder | undefined
}

/** What whoever imports has corrected. */
export type Correction = { [Name in 'encoding' | 'delimiter' | 'sheet' | 'dates']?: Recognized[Name] | undefined }

/** Throws FileError if the file cannot be read. */
export async function recognize(file: Source, correction: Correction = {}): Promise<Recognized & { source: Source }> {
  const { dates } = correction
  if (isWorkbook(await firstBytes(file))) return recognizeWorkbook(file, correction)
  const encoding = correction.encoding ?? (await detectEncoding(file))
  const text = inUtf8(file, encoding)
  const { delimiter: corrected } = correction
  const source = { ...text, ...(corrected !== undefined && { delimiter: corrected }), ...(dates && { dates }) }
  const { delimiter, rows } = await openFile(source)
  await rows.return(undefined)
  return { kind: 'text', encoding, delimiter, sheets: [], sheet: '', dates, source }
}

async function recognizeWorkbook(file: Source, { sheet, dates }: Correction): Promise<Recognized & { source: Source }> {
  const delimiter = separatorOfExcel()
  const chunks: Uint8Array[] = []
  for await (const chunk of file.open()) chunks.push(chunk)
  // The library that reads workbooks is loaded when it is needed.
  const { readWorkbook } = await import('./workbook.ts')
  const { csv, cells, ...read } = await readWorkbook(concat(chunks), sheet, delimiter)
  const bytes = new TextEncoder().encode(csv)
  const source = {
    size: bytes.length,
    delimiter,
    sheet: cells,
    ...(dates && { dates }),
    async *open() {
      for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES)
    },
  }
  return { kind: 'workbook', encoding: 'utf-8', delimiter, ...read, dates, source }
}

/** A chunk that is larger would stop the progress bar of a browser for too long. */
const CHUNK_BYTES = 65_536

async function firstBytes(source: Source): Promise<Uint8Array> {
  let bytes = concat([])
  for await (const chunk of source.open()) {
    bytes = concat([bytes, chunk.subarray(0, 8)])
    if (bytes.length >= 8) break
  }
  return bytes
}

/** Where a comma separates decimals, Excel expects semicolons in a CSV file. */
function separatorOfExcel(): string {
  return (1.5).toLocaleString().includes(',') ? ';' : ','
}
