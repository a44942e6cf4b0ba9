/**
 * Access tokens: `rgs_`, 256 random bits in hex, and a checksum that refuses a typo without a look-up. SHA-256 is
 * enough to store one: what is random needs no slow hash.
 * An instance keeps what it has found for some seconds, but never that something was not there.
 */
import { createHash, randomBytes } from 'node:crypto'
import { and, asc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Principal, Scope } from '../context.ts'
import { type Bound, type Db, query, run, statement } from '../db/client.ts'
import { type AccessToken, access_tokens, custom_fields, events, stores } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import { DAY_MS, TOKEN_CACHE_MS, TOKEN_CACHE_SIZE } from '../limits.ts'
import { type Cause, causeValues, eventColumns, type EventType } from './events.ts'
import { type Page, pageOf, type PageRequest } from './pages.ts'
import { enabledEndpoints } from './stores.ts'

export const SCOPES = ['users:write', 'product_accesses:write', 'events:read'] as const satisfies Scope[]

const TOKEN = /^(rgs_[0-9a-f]{64})([0-9a-f]{8})$/

interface CachedPrincipal {
  principal: Principal
  /** Until when the instance may believe it, in milliseconds since the epoch. */
  freshUntil: number
}

/** By the token as sent: what a request brings anyway, and no hash to compute for each one. */
const cache = new Map<string, CachedPrincipal>()
/** Counts what this instance revoked or redefined: a look-up that was under way meanwhile is not kept. */
let generation = 0

/** A token that is unknown, revoked or expired is no row: the three take the same path and the same time. */
const findToken = statement((orm) =>
  orm
    .select({
      token_id: sql<number>`${access_tokens.id}`.as('token_id'),
      store_id: access_tokens.store_id,
      scopes: access_tokens.scopes,
      expires_at: access_tokens.expires_at,
      last_used_at: access_tokens.last_used_at,
      language: stores.language,
      custom_fields: sql<string>`(select json_group_array(f.key) from ${custom_fields} f
        where f.store_id = ${stores.id})`.as('custom_fields'),
      webhook_endpoints: enabledEndpoints.as('webhook_endpoints'),
    })
    .from(access_tokens)
    .innerJoin(stores, eq(stores.id, access_tokens.store_id))
    .where(
      and(
        eq(access_tokens.token_hash, sql.placeholder('token_hash')),
        isNull(access_tokens.revoked_at),
        or(isNull(access_tokens.expires_at), gt(access_tokens.expires_at, sql.placeholder('now'))),
      ),
    ),
)

/** Who a token stands for; undefined when it is malformed, unknown, expired or revoked. */
export async function findPrincipal(db: Db, token: string, now: number): Promise<Principal | undefined> {
  const cached = cache.get(token)
  if (cached && now < cached.freshUntil) return cached.principal
  if (!isWellFormed(token)) return undefined

  const startedAt = generation
  const values = { token_hash: hashToken(token), now }
  const [[replicated]] = await run(db, [findToken(db, values)], { replica: true, retry: true })
  const row = replicated ?? (await run(db, [findToken(db, values)], { retry: true }))[0][0]
  if (!row) return undefined

  const principal: Principal = {
    token_id: row.token_id,
    store_id: row.store_id,
    scopes: SCOPES.filter((scope) => row.scopes.split(' ').includes(scope)),
    last_used_at: row.last_used_at,
    language: row.language,
    custom_fields: new Set(parseList<string>(row.custom_fields)),
    webhook_endpoints: parseList(row.webhook_endpoints),
  }
  if (startedAt === generation) {
    remember(token, { principal, freshUntil: Math.min(now + TOKEN_CACHE_MS, row.expires_at ?? Infinity) })
  }
  return principal
}

function remember(token: string, found: CachedPrincipal): void {
  cache.delete(token)
  cache.set(token, found)
  const [oldest] = cache.keys()
  if (cache.size > TOKEN_CACHE_SIZE && oldest !== undefined) cache.delete(oldest)
}

/** Makes this instance look up again whatever the predicate names, at once. */
export function forget(isStale: (principal: Principal) => boolean): void {
  generation++
  for (const [token, { principal }] of cache) if (isStale(principal)) cache.delete(token)
}

function parseList<T extends string | number>(json: string): T[] {
  return JSON.parse(json)
}

