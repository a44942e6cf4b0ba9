/**
 * A file as rows, with the line on which each begins. The rules of RFC 4180 are csv-parse's: it streams, refuses what is
 * malformed instead of guessing, and speaks web streams, so that Node and a browser run the same code. (Papa Parse takes
 * a stray quote as text and reads on; uDSV wants one kind of line end throughout. A bundler for browsers has to put the
 * globals for `node:stream/web`, and the package `buffer`.)
 */
import { CsvError, parse } from 'csv-parse/stream'
import { isObject, parseExactly } from '../src/json.ts'
import { bomLength, FileError, joined, placeOf, readUtf8, type Source } from './source.ts'

export interface CsvRow {
  line: number
  cells: string[]
}

export interface JsonRow {
  line: number
  object: Record<string, unknown>
}

export type Row = CsvRow | JsonRow

export interface Opened {
  format: 'csv' | 'ndjson'
  /** Of a CSV file. */
  delimiter: string
  hasBom: boolean
  /** Of a CSV file; empty of NDJSON, whose rows name their own fields. */
  header: string[]
  rows: AsyncGenerator<Row>
}

/** A longer row is a quote that was never closed: without a limit it would be the rest of the file, in memory. */
const MAX_ROW_BYTES = 1_048_576
/** How far to look for the end of the header. */
const MAX_HEAD_BYTES = 65_536
const DELIMITERS = [',', ';', '\t']

const MALFORMED: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${MAX_ROW_BYTES} bytes; perhaps a quote is never closed`,
  INVALID_OPENING_QUOTE:
    'a quote stands inside a value; put the whole value in quotes, and write each quote in it twice',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; a quote inside of a value must be written twice',
}

/** Reads as far as the header. Throws FileError, and so do the rows, for what is not a file of this kind. */
export async function openFile(source: Source): Promise<Opened> {
  const chunks = readUtf8(source)
  const head = await readHead(chunks)
  const bom = bomLength(head)
  const text = new TextDecoder().decode(head)
  const bytes = startingWith(head.subarray(bom), chunks)
  const start = text.trimStart().charAt(0)
  if (start === '') throw new FileError(1, ': the file is empty')
  if (start === '[') throw new FileError(1, ': a JSON array cannot be streamed; write one object on each line')
  const common = { hasBom: bom > 0 }
  if (start === '{') return { ...common, format: 'ndjson', delimiter: '', header: [], rows: readNdjson(bytes) }

  const delimiter = delimiterOf(text)
  const rows = readCsv(source, bytes, delimiter, bom)
  const first = await rows.next()
  if (first.done) throw new FileError(1, ': the file is empty')
  return { ...common, format: 'csv', delimiter, header: first.value.cells, rows: ofWidth(rows, first.value.cells) }
}

/** The most frequent of the three in the first line, outside of quotes; a file of one column has none. */
export function delimiterOf(text: string): string {
  const [line = ''] = text
    .replace(/^[\r\n]+/, '')
    .replaceAll(/"[^"]*"?/g, '')
    .split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

async function* readCsv(
  source: Source,
  bytes: AsyncGenerator<Uint8Array>,
  delimiter: string,
  bomBytes: number,
): AsyncGenerator<CsvRow> {
  const csv = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
  })
  const reader = streamOf(bytes).pipeThrough(csv).getReader()
  let line = 1
  try {
    for (;;) {
      const { done, value }: { done: boolean; value?: string[] | undefined } = await reader.read()
      if (done || value === undefined) return
      // csv-parse counts a CRLF inside of quotes as two lines.
      const next = line + 1 + value.reduce((sum, cell) => sum + lineBreaks(cell), 0)
      if (value.length > 1 || value[0] !== '') yield { line, cells: value }
      line = next
    }
  } catch (error) {
    // The rows before the bad one may still have been in the queue: "bytes" is where the value before the bad one ends.
    if (!(error instanceof CsvError)) throw error
    const { line: at } = await placeOf(source, Number(error['bytes'] ?? 0) + bomBytes)
    throw new FileError(at, `, column ${Number(error['index'] ?? 0) + 1}: ${MALFORMED[error.code] ?? error.message}`)
  } finally {
    // A reader that stopped early: the file is closed. One that has ended or failed has nothing left to cancel.
    await reader.cancel().catch(() => {})
  }
}

async function* ofWidth(rows: AsyncGenerator<CsvRow>, header: string[]): AsyncGenerator<CsvRow> {
  for await (const row of rows) {
    const { length } = row.cells
    if (length !== header.length) {
      const where = length < header.length ? `column ${length + 1} (${header[length]})` : `column ${header.length + 1}`
      throw new FileError(
        row.line,
        `, ${where}: the row has ${length} ${length === 1 ? 'value' : 'values'}, the header ${header.length}`,
      )
    }
    yield row
  }
}

async function* readNdjson(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<JsonRow> {
  let number = 0
  for await (const text of readLines(bytes)) {
    number++
    if (text.trim() === '') continue
    const object = parseLine(text, number)
    if (!isObject(object)) throw new FileError(number, ': not a JSON object')
    yield { line: number, object }
  }
}

function parseLine(text: string, line: number): unknown {
  try {
    // Numbers keep the digits with which they were written.
    return parseExactly(text)
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error
    throw new FileError(line, `: not JSON (${error.message})`)
  }
}

async function* readLines(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 1
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    line += lines.length
    yield* lines
    if (rest.length > MAX_ROW_BYTES) throw new FileError(line, `: longer than ${MAX_ROW_BYTES} characters`)
  }
  if (rest !== '') yield rest
}

/** At least the first line, unless it is very long. */
async function readHead(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  let head = joined([])
  while (head.length < MAX_HEAD_BYTES && !/[^\s][^]*[\r\n]/.test(new TextDecoder().decode(head))) {
    const { done, value } = await chunks.next()
    if (done) break
    head = joined([head, value])
  }
  return head
}

async function* startingWith(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  yield* rest
}

/** `ReadableStream.from`, which not every browser has. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

function lineBreaks(cell: string): number {
  return /[\r\n]/.test(cell) ? (cell.match(/\r\n|\r|\n/g)?.length ?? 0) : 0
}
