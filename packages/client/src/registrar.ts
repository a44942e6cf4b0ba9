import createClient, { createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import { type FollowOptions, followEvents } from './feed.ts'
import { type RetryOptions, retrying } from './retries.ts'
import type { List, Method } from './types.ts'
import { VERSION } from './version.ts'

export interface RegistrarOptions extends RetryOptions {
  /** The address of the service. A path in it, such as that of a gateway, is kept. */
  url: string
  /** Is sent with each request that has no `Authorization` of its own. A function is called for each request. */
  token?: string | undefined | (() => Token | Promise<Token>)
}

type Token = string | null | undefined

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
const USER_AGENT = `registrar-client/${VERSION}`

/** Throws RangeError for a URL to which a token must not be sent. */
export function createRegistrar({ url, token, ...options }: RegistrarOptions): Registrar {
  const base = safeBase(url)
  const retry = retrying(options)
  // A redirect would turn a POST into a GET, and could send the token to another host.
  const init = { redirect: 'manual' } as const

  async function ownToken(): Promise<Token> {
    const own: unknown = await (typeof token === 'function' ? token() : token)
    if (typeof own === 'string' || own === null || own === undefined) return own
    throw new TypeError('the token must be a string, or a function that returns one')
  }

  async function send(request: Request, signal?: AbortSignal): Promise<Response> {
    const { headers } = request
    // Without a slash, a path would be the end of the host's name, and the host of that name would get the token.
    if (!request.url.startsWith(`${base}/`))
      throw new RangeError('the path must begin with a slash and stay below the url')
    // Servers drop an empty header, so a program that lacks the ETag would overwrite what others have changed.
    if (headers.get('If-Match') === '') throw new RangeError('If-Match is empty: send the ETag of the record')
    // The log of a proxy shows which versions are in use. A browser may send its own name instead.
    if (!headers.has('User-Agent')) headers.set('User-Agent', USER_AGENT)
    const own = headers.has('Authorization') ? undefined : await ownToken()
    if (own) headers.set('Authorization', `Bearer ${own}`)
    return retry(request, signal)
  }

  async function follow(given: FollowOptions): Promise<void> {
    const root = (await ownToken())?.startsWith('rgs_') === true ? '/v1' : '/admin'
    const path = root + eventsOf(given)
    return followEvents((query) => fetch(`${path}?${query}`, { signal: given.signal ?? null }), given)
  }

  const fetch = (path: string, { signal, ...given }: RequestInit = {}): Promise<Response> =>
    send(new Request(base + path, { ...init, ...given }), signal ?? undefined)

  const client = createClient<PagePaths>({
    ...init,
    baseUrl: base,
    pathSerializer: safePath,
    querySerializer: serializeQuery,
    fetch: (request) => send(request),
  })
  const registrar = {
    ...client,
    fetch,
    list: (path: string, given?: object) => listAll(client, path, given),
    followEvents: (given: FollowOptions) => {
      // Throws at once for a store that is no id.
      eventsOf(given)
      return follow(given)
    },
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- openapi-fetch returns errors, which `send` throws
  return registrar as unknown as Registrar
}

function eventsOf({ store }: FollowOptions): string {
  return safePath('/stores/{store}/events', { store })
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
function safeBase(url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(new URL(url).protocol))
    throw new RangeError(`"${url}" is not an http(s) URL`)
  const { origin, protocol, hostname, pathname, search, hash, username, password } = new URL(url)
  // The URL itself is not shown, because what is wrong in it may be a secret.
  if (search || hash || username || password)
    throw new RangeError('the url must have no query, no fragment, no user and no password')
  const base = origin + pathname.replace(/\/+$/, '')
  if (protocol === 'https:' || origin === Reflect.get(globalThis, 'location')?.origin) return base
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return base
  throw new RangeError(`over http to ${hostname}, others could read the token on the way; use https`)
}
