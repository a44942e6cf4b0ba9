/**
 * The history of one record: each event names the one before it about the same record, so it costs what it answers
 * and needs no index. It ends where events are no longer kept.
 */
import { desc, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { type Params, statement } from '../../db/statement.ts'
import { idIn, numberOf } from '../../db/ids.ts'
import { events, product_accesses, users } from '../../db/schema.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { type EventRecord, selectEvents } from './feed.ts'
import { refusal } from '../errors.ts'
import { type Page, pageOf, type PageRequest } from '../pages.ts'
import { readAll } from '../change/read.ts'

type Values = CallValues & { number: number; after: number | null; count: number }

/** The two statements of a history: the record, and its events, the newest first. */
function historyOf(table: SQLiteTable) {
  const recordId = (p: Params<Values>): SQL => idIn(p.store, p.number)

  const selectRecord = statement((p: Params<Values>, orm) =>
    orm
      .select({ id: sql<number>`id` })
      .from(table)
      .where(sql`id = ${recordId(p)}`),
  )

  const selectHistory = statement((p: Params<Values>, orm) => {
    // Only an event of this very record leads on, so that no cursor shows another one's history.
    const newest = sql`iif(${p.after} is null, (select event_id from ${table} where id = ${recordId(p)}),
      (select previous_id from ${events} where id = ${idIn(p.store, p.after)} and subject_id = ${recordId(p)}))`
    return selectEvents(orm)
      .where(
        sql`${events.id} in (with recursive chain(id, previous_id, length) as (
          select id, previous_id, 1 from ${events} where id = ${newest} union all
          select e.id, e.previous_id, length + 1 from chain join ${events} e on e.id = chain.previous_id
            where length < ${p.count}) select id from chain)`,
      )
      .orderBy(desc(events.id))
  })

  return (values: Values) => ({ record: selectRecord(values), found: selectHistory(values) })
}

const histories = { users: historyOf(users), product_accesses: historyOf(product_accesses) }

interface HistoryRequest extends PageRequest<number> {
  of: keyof typeof histories
  /** The number of the record. */
  number: number
}

/** Throws `not_found`, of a record that was deleted too. */
export async function listHistory(
  db: Db,
  call: Call,
  { of, number, limit, after }: HistoryRequest,
): Promise<Page<EventRecord>> {
  const values = { ...callValues(call), number, after: after ?? null, count: limit + 1 }
  const { record, found } = await readAll(db, call, histories[of](values))
  if (record.length === 0) throw refusal('not_found')
  return pageOf(found, limit, (row) => numberOf(row.id))
}
