/** The rows of `access_tokens`: tokens of stores and, under the store number 0, operators (operators.ts). */
import { asc, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Params, statement } from '../../db/statement.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { access_tokens, type AccessToken } from '../../db/schema.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { changeOf, fieldValues, recordValues, sendChange } from '../change/changes.ts'
import { creationOf, sendCreation } from '../change/creations.ts'
import { eventId, ownEvent } from '../change/event.ts'
import type { EventType } from '../events/event-types.ts'
import { type Page, type PageRequest, readPage } from '../pages.ts'
import { newSecret, writeToken } from './token-format.ts'

interface NewToken {
  call: Call
  /** TOKEN_KEY. */
  key: string
  name: string
  scopes: string
  /** Milliseconds since the epoch. */
  expires_at: number | null
}

/** A token's row, and the token itself, which nothing can show again. */
export interface ShownToken {
  row: AccessToken
  token: string
}

export const createAccessToken = tokenCreation('access_token.created')

/** Makes a token of a store or, under the store number 0, an operator. */
export function tokenCreation(type: EventType) {
  const creationSteps = creationOf<Omit<NewToken, 'call' | 'key'> & { hash: string }, typeof access_tokens>({
    table: access_tokens,
    type,
    columns: (p) => ({
      id: eventId,
      name: p.name,
      hash: p.hash,
      older_hashes: null,
      scopes: p.scopes,
      created_at: p.now,
      expires_at: p.expires_at,
      revoked_at: null,
      last_used_at: null,
      event_id: eventId,
    }),
  })

  return async function createToken(db: Db, { call, key, ...fields }: NewToken): Promise<ShownToken> {
    const { bits, hash } = newSecret()
    const values = { ...callValues(call), ...fields, hash }
    const row = await sendCreation(db, creationSteps(values), selectOwn(values))
    return { row, token: writeToken(key, row.id, bits) }
  }
}

/** The token that this request has made. */
const selectOwn = statement((p: Params<CallValues>, orm) =>
  orm
    .select()
    .from(access_tokens)
    .where(sql`id = ${ownEvent(p)}`),
)

/** The token `number` of the store. */
export const selectToken = statement((p: Params<CallValues & { number: number }>, orm) =>
  orm
    .select()
    .from(access_tokens)
    .where(sql`id = ${idIn(p.store, p.number)}`),
)

/** One that is revoked is as good as none for every change. */
export const NOT_REVOKED = sql`${access_tokens.revoked_at} is null`

const FIELDS = ['name', 'scopes', 'expires_at'] as const

const updateSteps = changeOf({
  table: access_tokens,
  type: 'access_token.updated',
  fields: FIELDS,
  where: NOT_REVOKED,
  eventShows: 'changes',
})

interface TokenUpdate {
  call: Call
  number: number
  /** What is undefined keeps its value. */
  fields: { [Field in (typeof FIELDS)[number]]?: string | number | null | undefined }
}

/** Throws `not_found`. */
export function updateAccessToken(db: Db, { call, number, fields }: TokenUpdate): Promise<AccessToken> {
  const values = { ...callValues(call), ...recordValues(number), ...fieldValues(FIELDS, fields) }
  return sendChange(db, { call, steps: updateSteps(values), found: selectToken(values) })
}

export function listAccessTokens(
  db: Db,
  call: Call,
  { limit, after = 0 }: PageRequest<number>,
): Promise<Page<AccessToken>> {
  return readPage(db, call, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => selectTokens({ ...callValues(call), after, count }),
  })
}

const selectTokens = statement((p: Params<CallValues & { after: number; count: number }>, orm) =>
  orm
    .select()
    .from(access_tokens)
    .where(isOfStore(sql`${access_tokens.id}`, p.store, p.after))
    .orderBy(asc(access_tokens.id))
    .limit(p.count),
)
