/** Creates with an idempotency key: replays, other requests with the same key, and the key in other operations. */
import { isDeepStrictEqual } from 'node:util'
import { CLAIM_MS } from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import type { Caller, Examiner, Expected, Made, Prepared } from './examiner.ts'

interface KeyedCreate {
  exam: Examiner
  random: Random
  caller: Caller
  operation: 'v1' | 'v3' | 'grant'
  path: string
  body: Row
  expect: (body: Row) => Expected
  toApply: (body: Row) => (made: Made) => void
}

/** A key belongs to one caller and one operation. */
export function claimKey({ actor }: Caller, operation: string, key: string): string {
  return `${String(actor['type'])} ${String(actor['id'])} ${operation} ${key}`
}

/** Sends a create with one of a few keys: what must happen depends on what was sent with the key before. */
export function createWithKey(create: KeyedCreate): Prepared {
  const { exam, random, caller, operation, path, expect, toApply } = create
  const key = `key-${random.below(5)}`
  const headers = { 'X-Idempotency-Key': key }
  const name = claimKey(caller, operation, key)
  const claim = exam.model.claims.get(name)
  if (!claim || claim.at + CLAIM_MS <= exam.now) {
    const { body } = create
    return { path, body, headers, expected: expect(body), apply: toApply(body) }
  }
  const first: Row = JSON.parse(claim.body)
  // A grant has few fields, so a new body may happen to be the first one.
  const isSame = random.chance(0.7) || isDeepStrictEqual(create.body, first)
  const body = isSame ? first : create.body
  if (!isSame) {
    return {
      path,
      body,
      headers,
      expected: { status: 422, code: 'idempotency_key_reused', fields: ['X-Idempotency-Key'] },
    }
  }
  const isThere = operation === 'grant' ? exam.model.accesses.has(claim.record) : exam.model.users.has(claim.record)
  if (!isThere) return { path, body, headers, expected: { status: 404, code: 'not_found' } }
  // The order of the fields does not matter.
  const reordered = Object.fromEntries(Object.entries(body).toReversed())
  const replayed = { 'Idempotent-Replayed': 'true' }
  // Of a store in the EU no response is stored, so a replay shows the record as it is now.
  const isRebuilt = exam.store.place.jurisdiction === 'eu'
  const shown = isRebuilt
    ? { json: () => ({ id: operation === 'v3' ? Number(claim.record) : claim.record }), headers: replayed }
    : { text: claim.text, headers: { ...replayed, ETag: claim.etag } }
  return { path, body: reordered, headers, expected: { status: 201, ...shown } }
}

/** Remembers the first success with a key. */
export function rememberClaim(exam: Examiner, name: string, body: Row, made: Made, text: string): void {
  exam.model.claims.set(name, { body: JSON.stringify(body), text, etag: made.etag, record: made.id, at: made.at })
}
