/** The tokens of stores. Operators are in the same table, under the store number 0 (operators/operators.ts). */
import { eq, getTableColumns, isNotNull } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { numberOf } from '../../db/ids.ts'
import { access_tokens, type AccessToken, events } from '../../db/schema.ts'
import { columnsOf, limitOf, orm, params, statement } from '../../db/statement.ts'
import { lazy } from '../../lazy.ts'
import { authorization } from '../change/authorize.ts'
import { commit, requireRecord, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import {
  applied,
  attemptRules,
  isEventOfThisAttempt,
  newEvent,
  selectRequestWithEarlierAttempts,
} from '../change/event.ts'
import { optionalFields } from '../change/fields.ts'
import { changesJson, differencesOf, recordParams, recordValues } from '../change/record.ts'
import { noneHolds } from '../change/rules.ts'
import { updateOf } from '../change/update.ts'
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

const createRules = lazy(() => [...attemptRules, ...authorization])

const insertToken = statement(createParams, () =>
  orm.insert(access_tokens).select(
    orm
      .select(
        columnsOf(access_tokens, {
          ...createParams,
          id: events.id,
          older_hashes: null,
          // Only an operator has these.
          email: null,
          email_key: null,
          store_numbers: null,
          created_at: contextParams.now,
          revoked_at: null,
          last_used_at: null,
          event_id: events.id,
        }),
      )
      .from(events)
      .where(isEventOfThisAttempt),
  ),
)

const selectCreated = statement({}, () =>
  selectRequestWithEarlierAttempts({ ...resultOf(createRules()), ...getTableColumns(access_tokens) }).leftJoin(
    access_tokens,
    eq(access_tokens.id, applied.id),
  ),
)

const insertCreatedEvent = statement({}, () =>
  orm
    .insert(events)
    .select(
      selectRequestWithEarlierAttempts(newEvent({ type: 'access_token.created' })).where(noneHolds(createRules())),
    ),
)

/** Throws the errors of the authorization. */
export async function createAccessToken(
  db: Db,
  context: RequestContext,
  { key, name, scopes, expires_at }: NewToken,
): Promise<ShownToken> {
  const { bits, hash } = newSecret()
  const result = await commit(db, context, {
    event: insertCreatedEvent({}),
    token: insertToken({ name, hash, scopes, expires_at }),
    result: selectCreated({}),
  })
  const row = requireRecord<AccessToken>(result)
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
}))

const selectUpdated = statement(updateParams, () =>
  update.selectRequest({ ...resultOf(update.rules()), ...getTableColumns(access_tokens) }),
)

interface TokenUpdate {
  number: number
  /** A field that is undefined keeps its value. */
  fields: Parameters<typeof fields.valuesOf>[0]
}

/** Throws the errors of the authorization and `not_found`. */
export async function updateAccessToken(db: Db, context: RequestContext, input: TokenUpdate): Promise<AccessToken> {
  const values = { ...recordValues(input), ...fields.valuesOf(input.fields) }
  const result = await commit(db, context, {
    event: update.insertEvent(values),
    token: update.updateRecord(values),
    result: selectUpdated(values),
  })
  return requireRecord<AccessToken>(result)
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
