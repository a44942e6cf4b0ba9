/**
 * The claims of idempotency keys. A claim is written in the batch that inserts its user (users.ts), so neither
 * exists without the other; here is what else concerns them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { asc, lt, sql } from 'drizzle-orm'
import { type Db, query, statement } from '../db/client.ts'
import { idempotency_keys, users } from '../db/schema.ts'
import { jsonText } from '../json.ts'
import { CLAIM_TTL_SECONDS } from '../limits.ts'
import { deleteInChunks } from './purge.ts'

export type Operation = 'v1.users.create' | 'v3.users.create'

export interface Claim {
  token_id: number
  operation: Operation
  key: string
  fingerprint: string
}

/**
 * Tells whether two bodies are equal as parsed. Keyed with the access token, which is stored nowhere: whoever
 * reads the database or KV cannot test guesses of a password with it.
 */
export function fingerprint(token: string, body: unknown): string {
  return mac(token, `request:${jsonText(body, { sortKeys: true })}`)
}

/** Proves that a stored response is the one of this user. */
export function responseMac(token: string, userId: number, response: string): string {
  return mac(token, `response:${userId}:${response}`)
}

function mac(token: string, text: string): string {
  return createHmac('sha256', token).update(text).digest('base64url')
}

const utf8 = new TextEncoder()

export function isSameMac(a: string, b: string): boolean {
  const [left, right] = [utf8.encode(a), utf8.encode(b)]
  return left.byteLength === right.byteLength && timingSafeEqual(left, right)
}

/** Only claims after this time count; older ones are as good as none. */
export function oldestClaim(now: number): number {
  return now - CLAIM_TTL_SECONDS * 1000
}

/** Claims the key if, and only if, this very request has created the user. */
export const claimKey = statement((orm) =>
  orm
    .insert(idempotency_keys)
    .select(
      sql`select ${sql.placeholder('token_id')}, ${sql.placeholder('operation')}, ${sql.placeholder('key')},
        ${sql.placeholder('fingerprint')}, ${users.id}, ${sql.placeholder('now')} from ${users}
        where ${users.store_id} = ${sql.placeholder('store_id')} and ${users.email_key} = ${sql.placeholder('email_key')}
        and ${users.request_id} = ${sql.placeholder('request_id')}`,
    )
    .onConflictDoUpdate({
      target: [idempotency_keys.token_id, idempotency_keys.operation, idempotency_keys.key],
      set: {
        fingerprint: sql`excluded.fingerprint`,
        user_id: sql`excluded.user_id`,
        created_at: sql`excluded.created_at`,
      },
    }),
)

/**
 * Deletes claims that no longer count, oldest first, in chunks. It reads the whole table for each chunk instead of
 * having an index on the time: a row read costs a thousandth of the row that the index would write per claim.
 */
export function purgeClaims(db: Db, now: number): Promise<number> {
  const { token_id, operation, key, created_at } = idempotency_keys
  const oldest = (limit: number) =>
    db.orm
      .select({ token_id, operation, key })
      .from(idempotency_keys)
      .where(lt(created_at, oldestClaim(now)))
      .orderBy(asc(created_at))
      .limit(limit)
  return deleteInChunks(db, (limit) =>
    query(
      db.orm
        .delete(idempotency_keys)
        .where(sql`(${token_id}, ${operation}, ${key}) in ${oldest(limit)}`)
        .returning({ token_id }),
    ),
  )
}
