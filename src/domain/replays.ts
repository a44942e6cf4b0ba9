/**
 * The responses that idempotency keys replay, remembered in KV. KV is eventually consistent and decides nothing:
 * it is read once D1 has said that the key is taken, and believed only with a MAC over this user and response.
 */
import { CLAIM_TTL_SECONDS, REPLAY_READ_TIMEOUT_MS } from '../limits.ts'
import { type Claim, isSameMac, responseMac } from './idempotency-keys.ts'

interface Replay {
  /** Its fingerprint is the key in KV: of the requests with one fingerprint, one can have created a user. */
  claim: Claim
  /** The access token as sent: the key of the MAC. */
  token: string
  user_id: number
}

/** The stored response; undefined when KV lacks it, is slow or down, or holds another. */
export async function readReplay(kv: KVNamespace, replay: Replay): Promise<string | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(timeout.resolve, REPLAY_READ_TIMEOUT_MS)
  const stored = await Promise.race([
    kv.getWithMetadata<{ mac?: unknown }>(replay.claim.fingerprint).catch(logFailure),
    timeout.promise,
  ])
  clearTimeout(timer)
  const { value, metadata } = stored ?? {}
  if (!value || typeof metadata?.mac !== 'string') return undefined
  return isSameMac(metadata.mac, responseMac(replay.token, replay.user_id, value)) ? value : undefined
}

/** Remembers the response as long as the claim counts; a failure costs nothing but the rebuilding. */
export async function writeReplay(kv: KVNamespace, replay: Replay, response: string): Promise<void> {
  const metadata = { mac: responseMac(replay.token, replay.user_id, response) }
  await kv.put(replay.claim.fingerprint, response, { expirationTtl: CLAIM_TTL_SECONDS, metadata }).catch(logFailure)
}

/** KV's messages hold status codes and its key, which is a MAC. */
function logFailure(error: unknown): undefined {
  console.warn(JSON.stringify({ warning: 'kv_failed', message: error instanceof Error ? error.message : 'unknown' }))
}
