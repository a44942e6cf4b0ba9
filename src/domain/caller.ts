/** Who asks: an access token of a store, an operator's token, or the root, whose secret is ADMIN_TOKEN. */
import { storeOf } from '../db/ids.ts'

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
   * The number of the store: the token's own. An operator's token has none, so that it is null where `store_slug` tells
   * the store, and 0, under which the operators are, where the path names none.
   */
  store: number | null
  store_slug: string | null
  needs: string | null
  request_id: string
  now: number
  /** How many of the store's newest events are searched for the request's own; `batch` fills it in. */
  look: number
}

export function callValues({ caller, store_slug, request_id, now }: Call): Omit<CallValues, 'look'> {
  const { id, hash, needs } = caller
  const store = storeOf(id) || (store_slug === null ? 0 : null)
  return { caller: id, caller_hash: hash, store, store_slug, needs, request_id, now }
}

/** Whether the id of a caller is an operator's, or the root's. */
export function isOperator(id: number): boolean {
  return storeOf(id) === 0
}
