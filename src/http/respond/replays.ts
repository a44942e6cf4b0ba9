/**
 * The responses of idempotency keys, kept in KV for replays. KV is eventually consistent, so it decides nothing: it is read
 * after the database has reported a replay, and a response counts only with an HMAC over this event and its bytes. Keys,
 * requests and responses have keyed HMACs, so whoever reads the database or KV cannot test guesses with them.
 */
import { hmac } from '../../lib/hmac.ts'
import { jsonText } from '../../lib/json.ts'
import { CLAIM_TTL_SECONDS } from '../../limits.ts'
import { log } from '../../lib/log.ts'
import { waitAtMost } from '../../lib/pause.ts'
import { isEqual } from '../../auth/token-format.ts'

/**
 * An idempotency key as it is stored. Callers put order numbers and emails into their keys, and a claim outlives the
 * erasure of its user. Without the caller in it, whoever has a token and reads the database could test guesses of another
 * caller's keys by sending them.
 */
export function keyHmac(secret: string, callerId: number, key: string): string {
  return hmac(secret, `idempotency_key:${callerId}:${key}`)
}

/**
 * Equal for two bodies of one caller that are equal as parsed (`parseDigits`), also after the token was rotated. It may
 * contain a password, of which whoever has the fingerprint must not be able to test guesses.
 */
export function fingerprint(secret: string, callerId: number, body: unknown): string {
  return hmac(secret, `request:${callerId}:${jsonText(body, { sortKeys: true })}`)
}

/** Proves that a stored response belongs to the event that the key stands for: that of a new record has its id. */
function responseMac(secret: string, claimed: number, response: string): string {
  return hmac(secret, `response:${claimed}:${response}`)
}

/** If KV takes longer than this, the response is rebuilt from the record, which the database has already returned. */
const REPLAY_READ_TIMEOUT_MS = 250

interface Replay {
  /** The fingerprint of the claim in the database. */
  fingerprint: string
  /** The event that the key stands for. */
  claimed: number
}

/** Equal requests with different keys have the same fingerprint, so the KV key contains the event as well. */
function keyOf(replay: Replay): string {
  return `${replay.fingerprint}:${replay.claimed}`
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
