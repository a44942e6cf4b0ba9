import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import type { Created, IdempotencyKey, Operation } from '../domain/idempotency/claims.ts'
import { fingerprint, keyHmac } from '../domain/idempotency/fingerprints.ts'
import { readReplay, writeReplay } from '../domain/idempotency/replays.ts'
import { usableKeys } from '../domain/tokens/token-format.ts'
import { parseDigits } from '../json.ts'

interface Create<Row> {
  operation: Operation
  create: (key: IdempotencyKey | undefined) => Promise<Created<Row>>
  /** The serializer of the version. */
  toJson: (row: Row) => object
  toEtag?: (row: Row) => string
}

/** Responds 201 with the created record, or with the response that the same key and request got before. */
export async function respondCreate<Row extends { id: number }>(
  c: Context<AppEnv>,
  { operation, create, toJson, toEtag }: Create<Row>,
): Promise<Response> {
  const sent = c.get('idempotencyKey')
  const secrets = sent === undefined ? [] : requestSecrets(c.env)
  const key = sent === undefined ? undefined : await keyOf(c, { operation, key: sent }, secrets)
  const { row, replayedFingerprint } = await create(key)
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (replayedFingerprint !== null) {
    c.set('replayed', true)
    const stored = await readReplay(c.env.REPLAYS, secrets, { fingerprint: replayedFingerprint, record_id: row.id })
    return c.body(stored ?? JSON.stringify(toJson(row)), 201, { ...headers, 'Idempotent-Replayed': 'true' })
  }
  const response = JSON.stringify(toJson(row))
  const [newestSecret] = secrets
  if (key && newestSecret !== undefined) {
    const replay = { fingerprint: key.fingerprint, record_id: row.id }
    c.executionCtx.waitUntil(writeReplay(c.env.REPLAYS, newestSecret, replay, response))
  }
  return c.body(response, 201, toEtag ? { ...headers, ETag: toEtag(row) } : headers)
}

/**
 * The keys of fingerprints and other HMACs of requests, the newest first: the token keys. Without TOKEN_KEY only the
 * root can call the service, and ADMIN_TOKEN is used.
 */
export function requestSecrets(env: AppEnv['Bindings']): string[] {
  const keys = usableKeys(env)
  return keys.length > 0 ? keys : [env.ADMIN_TOKEN ?? '']
}

async function keyOf(
  c: Context<AppEnv>,
  sent: Pick<IdempotencyKey, 'operation' | 'key'>,
  secrets: string[],
): Promise<IdempotencyKey> {
  const body = parseDigits(await c.req.text())
  const caller = c.get('caller').id
  const [key = '', other_key = null] = secrets.map((secret) => keyHmac(secret, caller, sent.key))
  const [newest = '', other_fingerprint = null] = secrets.map((secret) => fingerprint(secret, caller, body))
  return { operation: sent.operation, key, fingerprint: newest, other_key, other_fingerprint }
}
