/**
 * A list as a file: read page by page, each as the one before has been taken, so that a million lines need no more
 * memory than a thousand. Every page asks again whether the caller may.
 */
import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { Unavailable } from '../db/failures.ts'
import { DomainError } from '../domain/errors.ts'
import { EXPORT } from '../limits.ts'
import { describeError, log } from '../log.ts'
import { type Cell, csvLine } from '../wire/csv.ts'

interface File<Row, Cursor> {
  header: string[]
  toCells: (row: Row) => Cell[]
  readPage: (limit: number, after: Cursor | undefined) => Promise<{ rows: Row[]; next: Cursor | null }>
  forSpreadsheet: boolean
}

/** Throws what speaks against the first page; what fails later cuts the connection, so that a part never looks like the whole. */
export async function respondCsv<Row, Cursor>(c: Context<AppEnv>, file: File<Row, Cursor>): Promise<Response> {
  const chunks = readChunks(c, file)
  const first = await chunks.next()
  return c.body(streamOf(first, chunks), 200, { 'Content-Type': 'text/csv; charset=utf-8' })
}

async function* readChunks<Row, Cursor>(c: Context<AppEnv>, file: File<Row, Cursor>): AsyncGenerator<Uint8Array, void> {
  const { header, toCells, readPage, forSpreadsheet } = file
  const encoder = new TextEncoder()
  let text = csvLine(header)
  let limit: number = EXPORT.firstPage
  let after: Cursor | undefined
  for (let page = 1; ; page++) {
    const { rows, next } = await readPage(limit, after).catch((error: unknown) => {
      if (page > 1) logCut(c, error)
      throw error
    })
    for (const row of rows) text += csvLine(toCells(row), { forSpreadsheet })
    const chunk = encoder.encode(text)
    if (chunk.length > 0) yield chunk
    if (next === null) return
    limit = nextLimit(limit, rows.length, chunk.length)
    after = next
    text = ''
  }
}

/** As many rows as fit in a page's bytes if they are like those of the page before, but no leap. */
function nextLimit(limit: number, rows: number, bytes: number): number {
  const fitting = rows === 0 ? limit : Math.floor((EXPORT.pageBytes * rows) / bytes)
  return Math.max(1, Math.min(4 * limit, EXPORT.maxPage, fitting))
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
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  )
}

/** The line of the request was written when the answer began. */
function logCut(c: Context<AppEnv>, error: unknown): void {
  const failure = error instanceof Unavailable ? error.failure : undefined
  const code = error instanceof DomainError ? error.code : undefined
  log('warning', {
    code: 'answer_cut',
    request_id: c.get('requestId'),
    failure: failure ?? code,
    error: failure === undefined && code === undefined ? describeError(error) : undefined,
  })
}
