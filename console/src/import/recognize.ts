/** Finds out how the chosen file is to be read. The operator sees the result and may correct it. */
import { detectEncoding, type Encoding, FileError, inUtf8, openFile, type Source } from './engine.ts'
import { sourceOf } from './file.ts'
import { readWorkbook } from './workbook.ts'

export interface Recognized {
  kind: 'text' | 'workbook'
  encoding: Encoding
  /** Is empty for NDJSON. */
  delimiter: string
  sheets: string[]
  sheet: string
}

/** What the operator has corrected. */
export type Correction = Partial<Pick<Recognized, 'encoding' | 'delimiter' | 'sheet'>>

/** A workbook is a ZIP archive. */
const ZIP = [0x50, 0x4b, 0x03, 0x04]

/** Throws FileError if the file cannot be read. */
export async function recognize(file: File, correction: Correction): Promise<Recognized & { source: Source }> {
  const start = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer())
  if (ZIP.every((byte, i) => start[i] === byte)) return recognizeWorkbook(file, correction)
  const bytes = sourceOf(file)
  const encoding = correction.encoding ?? (await detectEncoding(bytes))
  const text = inUtf8(bytes, encoding)
  const source = { ...text, ...(correction.delimiter !== undefined && { delimiter: correction.delimiter }) }
  const { delimiter, rows } = await openFile(source)
  await rows.return(undefined)
  return { kind: 'text', encoding, delimiter, sheets: [], sheet: '', source }
}

async function recognizeWorkbook(file: File, { sheet }: Correction): Promise<Recognized & { source: Source }> {
  const delimiter = separatorOfExcel()
  try {
    const { sheets, sheet: read, csv } = await readWorkbook(file, sheet, delimiter)
    const source = { ...sourceOf(csv), delimiter, isSheet: true }
    return { kind: 'workbook', encoding: 'utf-8', delimiter, sheets, sheet: read, source }
  } catch (error) {
    throw new FileError(1, { code: 'workbook', message: error instanceof Error ? error.message : String(error) })
  }
}

/** Where a comma separates decimals, Excel expects semicolons in a CSV file. */
function separatorOfExcel(): string {
  return (1.5).toLocaleString().includes(',') ? ';' : ','
}
