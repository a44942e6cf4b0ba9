/**
 * A file of the API, which asks for the token in a header, so that no plain link can fetch it. It goes straight to the
 * disk where the browser can do that; elsewhere it is gathered first and handed over whole. What was cut on the way
 * is never left as a file that looks like the whole.
 */
import { Failure } from '../../api/failure.ts'

/** A stream that says nothing for so long has lost its connection. */
const SILENCE_MS = 60_000

interface Picked {
  createWritable: () => Promise<FileSystemWritableFileStream>
  getFile: () => Promise<File>
  remove?: () => Promise<void>
}

declare global {
  interface Window {
    /** Chromium and its kin. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<Picked>
  }
}

/** Where the bytes go. */
export interface Target {
  write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  /** All is there. */
  finish: () => Promise<void>
  /** Nothing of it is kept. */
  discard: () => Promise<void>
}

/** Asks where to save; undefined: the reader chose nothing. To be called by a click: a browser asks for nothing else. */
export async function openTarget(name: string): Promise<Target | undefined> {
  if (globalThis.window.showSaveFilePicker === undefined) return memoryTarget(name)
  try {
    const file = await globalThis.window.showSaveFilePicker({ suggestedName: name })
    return await diskTarget(file)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}

async function diskTarget(file: Picked): Promise<Target> {
  const stream = await file.createWritable()
  return {
    write: (chunk) => stream.write(chunk),
    finish: () => stream.close(),
    discard: async () => {
      await stream.abort()
      // The picker has made an empty file, or emptied the one that was there.
      if ((await file.getFile()).size === 0) await file.remove?.()
    },
  }
}

function memoryTarget(name: string): Target {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  return {
    write: async (chunk) => {
      chunks.push(chunk)
    },
    finish: async () => {
      const url = URL.createObjectURL(new Blob(chunks, { type: 'text/csv;charset=utf-8' }))
      const link = document.createElement('a')
      link.href = url
      link.download = name
      link.click()
      // The browser begins to read it after the click.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    },
    discard: async () => {
      chunks.length = 0
    },
  }
}

interface Copy {
  /** Asks the API, and gives the signal on: the client's own limit of time is too short for a large file. */
  request: (signal: AbortSignal) => Promise<Response>
  target: Target
  signal: AbortSignal
  onBytes: (bytes: number) => void
}

/** Throws a Failure, or the signal's reason; the target is then empty again. */
export async function copyTo({ request, target, signal, onBytes }: Copy): Promise<number> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  let response: Response | undefined
  try {
    listen()
    response = await request(AbortSignal.any([signal, silence.signal]))
    let bytes = 0
    const reader = response.body?.getReader()
    for (let part; (part = await reader?.read())?.value;) {
      listen()
      await target.write(part.value)
      onBytes((bytes += part.value.length))
    }
    signal.throwIfAborted()
    clearTimeout(timer)
    await target.finish()
    return bytes
  } catch (error) {
    await target.discard()
    if (signal.aborted) throw signal.reason
    if (error instanceof Failure || response === undefined) throw error
    throw cutFailure(error, response)
  } finally {
    clearTimeout(timer)
  }
}

function cutFailure(error: unknown, { status, headers }: Response): Failure {
  const requestId = headers.get('X-Request-Id')
  return new Failure({
    status,
    // A disk that is full says so itself.
    code: error instanceof DOMException && error.name !== 'AbortError' ? 'not_written' : 'cut',
    message: error instanceof Error ? error.message : String(error),
    ...(requestId !== null && { requestId }),
  })
}
