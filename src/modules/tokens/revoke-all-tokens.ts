import { and, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { isOfStore } from '../../db/ids.ts'
import { access_tokens, events } from '../../db/schema/stores.ts'
import { lazySql, orm, statement } from '../../db/statement.ts'
import { ownEvent, attemptRules, newestEventOf } from '../../change/event.ts'
import { authorization, contextParams, type RequestContext, storeNumber } from '../../change/request.ts'
import { commit, resultOf } from '../../change/commit.ts'
import {
  insertItemEvents,
  isItemEventOfThisAttempt,
  itemChange,
  pathIn,
  selectRequestOfItems,
} from '../../change/many-records.ts'
import type { EventType } from '../../change/event-types.ts'

/** Revokes every token of the store, each with an event of its own, and returns their number. */
export async function revokeAllAccessTokens(db: Db, context: RequestContext): Promise<number> {
  const { result } = await commit(db, context, {
    event: insertRevokedEvents({}),
    tokens: revokeTokens({}),
    result: selectResult({}),
  })
  return result.revoked
}

const REVOKED: EventType = 'access_token.revoked'

const rules = [...attemptRules, ...authorization]

const insertRevokedEvents = statement({}, () => {
  const changes = orm
    .select(
      itemChange({
        position: sql`row_number() over (order by ${access_tokens.id}) - 1`,
        nested: null,
        type: sql`${REVOKED}`,
        subject_id: access_tokens.id,
        previous_id: access_tokens.event_id,
        user_id: null,
        product_id: null,
        data: null,
      }),
    )
    .from(access_tokens)
    .where(and(isOfStore(access_tokens.id, storeNumber), isNull(access_tokens.revoked_at)))
  return insertItemEvents({ changes, rules })
})

const newest = alias(events, 'newest')

/** How many events this attempt has inserted, if any: the newest one has the highest index. */
const countOfEvents = lazySql(() =>
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
    revoked: sql<number>`coalesce(${pathIn(ownEvent.request_id)} + 1, 0)`.as('revoked'),
  }),
)
