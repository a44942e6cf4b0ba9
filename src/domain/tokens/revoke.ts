import { type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { insertFrom, type Params, statement } from '../../db/statement.ts'
import { idIn, isOfStore } from '../../db/ids.ts'
import { access_tokens, events } from '../../db/schema.ts'
import { NOT_REVOKED, selectToken } from './access-tokens.ts'
import { isOwn } from '../change/batch-events.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { changeOf, fieldValues, recordValues, sendChange } from '../change/changes.ts'
import { decideUnless, eventId, newestEvent, NO_DETAILS, settleAndWake, tellMore } from '../change/event.ts'
import type { EventType } from '../events/event-types.ts'
import { refusal } from '../errors.ts'

const FIELDS = ['revoked_at'] as const

export const revokeAccessToken = tokenRevocation('access_token.revoked')

/** Revokes a token of a store or, under the store number 0, an operator. It throws `not_found`, the second time too. */
export function tokenRevocation(type: EventType) {
  const revocationSteps = changeOf({ table: access_tokens, type, fields: FIELDS, where: NOT_REVOKED })
  return async function revokeToken(db: Db, call: Call, number: number): Promise<void> {
    const fields = fieldValues(FIELDS, { revoked_at: call.now })
    const values = { ...callValues(call), ...recordValues(number), ...fields }
    await sendChange(db, { call, steps: revocationSteps(values), found: selectToken(values) })
  }
}

/**
 * Revokes every token of the store, each with an event of its own, and answers how many. Their request ids are
 * `request_id/0` and so on: sent again, the batch knows by the newest of them that it was made, and how many they were.
 */
export async function revokeAllAccessTokens(db: Db, call: Call): Promise<number> {
  const values = callValues(call)
  const { told } = await batch(
    db,
    { events: insertRevoked(values), tokens: setRevoked(values), told: tellRevokeAll(values) },
    { retry: 'it finds its own event' },
  )
  const verdict = settleAndWake(db, told)
  if (verdict !== null) throw refusal(verdict)
  return told[0]?.revoked ?? 0
}

type P = Params<CallValues>

/** Of the newest event that this request has inserted, now or before: `column`; null where there is none. */
function newestOwn(p: P, column: SQL): SQL {
  const newest = newestEvent(p.store)
  return sql`(select ${column} from ${events} where id between ${newest} - ${p.look} + 1 and ${newest}
    and ${isOwn(p)} order by id desc limit 1)`
}

/** The last one has the highest index. */
function howMany(p: P): SQL<number> {
  return sql`coalesce(${newestOwn(p, sql`substr(request_id, length(${p.request_id}) + 2) + 1`)}, 0)`
}

function decideRevokeAll(p: P) {
  return decideUnless(sql`${howMany(p)} > 0`, p)
}

const tellRevokeAll = statement((p: P, orm) =>
  tellMore(orm, p, decideRevokeAll(p), { revoked: howMany(p).as('revoked') }),
)

const insertRevoked = statement((p: P, orm) => {
  const index = sql`(row_number() over (order by t.id) - 1)`
  return insertFrom(
    orm,
    events,
    {
      id: sql`coalesce(${newestEvent(p.store)}, ${idIn(p.store, sql`0`)}) + 1 + ${index}`,
      type: 'access_token.revoked',
      created_at: p.now,
      request_id: sql`${p.request_id} || '/' || ${index}`,
      actor_id: p.caller,
      subject_id: sql`t.id`,
      previous_id: sql`t.event_id`,
      ...NO_DETAILS,
    },
    sql`from ${access_tokens} t
      where ${isOfStore(sql`t.id`, p.store)} and t.revoked_at is null and ${decideRevokeAll(p)} is null`,
  )
})

/** Its events follow each other without a gap. */
const setRevoked = statement((p: P, orm) => {
  const newest = newestOwn(p, sql`id`)
  return orm
    .update(access_tokens)
    .set({ revoked_at: sql`${p.now}`, event_id: eventId })
    .from(sql`${events} e`)
    .where(
      sql`e.id > ${newest} - ${howMany(p)} and e.id <= ${newest}
        and ${access_tokens.id} = e.subject_id and ${access_tokens.event_id} < e.id`,
    )
})
