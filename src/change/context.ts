/** Who sends a request, for which store, when and under which id. */
import { runParams } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import { storeOf } from '../db/ids.ts'
import { sharedParams, type ValuesOf } from '../db/statement.ts'

export interface Caller {
  /** A row of access_tokens: the token of a store or, under the store number 0, an operator. The root has the id 0. */
  id: number
  /** SHA-256 of the token's random bits. It is not used for the root, which has no row. */
  hash: string
}

export interface RequestContext {
  caller: Caller
  /** The scopes that the operation needs; for an operator the role. Empty if any valid token may call it. */
  requiredScopes: readonly string[]
  /** An older secret that is still valid is rejected. */
  requiresCurrentSecret?: boolean
  /** The name of the store in the path; null if the path names no store. */
  store_slug: string | null
  request_id: string
  /** Milliseconds since the epoch. */
  now: number
  /** A change adds the webhook endpoints that whoever sends the response wakes after it. */
  endpointsToWake: Set<number>
  /**
   * The databases in which the use of the token is recorded after the response, because today's is not yet
   * (src/change/last-use.ts).
   */
  firstUses: Set<Database>
}

/** The id of the root. No other caller has it. */
export const ROOT = 0

/** True for operators and the root. */
export function isOperator(id: number): boolean {
  return storeOf(id) === 0
}

/** What every statement of a request may use. */
export const contextParams = {
  ...runParams,
  ...sharedParams(
    'caller',
    'caller_hash',
    'store',
    'store_slug',
    'required_scope',
    'second_scope',
    'requires_current_secret',
  ),
}

/**
 * The values of these parameters. `store` is the number in the caller's token. An operator's token has none: for an
 * operator it is null until the store is found by `store_slug` (src/modules/store-directory/locate-store.ts), or 0, the store of
 * the operators, if the path names no store.
 */
export function contextValues({ requiresCurrentSecret = false, ...context }: RequestContext) {
  const { caller, requiredScopes, store_slug, request_id, now } = context
  return {
    caller: caller.id,
    caller_hash: caller.hash,
    store: storeOf(caller.id) || (store_slug === null ? 0 : null),
    store_slug,
    required_scope: requiredScopes[0] ?? null,
    second_scope: requiredScopes[1] ?? null,
    requires_current_secret: Number(requiresCurrentSecret),
    request_id,
    now,
  } satisfies ValuesOf<typeof contextParams>
}

/**
 * The same values if the service itself acts on a record of a store: there is no caller. By the request id a batch recognizes
 * the events that it has inserted.
 */
export function serviceContext(id: number, now: number, request_id: string = crypto.randomUUID()) {
  return { store: storeOf(id), store_slug: null, request_id, now }
}

/** Operators see who of them made a change. Integrators see its id, because the name is that of a person. */
export type Reader = 'operator' | 'integrator'
