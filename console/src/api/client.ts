/** Calls of the API, typed by its own OpenAPI document (`npm run generate:console` makes schema.d.ts of it). */
import createClient from 'openapi-fetch'
import { failureOf } from './failure.ts'
import type { components, paths } from './schema.d.ts'
import { storedToken } from './token.ts'

export type Schemas = components['schemas']

/** A screen that waits longer than this for an answer says so instead. */
const PATIENCE_MS = 30_000

const sessionEnded = new Set<() => void>()

/** Told when the service no longer takes the token. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEnded.add(listener)
  return () => sessionEnded.delete(listener)
}

export const api = createClient<paths>({
  baseUrl: globalThis.location.origin,
  cache: 'no-store',
  fetch: (request: Request) =>
    fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]) }),
})

api.use({
  onRequest({ request }) {
    const token = storedToken()
    if (token !== null && !request.headers.has('Authorization')) request.headers.set('Authorization', `Bearer ${token}`)
    return request
  },
  async onResponse({ response }) {
    if (response.ok) return
    const text = await response.text()
    const failure = failureOf(response, parsed(text))
    if (failure.status === 401) sessionEnded.forEach((listener) => listener())
    throw failure
  },
})

interface Answered<T> {
  data?: T | undefined
  response: Response
}

/** The body of a success; a Failure is thrown for everything else. */
export async function bodyOf<T>(call: Promise<Answered<T>>): Promise<T> {
  return (await withEtag(call)).body
}

/** The body, and the state that it shows: sent as `If-Match`, a change is refused (412) when somebody was quicker. */
export async function withEtag<T>(call: Promise<Answered<T>>): Promise<{ body: T; etag: string }> {
  const { data, response } = await call
  if (data === undefined) throw failureOf(response, undefined)
  return { body: data, etag: response.headers.get('ETag') ?? '' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
