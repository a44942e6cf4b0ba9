import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { type Claim, type Created, fingerprint, type Operation } from '../domain/idempotency/claims.ts'
import { readReplay, writeReplay } from '../domain/idempotency/replays.ts'
import { usableKeys } from '../domain/tokens/token-format.ts'
import { parseDigits } from '../json.ts'

interface Create<Row> {
  operation: Operation
  create: (claim: Claim | undefined) => Promise<Created<Row>>
  /** The version's serializer. */
  toJson: (row: Row) => object
  toEtag?: (row: Row) => string
}

/** Answers 201 with the record that is created, or again with what the same key and request were answered. */
export async function answerCreate<Row extends { id: number }>(
  c: Context<AppEnv>,
  { operation, create, toJson, toEtag }: Create<Row>,
): Promise<Response> {
  const key = c.get('idempotencyKey')
  const secrets = key === undefined ? [] : requestSecrets(c.env)
  const [newestSecret = ''] = secrets
  const claim = key === undefined ? undefined : await claimOf(c, { operation, key }, secrets)
  const { row, replayedFingerprint } = await create(claim)
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (replayedFingerprint !== null) {
    c.set('replayed', true)
    const stored = await readReplay(c.env.REPLAYS, secrets, { fingerprint: replayedFingerprint, record_id: row.id })
    return c.body(stored ?? JSON.stringify(toJson(row)), 201, { ...headers, 'Idempotent-Replayed': 'true' })
  }
  const response = JSON.stringify(toJson(row))
  if (claim) {
    const replay = { fingerprint: claim.fingerprint, record_id: row.id }
    c.executionCtx.waitUntil(writeReplay(c.env.REPLAYS, newestSecret, replay, response))
  }
  return c.body(response, 201, toEtag ? { ...headers, ETag: toEtag(row) } : headers)
}

/**
 * With what fingerprints and other MACs of requests are made, the newest first: the token keys. Without TOKEN_KEY only
 * the root can call, and ADMIN_TOKEN serves.
 */
export function requestSecrets(env: AppEnv['Bindings']): string[] {
  const keys = usableKeys(env)
  return keys.length > 0 ? keys : [env.ADMIN_TOKEN ?? '']
}

async function claimOf(
  c: Context<AppEnv>,
  claimed: Pick<Claim, 'operation' | 'key'>,
  secrets: string[],
): Promise<Claim> {
  const body = parseDigits(await c.req.text())
  const [own = '', older = null] = secrets.map((secret) => fingerprint(secret, c.get('caller').id, body))
  return { ...claimed, fingerprint: own, older_fingerprint: older }
}
