import createClient, { createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import { type FollowOptions, followEvents } from './feed.ts'
import { type RetryOptions, retrying } from './retries.ts'
import type { List, Method } from './types.ts'

export interface RegistrarOptions extends RetryOptions {
  /** The address of the service. */
  url: string
  /** Is sent with each request that has no `Authorization` of its own. A function is called for each request. */
  token?: string | undefined | (() => string | null)
}

export interface Registrar {
  GET: Method<'get'>
  POST: Method<'post'>
  PUT: Method<'put'>
  PATCH: Method<'patch'>
  DELETE: Method<'delete'>
  /** The records of a list. Its pages are read as they are needed. */
  list: List
  /** Follows the events of a store until the signal is aborted. Throws what `onPage` throws. */
  followEvents: (options: FollowOptions) => Promise<void>
  /** `fetch` with the token and the retries of this client, for files and for bodies whose text matters. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/** What lists have in common. The types of `Registrar` say the rest. */
interface PagePaths {
  [path: string]: { get: { parameters: { query?: Query; path?: Query }; responses: { 200: { content: PageContent } } } }
}
type Query = Record<string, unknown>
interface PageContent {
  'application/json': { data: object[]; next: string | null }
}

type Client = ReturnType<typeof createClient<PagePaths>>

const LIMIT = 100

/** Throws RangeError for a URL to which a token must not be sent. */
export function createRegistrar({ url, token, ...options }: RegistrarOptions): Registrar {
  const origin = safeOrigin(url)
  const retry = retrying(options)
  // A redirect would turn a POST into a GET, and could send the token to another host.
  const init = { redirect: 'manual' } as const
  const ownToken = (): string | null | undefined => (typeof token === 'function' ? token() : token)

  function send(request: Request, signal?: AbortSignal): Promise<Response> {
    const own = ownToken()
    if (own && !request.headers.has('Authorization')) request.headers.set('Authorization', `Bearer ${own}`)
    return retry(request, signal)
  }

  const fetch = (path: string, { signal, ...given }: RequestInit = {}): Promise<Response> =>
    send(new Request(origin + path, { ...init, ...given }), signal ?? undefined)

  const client = createClient<PagePaths>({
    ...init,
    baseUrl: origin,
    pathSerializer: safePath,
    querySerializer: serializeQuery,
    fetch: (request) => send(request),
  })
  const registrar = {
    ...client,
    fetch,
    list: (path: string, given?: object) => listAll(client, path, given),
    followEvents: (given: FollowOptions) => {
      const base = ownToken()?.startsWith('rgs_') === true ? '/v1' : '/admin'
      const path = safePath(`${base}/stores/{store}/events`, { store: given.store })
      return followEvents((query) => fetch(`${path}?${query}`, { signal: given.signal ?? null }), given)
    },
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- openapi-fetch returns errors, which `send` throws
  return registrar as unknown as Registrar
}

/** A parameter `..` would turn the path into that of another operation: `/users/../events` is `/events`. */
function safePath(path: string, params: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(params)) {
    if (/^\.{1,2}$/.test(String(value))) throw new RangeError(`"${String(value)}" cannot be the ${name} of a path`)
  }
  return defaultPathSerializer(path, params)
}

const serialize = createQuerySerializer<Query>()

/** `custom_fields: { department: 'engines' }` is written as `custom_fields.department=engines`. */
function serializeQuery({ custom_fields, ...query }: Query): string {
  const filters = Object.entries(custom_fields ?? {}).map(([key, value]) => [
    `custom_fields.${encodeURIComponent(key)}`,
    value,
  ])
  return serialize({ ...query, ...Object.fromEntries(filters) })
}

async function* listAll(
  client: Client,
  path: string,
  { params, ...rest }: { params?: { query?: Query } } = {},
): AsyncGenerator<object> {
  for (let query: Query = { limit: LIMIT, ...params?.query }; ;) {
    const { data: page } = await client.GET(path, { ...rest, params: { ...params, query } })
    yield* page?.data ?? []
    if (!page?.next) return
    query = { ...query, after: page.next }
  }
}

/** A page may call the service that it came from, whatever the protocol: who could read the token can change the page. */
function safeOrigin(url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(new URL(url).protocol))
    throw new RangeError(`"${url}" is not an http(s) URL`)
  const { origin, protocol, hostname } = new URL(url)
  if (protocol === 'https:' || origin === Reflect.get(globalThis, 'location')?.origin) return origin
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return origin
  throw new RangeError(`over http to ${hostname}, others could read the token on the way; use https`)
}
