/** Revokes all tokens of a store. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { isOfStore } from '../../db/ids.ts'
import { access_tokens, events } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { authorization } from '../change/authorize.ts'
import { commit, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext, storeNumber } from '../change/context.ts'
import { applied, earlierAttempts, newestEventOf } from '../change/event.ts'
import {
  insertItemEvents,
  isItemEventOfThisAttempt,
  itemChange,
  pathIn,
  selectRequestOfItems,
} from '../change/item-events.ts'

/**
 * Revokes every token of the store, each with an event of its own, and returns their number. Throws the errors of the
 * authorization.
 */
export async function revokeAllAccessTokens(db: Db, context: RequestContext): Promise<number> {
  const { revoked } = await commit(db, context, {
    event: insertRevokedEvents({}),
    tokens: revokeTokens({}),
    result: selectResult({}),
  })
  return revoked
}

const rules = [...earlierAttempts, ...authorization]

/** The newest event of the request is found without knowing how many there are, because nothing has followed it. */
const ONLY_NEWEST = sql`0`

const insertRevokedEvents = statement({}, () => {
  const changes = orm
    .select(
      itemChange({
        position: sql`row_number() over (order by ${access_tokens.id}) - 1`,
        nested: null,
        type: 'access_token.revoked',
        subject_id: access_tokens.id,
        previous_id: access_tokens.event_id,
        user_id: null,
        product_id: null,
        data: null,
      }),
    )
    .from(access_tokens)
    .where(and(isOfStore(access_tokens.id, storeNumber), isNull(access_tokens.revoked_at)))
  return insertItemEvents({ changes, rules, maxEvents: ONLY_NEWEST })
})

const newest = alias(events, 'newest')

/** How many events this attempt has inserted, if any: the newest one has the highest index. */
const countOfEvents = orm
  .select({ count: sql`${pathIn(newest.request_id)} + 1` })
  .from(newest)
  .where(eq(newest.id, newestEventOf(storeNumber)))

const revokeTokens = statement({}, () =>
  orm
    .update(access_tokens)
    .set({ revoked_at: sql`${contextParams.now}`, event_id: events.id })
    .from(events)
    .where(and(isItemEventOfThisAttempt(sql`${countOfEvents}`), eq(access_tokens.id, events.subject_id))),
)

const selectResult = statement({}, () =>
  selectRequestOfItems(
    { ...resultOf(rules), revoked: sql<number>`coalesce(${pathIn(applied.request_id)} + 1, 0)`.as('revoked') },
    ONLY_NEWEST,
  ),
)
