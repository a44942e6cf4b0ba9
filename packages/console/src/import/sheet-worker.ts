/** Reads a workbook beside the page, which would stand still for seconds. It sends rows when the page asks for them. */
import { FileError } from '../../../import/file-error.ts'
import type { SheetChunk } from '../../../import/sheet-source.ts'
import { openWorkbook, type Workbook, type WorkbookOptions } from '../../../import/workbook.ts'
import { sourceOf } from './file-source.ts'
import type { Request, Response } from './sheet-messages.ts'

/** A message costs as much as a hundred rows, and more rows would hold up the page. */
const ROWS = 1000
/** A sheet may have many bytes without a row. */
const BYTES = 1_000_000

let workbook: Workbook | undefined
const passes = new Map<number, AsyncGenerator<SheetChunk>>()

addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data))

async function answer(request: Request): Promise<void> {
  try {
    if (request.code === 'open') await open(request.file, request.options)
    else if (request.code === 'next') await sendChunk(request.pass)
    else {
      await passes.get(request.pass)?.return(undefined)
      passes.delete(request.pass)
    }
  } catch (error) {
    const pass = 'pass' in request && { pass: request.pass }
    const fault = error instanceof FileError ? { line: error.line, problem: error.problem } : { line: 0 }
    send({ code: 'failed', ...pass, ...fault, message: String(error) })
  }
}

async function open(file: Blob, options: WorkbookOptions): Promise<void> {
  workbook = await openWorkbook(sourceOf(file), {
    ...options,
    onProgress: (share) => send({ code: 'progress', share }),
  })
  const { sheets, sheet, size } = workbook
  send({ code: 'opened', sheets, sheet, size })
}

async function sendChunk(pass: number): Promise<void> {
  const rows = passes.get(pass) ?? workbook?.rows()
  if (rows === undefined) throw new Error('No workbook is open.')
  passes.set(pass, rows)
  const first = await rows.next()
  if (first.done) {
    passes.delete(pass)
    send({ code: 'chunk', pass })
    return
  }
  const all = first.value
  const start = all.bytes
  while (all.rows.length < ROWS && all.bytes - start < BYTES) {
    const { done, value } = await rows.next()
    if (done) break
    for (const row of value.rows) all.rows.push(row)
    all.hidden += value.hidden
    all.bytes = value.bytes
  }
  send({ code: 'chunk', pass, chunk: all })
}

function send(response: Response): void {
  postMessage(response)
}
