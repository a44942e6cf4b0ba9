/**
 * Sends requests until they succeed: it waits as long as a 429 or 503 requests, retries with exponential backoff when
 * there is no usable response, and reports whether an earlier attempt may have been applied.
 */
import { GaveUp } from './request-errors.ts'
import { BadToken, tokenProblem } from './token-text.ts'
import type { WaitReason } from './wait-reason.ts'

export interface ClientOptions {
  url: string
  store: string
  /** If it is empty, none is sent: in a browser, Cloudflare Access identifies the operator. */
  token: string
  signal?: AbortSignal
  /** Is called before each pause. */
  onWait?: (milliseconds: number, reason: WaitReason) => void
  /** The client gives up after this long without a usable response. */
  giveUpAfterMs?: number
  /** The first pause; each one is up to twice as long as the one before. */
  backoffMs?: number
}

export interface ServiceResponse {
  status: number
  body: unknown
  /** The body as text, because parsing loses digits of numbers. */
  text: string
  /** The time of the response by the clock of the service, in milliseconds. */
  date: number
  /** The seconds to wait, if the response requests a pause. */
  retryAfter: number | undefined
  /** True if an earlier attempt was sent and its response lost, so it may have been applied. */
  isRepeated: boolean
}

export interface Client {
  store: string
  /** A token of a store is for /v1, and a token of an operator for /admin. */
  isStoreToken: boolean
  /** The URL of the store, for requests that this client does not support. */
  base: URL
  /** Returns a response that is not a 429 or 5xx. `path` is relative to the store. */
  call: (method: 'GET' | 'POST', path: string, body?: string) => Promise<ServiceResponse>
  /** Does the same as `call` with an absolute path. */
  callRoot: (method: 'GET' | 'POST', path: string, body?: string) => Promise<ServiceResponse>
  pause: (milliseconds: number, reason: WaitReason) => Promise<void>
}

const REQUEST_TIMEOUT_MS = 60_000
const MAX_PAUSE_MS = 30_000
const GIVE_UP_AFTER_MS = 10 * 60_000
const BACKOFF_MS = 500
/** If a response has no Date, the local clock is used, which may be ahead by this much. */
const CLOCK_SKEW_MS = 5 * 60_000

/** Throws RangeError for a URL, and BadToken for a token, that cannot be used. */
export function connect(options: ClientOptions): Client {
  const { store, token, signal, onWait, giveUpAfterMs = GIVE_UP_AFTER_MS, backoffMs = BACKOFF_MS } = options
  const origin = safeOrigin(options.url)
  const badToken = tokenProblem(token)
  if (badToken) throw new BadToken(badToken)
  const isStoreToken = token.startsWith('rgs_')
  const base = `/${isStoreToken ? 'v1' : 'admin'}/stores/${encodeURIComponent(store)}`

  async function pause(milliseconds: number, reason: WaitReason): Promise<void> {
    onWait?.(milliseconds, reason)
    await sleep(milliseconds, signal)
  }

  async function callRoot(method: 'GET' | 'POST', path: string, body?: string): Promise<ServiceResponse> {
    let isRepeated = false
    let failures = 0
    for (let failingSince = Date.now(); ;) {
      const response = await sendOnce({ method, url: origin + path, body, token, signal })
      const isMissing = 'code' in response
      if (!isMissing && response.status < 500 && response.status !== 429) return { ...response, isRepeated }
      const requestedSeconds = isMissing ? undefined : response.retryAfter
      const reason = isMissing ? response : ({ code: 'status', status: response.status } as const)
      // A 429 is returned before any change; after any other failure the request may have been applied.
      if (isMissing || response.status !== 429) isRepeated = true
      else failingSince = Date.now()
      if (Date.now() - failingSince > giveUpAfterMs) throw new GaveUp(reason, Math.round(giveUpAfterMs / 60_000))
      const backoff = Math.min(backoffMs * 2 ** failures++, MAX_PAUSE_MS) * (0.5 + Math.random() / 2)
      await pause(requestedSeconds === undefined ? backoff : requestedSeconds * 1000, reason)
    }
  }

  return {
    store,
    isStoreToken,
    base: new URL(origin + base),
    callRoot,
    pause,
    call: (method, path, body) => callRoot(method, base + path, body),
  }
}

interface Attempt {
  method: string
  url: string
  body: string | undefined
  token: string
  signal: AbortSignal | undefined
}

type NoResponse = Extract<WaitReason, { code: 'no_answer' | 'timeout' | 'not_json' }>

/** Returns the response, or the reason why there is none. Throws the reason of an aborted signal. */
async function sendOnce({
  method,
  url,
  body,
  token,
  signal,
}: Attempt): Promise<Omit<ServiceResponse, 'isRepeated'> | NoResponse> {
  // AbortSignal.timeout stays in memory until its time is over, and a long import would have thousands of them.
  const attempt = new AbortController()
  const timer = setTimeout(() => attempt.abort(), REQUEST_TIMEOUT_MS)
  const stop = (): void => attempt.abort()
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    const response = await fetch(url, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      // A redirect would turn a POST into a GET, and could send the token to another host.
      redirect: 'manual',
      signal: attempt.signal,
      ...(body !== undefined && { body }),
    })
    return await readResponse(response)
  } catch (error) {
    signal?.throwIfAborted()
    // fetch throws a TypeError if the network fails and a DOMException if it is aborted, JSON.parse a SyntaxError.
    if (error instanceof TypeError) return { code: 'no_answer', cause: causeOf(error) }
    if (error instanceof DOMException) return { code: 'timeout', seconds: REQUEST_TIMEOUT_MS / 1000 }
    if (error instanceof SyntaxError) return { code: 'not_json' }
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function readResponse(response: Response): Promise<Omit<ServiceResponse, 'isRepeated'>> {
  const text = await response.text()
  const date = Date.parse(response.headers.get('date') ?? '')
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    status: response.status,
    text,
    body: response.ok || text.startsWith('{') ? JSON.parse(text) : undefined,
    date: Number.isNaN(date) ? Date.now() - CLOCK_SKEW_MS : date,
    retryAfter: Number.isNaN(retryAfter) ? undefined : Math.max(retryAfter, 0),
  }
}

/** Throws the reason of an aborted signal. */
async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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

/** Throws RangeError for a URL to which a token must not be sent. */
function safeOrigin(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) throw new RangeError(`"${url}" is not an http(s) URL`)
  if (parsed.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname))
    throw new RangeError(`over http to ${parsed.hostname}, others could read the token on the way; use https`)
  return parsed.origin
}

function causeOf(error: TypeError): string {
  const { cause } = error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.message
}