/** The statement that notes today as the day of use, once a day; to be sent along with what the request sends. */
export function noteUse(db: Db, { principal, now }: Cause): Bound<unknown>[] {
  const today = now - (now % DAY_MS)
  if (!principal || (principal.last_used_at ?? 0) >= today) return []
  principal.last_used_at = today
  return [updateLastUse(db, { id: principal.token_id, today })]
}

const updateLastUse = statement((orm) =>
  orm
    .update(access_tokens)
    .set({ last_used_at: sql`${sql.placeholder('today')}` })
    .where(
      and(
        eq(access_tokens.id, sql.placeholder('id')),
        or(isNull(access_tokens.last_used_at), lt(access_tokens.last_used_at, sql.placeholder('today'))),
      ),
    ),
)

export interface NewAccessToken {
  store_id: string
  name: string
  scopes: Scope[]
  /** Milliseconds since the epoch. */
  expires_at: number | null
  cause: Cause
}

/** The row, and the token itself, which nothing can show again. */
export async function createAccessToken(db: Db, input: NewAccessToken): Promise<{ row: AccessToken; token: string }> {
  const { store_id, name, scopes, expires_at, cause } = input
  const secret = `rgs_${randomBytes(32).toString('hex')}`
  const token = secret + checksum(secret)
  const token_hash = hashToken(token)
  const insert = db.orm
    .insert(access_tokens)
    .values({ store_id, name, token_hash, scopes: scopes.join(' '), created_at: cause.now, expires_at })
    .returning()
  const event = insertTokenEvent(db, 'access_token.created', cause, eq(access_tokens.token_hash, token_hash))
  const [[row]] = await run(db, [query(insert), event])
  if (!row) throw new Error('an insert returned no row')
  return { row, token }
}

/** Throws `not_found`. */
export async function getAccessToken(db: Db, id: number): Promise<AccessToken> {
  const select = db.orm.select().from(access_tokens).where(eq(access_tokens.id, id))
  const [[row]] = await run(db, [query(select)], { retry: true })
  if (!row) throw new ApiError('not_found')
  return row
}

export async function listAccessTokens(
  db: Db,
  { store_id, limit, after = 0 }: PageRequest<number> & { store_id: string },
): Promise<Page<AccessToken>> {
  const select = db.orm
    .select()
    .from(access_tokens)
    .where(and(eq(access_tokens.store_id, store_id), gt(access_tokens.id, after)))
    .orderBy(asc(access_tokens.id))
    .limit(limit + 1)
  const [rows] = await run(db, [query(select)])
  return pageOf(rows, limit, (row) => row.id)
}

/** Takes effect at once on this instance and within a minute elsewhere. Throws `not_found`, also the second time. */
export async function revokeAccessToken(
  db: Db,
  { store_id, id, cause }: { store_id: string; id: number; cause: Cause },
): Promise<void> {
  const unrevoked = and(
    eq(access_tokens.id, id),
    eq(access_tokens.store_id, store_id),
    isNull(access_tokens.revoked_at),
  )
  const update = db.orm
    .update(access_tokens)
    .set({ revoked_at: cause.now })
    .where(unrevoked)
    .returning({ id: access_tokens.id })
  const event = insertTokenEvent(db, 'access_token.revoked', cause, unrevoked)
  try {
    const [revoked] = await run(db, [query(update)], { writes: [event] })
    if (revoked.length === 0) throw new ApiError('not_found')
  } finally {
    // After a failure, too: the answer alone may be lost.
    forget((principal) => principal.token_id === id)
  }
}

function insertTokenEvent({ orm }: Db, type: EventType, cause: Cause, which: SQL | undefined): Bound<unknown> {
  const columns = eventColumns({ type, store_id: sql`store_id`, access_token_id: sql`id`, cause: causeValues(cause) })
  return query(orm.insert(events).select(sql`select ${columns} from ${access_tokens} where ${which}`))
}

function isWellFormed(token: string): boolean {
  const [, secret, sum] = TOKEN.exec(token) ?? []
  return secret !== undefined && checksum(secret) === sum
}

/** The first 32 bits of a SHA-256. */
function checksum(secret: string): string {
  return createHash('sha256').update(`checksum:${secret}`).digest('hex').slice(0, 8)
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
