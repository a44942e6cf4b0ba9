/**
 * Reads a file as rows with their line numbers. csv-parse implements RFC 4180: it streams, rejects malformed input
 * instead of guessing, and uses web streams, so that Node and a browser run the same code. Papa Parse accepts a stray
 * quote as text, and uDSV requires the same line ending everywhere. The price: a bundler for browsers must replace
 * `node:stream/web` with the globals and add the package `buffer`.
 */
import { CsvError, parse } from 'csv-parse/stream'
import { isObject, parseLossless } from '../../src/lib/json.ts'
import { rearming } from './disarm.ts'
import { FileError, type FileProblem } from './file-error.ts'
import { isDatabaseText } from './other-formats.ts'
import type { CellError, OpenSheet } from './sheet-source.ts'
import { bomLength, concat, type DateOrder, positionOf, readUtf8, type Source } from './source.ts'
import { CTRL_Z, trimCell } from './trim.ts'

/** Why a row cannot be sent. The other rows can. */
export interface RowProblem {
  code: 'width' | 'not_json' | 'not_object'
  /** Is empty if the problem concerns no single column. */
  column: string
  explanation: string
}

export interface CsvRow {
  line: number
  cells: string[]
  /** The cells of a sheet that are errors. */
  errors?: CellError[] | undefined
  /** The columns of numbers and booleans of a sheet. Undefined for text files, where nothing is known about types. */
  values?: ReadonlySet<number>
  problem?: RowProblem
}

export interface JsonRow {
  line: number
  object: Record<string, unknown>
  problem?: RowProblem
}

export type Row = CsvRow | JsonRow

export interface Opened {
  format: 'csv' | 'ndjson'
  /** Is empty for NDJSON. */
  delimiter: string
  hasBom: boolean
  /** Is empty for NDJSON, whose rows contain the names of their fields. */
  header: string[]
  /** The number of the row with the headings; 0 for NDJSON. */
  headings: number
  dates?: DateOrder | undefined
  /** That of the store. */
  timeZone?: string
  /** True for a sheet of a workbook, whose cells have types. */
  isSheet: boolean
  rows: AsyncGenerator<Row>
}

/** A longer row means that a quote is never closed. Without a limit, the rest of the file would be read into memory. */
const MAX_ROW_BYTES = 1_048_576
/** So much of the file is read before its format and delimiter are recognized. */
const HEAD_BYTES = 65_536
/** Enough for a title of several lines to be fewer than the rows. */
const SURVEYED_LINES = 100
export const DELIMITERS = [',', ';', '\t', '|']
/** Excel writes this line, which names the separator, and hides it. Other programs append a separator for each column. */
const SEPARATOR_LINE = /^"?sep=(.)"?\1*\s*$/i

const MALFORMED: Record<string, 'quote_not_closed' | 'quote_in_value' | 'text_after_quote'> = {
  CSV_QUOTE_NOT_CLOSED: 'quote_not_closed',
  INVALID_OPENING_QUOTE: 'quote_in_value',
  CSV_INVALID_CLOSING_QUOTE: 'text_after_quote',
}

