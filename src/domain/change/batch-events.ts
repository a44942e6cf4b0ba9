/**
 * Many changes in one request, each with an event of its own: its request id is the request's, a slash, and the place
 * of the item. They are decided at once (decisions.ts): all events are inserted by one statement, and where any of
 * them is found, the whole has been done before, and nothing is done again.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { insertFrom, type Orm, type Params, type RowOf, statement } from '../../db/statement.ts'
import { idIn, numberOf } from '../../db/ids.ts'
import { access_tokens, events } from '../../db/schema.ts'
import { hasWord } from '../../db/words.ts'
import { type Call, type CallValues, callValues } from './context.ts'
import { decideUnless, newestEvent, settleAndWake, tellDecision } from './event.ts'
import type { EventType } from '../events/event-types.ts'
import { type Fact, refusal } from '../errors.ts'

export type OnExisting = 'fail' | 'skip' | 'update'

/** What has become of an item: a record that was made, one that was there, or a fact that speaks against it. */
export interface ItemOutcome {
  status: 'created' | 'there' | 'refused'
  /** Of the record that was made or is there; undefined where nobody can know. */
  number?: number | undefined
  fact?: Fact
}

export type BatchValues = CallValues & {
  /** A JSON list. An item that was refused before is null, so that each has the place that it was sent at. */
  items: string
  on_existing: OnExisting
  also_needs: string | null
  /** How many events there may be. */
  most: number
}

interface Batch {
  items: (object | undefined)[]
  onExisting: OnExisting
  most: number
}

export function batchValues(call: Call, { items, onExisting, most }: Batch): BatchValues {
  return {
    ...callValues(call),
    items: JSON.stringify(items.map((item) => item ?? null)),
    on_existing: onExisting,
    also_needs: call.caller.alsoNeeds ?? null,
    most,
  }
}

type P = Params<BatchValues>

/** The newest events of the store, among which are those of this request. */
function newestEvents(p: P): SQL {
  const newest = newestEvent(p.store)
  return sql`${events} where id between ${newest} - ${p.look} - ${p.most} + 1 and ${newest}`
}

/** Whether an event is one of this request's. */
export function isOwn(p: Params<CallValues>): SQL {
  return sql`substr(request_id, 1, length(${p.request_id}) + 1) = ${p.request_id} || '/'`
}

/**
 * The events that this very request has inserted, now or when it was sent before: each with its `place`, which is the
 * index of an item, or that, a slash and the index of an access that the item brings; and with what was `given` there.
 */
export function ownEvents(p: P): SQL {
  const place = sql`substr(request_id, length(${p.request_id}) + 2)`
  const path = sql`'$[' || replace(${place}, '/', '].product_accesses[') || ']'`
  return sql`(select *, ${place} as place, ${p.items} -> (${path}) as given from ${newestEvents(p)} and ${isOwn(p)})`
}

/** Those that nobody's event has followed: an older one's record was made before, and may be gone since. */
export function freshEvents(p: P): SQL {
  const others = sql`(select coalesce(max(id), 0) from ${newestEvents(p)} and not ${isOwn(p)})`
  return sql`(select * from ${ownEvents(p)} where id > ${others})`
}

/** Whether the batch may be done at all; what speaks against an item is its own. */
function decideBatch(p: P) {
  const lacksScope = sql`${p.also_needs} is not null and not exists (select 1 from ${access_tokens}
    where id = ${p.caller} and ${hasWord(sql`scopes`, p.also_needs)})`
  return decideUnless(
    sql`exists (select 1 from ${ownEvents(p)})`,
    p,
    sql`iif(${lacksScope}, 'insufficient_scope', null)`,
  )
}

export const tellBatch = statement((p: P, orm) => tellDecision(orm, p, decideBatch(p)))

/** Throws what speaks against the whole batch. */
export function settleBatch(db: Db, told: RowOf<typeof tellBatch>[]): void {
  const verdict = settleAndWake(db, told)
  if (verdict !== null) throw refusal(verdict)
}

/** The records that this request has made or changed, one an item, and whether they are still there. */
export function selectMadeOf(table: SQLiteTable, types: { created: EventType; updated: EventType }) {
  return statement((p: P, orm) =>
    orm
      .select({
        at: sql<number>`e.place + 0`.as('at'),
        is_new: sql<0 | 1>`e.type = ${types.created}`.as('is_new'),
        id: sql<number>`e.subject_id`.as('id'),
        is_there: sql<0 | 1>`exists (select 1 from ${table} where id = e.subject_id)`.as('is_there'),
      })
      .from(sql`${ownEvents(p)} e`)
      .where(sql`e.type in (${types.created}, ${types.updated})`),
  )
}

export type Made = RowOf<ReturnType<typeof selectMadeOf>>

/** Of an item whose record this request has made or changed: erased since, it is as after a single create. */
export function outcomeOfMade({ id, is_new, is_there }: Made): ItemOutcome {
  if (is_there === 0) return { status: 'refused', fact: { code: 'not_found' } }
  return { status: is_new === 1 ? 'created' : 'there', number: numberOf(id) }
}

/**
 * The events of all changes, in one order. `changes` has the columns at, nth (the order), place, type, subject_id,
 * previous_id, user_id, product_id and data. A change without a subject makes a record; without a user it is one of
 * the user whom the first change of the same item makes.
 */
export function insertEvents(orm: Orm, p: P, changes: SQL) {
  const newest = sql`coalesce(${newestEvent(p.store)}, ${idIn(p.store, sql`0`)})`
  const numbered = sql`(select *, ${newest} + row_number() over (order by at, nth) as id from (${changes}))`
  return insertFrom(
    orm,
    events,
    {
      id: sql`n.id`,
      type: sql`n.type`,
      created_at: p.now,
      request_id: sql`${p.request_id} || '/' || n.place`,
      actor_id: p.caller,
      subject_id: sql`coalesce(n.subject_id, n.id)`,
      previous_id: sql`n.previous_id`,
      user_id: sql`iif(n.product_id is null, null, coalesce(n.user_id, n.first_id))`,
      product_id: sql`n.product_id`,
      data: sql`n.data`,
    },
    sql`from (select *, min(id) over (partition by at) as first_id from ${numbered}) n where (${decideBatch(p)}) is null`,
  )
}
