/**
 * The event is the decision. A change is one batch whose first write inserts its event, under the whole guard: one
 * expression that names the first thing which speaks against the change. It is used as the event's WHERE, and is selected
 * behind the writes, to be told: of a change that was made it says `done`.
 * Each later statement follows this request's own event, while that is the store's newest one, and acts only where the
 * record does not bear that event's id, or a later one, yet. (In a batch of many, a record that is changed is asked for
 * the latter alone; a deletion needs neither, as no id is used twice.)
 *
 * So a batch that is sent again after a lost answer does nothing: the guard finds the event of this request and says
 * `done` before anything else, whoever has written meanwhile. "The newest event is mine" would not be enough: it is
 * still true when the batch is sent twice with nobody between, and the change would be made twice.
 *
 * A batch whose connection was lost may also arrive after the one that was sent in its place. It finds the mark of that
 * one (db/batch.ts) and does nothing, so that the answer is final: what was refused is not made behind its caller's back.
 */
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ATTEMPT_MARK, type Db } from '../../db/batch.ts'
import { insertFrom, type Orm, type Params } from '../../db/statement.ts'
import { idIn, isOfStore, NO_NUMBER } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { events, idempotency_keys, webhook_endpoints } from '../../db/schema.ts'
import type { CallValues } from './context.ts'
import type { EventType } from '../events/event-types.ts'
import type { Verdict } from '../errors.ts'
import { gate } from './authorize.ts'
import { wakeLater } from '../webhooks/notify.ts'

type AnyCall = Params<CallValues>

/** The newest event of the store; null where it has none. */
export function newestEvent(store: SQLWrapper): SQL<number | null> {
  return sql`(select max(n.id) from ${events} n where ${isOfStore(sql`n.id`, store)})`
}

/**
 * The event that this very request has inserted, now or when it was sent before; null where it has not. A store's
 * numbers follow each other, so its newest events are a range of ids.
 */
export function ownEvent(p: AnyCall): SQL<number | null> {
  return sql`(select id from ${events} where id > ${newestEvent(p.store)} - ${p.look} and id < ${idIn(p.store, literal(NO_NUMBER))}
    and request_id = ${p.request_id} order by id desc limit 1)`
}

/** Whether a later attempt of this very request was there before this one, whose connection was lost: nobody is told. */
function isOvertaken(p: AnyCall): SQL {
  const { store, caller_id, operation } = ATTEMPT_MARK
  return sql`exists (select 1 from ${idempotency_keys} where store = ${literal(store)}
    and caller_id = ${literal(caller_id)} and operation = ${literal(operation)} and key = ${p.request_id}
    and record_id > ${p.attempt})`
}

/** The decision: the first that is not null of the caller's own faults, a store that is not there, and `further`. */
export function decide<Own extends string = never>(p: AnyCall, ...further: SQL[]) {
  return decideUnless<Own>(sql`${ownEvent(p)} is not null`, p, ...further)
}

/** As `decide`, for a request that tells in another way whether it was `done`. */
export function decideUnless<Own extends string = never>(isDone: SQL, p: AnyCall, ...further: SQL[]) {
  const all = sql.join([gate(p), sql`iif(${p.store} is null, 'not_found', null)`, ...further], sql`, `)
  return sql<Own | Verdict | 'done' | null>`iif(${isDone} or ${isOvertaken(p)}, 'done', coalesce(${all}))`
}

/** What is told of a change: its decision, and the webhook endpoints to wake once it is made. */
export function tellDecision<Own extends string>(orm: Orm, p: AnyCall, decision: SQL<Own | null>) {
  return tellMore(orm, p, decision, {})
}

/** As `tellDecision`, with what else the answer or the refusal has to name; tables may be joined to it. */
export function tellMore<Own extends string, More extends Record<string, SQL.Aliased | SQLiteColumn>>(
  orm: Orm,
  p: AnyCall,
  decision: SQL<Own | null>,
  more: More,
) {
  const endpoints = sql<string>`(select json_group_array(id) from ${webhook_endpoints}
    where ${isOfStore(sql`id`, p.store)} and disabled_at is null)`
  return orm
    .select({ verdict: decision.as('verdict'), endpoints: endpoints.as('endpoints'), ...more })
    .from(sql`(select 1)`)
}

/** A table whose records are changed: each bears the id of the newest event about it. */
export type RecordTable = SQLiteTable & { id: SQLiteColumn; event_id: SQLiteColumn }

/** The columns of an event that is about no access, and tells no more. */
export const NO_DETAILS = { user_id: null, product_id: null, data: null } as const

interface NewEvent {
  type: EventType
  decision: SQL
  /** The table of the record that is changed, which `where` finds; an event without it makes a record, of its own id. */
  record?: RecordTable
  user_id?: SQL
  product_id?: SQL
  data?: SQL
  where?: SQL
}

/** What makes a change: its event, if nothing speaks against it. */
export function insertEvent(orm: Orm, p: AnyCall, { type, decision, record, where, ...details }: NewEvent) {
  const id = sql`coalesce(${newestEvent(p.store)}, ${idIn(p.store, sql`0`)}) + 1`
  const columns = {
    id,
    type,
    created_at: p.now,
    request_id: p.request_id,
    actor_id: p.caller,
    subject_id: record ? sql`${record.id}` : id,
    previous_id: record ? sql`${record.event_id}` : null,
    ...NO_DETAILS,
    ...details,
  }
  const from = record ? sql`from ${record}` : sql``
  return insertFrom(orm, events, columns, sql`${from} where ${where ?? sql`1`} and (${decision}) is null`)
}

/**
 * Whether `e` is this request's own event, and nobody's has followed it: what it makes may not have been made yet. Once
 * another has followed, it was made; and it may have been erased since, and must not be made a second time.
 */
export function isFreshEvent(p: AnyCall): SQL {
  return sql`e.id = ${newestEvent(p.store)} and e.request_id = ${p.request_id}`
}

/** The id of this request's own event, in a statement that selects from it as `e`. */
export const eventId = sql`e.id`

/** What inserts a record selects from: this request's own event `e`, while it is fresh and has no record yet. */
export function fromOwnEvent(p: AnyCall, table: SQLiteTable): SQL {
  return sql`from ${events} e where ${isFreshEvent(p)}
    and not exists (select 1 from ${table} made where made.id = e.id)`
}

/** Where a record follows this request's own event `e`: it bears neither that one nor a later one yet. */
export function followsOwnEvent(p: AnyCall, { id, event_id }: RecordTable): SQL {
  return sql`${isFreshEvent(p)} and ${id} = e.subject_id and ${event_id} < e.id`
}

interface Told<Own> {
  verdict: Own
  endpoints: string
}

/**
 * What speaks against the change; null where it was made, now or when it was sent before. Then the store's webhook
 * endpoints are woken once the request is answered. Null, too, of a batch that may be done, but changed nothing.
 */
export function settleAndWake<Own extends string>(db: Db, [told]: Told<Own | 'done' | null>[]): Own | null {
  if (told === undefined) throw new Error('a change without a decision')
  const { verdict, endpoints } = told
  if (verdict !== 'done') return verdict
  wakeLater(db, JSON.parse(endpoints))
  return null
}
