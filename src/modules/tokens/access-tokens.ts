/** The tokens of stores. Operators are in the same table, under the store number 0 (src/modules/operators/operators.ts). */
import { getTableColumns, isNotNull } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { access_tokens, type AccessToken } from '../../db/schema/stores.ts'
import { columnsOf, orm, params } from '../../db/statement.ts'
import { contextParams, type RequestContext } from '../../change/request.ts'
import { creationOf, newRecord } from '../../change/create-record.ts'
import { optionalFields } from '../../change/record-fields.ts'
import { updateOf } from '../../change/update-record.ts'
import type { EventType } from '../../change/event-types.ts'
import { listOf } from '../../change/pages.ts'
import { newSecret, writeToken } from '../../auth/token-format.ts'

interface NewToken {
  /** TOKEN_KEY. */
  key: string
  name: string
  scopes: string
  /** Milliseconds since the epoch. */
  expires_at: number | null
}

/** The row of a token, and the token itself, which is never shown again. */
export interface ShownToken {
  row: AccessToken
  token: string
}

const createParams = params('name', 'hash', 'scopes', 'expires_at')

const create = creationOf(createParams, () => ({
  type: 'access_token.created',
  table: access_tokens,
  columns: columnsOf(access_tokens, {
    ...createParams,
    ...newRecord(),
    older_hashes: null,
    // Only an operator has these.
    email: null,
    email_key: null,
    store_numbers: null,
    revoked_at: null,
    last_used_at: null,
  }),
  record: getTableColumns(access_tokens),
}))

export async function createAccessToken(
  db: Db,
  context: RequestContext,
  { key, name, scopes, expires_at }: NewToken,
): Promise<ShownToken> {
  const { bits, hash } = newSecret()
  const { row } = await create(db, context, { name, hash, scopes, expires_at })
  return { row, token: writeToken(key, row.id, bits) }
}

/** For every change, a revoked token is `not_found`. */
export const isRevoked = isNotNull(access_tokens.revoked_at)

const fields = optionalFields(access_tokens, ['name', 'scopes', 'expires_at'])

const update = updateOf(fields.params, () => ({
  table: access_tokens,
  type: 'access_token.updated',
  isMissing: isRevoked,
  newValues: fields.newValues(),
  record: getTableColumns(access_tokens),
}))

interface TokenUpdate {
  number: number
  /** A field that is undefined keeps its value. */
  fields: Parameters<typeof fields.valuesOf>[0]
}

/** Throws `not_found`. */
export function updateAccessToken(db: Db, context: RequestContext, input: TokenUpdate): Promise<AccessToken> {
  return update(db, context, input, fields.valuesOf(input.fields))
}

/** A function that revokes a token of a store or, under the store number 0, an operator. */
export function tokenRevocation(type: EventType) {
  const revoke = updateOf({}, () => ({
    table: access_tokens,
    type,
    isMissing: isRevoked,
    newValues: { revoked_at: contextParams.now },
    record: { id: access_tokens.id },
  }))

  return async function revokeToken(db: Db, context: RequestContext, number: number): Promise<void> {
    await revoke(db, context, { number }, {})
  }
}

/** Throws `not_found`, also if the token has been revoked before. */
export const revokeAccessToken = tokenRevocation('access_token.revoked')

export const listAccessTokens = listOf(access_tokens, 'id', ({ isOnPage, order, limit }) =>
  orm.select().from(access_tokens).where(isOnPage).orderBy(order).limit(limit),
)
