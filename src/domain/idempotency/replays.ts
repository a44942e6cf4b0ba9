/**
 * The responses that idempotency keys replay, remembered in KV. KV is eventually consistent and decides nothing:
 * it is read once D1 has said that the key is taken, and believed only with a MAC over this record and response.
 */
import { CLAIM_TTL_SECONDS, REPLAY_READ_TIMEOUT_MS } from '../../limits.ts'
import { log } from '../../log.ts'
import { responseMac } from './fingerprints.ts'
import { isEqual } from '../tokens/token-format.ts'

interface Replay {
  /** Of the claim, as D1 has it. */
  fingerprint: string
  record_id: number
}

/** Of both: equal requests with other keys have the same fingerprint, and may have made records one after the other. */
function keyOf({ fingerprint, record_id }: Replay): string {
  return `${fingerprint}:${record_id}`
}

/** The stored response; undefined when KV lacks it, is slow or down, or holds another. */
export async function readReplay(kv: KVNamespace, secrets: string[], replay: Replay): Promise<string | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(timeout.resolve, REPLAY_READ_TIMEOUT_MS)
  const stored = await Promise.race([
    kv.getWithMetadata<{ mac?: unknown }>(keyOf(replay)).catch(logFailure),
    timeout.promise,
  ])
  clearTimeout(timer)
  const { value, metadata } = stored ?? {}
  const mac = metadata?.mac
  if (!value || typeof mac !== 'string') return undefined
  return secrets.some((secret) => isEqual(mac, responseMac(secret, replay.record_id, value))) ? value : undefined
}

/** Remembers the response as long as the claim counts; a failure costs nothing but the rebuilding. */
export async function writeReplay(kv: KVNamespace, secret: string, replay: Replay, response: string): Promise<void> {
  const metadata = { mac: responseMac(secret, replay.record_id, response) }
  await kv.put(keyOf(replay), response, { expirationTtl: CLAIM_TTL_SECONDS, metadata }).catch(logFailure)
}

/** KV's own messages may hold its key and status codes; nobody needs them. */
function logFailure(): undefined {
  log('warning', { code: 'kv_failed' })
}
