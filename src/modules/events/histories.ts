/**
 * The history of one record. Each event names the previous one about the same record, so a history reads only what it
 * returns and needs no index. It ends at the first event that has been purged.
 */
import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/batch.ts'
import { idIn, numberOf } from '../../db/ids.ts'
import { product_accesses } from '../../db/schema/accesses.ts'
import { events, users } from '../../db/schema/stores.ts'
import { orm, params, statement, type ValuesOf } from '../../db/statement.ts'
import { type RequestContext, storeNumber } from '../../change/request.ts'
import type { RecordTable } from '../../change/event.ts'
import { readAll } from '../../change/commit.ts'
import { requireRow } from '../../change/errors.ts'
import { type Page, pageOf, pageParams, type PageRequest } from '../../change/pages.ts'
import { type EventRecord, selectEvents } from './feed.ts'

const historyParams = { ...pageParams, ...params('number') }

const recordId = idIn(storeNumber, historyParams.number)

/** The columns of the recursive query, which begins with the newest event of the page. */
const chain = {
  id: sql<number>`chain.id`,
  previous_id: sql<number>`chain.previous_id`,
  length: sql<number>`chain.length`,
}

/** The ids of the event and of those before it, as many as the page has. */
function chainFrom(newest: SQL): SQL {
  const previous = alias(events, 'previous')
  const newestEvent = orm
    .select({ id: events.id, previous_id: events.previous_id, length: sql`1` })
    .from(events)
    .where(eq(events.id, newest))
  const previousEvent = orm
    .select({ id: previous.id, previous_id: previous.previous_id, length: sql`${chain.length} + 1` })
    .from(sql`chain`)
    .innerJoin(previous, eq(previous.id, chain.previous_id))
    .where(lt(chain.length, historyParams.count))
  return sql`(with recursive chain(id, previous_id, length) as
    (${newestEvent.getSQL()} union all ${previousEvent.getSQL()}) select ${chain.id} from chain)`
}

/** Two statements: the record, and its events, the newest first. */
function historyOf(table: RecordTable) {
  const selectRecord = statement(historyParams, () =>
    orm
      .select({ id: sql<number>`${table.id}` })
      .from(table)
      .where(eq(table.id, recordId)),
  )

  const newestOfRecord = orm.select({ id: table.event_id }).from(table).where(eq(table.id, recordId))
  // The cursor must be an event of this record, or it would show the history of another one.
  const beforeCursor = orm
    .select({ id: events.previous_id })
    .from(events)
    .where(and(eq(events.id, idIn(storeNumber, historyParams.after)), eq(events.subject_id, recordId)))
  const newest = sql`iif(${historyParams.after} is null, ${newestOfRecord}, ${beforeCursor})`

  const selectHistory = statement(historyParams, () =>
    selectEvents()
      .where(inArray(events.id, chainFrom(newest)))
      .orderBy(desc(events.id)),
  )

  return (values: ValuesOf<typeof historyParams>) => ({ record: selectRecord(values), found: selectHistory(values) })
}

const histories = { users: historyOf(users), product_accesses: historyOf(product_accesses) }

interface HistoryRequest extends PageRequest<number> {
  of: keyof typeof histories
  number: number
}

/** Throws `not_found`, also if the record has been deleted. */
export async function listHistory(
  db: Db,
  context: RequestContext,
  { of, number, limit, after }: HistoryRequest,
): Promise<Page<EventRecord>> {
  const values = { number, after: after ?? null, count: limit + 1 }
  const { record, found } = await readAll(db, context, histories[of](values))
  requireRow(record)
  return pageOf(found, limit, (row) => numberOf(row.id))
}
