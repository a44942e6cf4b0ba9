/** The public keys with which Cloudflare Access signs its assertions. */
import type { HonoJsonWebKey } from 'hono/utils/jwt/jws'
import { isObject } from '../../lib/json.ts'
import { isWithin, pause } from '../../lib/pause.ts'
import { HOUR_MS, RETRY_AFTER_SECONDS } from '../../limits.ts'
import { ApiError } from '../errors/api-error.ts'

/**
 * How long the keys of Cloudflare Access are kept, how often an unknown key id may fetch them again, and how long after a
 * failure nobody may. Whoever waits for a fetch looks every `pauseMs`, and no longer than `leaseMs`.
 */
const CLOUDFLARE_ACCESS_KEYS = {
  keptMs: HOUR_MS,
  refetchMs: 60_000,
  retryMs: 5000,
  timeoutMs: 5000,
  pauseMs: 10,
  leaseMs: 6000,
} as const

interface Keys {
  issuer: string
  at: number
  keys: HonoJsonWebKey[]
}

/** The last keys that this instance has received. */
let kept: Keys | undefined

interface Fetch {
  issuer: string
  at: number
  isPending: boolean
  failedAt: number | undefined
}

/**
 * The last fetch, whatever its outcome. Requests that need the same keys at the same time wait until it is over. They do not
 * wait for its promise, which belongs to the request that fetches: whoever did would be cancelled.
 */
let last: Fetch | undefined

interface Wanted {
  /** The origin that publishes the keys. */
  issuer: string
  keyId: string
  /** Keeps the fetch running if the client of this request disconnects. */
  waitUntil: (promise: Promise<unknown>) => void
}

/**
 * The key with this id, or undefined if the issuer has none. An unknown id fetches the keys again, but only once a
 * minute, and not right after a fetch that failed: otherwise anybody could make the service fetch them with every
 * request. Throws `service_unavailable` if the keys cannot be fetched and the key is not kept.
 */
export async function findKey({ issuer, keyId, waitUntil }: Wanted): Promise<HonoJsonWebKey | undefined> {
  for (;;) {
    const areKept = kept?.issuer === issuer && isWithin(kept.at, CLOUDFLARE_ACCESS_KEYS.keptMs)
    const key = areKept ? keyOf(kept, keyId) : undefined
    if (key) return key
    if (last?.issuer !== issuer || isOver(last, areKept)) {
      const fetched = fetchAndKeep(issuer)
      waitUntil(fetched.catch(() => {}))
      return keyOf(await fetched, keyId)
    }
    if (!last.isPending) {
      if (last.failedAt !== undefined) throw unavailable()
      return undefined
    }
    await pause(CLOUDFLARE_ACCESS_KEYS.pauseMs)
  }
}

/** False while the outcome of the last fetch is waited for, or used again. */
function isOver({ at, isPending, failedAt }: Fetch, areKept: boolean): boolean {
  // A fetch takes less, unless its request stands still.
  if (isPending) return !isWithin(at, CLOUDFLARE_ACCESS_KEYS.leaseMs)
  if (areKept && isWithin(at, CLOUDFLARE_ACCESS_KEYS.refetchMs)) return false
  return failedAt === undefined || !isWithin(failedAt, CLOUDFLARE_ACCESS_KEYS.retryMs)
}

function keyOf(known: Keys | undefined, keyId: string): HonoJsonWebKey | undefined {
  return known?.keys.find(({ kid }) => kid === keyId)
}

async function fetchAndKeep(issuer: string): Promise<Keys> {
  const at = Date.now()
  const started: Fetch = { issuer, at, isPending: true, failedAt: undefined }
  last = started
  try {
    return (kept = await fetchKeys(issuer, at))
  } catch (error) {
    started.failedAt = Date.now()
    throw error
  } finally {
    started.isPending = false
  }
}

async function fetchKeys(issuer: string, at: number): Promise<Keys> {
  try {
    const response = await fetch(`${issuer}/cdn-cgi/access/certs`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(CLOUDFLARE_ACCESS_KEYS.timeoutMs),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return { issuer, at, keys: toKeys(await response.json()) }
  } catch (cause) {
    // Whatever the reason is, nobody can be checked without the keys.
    throw unavailable(cause)
  }
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The keys of Cloudflare Access are temporarily unavailable; wait as Retry-After says.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    failure: 'access_keys_unavailable',
    cause,
  })
}

/** A set without a key is no answer: it would replace those that are kept, and sign everybody out. */
function toKeys(body: unknown): HonoJsonWebKey[] {
  const keys = isObject(body) && Array.isArray(body['keys']) ? body['keys'].filter(isKey) : []
  if (keys.length === 0) throw new Error('not a set of keys')
  return keys
}

function isKey(value: unknown): value is HonoJsonWebKey {
  return isObject(value) && typeof value['kid'] === 'string'
}
