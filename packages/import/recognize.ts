/** Finds out how a file is to be read. Whoever imports sees the result, and may correct it. */
import { isArchive, isContainer } from './archive.ts'
import { detectEncoding, inUtf8 } from './encoding.ts'
import { FileError } from './file-error.ts'
import { guessColumns, NO_FIELD } from './headings.ts'
import { otherText } from './other-formats.ts'
import { firstRows, openFile } from './read.ts'
import { concat, type DateOrder, type Source } from './source.ts'
import type { Workbook, WorkbookOptions } from './workbook.ts'

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
  /** Whether the hidden rows of a sheet are read, too. */
  hiddenRows: boolean
  /** Whether a workbook may be larger than one that is safe to unpack. */
  largeFile: boolean
}

/** Reads a workbook, in a browser in another thread. */
export type OpenWorkbook = (file: Source, options: WorkbookOptions) => Promise<Workbook>

/** What whoever imports has corrected. */
export type Correction = {
  [Name in 'encoding' | 'delimiter' | 'sheet' | 'headings' | 'dates' | 'hiddenRows' | 'largeFile']?:
    | Recognized[Name]
    | undefined
}

/** Throws FileError if the file cannot be read. */
export async function recognize(
  file: Source,
  correction: Correction = {},
  open: OpenWorkbook = openHere,
): Promise<Recognized & { source: Source }> {
  const { dates } = correction
  const first = await firstBytes(file)
  if (isContainer(first)) throw new FileError(1, { code: (await isEncrypted(file)) ? 'password' : 'old_workbook' })
  if (isArchive(first)) return recognizeWorkbook(file, correction, open)
  const format = otherText(first)
  if (format !== undefined) throw new FileError(1, { code: 'other_format', format })
  const encoding = correction.encoding ?? (await detectEncoding(file))
  const text = inUtf8(file, encoding)
  const { delimiter: corrected } = correction
  const source = { ...text, ...(corrected !== undefined && { delimiter: corrected }), ...(dates && { dates }) }
  const headings = await recognizeHeadings(source, correction)
  const { delimiter, rows } = await openFile(headings.source)
  await rows.return(undefined)
  const sheet = { sheets: [], sheet: '', hiddenRows: false, largeFile: false }
  return { kind: 'text', encoding, delimiter, ...sheet, dates, ...headings }
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

async function recognizeWorkbook(
  file: Source,
  correction: Correction,
  open: OpenWorkbook,
): Promise<Recognized & { source: Source }> {
  const { dates, sheet, hiddenRows = false, largeFile = false } = correction
  const delimiter = separatorOfExcel()
  const { size, rows, ...read } = await open(file, { sheet, hiddenRows, isLarge: largeFile })
  const source = { ...file, size, openSheet: rows, delimiter, ...(dates && { dates }) }
  return {
    kind: 'workbook',
    encoding: 'utf-8',
    delimiter,
    ...read,
    dates,
    hiddenRows,
    largeFile,
    ...(await recognizeHeadings(source, correction)),
  }
}

/** The code that reads workbooks is loaded when it is needed. */
async function openHere(file: Source, options: WorkbookOptions): Promise<Workbook> {
  const { openWorkbook } = await import('./workbook.ts')
  return openWorkbook(file, options)
}

/** A title of more rows is rare, and more of them would be too many to choose from. */
const HEADING_ROWS = 10

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

/** A workbook with a password is a stream of this name in the container; the names are UTF-16. */
async function isEncrypted(file: Source): Promise<boolean> {
  const name = 'EncryptedPackage'.split('').join('\0')
  const decoder = new TextDecoder('latin1')
  let before = ''
  for await (const chunk of file.open()) {
    const text = before + decoder.decode(chunk)
    if (text.includes(name)) return true
    before = text.slice(-name.length)
  }
  return false
}
