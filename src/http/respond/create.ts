import type { Context } from '../hono.ts'
import { storeOf } from '../../db/ids.ts'
import { jurisdictionOf } from '../../db/places.ts'
import type { Created, IdempotencyKey, Operation } from '../../change/idempotency-claims.ts'
import { readReplay, writeReplay, fingerprint, keyHmac } from './replays.ts'
import { requestSecrets } from '../../auth/token-format.ts'
import { parseDigits } from '../../lib/json.ts'

interface Create<Row> {
  operation: Operation
  create: (key: IdempotencyKey | undefined) => Promise<Created<Row>>
  toJson: (row: Row) => object
  /** If it is omitted, the record has no ETag. */
  toEtag?: (row: Row) => string
  /** What a repetition with the same key must have in common with the first request, if it is not the body alone. */
  fingerprinted?: unknown
  status?: 200 | 201 | 202
}

/** Responds with the record that was created or changed once, or with the response that the same key and request got before. */
export async function respondCreate<Row extends { id: number }>(
  c: Context,
  { operation, create, toJson, toEtag, fingerprinted, status = 201 }: Create<Row>,
): Promise<Response> {
  const sent = c.get('idempotencyKey')
  const secrets = sent === undefined ? [] : requestSecrets(c.env)
  const key =
    sent === undefined
      ? undefined
      : keyOf(c, { operation, key: sent, secrets, fingerprinted: fingerprinted ?? parseDigits(await c.req.text()) })
  const { row, isNew, claimed, replayedFingerprint } = await create(key)
  const current = { etag: toEtag?.(row) ?? '', body: JSON.stringify(toJson(row)) }
  // KV is global: the response of a store in a jurisdiction would leave it. Its replays are rebuilt.
  const replays = jurisdictionOf(storeOf(row.id)) === null ? c.env.REPLAYS : undefined
  if (replayedFingerprint !== null) {
    c.set('replayed', true)
    const replay = { fingerprint: replayedFingerprint, claimed }
    const stored = replays && (await readReplay(replays, secrets, replay))
    return send(c, status, parseStored(stored) ?? current, { 'Idempotent-Replayed': 'true' })
  }
  const [newestSecret] = secrets
  // A change that changes nothing uses up no key.
  if (isNew && replays && key && newestSecret !== undefined) {
    const replay = { fingerprint: key.fingerprint, claimed }
    c.executionCtx.waitUntil(writeReplay(replays, newestSecret, replay, storedText(current)))
  }
  return send(c, status, current)
}

interface Shown {
  /** Empty for a record that has none. */
  etag: string
  body: string
}

function send(
  c: Context,
  status: 200 | 201 | 202,
  { etag, body }: Shown,
  headers: Record<string, string> = {},
): Response {
  return c.body(body, status, { 'Content-Type': 'application/json', ...headers, ...(etag !== '' && { ETag: etag }) })
}

/** The ETag of the state that the body shows, and the body, which has no line break. */
function storedText({ etag, body }: Shown): string {
  return `${etag}\n${body}`
}

function parseStored(text: string | undefined): Shown | undefined {
  const end = text?.indexOf('\n') ?? -1
  return text === undefined || end < 0 ? undefined : { etag: text.slice(0, end), body: text.slice(end + 1) }
}

interface SentKey extends Pick<IdempotencyKey, 'operation' | 'key'> {
  secrets: string[]
  fingerprinted: unknown
}

function keyOf(c: Context, { secrets, fingerprinted, ...sent }: SentKey): IdempotencyKey {
  const caller = c.get('caller').id
  const [key = '', previous_key = null] = secrets.map((secret) => keyHmac(secret, caller, sent.key))
  const [newest = '', previous_fingerprint = null] = secrets.map((secret) => fingerprint(secret, caller, fingerprinted))
  return { operation: sent.operation, key, fingerprint: newest, previous_key, previous_fingerprint }
}
