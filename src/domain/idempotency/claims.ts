/**
 * The claims of idempotency keys. A claim is written in the batch of the record that it stands for, and follows the
 * same event: neither exists without the other.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { insertFrom, type Params, statement } from '../../db/statement.ts'
import { events, idempotency_keys } from '../../db/schema.ts'
import { jsonText } from '../../json.ts'
import { CLAIM_TTL_SECONDS } from '../../limits.ts'
import type { Call, CallValues } from '../change/context.ts'
import { eventId, isFreshEvent } from '../change/event.ts'
import { macOf } from '../hmac.ts'
import { deleteInChunks } from '../purge.ts'

export type Operation = 'v1.users.create' | 'v3.users.create' | 'v1.product_accesses.grant'

export interface Claim {
  operation: Operation
  key: string
  fingerprint: string
  /** Under TOKEN_KEY_PREVIOUS, while that is set. */
  older_fingerprint: string | null
}

/** What a create answers. */
export interface Created<Row> {
  row: Row
  /** Of the earlier request with the same key, if this is the answer to it. */
  replayedFingerprint: string | null
}

export interface ClaimValues {
  operation: string | null
  key: string | null
  fingerprint: string | null
  older_fingerprint: string | null
  /** Older claims are as good as none. */
  oldest_claim: number
}

/** Without a claim none is found: nothing equals null in SQL. */
export function claimValues(claim: Claim | undefined, { now }: Call): ClaimValues {
  const none = { operation: null, key: null, fingerprint: null, older_fingerprint: null }
  return { ...(claim ?? none), oldest_claim: now - CLAIM_TTL_SECONDS * 1000 }
}

/**
 * Tells whether two bodies of a caller are equal as parsed (`parseDigits`); the same after the token was rotated.
 * Keyed, so that whoever reads the database or KV cannot test guesses of a password with it.
 */
export function fingerprint(secret: string, callerId: number, body: unknown): string {
  return macOf(secret, `request:${callerId}:${jsonText(body, { sortKeys: true })}`)
}

/** Proves that a stored response is the one of this record. */
export function responseMac(secret: string, recordId: number, response: string): string {
  return macOf(secret, `response:${recordId}:${response}`)
}

type ClaimParams = Params<CallValues & ClaimValues>

function fromLiveClaim(p: ClaimParams): SQL {
  return sql`from ${idempotency_keys} where store = ${p.store} and caller_id = ${p.caller}
    and operation = ${p.operation} and key = ${p.key} and created_at > ${p.oldest_claim}`
}

/** What a claim of the key says of this request; null where there is none. */
export function claimVerdict(p: ClaimParams): SQL<'replayed' | 'idempotency_key_reused' | null> {
  return sql`(select iif(fingerprint = ${p.fingerprint} or fingerprint is ${p.older_fingerprint}, 'replayed',
    'idempotency_key_reused') ${fromLiveClaim(p)})`
}

export function claimedFingerprint(p: ClaimParams): SQL<string | null> {
  return sql`(select fingerprint ${fromLiveClaim(p)})`
}

export function claimedRecord(p: ClaimParams): SQL<number | null> {
  return sql`(select record_id ${fromLiveClaim(p)})`
}

/** Claims the key for the record that this request's own event makes. A claim that no longer counts is replaced. */
export const insertClaim = statement((p: ClaimParams, orm) =>
  insertFrom(
    orm,
    idempotency_keys,
    {
      store: p.store,
      caller_id: p.caller,
      operation: p.operation,
      key: p.key,
      fingerprint: p.fingerprint,
      record_id: eventId,
      created_at: p.now,
    },
    sql`from ${events} e where ${isFreshEvent(p)}`,
  ).onConflictDoUpdate({
    target: [idempotency_keys.store, idempotency_keys.caller_id, idempotency_keys.operation, idempotency_keys.key],
    set: {
      fingerprint: sql`excluded.fingerprint`,
      record_id: sql`excluded.record_id`,
      created_at: sql`excluded.created_at`,
    },
    setWhere: sql`excluded.record_id > ${idempotency_keys.record_id}`,
  }),
)

/**
 * Deletes claims that no longer count, in chunks. It reads the whole table for each chunk instead of having an index
 * on the time: a row read costs a thousandth of the row that the index would write per claim.
 */
export function purgeClaims(db: Db, now: number): Promise<number> {
  const oldest_claim = now - CLAIM_TTL_SECONDS * 1000
  return deleteInChunks(db, (limit) => deleteOldClaims({ oldest_claim, limit }))
}

const deleteOldClaims = statement((p: Params<{ oldest_claim: number; limit: number }>, orm) => {
  const { store, caller_id, operation, key, created_at } = idempotency_keys
  const columns = sql`${store}, ${caller_id}, ${operation}, ${key}`
  return orm
    .delete(idempotency_keys)
    .where(
      sql`(${columns}) in (select ${columns} from ${idempotency_keys}
        where ${created_at} < ${p.oldest_claim} limit ${p.limit})`,
    )
    .returning({ key })
})
