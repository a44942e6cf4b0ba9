/** The API, through the client that integrators use (packages/client/). */
import { createRegistrar, type Schemas } from 'registrar-client'
import { accessEnded, edgeFailure, isOfEdge } from './failure.ts'
import { longNumbersAsTexts } from './long-numbers.ts'
import { storedToken } from './token.ts'

export type { Schemas }

const sessionEndedListeners = new Set<() => void>()

/** Calls the listener whenever the service rejects the token with 401. Returns a function that removes the listener. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEndedListeners.add(listener)
  return () => sessionEndedListeners.delete(listener)
}

/** Throws what Cloudflare answers instead of the service. */
export async function fetchOfService(request: Request, { signal }: { signal: AbortSignal }): Promise<Response> {
  const response = await fetch(request, { cache: 'no-store', signal })
  if (isOfAccess(response)) throw accessEnded()
  if (isOfEdge(response)) throw await edgeFailure(response)
  return response
}

const OPTIONS = {
  url: globalThis.location.origin,
  // Without a token, Cloudflare Access identifies the operator.
  token: storedToken,
  fetch: async (request: Request, init: { signal: AbortSignal }) => {
    const response = await fetchOfService(request, init)
    // A request of before the sign-in, or one that tries another token, says nothing about this session.
    const isOurs = request.headers.get('Authorization') === ownAuthorization()
    if (response.status === 401 && isOurs) sessionEndedListeners.forEach((listener) => listener())
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true
    return isJson ? new Response(longNumbersAsTexts(await response.text()), response) : response
  },
}

/** Queries are repeated by TanStack Query, which shows meanwhile what it has, and changes by the operator. */
export const api = createRegistrar({ ...OPTIONS, deadlineMs: 0 })

/** For many requests in a row, which the operator cannot repeat one by one. */
export const apiWithRetries = createRegistrar(OPTIONS)

/**
 * Cloudflare Access redirects every request to its sign-in when its session has ended, and the API never redirects. A
 * browser that followed would fail as if the service was down, because the sign-in has another origin. Any other page is
 * one of Access only while it signs the operator in: with a token, a new sign-in would change nothing. From 500 on, a page
 * is an error page of Cloudflare's edge.
 */
function isOfAccess({ type, status, url, headers }: Response): boolean {
  if (type === 'opaqueredirect' || url.includes('/cdn-cgi/access')) return true
  const isPage = headers.get('Content-Type')?.startsWith('text/html') === true
  return isPage && status < 500 && status !== 429 && storedToken() === null && !headers.has('cf-mitigated')
}

function ownAuthorization(): string | null {
  const token = storedToken()
  return token === null ? null : `Bearer ${token}`
}

/** Returns the body of the response. */
export async function bodyOf<T>(call: Promise<{ data: T }>): Promise<T> {
  return (await call).data
}

/**
 * Returns the body and its ETag. If a change sends the ETag as `If-Match`, it is rejected with 412 when someone else
 * has changed the record since; without it, that change would be overwritten.
 */
export async function withEtag<T>(call: Promise<{ data: T; response: Response }>): Promise<{ body: T; etag: string }> {
  const { data, response } = await call
  return { body: data, etag: response.headers.get('ETag') ?? '' }
}
