/**
 * An idempotency key is claimed in the batch that creates the record, and the claim follows the same event: neither
 * exists without the other. The database decides whether a key is free; KV only remembers responses
 * (src/http/respond/replays.ts).
 */
import { and, eq, gt, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { storeIn } from '../db/ids.ts'
import { events, idempotency_keys } from '../db/schema/stores.ts'
import { columnsOf, orm, params, statement, type ValuesOf } from '../db/statement.ts'
import { CLAIM_TTL_SECONDS } from '../limits.ts'
import { contextParams, type RequestContext, rule } from './request.ts'
import { isEventOfThisAttempt, permittedStore } from './event.ts'

export type Operation =
  | 'v1.users.create'
  | 'v3.users.create'
  | 'v1.product_accesses.grant'
  | 'v1.product_accesses.extend'
  | 'v1.bulk_changes.create'
  | 'v1.bulk_changes.revert'

/** The key and the fingerprint of its request are HMACs under TOKEN_KEY (src/http/respond/replays.ts). */
export interface IdempotencyKey {
  operation: Operation
  key: string
  fingerprint: string
  /** The same under TOKEN_KEY_PREVIOUS; null if that is not set. */
  previous_key: string | null
  previous_fingerprint: string | null
}

export interface Created<Row> {
  row: Row
  /** True if this request has created it, or has changed it, and not an earlier one with the same key. */
  isNew: boolean
  /** The event that the key stands for; the id of the record, if the event created it. */
  claimed: number
  /** For a replay, the fingerprint under which the first response was stored; otherwise null. */
  replayedFingerprint: string | null
}

export const claimParams = params(
  'operation',
  'key',
  'fingerprint',
  'previous_key',
  'previous_fingerprint',
  'oldest_claim',
)

/** Without a key every value is null. Nothing equals null in SQL, so no claim is found. */
export function claimValues(key: IdempotencyKey | undefined, { now }: RequestContext): ValuesOf<typeof claimParams> {
  const none = { operation: null, key: null, fingerprint: null, previous_key: null, previous_fingerprint: null }
  return { ...(key ?? none), oldest_claim: oldestClaim(now) }
}

function oldestClaim(now: number): number {
  return now - CLAIM_TTL_SECONDS * 1000
}

/** The event of a claim. A dry run of a bulk change has none, and neither had claims of 3.0; then it is the record. */
function claimedIn({ event_id, record_id }: Record<'event_id' | 'record_id', SQLiteColumn>): SQL<number> {
  return sql<number>`coalesce(${event_id}, ${record_id})`
}

/** The claim of the request's key, to be joined to the request. A claim that has expired is not found. */
export const claim = alias(idempotency_keys, 'claim')

/**
 * While TOKEN_KEY is rotated, there may be two claims: one under each key, if an instance that claimed the idempotency key
 * did not know the other one. The claim of the newer event counts; without this choice the join would return two rows.
 */
export function isClaimOfKey(): SQL {
  const { store, caller_id, operation, key, created_at } = idempotency_keys
  // SQLite takes the other columns from the row that has the maximum.
  const newestClaim = orm
    .select({ store, caller_id, operation, key, claimed: sql`max(${claimedIn(idempotency_keys)})` })
    .from(idempotency_keys)
    .where(
      and(
        eq(store, permittedStore),
        eq(caller_id, contextParams.caller),
        eq(operation, claimParams.operation),
        or(eq(key, claimParams.key), eq(key, claimParams.previous_key)),
        gt(created_at, claimParams.oldest_claim),
      ),
    )
  const ofClaim = [claim.store, claim.caller_id, claim.operation, claim.key, claimedIn(claim)]
  return sql`(${sql.join(ofClaim, sql`, `)}) = ${newestClaim}`
}

const isSameRequest = or(
  eq(claim.fingerprint, claimParams.fingerprint),
  eq(claim.fingerprint, claimParams.previous_fingerprint),
)

/** A key that is used again by the same request is a replay; used by another request, it is an error. */
export const keyRules = [rule('replayed', isSameRequest), rule('idempotency_key_reused', isNotNull(claim.key))]

/** The fingerprint of the request that claimed the key, and its event. */
export const claimedFingerprint = sql<string | null>`${claim.fingerprint}`.as('claimed_fingerprint')
export const claimedEvent = claimedIn(claim)

/** Claims the key for the record of the event. A claim that has expired is replaced. */
export const insertClaim = insertClaimOf(
  { table: events, record_id: events.subject_id, event_id: events.id },
  () => isEventOfThisAttempt,
)

interface Claimed {
  table: SQLiteTable
  record_id: SQLiteColumn
  event_id: SQLiteColumn
}

/** The same for the row of a table that this attempt has inserted, whose id is that of the record. */
export function insertClaimOf({ table, ...claimed }: Claimed, isOfThisAttempt: () => SQL | undefined) {
  return statement(claimParams, () =>
    orm
      .insert(idempotency_keys)
      .select(
        orm
          .select(
            columnsOf(idempotency_keys, {
              ...claimed,
              store: storeIn(claimed.record_id),
              caller_id: contextParams.caller,
              operation: claimParams.operation,
              key: claimParams.key,
              fingerprint: claimParams.fingerprint,
              created_at: contextParams.now,
            }),
          )
          .from(table)
          .where(isOfThisAttempt()),
      )
      .onConflictDoUpdate({
        target: [idempotency_keys.store, idempotency_keys.caller_id, idempotency_keys.operation, idempotency_keys.key],
        set: {
          fingerprint: sql`excluded.fingerprint`,
          record_id: sql`excluded.record_id`,
          event_id: sql`excluded.event_id`,
          created_at: sql`excluded.created_at`,
        },
      }),
  )
}
