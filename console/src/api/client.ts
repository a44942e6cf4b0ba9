/** Calls of the API, typed by its own OpenAPI document (`npm run generate:console` makes schema.d.ts of it). */
import createClient from 'openapi-fetch'
import { accessEnded, failureOf } from './failure.ts'
import type { components, paths } from './schema.d.ts'
import { storedToken } from './token.ts'

export type Schemas = components['schemas']

/** After this time a screen shows a failure. Without a timeout it would show its loader until the browser gives up. */
const REQUEST_TIMEOUT_MS = 30_000

const sessionEndedListeners = new Set<() => void>()

/** Calls the listener whenever the service rejects the token with 401. Returns a function that removes the listener. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEndedListeners.add(listener)
  return () => sessionEndedListeners.delete(listener)
}

export const api = createClient<paths>({
  baseUrl: globalThis.location.origin,
  cache: 'no-store',
  fetch: (request: Request) =>
    fetch(request, {
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    }),
})

api.use({
  onRequest({ request }) {
    const authorization = ownAuthorization()
    if (authorization !== null && !request.headers.has('Authorization'))
      request.headers.set('Authorization', authorization)
    return request
  },
  async onResponse({ request, response }) {
    if (isSignInPage(response)) throw accessEnded()
    if (response.ok) return
    const text = await response.text()
    const failure = failureOf(response, parseJson(text))
    // A request of before the sign-in, or one that tries another token, says nothing about this session.
    const isOurs = request.headers.get('Authorization') === ownAuthorization()
    if (failure.status === 401 && isOurs) sessionEndedListeners.forEach((listener) => listener())
    throw failure
  },
})

/**
 * Cloudflare Access redirects every request to its sign-in when its session has ended, and the API never redirects. A
 * browser that followed would fail as if the service was down, because the sign-in has another origin. From 500 on, a
 * page is an error page of Cloudflare's edge, and a new sign-in would not help.
 */
function isSignInPage({ type, status, headers }: Response): boolean {
  const isPage = headers.get('Content-Type')?.startsWith('text/html') === true
  return type === 'opaqueredirect' || (isPage && status < 500)
}

/** Null without a token: then Cloudflare Access identifies the operator. */
function ownAuthorization(): string | null {
  const token = storedToken()
  return token === null ? null : `Bearer ${token}`
}

interface ApiResult<T> {
  data?: T | undefined
  response: Response
}

/** Returns the body of a successful response, and throws a Failure for every other response. */
export async function bodyOf<T>(call: Promise<ApiResult<T>>): Promise<T> {
  return (await withEtag(call)).body
}

/**
 * Returns the body and its ETag. If a change sends the ETag as `If-Match`, it is rejected with 412 when someone else
 * has changed the record since; without it, that change would be overwritten.
 */
export async function withEtag<T>(call: Promise<ApiResult<T>>): Promise<{ body: T; etag: string }> {
  const { data, response } = await call
  if (data === undefined) throw failureOf(response, undefined)
  return { body: data, etag: response.headers.get('ETag') ?? '' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
