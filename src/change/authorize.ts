/**
 * Whether the caller of a request is authorized. Nothing about a caller is remembered: every batch reads the row of the
 * token again. The HMAC of the token was checked before, without a round trip (src/http/middleware/bearer.ts).
 */
import { and, eq, gt, isNotNull, isNull, lte, ne, not, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { batch, type Db } from '../db/batch.ts'
import { storeIn } from '../db/ids.ts'
import { lazySql, type RowOf, statement } from '../db/statement.ts'
import { hasWord } from '../db/word-lists.ts'
import { DomainError, requireRow } from './errors.ts'
import { contextParams, contextValues, type RequestContext, ROOT } from './context.ts'
import { request, selectFromRequest, store, token, usedAt } from './request.ts'
import { noneHolds, type Outcome, outcomeOf, rule } from './rules.ts'

/** The secret is the token's current one, or an older one that has not expired, unless the operation requires the current one. */
const secretMatches = or(
  eq(token.hash, contextParams.caller_hash),
  and(
    not(contextParams.requires_current_secret),
    gt(sql`${token.older_hashes} ->> ${contextParams.caller_hash}`, contextParams.now),
  ),
)

const isNotRoot = ne(contextParams.caller, sql`${ROOT}`)
const isStoreToken = gt(storeIn(contextParams.caller), sql`0`)

/** The number under which operators are kept: that of a request under /admin whose path names no store. */
const NO_STORE = sql`0`

/**
 * An operator who is limited to stores may call only what names a store, and what any operator may call (no scope is
 * required for that).
 */
const isBeyondStores = and(
  isNotNull(token.store_numbers),
  eq(request.store, NO_STORE),
  isNotNull(contextParams.required_scope),
)

/** What rejects a caller. */
const callerRules = [
  rule(
    'invalid_token',
    and(
      isNotRoot,
      or(
        isNull(token.id),
        isNotNull(token.revoked_at),
        lte(token.expires_at, contextParams.now),
        sql`(${secretMatches}) is not true`,
        ne(store.slug, contextParams.store_slug),
      ),
    ),
  ),
  // Operators can still work on a suspended store.
  rule('store_suspended', and(isStoreToken, isNotNull(store.suspended_at))),
  rule(
    'insufficient_scope',
    and(isNotRoot, or(lacksScope(contextParams.required_scope), lacksScope(contextParams.second_scope))),
  ),
  rule('insufficient_scope', isBeyondStores),
]

/** To an operator who is limited to stores, any other store does not exist. */
const isOtherStore = and(ne(request.store, NO_STORE), isOutsideLimit(request.store))

// A number that is bound arrives as a double, whose text is another one.
function isOutsideLimit(number: SQLWrapper): SQL | undefined {
  return and(isNotNull(token.store_numbers), not(hasWord(token.store_numbers, sql`cast(${number} as integer)`)))
}

export const authorization = [...callerRules, rule('not_found', or(isNull(request.store), isOtherStore))]

/**
 * The value, or null if a rule of the authorization holds. Whatever a read selects depends on it: the range of an id or of
 * an index is empty if one of its ends is null, and so is a list of values. So whoever may not read causes no work, and
 * learns nothing from the time that it takes.
 */
export function ifAuthorized<T>(value: SQL<T>): SQL<T | null> {
  return lazySql<T | null>(() => selectFromRequest({ value: value.as('value') }).where(noneHolds(authorization)))
}

/** The number of the store that the request is about; null if the caller may not use it. For statements that read. */
export const storeNumber = ifAuthorized(sql<number>`${contextParams.store}`)

/** True if the token lacks the scope. A scope that is null is not required. */
function lacksScope(scope: SQL): SQL | undefined {
  return and(isNotNull(scope), not(hasWord(token.scopes, scope)))
}

const rejections = new Set<Outcome>(callerRules.map(({ outcome }) => outcome))

/** True if the outcome is that the caller was rejected. */
export function rejectsCaller(outcome: Outcome): boolean {
  return rejections.has(outcome)
}

/** The outcome of the authorization alone. */
export const selectAuthorization = statement({}, () =>
  selectFromRequest({ outcome: outcomeOf(authorization).as('outcome'), used_at: usedAt }),
)

/** Throws `invalid_token`, `store_suspended`, `insufficient_scope`, and `not_found` if there is no such store. */
export function requireAuthorization({ outcome }: Pick<RowOf<typeof selectAuthorization>, 'outcome'>): void {
  if (outcome !== 'allowed') throw new DomainError(outcome, {})
}

/** The outcome for the caller alone, whether or not the store exists. */
const selectCaller = statement({}, () => selectFromRequest({ outcome: outcomeOf(callerRules).as('outcome') }))

/**
 * Throws if the caller may not call the operation. What is wrong with a request is reported only to a caller who may: this
 * runs before such an error is returned. An operator is a row of the shared database, wherever the store lives.
 */
export async function rejectUnauthorized(db: Db, context: RequestContext): Promise<void> {
  if (context.caller.id === ROOT) return
  const shared = { ...db, locate: undefined }
  const { rows } = await batch(
    shared,
    { rows: selectCaller({}) },
    { retry: 'only reads', shared: contextValues(context) },
  )
  requireAuthorization(requireRow(rows))
}