/** Reads the header. This and the rows throw FileError if the file is malformed. */
export async function openFile(source: Source): Promise<Opened> {
  if (source.openSheet) return openSheet(source, source.openSheet)
  const chunks = readUtf8(source)
  const head = await readHead(chunks)
  const bom = bomLength(head)
  const text = new TextDecoder().decode(head)
  const bytes = startingWith(head.subarray(bom), chunks)
  const start = text.trimStart().charAt(0)
  if (start === '') throw new FileError(1, { code: 'empty' })
  if (start === '[') throw new FileError(1, { code: 'json_array' })
  if (start === '<') throw new FileError(1, { code: 'html' })
  const { dates, timeZone } = source
  const common = { hasBom: bom > 0, dates, isSheet: false, ...(timeZone !== undefined && { timeZone }) }
  if (start === '{' && /^\s*\{\s*[\r\n]/.test(text)) throw new FileError(1, { code: 'json_lines' })
  if (start === '{')
    return { ...common, format: 'ndjson', delimiter: '', headings: 0, header: [], rows: readNdjson(bytes) }

  const separator = SEPARATOR_LINE.exec(text.slice(0, 20).split(/[\r\n]/, 1)[0] ?? '')?.[1]
  const delimiter = source.delimiter ?? separator ?? delimiterOf(text)
  const rows = readCsv(source, bytes, delimiter, bom)
  if (separator !== undefined) await rows.next()
  return { ...common, ...(await withHeadings(source, rows)), format: 'csv', delimiter }
}

async function openSheet(source: Source, open: OpenSheet): Promise<Opened> {
  const { dates, timeZone, delimiter = ',' } = source
  return {
    ...(await withHeadings(source, sheetRows(open))),
    format: 'csv',
    delimiter,
    hasBom: false,
    dates,
    ...(timeZone !== undefined && { timeZone }),
    isSheet: true,
  }
}

async function* sheetRows(open: OpenSheet): AsyncGenerator<CsvRow> {
  let [hidden, count] = [0, 0]
  for await (const chunk of open()) {
    hidden += chunk.hidden
    count += chunk.rows.length
    // `yield*` would wait twice for each row.
    for (const row of chunk.rows) yield row
  }
  if (count === 0 && hidden > 0) throw new FileError(1, { code: 'all_hidden', hidden })
}

async function withHeadings(
  source: Source,
  rows: AsyncGenerator<CsvRow>,
): Promise<Pick<Opened, 'headings' | 'header' | 'rows'>> {
  const { line: headings, cells, errors = [] } = await headingsRow(rows, source.headings)
  const bad = errors.find(({ index }) => cells[index] === '')
  if (bad) throw new FileError(headings, { code: 'workbook', message: `a heading is ${bad.error}`, cell: bad.cell })
  const rearm = rearming(cells)
  const names = rearm(cells).map(trimCell)
  const header = names.slice(0, names.findLastIndex((name) => name !== '') + 1)
  return { headings, header, rows: withWidthOf(rows, header, rearm, source.openSheet && header.length) }
}

async function headingsRow(rows: AsyncGenerator<CsvRow>, line = 1): Promise<CsvRow> {
  for (;;) {
    const { done, value } = await rows.next()
    if (done) throw new FileError(line, { code: line === 1 ? 'empty' : 'no_headings' })
    if (value.line >= line) return value
  }
}

/** Returns the first rows of a CSV file with their numbers; none for NDJSON. */
export async function firstRows(source: Source, count: number): Promise<Pick<CsvRow, 'line' | 'cells'>[]> {
  const { format, header, headings, rows } = await openFile({ ...source, headings: 1 })
  const first = [{ line: headings, cells: header }]
  if (format === 'csv')
    for await (const row of rows) {
      if (first.length === count) break
      if ('cells' in row) first.push({ line: row.line, cells: row.cells.map(trimCell) })
    }
  else await rows.return(undefined)
  return format === 'csv' ? first : []
}

/**
 * The delimiter of which most of the first lines have the same number. A title above the headings may have a comma, and so
 * may the values of a column, but the headings and the rows have as many delimiters as each other.
 */
export function delimiterOf(text: string): string {
  const lines = text.replaceAll(/"[^"]*"?/g, '').split(/\r\n|\r|\n/, SURVEYED_LINES)
  const shapes = DELIMITERS.flatMap((delimiter) =>
    [...Map.groupBy(lines, (line) => line.split(delimiter).length)].map(([columns, { length }]) => ({
      delimiter,
      columns,
      length,
    })),
  )
  const [best] = shapes
    .filter(({ columns }) => columns > 1)
    .toSorted((a, b) => b.length - a.length || b.columns - a.columns)
  return best?.delimiter ?? ','
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
      // csv-parse counts a CRLF inside quotes as two lines, so the lines are counted here.
      const column = delimiter === '\t' ? value.findIndex(isDatabaseText) + 1 : 0
      if (column > 0) throw new FileError(line, { code: 'database_text', column })
      const next = line + 1 + value.reduce((sum, cell) => sum + lineBreaks(cell), 0)
      if (value.some((cell) => trimCell(cell) !== '')) yield { line, cells: value }
      line = next
    }
  } catch (error) {
    // The queue may still contain earlier rows, so `bytes` gives the line: the end of the value before the bad one.
    if (!(error instanceof CsvError)) throw error
    const { line: badLine } = await positionOf(source, Number(error['bytes'] ?? 0) + bomBytes)
    throw new FileError(badLine, problemOf(error, delimiter, Number(error['index'] ?? 0) + 1))
  } finally {
    // If the caller stops early, this closes the file. After the end or an error, cancel throws, and that is ignored.
    await reader.cancel().catch(() => {})
  }
}

