/** The tokens of stores. Operators are in the same table, under the store number 0 (src/domain/operators/operators.ts). */
import { getTableColumns, isNotNull } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { numberOf } from '../../db/ids.ts'
import { access_tokens, type AccessToken } from '../../db/schema.ts'
import { columnsOf, limitOf, orm, params, statement } from '../../db/statement.ts'
import type { RequestContext } from '../change/context.ts'
import { creationOf, newRecord } from '../change/record/creation.ts'
import { optionalFields } from '../change/record/fields.ts'
import { changesJson, differencesOf, recordParams, recordValues } from '../change/record/record.ts'
import { updateOf } from '../change/record/update.ts'
import {
  inBothOrders,
  isAfterCursor,
  type Order,
  orderBy,
  type Page,
  pageParams,
  type PageRequest,
  readPage,
  startOf,
} from '../pages.ts'
import { newSecret, writeToken } from './token-format.ts'

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

/** Throws the errors of the authorization. */
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

const updateParams = { ...recordParams, ...fields.params }

const update = updateOf(updateParams, () => ({
  table: access_tokens,
  type: 'access_token.updated',
  isMissing: isRevoked,
  after: fields.after(),
  event: { data: changesJson(differencesOf(access_tokens, fields.after())) },
  record: getTableColumns(access_tokens),
}))

interface TokenUpdate {
  number: number
  /** A field that is undefined keeps its value. */
  fields: Parameters<typeof fields.valuesOf>[0]
}

/** Throws the errors of the authorization and `not_found`. */
export function updateAccessToken(db: Db, context: RequestContext, input: TokenUpdate): Promise<AccessToken> {
  return update(db, context, { ...recordValues(input), ...fields.valuesOf(input.fields) })
}

/** Throws the errors of the authorization. */
export function listAccessTokens(
  db: Db,
  context: RequestContext,
  { limit, order = 'asc', after = startOf(order) }: PageRequest<number> & { order?: Order | undefined },
): Promise<Page<AccessToken>> {
  return readPage(db, context, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => selectTokens[order]({ after, count }),
  })
}

const selectTokens = inBothOrders((order) =>
  statement(pageParams, () =>
    orm
      .select()
      .from(access_tokens)
      .where(isAfterCursor(order, access_tokens.id))
      .orderBy(orderBy(order, access_tokens.id))
      .limit(limitOf(pageParams.count)),
  ),
)
