/**
 * The request as a row, and whether its caller is authorized. Nothing about a caller is remembered: every batch reads
 * the row of the token again. The HMAC of the token was checked before, without a round trip (http/bearer.ts).
 */
import { and, eq, gt, isNotNull, isNull, lt, lte, ne, not, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, type Db } from '../../db/batch.ts'
import { storeIn, storeRowIdIn } from '../../db/ids.ts'
import { access_tokens, stores } from '../../db/schema.ts'
import { deferred, orm, params, type RowOf, statement, type Step, withJoins } from '../../db/statement.ts'
import { hasWord } from '../../db/word-lists.ts'
import { DAY_MS } from '../../limits.ts'
import { DomainError } from '../errors.ts'
import { contextParams, contextValues, isOperator, type RequestContext, ROOT } from './context.ts'
import { noneHolds, outcomeOf, rule } from './rules.ts'

/** The columns of the request itself, in statements that select from it. */
export const request = { store: sql<number>`request.store` }

const token = alias(access_tokens, 'token')
const store = alias(stores, 'store')

export type RequestFields = Record<string, SQL | SQL.Aliased | SQLiteColumn>

/**
 * One row: the request with its caller's token and its store, each null if there is none. Rules are conditions on this
 * row; a use case joins whatever else its rules need.
 */
export function selectFromRequest<Fields extends RequestFields>(
  fields: Fields,
  number: SQLWrapper = contextParams.store,
) {
  return withJoins(
    orm.select(fields).from(sql`(select ${number} as store) request`),
    [token, eq(token.id, contextParams.caller)],
    [store, eq(store.id, storeRowIdIn(request.store))],
  )
}

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
  rule('insufficient_scope', and(isNotRoot, lacksScope(contextParams.required_scope))),
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
  return deferred<T | null>(() => selectFromRequest({ value: value.as('value') }).where(noneHolds(authorization)))
}

/** The number of the store that the request is about; null if the caller may not use it. For statements that read. */
export const storeNumber = ifAuthorized(sql<number>`${contextParams.store}`)

/** True if the token lacks the scope. A scope that is null is not required. */
export function lacksScope(scope: SQL): SQL | undefined {
  return and(isNotNull(scope), not(hasWord(token.scopes, scope)))
}

/** The outcome of the authorization alone. */
export const selectAuthorization = statement({}, () =>
  selectFromRequest({ outcome: outcomeOf(authorization).as('outcome') }),
)

/** Throws `invalid_token`, `store_suspended`, `insufficient_scope`, and `not_found` if there is no such store. */
export function requireAuthorization([row]: RowOf<typeof selectAuthorization>[]): void {
  if (row === undefined) throw new Error('the authorization returned no row')
  if (row.outcome !== 'allowed') throw new DomainError(row.outcome, {})
}

const secondScope = params('second_scope')

/** The outcome for the caller alone, whether or not the store exists. */
const selectCaller = statement(secondScope, () => {
  const rules = [...callerRules, rule('insufficient_scope', lacksScope(secondScope.second_scope))]
  return selectFromRequest({ outcome: outcomeOf(rules).as('outcome') })
})

/**
 * Throws if the caller may not call the operation. What is wrong with a request is reported only to a caller who may: this
 * runs before such an error is returned. An operator is a row of the shared database, wherever the store lives.
 */
export async function rejectUnauthorized(db: Db, context: RequestContext): Promise<void> {
  if (context.caller.id === ROOT) return
  const caller = selectCaller({ second_scope: context.requiredScopes[1] ?? null })
  const shared = { ...db, locate: undefined }
  const { rows } = await batch(shared, { rows: caller }, { retry: 'only reads', shared: contextValues(context) })
  requireAuthorization(rows)
}

/**
 * Records that the token was used today: one row a day. It does nothing for a caller whom a rule above rejects. The use of
 * an operator's token in a store is recorded when the store is looked up (places/operator-store.ts).
 */
export function touchToken({ caller, store_slug, now }: RequestContext): Step<unknown> | undefined {
  const isRecorded = isOperator(caller.id) && store_slug !== null
  return caller.id === ROOT || isRecorded ? undefined : updateLastUsed({ today: now - (now % DAY_MS) })
}

const touchParams = params('today')

const updateLastUsed = touchOf(contextParams.store)

/** Records the use in the store with this number. */
export function touchOf(number: SQL) {
  return statement(touchParams, () =>
    orm
      .update(access_tokens)
      .set({ last_used_at: touchParams.today })
      .where(
        and(
          eq(access_tokens.id, contextParams.caller),
          lt(sql`coalesce(${access_tokens.last_used_at}, 0)`, touchParams.today),
          sql`${selectFromRequest({ isAuthorized: noneHolds(authorization).as('isAuthorized') }, number)}`,
        ),
      ),
  )
}