function problemOf({ code, message }: CsvError, delimiter: string, column: number): FileProblem {
  if (code === 'CSV_MAX_RECORD_SIZE') return { code: 'row_too_long', column, bytes: MAX_ROW_BYTES }
  const known = MALFORMED[code]
  if (known !== undefined && delimiter === '\t') return { code: 'database_text', column }
  return known === undefined ? { code: 'malformed', column, message } : { code: known, column }
}

async function* withWidthOf(
  rows: AsyncGenerator<CsvRow>,
  header: string[],
  rearm: (cells: string[]) => string[],
  /** A sheet stores no empty cells at the end of a row, so its rows are filled up to this width. */
  width = 0,
): AsyncGenerator<CsvRow> {
  for await (const row of rows) {
    const cells = rearm(row.cells)
    while (cells.length < width) cells.push('')
    const length = Math.max(
      cells.findLastIndex((cell) => trimCell(cell) !== '') + 1,
      Math.min(cells.length, header.length),
    )
    if (length === header.length) {
      yield { ...row, cells: length === cells.length ? cells : cells.slice(0, length) }
      continue
    }
    const explanation = `the row has ${length} ${length === 1 ? 'value' : 'values'}, the header ${header.length}`
    yield { ...row, cells, problem: { code: 'width', column: '', explanation } }
  }
}

async function* readNdjson(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<JsonRow> {
  let line = 0
  for await (const raw of readLines(bytes)) {
    line++
    const text = raw.endsWith(CTRL_Z) ? trimCell(raw) : raw
    if (text.trim() === '') continue
    yield parseLine(text, line)
  }
}

/**
 * The text of a line that cannot be read is kept as its only field, so that the file of failed rows has it. The message of
 * the error is dropped: it quotes the line, which is about a person.
 */
function parseLine(text: string, line: number): JsonRow {
  try {
    // JSON.parse would change digits of numbers.
    const object = parseLossless(text)
    if (isObject(object)) return { line, object }
    return { line, object: { _line_text: text }, problem: problem('not_object', 'not a JSON object') }
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error
    return { line, object: { _line_text: text }, problem: problem('not_json', 'not JSON') }
  }
}

function problem(code: RowProblem['code'], explanation: string): RowProblem {
  return { code, column: '', explanation }
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
    if (rest.length > MAX_ROW_BYTES) throw new FileError(line, { code: 'line_too_long', characters: MAX_ROW_BYTES })
  }
  if (rest !== '') yield rest
}

/** Reads enough to recognize the format and the delimiter. */
async function readHead(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for (let bytes = 0; bytes < HEAD_BYTES; bytes += parts.at(-1)?.length ?? 0) {
    const { done, value } = await chunks.next()
    if (done) break
    parts.push(value)
  }
  return concat(parts)
}

async function* startingWith(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  yield* rest
}

/** Does what `ReadableStream.from` does, which some browsers do not have. */
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
