/**
 * The client of the API (packages/client/), for an import: it reports why it waits and whether an earlier attempt may have been
 * applied, and gives up only after a long time without a usable response.
 */
import { createRegistrar, RegistrarError, type Retry, sleep } from 'registrar-client'
import { GaveUp, NoService, Refused } from './request-errors.ts'
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
  /** The first pause is at most this long. */
  backoffMs?: number
  /** Sends each attempt. What it throws, if it is no RegistrarError, is the lack of a response. */
  fetch?: (request: Request, init: { signal: AbortSignal }) => Promise<Response>
}

export interface ServiceResponse {
  body: unknown
  /** Empty if the response has none. */
  etag: string
  /** The body as text, because parsing loses digits of numbers. */
  text: string
  /** The time of the response by the clock of the service, in milliseconds. */
  date: number
  /** The seconds to wait, if the response requests a pause. */
  retryAfter: number | undefined
  /** True if an earlier attempt was sent and its response lost, so it may have been applied. */
  isRepeated: boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Client {
  store: string
  /** A token of a store is for /v1, and a token of an operator for /admin. */
  isStoreToken: boolean
  /** `path` is relative to the store. Throws Refused, GaveUp or NoService. */
  call: (method: Method, path: string, body?: string, ifMatch?: string) => Promise<ServiceResponse>
  /** Does the same as `call` with an absolute path. */
  callRoot: (method: Method, path: string, body?: string, ifMatch?: string) => Promise<ServiceResponse>
  /** Returns a response whose body is a file. Throws Refused, GaveUp or NoService. */
  open: (path: string) => Promise<Response>
  pause: (milliseconds: number, reason: WaitReason) => Promise<void>
}

const REQUEST_TIMEOUT_MS = 60_000
const GIVE_UP_AFTER_MS = 10 * 60_000
/** If a response has no Date, the local clock is used, which may be ahead by this much. */
const CLOCK_SKEW_MS = 5 * 60_000

/** Throws RangeError for a URL, and BadToken for a token, that cannot be used. */
export function connect(options: ClientOptions): Client {
  const { url, store, token, signal, onWait, giveUpAfterMs = GIVE_UP_AFTER_MS, backoffMs = 500, fetch } = options
  const badToken = tokenProblem(token)
  if (badToken) throw new BadToken(badToken)
  const isStoreToken = token.startsWith('rgs_')
  const base = `/${isStoreToken ? 'v1' : 'admin'}/stores/${encodeURIComponent(store)}`
  /** An import sends one request after another. */
  let isRepeated = false
  let isReached = false
  const onRetry = ({ error, pauseMs }: Retry): void => {
    const reason = reasonOf(error)
    // An address at which nobody has listened yet is a mistake, rather than a service that restarts.
    if (!isReached && reason.code === 'no_answer' && reason.cause === 'ECONNREFUSED') throw new NoService(url)
    // A 429 is returned before any change; after any other failure the request may have been applied.
    if (error.status !== 429) isRepeated = true
    onWait?.(pauseMs, reason)
  }
  const registrar = createRegistrar({
    url,
    token,
    deadlineMs: giveUpAfterMs,
    timeoutMs: REQUEST_TIMEOUT_MS,
    backoffMs,
    onRetry,
    ...(fetch && { fetch }),
  })

  async function send(path: string, init: RequestInit): Promise<Response> {
    isRepeated = false
    try {
      const response = await registrar.fetch(path, { ...init, signal: signal ?? null })
      isReached = true
      return response
    } catch (error) {
      if (!(error instanceof RegistrarError)) throw error
      throw error.isTemporary ? new GaveUp(reasonOf(error), Math.round(giveUpAfterMs / 60_000)) : new Refused(error)
    }
  }

  async function callRoot(method: Method, path: string, body?: string, ifMatch?: string): Promise<ServiceResponse> {
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    }
    return readResponse(await send(path, { method, headers, ...(body !== undefined && { body }) }), isRepeated)
  }

  return {
    store,
    isStoreToken,
    callRoot,
    call: (method, path, ...rest) => callRoot(method, base + path, ...rest),
    open: (path) => send(base + path, {}),
    pause: (milliseconds, reason) => {
      onWait?.(milliseconds, reason)
      return sleep(milliseconds, signal)
    },
  }
}

async function readResponse(response: Response, isRepeated: boolean): Promise<ServiceResponse> {
  const text = await response.text()
  const date = Date.parse(response.headers.get('date') ?? '')
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    text,
    // A deletion has none.
    body: text === '' ? undefined : JSON.parse(text),
    // Whoever compresses a response on its way weakens its tag, and the service accepts both.
    etag: (response.headers.get('etag') ?? '').replace(/^W\//, ''),
    date: Number.isNaN(date) ? Date.now() - CLOCK_SKEW_MS : date,
    retryAfter: Number.isNaN(retryAfter) ? undefined : Math.max(retryAfter, 0),
    isRepeated,
  }
}

function reasonOf({ status, code, message, cause }: RegistrarError): WaitReason {
  if (status >= 300) return { code: 'status', status }
  if (status !== 0) return { code: 'not_json' }
  if (code === 'timeout') return { code: 'timeout', seconds: REQUEST_TIMEOUT_MS / 1000 }
  const system = cause instanceof Error ? cause.cause : undefined
  const name = system instanceof Error && 'code' in system ? system.code : undefined
  return { code: 'no_answer', cause: typeof name === 'string' ? name : message }
}
