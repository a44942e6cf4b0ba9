/**
 * A request: who sends it, as which row it stands in a query, the rules that decide how it ends, and whether its caller is
 * authorized.
 */
import { and, eq, gt, isNotNull, isNull, lte, ne, not, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { batch, type Db, runParams } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import { storeIn, storeOf, storeRowIdIn } from '../db/ids.ts'
import {
  lazySql,
  orm,
  type RowOf,
  sharedParams,
  statement,
  type ValuesOf,
  withJoins,
  hasWord,
} from '../db/statement.ts'
import { access_tokens, stores } from '../db/schema/stores.ts'
import { DomainError, type DomainErrorCode, requireRow } from './errors.ts'

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
   * (`noteUse` in src/change/commit.ts).
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

// The request as a row. Rules are conditions on it; a use case joins whatever else its rules need. "The store" has a name for
// each of its forms: `contextParams.store` is the number that is bound, `storeOfRequest` the same as a column, and `storeRow` its
// row. `storeNumber` (below) is the number for statements that read, null if the caller may not read, and `permittedStore`
// (src/change/event.ts) is that for changes.

/**
 * The number of the store that the request is about. It is the value of `contextParams.store`, except where a statement finds
 * the store by its slug (src/modules/store-directory/locate-store.ts).
 */
export const storeOfRequest = sql<number>`request.store`

/** The caller's token and the store of the request; each null if there is none. */
export const tokenRow = alias(access_tokens, 'token')
export const storeRow = alias(stores, 'store')

export type RequestFields = Record<string, SQL | SQL.Aliased | SQLiteColumn>

/** One row: the request with its caller's token and its store. */
export function selectFromRequest<Fields extends RequestFields>(
  fields: Fields,
  number: SQLWrapper = contextParams.store,
) {
  return withJoins(
    orm.select(fields).from(sql`(select ${number} as store) request`),
    [tokenRow, eq(tokenRow.id, contextParams.caller)],
    [storeRow, eq(storeRow.id, storeRowIdIn(storeOfRequest))],
  )
}

/** When the caller's token was last used, as it is recorded: to be selected with an outcome. */
export const usedAt = sql<number | null>`${tokenRow.last_used_at}`.as('used_at')

// Rules decide how a request ends. A use case lists them in the order of the contract; the first that holds gives the
// outcome, and a request that no rule stops is `allowed`. They are conditions on one row: the request, joined with everything
// it is about. The event of a change is inserted only if none of them holds, and the outcome is selected by the same list
// after the writes. So the outcome that is reported cannot differ from the decision.

/**
 * `allowed`: the change would be made. `applied`: it was made, by this attempt or an earlier one. `superseded`: a later
 * attempt ran before this one, so nobody waits for the result of this one. `unchanged`: the record already has the new
 * values. `replayed`: the idempotency key was used by the same request. Otherwise the code of an error.
 */
export type Outcome = 'allowed' | 'applied' | 'superseded' | 'unchanged' | 'replayed' | DomainErrorCode

export interface Rule<O extends Outcome = Outcome> {
  outcome: O
  /** A condition on a row that is missing is null, and the rule does not hold. */
  when: SQL | undefined
  /** What the error needs besides its code, such as the id of the user who has the email. */
  details: Record<string, SQLWrapper>
}

export function rule<const O extends Outcome>(
  outcome: O,
  when: SQL | undefined,
  details: Record<string, SQLWrapper> = {},
): Rule<O> {
  return { outcome, when, details }
}

/**
 * The condition under which the event is inserted. As the condition of `iif`, SQLite evaluates the rules in their order and
 * only up to the first that holds: a caller who is rejected causes no look-up for the rules after that.
 */
export function noneHolds(rules: readonly Rule[]): SQL {
  return sql`iif(${or(...rules.map(({ when }) => when))}, 0, 1)`
}

export function outcomeOf<O extends Outcome>(rules: readonly Rule<O>[]): SQL<O | 'allowed'> {
  const branches = rules.map(({ outcome, when }) => sql`when ${when} then ${outcome}`)
  return sql`case ${sql.join(branches, sql` `)} else 'allowed' end`
}

/**
 * The details of the first rule that holds, as a JSON object. Those of the others are not computed. Most rules have none, so
 * those that follow each other share a branch, and those after the last one with details need none.
 */
export function detailsOf(rules: readonly Rule[]): SQL<string> {
  const branches: SQL[] = []
  let withoutDetails: (SQL | undefined)[] = []
  for (const { when, details } of rules) {
    const pairs = Object.entries(details).map(([name, value]) => sql`${name}, ${value}`)
    if (pairs.length === 0) {
      withoutDetails.push(when)
      continue
    }
    if (withoutDetails.length > 0) branches.push(sql`when ${or(...withoutDetails)} then '{}'`)
    withoutDetails = []
    branches.push(sql`when ${when} then json_object(${sql.join(pairs, sql`, `)})`)
  }
  return branches.length === 0 ? sql`'{}'` : sql`case ${sql.join(branches, sql` `)} else '{}' end`
}

// The authorization is the first list of rules. Nothing about a caller is remembered: every batch reads the row of the token
// again. The HMAC of the token was checked before, without a round trip (src/http/middleware/bearer.ts).

/** The secret is the token's current one, or an older one that has not expired. */
const secretMatches = or(
  eq(tokenRow.hash, contextParams.caller_hash),
  gt(sql`${tokenRow.older_hashes} ->> ${contextParams.caller_hash}`, contextParams.now),
)

/** Both operands are null for the root, whose secret is no row. */
const isOlderSecret = and(sql`${contextParams.requires_current_secret}`, ne(tokenRow.hash, contextParams.caller_hash))

const isNotRoot = ne(contextParams.caller, sql`${ROOT}`)
const isStoreToken = gt(storeIn(contextParams.caller), sql`0`)

/** The number under which operators are kept: that of a request under /admin whose path names no store. */
const NO_STORE = sql`0`

/**
 * An operator who is limited to stores may call only what names a store, and what any operator may call (no scope is
 * required for that).
 */
const isBeyondStores = and(
  isNotNull(tokenRow.store_numbers),
  eq(storeOfRequest, NO_STORE),
  isNotNull(contextParams.required_scope),
)

const callerRules = [
  rule(
    'invalid_token',
    and(
      isNotRoot,
      or(
        isNull(tokenRow.id),
        isNotNull(tokenRow.revoked_at),
        lte(tokenRow.expires_at, contextParams.now),
        sql`(${secretMatches}) is not true`,
        ne(storeRow.slug, contextParams.store_slug),
      ),
    ),
  ),
  // The same code, with another message.
  rule('token_rotated', isOlderSecret),
  // Operators can still work on a suspended store.
  rule('store_suspended', and(isStoreToken, isNotNull(storeRow.suspended_at))),
  rule(
    'insufficient_scope',
    and(isNotRoot, or(lacksScope(contextParams.required_scope), lacksScope(contextParams.second_scope))),
  ),
  rule('insufficient_scope', isBeyondStores),
]

/** To an operator who is limited to stores, any other store does not exist. */
const isOtherStore = and(ne(storeOfRequest, NO_STORE), isOutsideLimit(storeOfRequest))

// A number that is bound arrives as a double, whose text is another one.
function isOutsideLimit(number: SQLWrapper): SQL | undefined {
  return and(isNotNull(tokenRow.store_numbers), not(hasWord(tokenRow.store_numbers, sql`cast(${number} as integer)`)))
}

export const authorization = [...callerRules, rule('not_found', or(isNull(storeOfRequest), isOtherStore))]

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
  return and(isNotNull(scope), not(hasWord(tokenRow.scopes, scope)))
}

const rejections = new Set<Outcome>(callerRules.map(({ outcome }) => outcome))

/** True if the outcome is that the caller was rejected. */
export function rejectsCaller(outcome: Outcome): boolean {
  return rejections.has(outcome)
}

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
