/**
 * Streams a list as a CSV file. Each page is read when the previous one has been sent, so a million lines need no more
 * memory than a thousand. Every page checks the authorization again.
 */
import type { Context } from '../../http/hono.ts'
import { Unavailable } from '../../db/database.ts'
import { DomainError } from '../../change/errors.ts'
import { EXPORT } from '../users/limits.ts'
import { describeError, log } from '../../lib/log.ts'
import { lookUpStoreAgain } from '../store-directory/open-store-middleware.ts'
import { inTurn } from '../../http/middleware/turns.ts'
import { type Cell, type CsvFormat, csvLine } from './csv.ts'

interface File<Row, Cursor> {
  header: string[]
  toCells: (row: Row) => Cell[]
  readPage: (limit: number, after: Cursor | undefined) => Promise<{ rows: Row[]; next: Cursor | null }>
  /** How many rows the largest page has. */
  maxPage: number
  format: CsvFormat
}

/** Throws if the first page fails. A later failure cuts the connection, so that a partial file never looks complete. */
export async function respondCsv<Row, Cursor>(c: Context, file: File<Row, Cursor>): Promise<Response> {
  const chunks = readChunks(c, file)
  const first = await chunks.next()
  return c.body(streamOf(first, chunks), 200, { 'Content-Type': 'text/csv; charset=utf-8' })
}

async function* readChunks<Row, Cursor>(c: Context, file: File<Row, Cursor>): AsyncGenerator<Uint8Array, void> {
  const { header, toCells, readPage, format } = file
  // A page with a cell for each of thousands of custom fields would not fit into an isolate.
  const maxPage = Math.min(file.maxPage, Math.ceil(EXPORT.maxCells / header.length))
  const encoder = new TextEncoder()
  let start = format.start + csvLine(header, format)
  let limit = Math.min(EXPORT.firstPage, maxPage)
  let after: Cursor | undefined
  for (let page = 1; ; page++) {
    const readChunk = async () => {
      if (page > 1) await lookUpStoreAgain(c)
      const { rows, next } = await readPage(limit, after)
      const lines = rows.map((row) => csvLine(toCells(row), format))
      return { next, chunk: encoder.encode(start + lines.join('')) }
    }
    const { next, chunk } = await inTurn(c, readChunk, { isAuthorized: page > 1 }).catch((error: unknown) => {
      if (page > 1) logCut(c, error)
      throw error
    })
    if (chunk.length > 0) yield chunk
    if (next === null) return
    limit = Math.min(4 * limit, maxPage)
    after = next
    start = ''
  }
}

function streamOf(first: IteratorResult<Uint8Array, void>, rest: AsyncGenerator<Uint8Array, void>) {
  let next: IteratorResult<Uint8Array, void> | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = next ?? (await rest.next())
        next = undefined
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await rest.return()
      },
    },
    // Without this, the stream would read a page before the client asks for it.
    { highWaterMark: 0 },
  )
}

/** Logs a failure after the response began: the log line of the request has been written by then. */
function logCut(c: Context, error: unknown): void {
  const failure = error instanceof Unavailable ? error.failure : undefined
  const code = error instanceof DomainError ? error.code : undefined
  log('warning', {
    code: 'answer_cut',
    request_id: c.get('requestId'),
    failure: failure ?? code,
    error: failure === undefined && code === undefined ? describeError(error) : undefined,
  })
}
