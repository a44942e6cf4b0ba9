/** Sends requests until they succeed, as long as sending them again is harmless. */
import { errorOf, RegistrarError } from './error.ts'

export interface RetryOptions {
  /** When to give up, in milliseconds from the first attempt. 0: every request is sent once. */
  deadlineMs?: number
  /** How long to wait for the response to one attempt. */
  timeoutMs?: number
  /** The first pause is at most this long; the maximum doubles with each one, up to 30 seconds. */
  backoffMs?: number
  /** Is called before each pause. */
  onRetry?: (retry: Retry) => void
  fetch?: (request: Request, init: { signal: AbortSignal }) => Promise<Response>
}

/** It has no header of the request, because one of them is the token, and no query, which may contain an email. */
export interface Retry {
  method: string
  /** Without its query. */
  url: string
  error: RegistrarError
  pauseMs: number
}

/** The signal ends a request and its pauses, with its reason. It is not that of the request, which would keep it alive. */
export type Send = (request: Request, signal?: AbortSignal) => Promise<Response>

const MAX_PAUSE_MS = 30_000

/** These operations take a key. */
const TAKES_KEY = /\/(users|product_accesses|extend|bulk_changes|revert)$/
/** These POSTs take no key, and change nothing the second time. */
const REPEATABLE = /\/(batch|verify_password)$/
const KEY = 'X-Idempotency-Key'

/** Throws RegistrarError for every response that is no success, and for none. */
export function retrying(options: RetryOptions): Send {
  const { deadlineMs = 60_000, timeoutMs = 30_000, backoffMs = 500, onRetry, fetch = globalThis.fetch } = options
  return async (request, signal = request.signal) => {
    const isRepeatable = addKey(request)
    const start = Date.now()
    for (let attempt = 0; ; attempt++) {
      const result = await sendOnce(request.clone(), { fetch: (...sent) => fetch(...sent), timeoutMs, signal })
      if (result instanceof Response) return result
      // By chance, so that clients that failed together do not come back together.
      const backoff = Math.random() * Math.min(backoffMs * 2 ** attempt, MAX_PAUSE_MS)
      const pauseMs = (result.retryAfter ?? 0) * 1000 + backoff
      // A 429 is returned before any change; after any other failure the request may have been applied.
      const mayRepeat = result.isTemporary && (isRepeatable || result.status === 429)
      if (!mayRepeat || Date.now() - start + pauseMs >= deadlineMs) throw result
      onRetry?.({ method: request.method, url: request.url.replace(/\?.*$/s, ''), error: result, pauseMs })
      await sleep(pauseMs, signal)
    }
  }
}

/** Adds a key to a request that takes one and has none. Returns whether the request may be sent again although it may have been applied. */
function addKey({ method, url, headers }: Request): boolean {
  // Once applied, such a change would be rejected with 412, as if somebody else had made it.
  if (headers.has('If-Match')) return false
  if (method !== 'POST') return true
  const { pathname } = new URL(url)
  const hasKey = headers.has(KEY) || headers.has('Idempotency-Key')
  if (!hasKey && TAKES_KEY.test(pathname)) headers.set(KEY, crypto.randomUUID())
  return hasKey || TAKES_KEY.test(pathname) || REPEATABLE.test(pathname)
}

type Attempt = Required<Pick<RetryOptions, 'fetch' | 'timeoutMs'>> & { signal: AbortSignal }

/** Returns the response, or why there is none. Throws the reason of an aborted signal. */
async function sendOnce(request: Request, { fetch, timeoutMs, signal }: Attempt): Promise<Response | RegistrarError> {
  signal.throwIfAborted()
  // AbortSignal.timeout stays in memory until its time is over, and a long import would have thousands of them.
  const attempt = new AbortController()
  const timer = setTimeout(() => attempt.abort(), timeoutMs)
  const stop = (): void => attempt.abort(signal.reason)
  signal.addEventListener('abort', stop)
  let isStream = false
  try {
    const response = await fetch(request, { signal: attempt.signal })
    isStream = response.ok && response.headers.get('Content-Type')?.startsWith('text/csv') === true
    return isStream || response.status === 204 ? response : await readJson(response)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof RegistrarError) return error
    const failure = { status: 0, cause: error }
    if (attempt.signal.aborted)
      return new RegistrarError({ ...failure, code: 'timeout', message: `No response within ${timeoutMs} ms.` })
    // Runtimes throw different errors if the network fails, and fetch throws for no other reason.
    return new RegistrarError({ ...failure, code: 'no_response', message: reasonOf(error) })
  } finally {
    clearTimeout(timer)
    // The signal still ends the download of a file.
    if (!isStream) signal.removeEventListener('abort', stop)
  }
}

/** With the causes: Node says only "fetch failed", and what failed is the cause of that. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : 'unknown'
  const code: unknown = Reflect.get(error, 'code')
  // The error of a host with several addresses, as of localhost, has a code and no message.
  const isNamed = typeof code !== 'string' || error.message.includes(code)
  const reason = isNamed ? error.message : `${code} ${error.message}`.trim()
  return error.cause === undefined ? reason : `${reason}: ${reasonOf(error.cause)}`
}

/** Reads the whole body, so that one that is cut off is sent again. Throws RegistrarError unless it is a success. */
async function readJson(response: Response): Promise<Response> {
  const text = await response.text()
  const body = parse(text)
  if (!response.ok || body === undefined) throw errorOf(response, body)
  return new Response(text, response)
}

/** Undefined for what the service does not send, such as the page of a proxy: its bodies are objects. */
function parse(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** Throws the reason of an aborted signal. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}
