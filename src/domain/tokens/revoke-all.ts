/** Revokes all tokens of a store. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { isOfStore } from '../../db/ids.ts'
import { access_tokens, events } from '../../db/schema.ts'
import { deferred, orm, statement } from '../../db/statement.ts'
import { applied, attemptRules, newestEventOf, permitted } from '../change/attempts.ts'
import { authorization } from '../change/authorize.ts'
import { commit, resultOf } from '../change/commit.ts'
import { contextParams, type RequestContext } from '../change/context.ts'
import { isItemEventOfThisAttempt, newItemEvent, pathIn, selectRequestOfItems } from '../change/item-events.ts'
import { noneHolds } from '../change/rules.ts'

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

const rules = [...attemptRules, ...authorization]

const insertRevokedEvents = statement({}, () => {
  const preceding = sql`(row_number() over (order by ${access_tokens.id}) - 1)`
  const columns = newItemEvent({
    preceding,
    path: preceding,
    type: 'access_token.revoked',
    subject_id: access_tokens.id,
    previous_id: access_tokens.event_id,
  })
  const isNotRevoked = and(isOfStore(access_tokens.id, permitted.store), isNull(access_tokens.revoked_at))
  return orm.insert(events).select(
    selectRequestOfItems(columns)
      .crossJoin(access_tokens)
      .where(and(isNotRevoked, noneHolds(rules))),
  )
})

const newest = alias(events, 'newest')

/** How many events this attempt has inserted, if any: the newest one has the highest index. */
const countOfEvents = deferred(() =>
  orm
    .select({ count: sql`${pathIn(newest.request_id)} + 1` })
    .from(newest)
    .where(eq(newest.id, newestEventOf(contextParams.store))),
)

const revokeTokens = statement({}, () =>
  orm
    .update(access_tokens)
    .set({ revoked_at: sql`${contextParams.now}`, event_id: events.id })
    .from(events)
    .where(and(isItemEventOfThisAttempt(countOfEvents), eq(access_tokens.id, events.subject_id))),
)

const selectResult = statement({}, () =>
  selectRequestOfItems({
    ...resultOf(rules),
    revoked: sql<number>`coalesce(${pathIn(applied.request_id)} + 1, 0)`.as('revoked'),
  }),
)
