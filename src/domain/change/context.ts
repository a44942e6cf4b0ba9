/** Who asks: an access token of a store, an operator's token, or the root, whose secret is ADMIN_TOKEN. */
import { type SQL, sql } from 'drizzle-orm'
import { storeOf } from '../../db/ids.ts'
import { stores } from '../../db/schema.ts'

export interface Caller {
  /** A row of access_tokens: a store's token or, under the store number 0, an operator; 0: the root, who has no row. */
  id: number
  /** SHA-256 of the token's random bits; the root's is not looked at. */
  hash: string
  /** The scope, or the role of an operator, that the operation needs; null: any. */
  needs: string | null
  /** Another scope that this very request needs, too. */
  alsoNeeds?: string
}

/** A request: who asks, when (milliseconds since the epoch), and under which id. */
export interface Call {
  caller: Caller
  /** Of the store in the path, as it is written there; null where the path names none. */
  store_slug: string | null
  request_id: string
  now: number
}

/** The root's id, and that of no other caller. */
export const ROOT = 0

/** What every statement of a request is told about it (gate.ts, decisions.ts). */
export interface CallValues {
  caller: number
  /** Not `hash`: that is a column which statements write. */
  caller_hash: string
  /**
   * The number of the store: the token's own. For an operator it is looked up where the path names a store, null where
   * there is none of the name; else it is 0, under which the operators are.
   */
  store: number | SQL<number | null>
  store_slug: string | null
  needs: string | null
  request_id: string
  now: number
}

/** One object, for which each statement is compiled once. */
const STORE_OF_SLUG = sql<number | null>`(select id >> 32 from ${stores} where slug = ${sql.placeholder('store_slug')})`

export function callValues({ caller, store_slug, request_id, now }: Call): CallValues {
  const { id, hash, needs } = caller
  const store = storeOf(id) || (store_slug === null ? 0 : STORE_OF_SLUG)
  return { caller: id, caller_hash: hash, store, store_slug, needs, request_id, now }
}

/** Whether the id of a caller is an operator's, or the root's. */
export function isOperator(id: number): boolean {
  return storeOf(id) === 0
}
