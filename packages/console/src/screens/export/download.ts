/**
 * Downloads a file from the API. A plain link cannot do this, because the API expects the token in a header. Where the
 * browser supports it, the file is written straight to the disk; elsewhere it is collected in memory first. An
 * incomplete file is always discarded, because it would look like a complete one.
 */
import { RegistrarError } from 'registrar-client'

/** If no bytes arrive for this long, the connection counts as lost. */
const STALL_TIMEOUT_MS = 60_000

interface PickedFile {
  createWritable: () => Promise<FileSystemWritableFileStream>
  getFile: () => Promise<File>
  remove?: () => Promise<void>
}

declare global {
  interface Window {
    /** Only browsers based on Chromium have this. */
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<PickedFile>
  }
}

/** Receives the bytes of the file. */
export interface Target {
  write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Must be called when all bytes are written; without it, there is no file. */
  finish: () => Promise<void>
  /** Deletes everything that was written. */
  discard: () => Promise<void>
}

/**
 * Asks where to save the file, and returns undefined if the operator cancels. Call it from a click handler only:
 * browsers reject the picker otherwise.
 */
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

async function diskTarget(file: PickedFile): Promise<Target> {
  const stream = await file.createWritable()
  return {
    write: (chunk) => stream.write(chunk),
    finish: () => stream.close(),
    discard: async () => {
      await stream.abort()
      // The picker has created an empty file, or emptied an existing one. Without this, it would stay.
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
      const url = URL.createObjectURL(new Blob(chunks))
      const link = document.createElement('a')
      link.href = url
      link.download = name
      link.click()
      // The browser reads the URL after the click. Revoked at once, the download would be empty.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    },
    discard: async () => {
      chunks.length = 0
    },
  }
}

/**
 * Sends the request with the given signal, which ends the download, too. A file that is made here calls `onProgress` for
 * what it reads before its first byte, or the connection would count as lost.
 */
export type FileRequest = (signal: AbortSignal, onProgress: () => void) => Promise<Response>

interface CopyOptions {
  request: FileRequest
  target: Target
  signal: AbortSignal
  onBytes: (bytes: number) => void
}

/** Returns the number of bytes. Throws a RegistrarError, or the reason of the signal; the target is then discarded. */
export async function copyTo({ request, target, signal, onBytes }: CopyOptions): Promise<number> {
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), STALL_TIMEOUT_MS)
  }
  let response: Response | undefined
  try {
    restartTimer()
    response = await request(AbortSignal.any([signal, stalled.signal]), restartTimer)
    let bytes = 0
    const reader = response.body?.getReader()
    for (let part; (part = await reader?.read())?.value;) {
      restartTimer()
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
    if (error instanceof RegistrarError || response === undefined) throw error
    throw cutFailure(error, response)
  } finally {
    clearTimeout(timer)
  }
}

function cutFailure(error: unknown, { status, headers }: Response): RegistrarError {
  const requestId = headers.get('X-Request-Id')
  return new RegistrarError({
    status,
    // A full disk is reported as a DOMException with a name of its own.
    code: error instanceof DOMException && error.name !== 'AbortError' ? 'not_written' : 'cut',
    message: error instanceof Error ? error.message : String(error),
    ...(requestId !== null && { requestId }),
  })
}
