/** Finds out how a file is to be read. Whoever imports sees the result, and may correct it. */
import { isWorkbook } from './archive.ts'
import { detectEncoding, inUtf8 } from './encoding.ts'
import { guessColumns, NO_FIELD } from './headings.ts'
import { firstRows, openFile } from './read.ts'
import { concat, type DateOrder, type Source } from './source.ts'

export interface Recognized {
  kind: 'text' | 'workbook'
  encoding: string
  /** Is empty for NDJSON. */
  delimiter: string
  sheets: string[]
  sheet: string
  /** The number of the row with the headings; 0 for NDJSON. */
  headings: number
  /** The rows among which the headings may be. */
  firstRows: { line: number; cells: string[] }[]
  dates: DateOrder | undefined
}

/** What whoever imports has corrected. */
export type Correction = {
  [Name in 'encoding' | 'delimiter' | 'sheet' | 'headings' | 'dates']?: Recognized[Name] | undefined
}

/** Throws FileError if the file cannot be read. */
export async function recognize(file: Source, correction: Correction = {}): Promise<Recognized & { source: Source }> {
  const { dates } = correction
  if (isWorkbook(await firstBytes(file))) return recognizeWorkbook(file, correction)
  const encoding = correction.encoding ?? (await detectEncoding(file))
  const text = inUtf8(file, encoding)
  const { delimiter: corrected } = correction
  const source = { ...text, ...(corrected !== undefined && { delimiter: corrected }), ...(dates && { dates }) }
  const headings = await recognizeHeadings(source, correction)
  const { delimiter, rows } = await openFile(headings.source)
  await rows.return(undefined)
  return { kind: 'text', encoding, delimiter, sheets: [], sheet: '', dates, ...headings }
}

/** Above the headings there may be a title. The headings are in the row of which most cells name a field. */
async function recognizeHeadings(
  source: Source,
  { headings: corrected }: Correction,
): Promise<Pick<Recognized, 'headings' | 'firstRows'> & { source: Source }> {
  const rows = await firstRows(source, HEADING_ROWS)
  const counts = rows.map(({ cells }) => namedFields(cells))
  const most = Math.max(...counts)
  const likely = rows[most > 1 ? counts.indexOf(most) : 0]?.line ?? 0
  const headings = corrected ?? likely
  return { headings, firstRows: rows, source: headings > 1 ? { ...source, headings } : source }
}

function namedFields(cells: string[]): number {
  const { fields, unclear } = guessColumns(cells, 'csv', [])
  return Object.values(fields).filter((field) => field !== NO_FIELD).length + unclear.length
}

async function recognizeWorkbook(file: Source, correction: Correction): Promise<Recognized & { source: Source }> {
  const { sheet, dates } = correction
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
  return {
    kind: 'workbook',
    encoding: 'utf-8',
    delimiter,
    ...read,
    dates,
    ...(await recognizeHeadings(source, correction)),
  }
}

/** A title of more rows is rare, and more of them would be too many to choose from. */
const HEADING_ROWS = 10
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
