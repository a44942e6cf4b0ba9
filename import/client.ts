/**
 * Requests that come through: waits as long as a 429 or 503 says, tries again with growing pauses when nothing or no
 * usable answer comes, and says whether an earlier try may have been carried out all the same.
 */
import { isObject } from '../src/json.ts'

export interface ClientOptions {
  url: string
  store: string
  token: string
  signal?: AbortSignal
  /** Told of each pause. */
  onWait?: (milliseconds: number, reason: string) => void
  /** How long to go on trying without any answer. */
  patienceMs?: number
  /** The first pause; each is up to twice as long as the one before. */
  backoffMs?: number
}

export interface Answer {
  status: number
  body: unknown
  /** The body as it came, where the digits of numbers matter. */
  text: string
  /** When it was given, by the service's clock, in milliseconds. */
  date: number
  /** Seconds, where the answer asks for a pause. */
  retryAfter: number | undefined
  /** An earlier try was sent and its answer lost: it may have been carried out. */
  isRepeated: boolean
}

export interface Client {
  store: string
  /** A store's own token calls /v1; an operator's calls /admin. */
  isStoreToken: boolean
  /** Of the store, for requests of another kind. */
  base: URL
  /** The answer, unless it is a 429 or 5xx. `path` begins after the store's. */
  call: (method: 'GET' | 'POST', path: string, body?: string) => Promise<Answer>
  /** As `call`, the path from the root. */
  callRoot: (method: 'GET' | 'POST', path: string, body?: string) => Promise<Answer>
  pause: (milliseconds: number, reason: string) => Promise<void>
}

/** The service stayed away: what was sent is safe, and the same command goes on later. */
export class GaveUp extends Error {
  override name = 'GaveUp'
}

/** The service says no to the whole request: going on would get the same answer. */
export class Refused extends Error {
  override name = 'Refused'

  constructor(answer: Pick<Answer, 'status' | 'body'> | string) {
    super(typeof answer === 'string' ? answer : describe(answer))
  }
}

const REQUEST_TIMEOUT_MS = 60_000
const MAX_PAUSE_MS = 30_000
const PATIENCE_MS = 10 * 60_000
const BACKOFF_MS = 500
/** Where an answer bears no Date, our own clock, and what it may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000

export function connect(options: ClientOptions): Client {
  const { store, token, signal, onWait, patienceMs = PATIENCE_MS, backoffMs = BACKOFF_MS } = options
  const origin = safeOrigin(options.url)
  const isStoreToken = token.startsWith('rgs_')
  const base = `/${isStoreToken ? 'v1' : 'admin'}/stores/${encodeURIComponent(store)}`

  async function pause(milliseconds: number, reason: string): Promise<void> {
    onWait?.(milliseconds, reason)
    await sleep(milliseconds, signal)
  }

  async function callRoot(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> {
    let isRepeated = false
    let failures = 0
    for (let since = Date.now(); ;) {
      const answer = await tryOnce({ method, url: origin + path, body, token, signal })
      if (typeof answer !== 'string' && answer.status < 500 && answer.status !== 429) return { ...answer, isRepeated }
      const asked = typeof answer === 'string' ? undefined : answer.retryAfter
      const reason = typeof answer === 'string' ? answer : `the service answers ${answer.status}`
      // A 429 comes before any work. After anything else nobody knows.
      if (typeof answer === 'string' || answer.status !== 429) isRepeated = true
      else since = Date.now()
      if (Date.now() - since > patienceMs)
        throw new GaveUp(`Given up: ${reason}, for ${Math.round(patienceMs / 60_000)} minutes.`)
      const growing = Math.min(backoffMs * 2 ** failures++, MAX_PAUSE_MS) * (0.5 + Math.random() / 2)
      await pause(asked === undefined ? growing : asked * 1000, reason)
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

/** What came back, or in words why nothing usable did. Throws the signal's reason once it is aborted. */
async function tryOnce({ method, url, body, token, signal }: Attempt): Promise<Omit<Answer, 'isRepeated'> | string> {
  // Not AbortSignal.timeout: it lives for its whole time, and thousands of them would.
  const attempt = new AbortController()
  const timer = setTimeout(() => attempt.abort(), REQUEST_TIMEOUT_MS)
  const stop = (): void => attempt.abort()
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      // A redirect would turn a POST into a GET, and may lead to another host.
      redirect: 'manual',
      signal: attempt.signal,
      ...(body !== undefined && { body }),
    })
    return await readAnswer(response)
  } catch (error) {
    signal?.throwIfAborted()
    // fetch throws a TypeError when the network fails, a DOMException when stopped; JSON.parse a SyntaxError.
    if (error instanceof TypeError) return `no answer (${causeOf(error)})`
    if (error instanceof DOMException) return `no answer within ${REQUEST_TIMEOUT_MS / 1000} s`
    if (error instanceof SyntaxError) return 'the answer is not JSON'
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function readAnswer(response: Response): Promise<Omit<Answer, 'isRepeated'>> {
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

/** Throws the signal's reason once it is aborted. */
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

/** Throws RangeError for an address to which a token must not be sent. */
function safeOrigin(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) throw new RangeError(`"${url}" is no http(s) address`)
  if (parsed.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname))
    throw new RangeError(`over http to ${parsed.hostname} anybody on the way could read the token; use https`)
  return parsed.origin
}

function describe({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const details = isObject(body) && body['details'] !== undefined ? ` ${JSON.stringify(body['details'])}` : ''
  return `The service answers ${status} ${textIn(body, 'code') ?? ''}: ${textIn(body, 'message') ?? ''}${details}`
}

function causeOf(error: TypeError): string {
  const { cause } = error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.message
}

/** A string in an answer, undefined where there is none of that name. */
export function textIn(value: unknown, field: string): string | undefined {
  const text = isObject(value) ? value[field] : undefined
  return typeof text === 'string' ? text : undefined
}
