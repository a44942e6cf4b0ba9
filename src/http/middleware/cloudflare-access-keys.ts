/** The public keys with which Cloudflare Access signs its assertions. */
import type { HonoJsonWebKey } from 'hono/utils/jwt/jws'
import { isObject } from '../../lib/json.ts'
import { CLOUDFLARE_ACCESS_KEYS, RETRY_AFTER_SECONDS } from '../../limits.ts'
import { ApiError } from '../errors/api-error.ts'

interface Keys {
  issuer: string
  /** When they were asked for. */
  at: number
  keys: HonoJsonWebKey[]
}

/** The last keys that this instance has received. */
let kept: Keys | undefined

interface Fetch {
  issuer: string
  at: number
  outcome: Promise<Keys>
  isPending: boolean
  /** When it failed. */
  failedAt: number | undefined
}

/** The last fetch, whatever its outcome. Requests that need the same keys at the same time wait for the same fetch. */
let last: Fetch | undefined

interface Wanted {
  /** The origin that publishes the keys. */
  issuer: string
  keyId: string
  now: number
  /** Keeps the fetch running if the client of this request disconnects. */
  waitUntil: (promise: Promise<unknown>) => void
}

/**
 * The key with this id, or undefined if the issuer has none. An unknown id fetches the keys again, but only once a
 * minute, and not right after a fetch that failed: otherwise anybody could make the service fetch them with every
 * request. Throws `service_unavailable` if the keys cannot be fetched and the key is not kept.
 */
export async function findKey({ issuer, keyId, now, waitUntil }: Wanted): Promise<HonoJsonWebKey | undefined> {
  const areKept = kept?.issuer === issuer && isWithin(kept.at, now, CLOUDFLARE_ACCESS_KEYS.keptMs)
  const key = areKept ? keyOf(kept, keyId) : undefined
  if (key) return key
  if (last?.issuer !== issuer || isOver(last, now, areKept)) {
    last = startFetch(issuer, now)
    waitUntil(last.outcome.catch(() => {}))
  }
  return keyOf(await last.outcome, keyId)
}

/** False while the outcome of the last fetch is used again. */
function isOver({ at, isPending, failedAt }: Fetch, now: number, areKept: boolean): boolean {
  if (isPending || (areKept && isWithin(at, now, CLOUDFLARE_ACCESS_KEYS.refetchMs))) return false
  return failedAt === undefined || !isWithin(failedAt, now, CLOUDFLARE_ACCESS_KEYS.retryMs)
}

/** False for a time in the future too, so that a clock that was set back keeps nothing too long. */
function isWithin(at: number, now: number, ms: number): boolean {
  return now >= at && now - at < ms
}

function keyOf(known: Keys | undefined, keyId: string): HonoJsonWebKey | undefined {
  return known?.keys.find(({ kid }) => kid === keyId)
}

function startFetch(issuer: string, at: number): Fetch {
  const started: Fetch = { issuer, at, outcome: fetchKeys(issuer, at), isPending: true, failedAt: undefined }
  const end = () => (started.isPending = false)
  started.outcome
    .then(
      (keys) => (kept = keys),
      () => (started.failedAt = Date.now()),
    )
    .finally(end)
  return started
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
    throw new ApiError('service_unavailable', {
      message: 'The keys of Cloudflare Access are temporarily unavailable; wait as Retry-After says.',
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      failure: 'access_keys_unavailable',
      cause,
    })
  }
}

function toKeys(body: unknown): HonoJsonWebKey[] {
  if (!isObject(body) || !Array.isArray(body['keys'])) throw new Error('not a set of keys')
  return body['keys'].filter(isKey)
}

function isKey(value: unknown): value is HonoJsonWebKey {
  return isObject(value) && typeof value['kid'] === 'string'
}
