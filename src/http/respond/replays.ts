/**
 * The responses of idempotency keys, kept in KV for replays. KV is eventually consistent, so it decides nothing: it is read
 * after the database has reported a replay, and a response counts only with an HMAC over this event and its bytes.
 */
import { CLAIM_TTL_SECONDS } from '../../limits.ts'
import { log } from '../../lib/log.ts'
import { waitAtMost } from '../../lib/pause.ts'
import { responseMac } from './fingerprints.ts'
import { isEqual } from '../../auth/token-format.ts'

/** If KV takes longer than this, the response is rebuilt from the record, which the database has already returned. */
export const REPLAY_READ_TIMEOUT_MS = 250

interface Replay {
  /** The fingerprint of the claim in the database. */
  fingerprint: string
  /** The event that the key stands for. */
  claimed: number
}

/** Equal requests with different keys have the same fingerprint, so the KV key contains the event as well. */
function keyOf({ fingerprint, claimed }: Replay): string {
  return `${fingerprint}:${claimed}`
}

/** The stored response; undefined if KV does not have it, is slow or down, or has the response of another event. */
export async function readReplay(kv: KVNamespace, secrets: string[], replay: Replay): Promise<string | undefined> {
  const reading = kv.getWithMetadata<{ mac?: unknown }>(keyOf(replay)).catch(logFailure)
  const stored = await waitAtMost(REPLAY_READ_TIMEOUT_MS, reading)
  const { value, metadata } = stored ?? {}
  const mac = metadata?.mac
  if (!value || typeof mac !== 'string') return undefined
  return secrets.some((secret) => isEqual(mac, responseMac(secret, replay.claimed, value))) ? value : undefined
}

/** Stores the response until the claim expires. If this fails, a replay is rebuilt from the record. */
export async function writeReplay(kv: KVNamespace, secret: string, replay: Replay, response: string): Promise<void> {
  const metadata = { mac: responseMac(secret, replay.claimed, response) }
  await kv.put(keyOf(replay), response, { expirationTtl: CLAIM_TTL_SECONDS, metadata }).catch(logFailure)
}

/** The messages of KV may contain its keys, so they are not logged. */
function logFailure(): undefined {
  log('warning', { code: 'kv_failed' })
}
