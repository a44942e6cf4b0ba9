/** Reads workbooks in a worker, one for each file. */
import { FileError, type OpenWorkbook } from './engine.ts'
import type { Request, Response } from './sheet-messages.ts'

interface Waiting {
  resolve: (response: Response) => void
  reject: (error: unknown) => void
}

/** Each reading of the sheet waits for one answer at a time. */
type Key = number | 'open'

/**
 * The worker lives until the signal is aborted; what waits for it then gets the reason. `onProgress` gets the share of what
 * must be read before the rows.
 */
export function readInWorker(file: Blob, onProgress: (share: number) => void, signal: AbortSignal): OpenWorkbook {
  return async (_, options) => {
    signal.throwIfAborted()
    const { ask, end } = startWorker(onProgress, signal)
    const opened = await ask('open', { code: 'open', file, options })
    if (opened.code !== 'opened') throw new Error(`The worker answered ${opened.code}.`)
    let passes = 0
    return {
      ...opened,
      async *rows() {
        const pass = passes++
        try {
          for (;;) {
            const answer = await ask(pass, { code: 'next', pass })
            if (answer.code !== 'chunk' || answer.chunk === undefined) return
            yield answer.chunk
          }
        } finally {
          end({ code: 'end', pass })
        }
      },
    }
  }
}

function startWorker(onProgress: (share: number) => void, signal: AbortSignal) {
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<Key, Waiting>()
  const failAll = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Response>) => {
    if (data.code === 'progress') {
      onProgress(data.share)
      return
    }
    const key = 'pass' in data && data.pass !== undefined ? data.pass : 'open'
    const found = waiting.get(key)
    waiting.delete(key)
    if (data.code === 'failed') found?.reject(errorOf(data))
    else found?.resolve(data)
  })
  // The script could not be loaded.
  worker.addEventListener('error', ({ message }) => failAll(new Error(message || 'The worker cannot start.')))
  signal.addEventListener(
    'abort',
    () => {
      worker.terminate()
      failAll(signal.reason)
    },
    { once: true },
  )
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have an origin to name
  const post = (request: Request): void => worker.postMessage(request)
  return {
    ask: async (key: Key, request: Request): Promise<Response> => {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        waiting.set(key, { resolve, reject })
        post(request)
      })
    },
    end: post,
  }
}

function errorOf({ line, problem, message }: Extract<Response, { code: 'failed' }>): Error {
  return problem === undefined ? new Error(message) : new FileError(line, problem)
}
