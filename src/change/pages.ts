import { and, asc, desc, gt, lt, type Placeholder, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../db/batch.ts'
import { idIn, isOfStore, NO_NUMBER, numberOf } from '../db/ids.ts'
import { limitOf, orm, params, type Query, statement, type Step } from '../db/statement.ts'
import { type RequestContext, storeNumber } from './request.ts'
import { read } from './commit.ts'

/** The cursor of the previous page, and how many rows are selected. */
export const pageParams = params('after', 'count')

/** Of a list: ascending is the oldest first. */
export const ORDERS = ['asc', 'desc'] as const

export type Order = (typeof ORDERS)[number]

/** The same for both orders. SQL cannot have the direction as a parameter. */
export function inBothOrders<T>(make: (order: Order) => T): Record<Order, T> {
  return { asc: make('asc'), desc: make('desc') }
}

/** The cursor before the first record of a list that is ordered by number. */
export function startOf(order: Order): number {
  return order === 'asc' ? 0 : NO_NUMBER
}

export function orderBy(order: Order, column: SQLiteColumn): SQL {
  return order === 'asc' ? asc(column) : desc(column)
}

/** True for the records of the store that follow the cursor: the range of a list that is ordered by number. */
export function isAfterCursor(order: Order, id: SQLiteColumn, store: SQL = storeNumber): SQL | undefined {
  if (order === 'asc') return isOfStore(id, store, pageParams.after)
  return and(gt(id, idIn(store, 0)), followsCursor(order, id, store))
}

/** The same as a condition on records that are known to be of the store. */
export function followsCursor(order: Order, id: SQLWrapper, store: SQL = storeNumber): SQL {
  return (order === 'asc' ? gt : lt)(id, idIn(store, pageParams.after))
}

export interface PageRequest<Cursor> {
  limit: number
  /** The cursor of the previous page. */
  after?: Cursor | undefined
}

export interface Page<Row> {
  rows: Row[]
  /** The cursor of the next page; null at the end. */
  next: string | null
}

/** The page of up to `limit + 1` rows. An extra row shows that there is a next page. */
export function pageOf<Row>(found: Row[], limit: number, cursorOf: (row: Row) => string | number): Page<Row> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last !== undefined ? String(cursorOf(last)) : null }
}

/** A search examines so many of the records of a range, in this order, and selects up to `count` of those that match. */
interface Search {
  table: SQLiteTable
  id: SQLiteColumn
  range: SQL | undefined
  order: SQL
  matches: SQL | undefined
  examined: SQL
  count: SQL
}

export function selectMatching({ table, id, range, order, matches, examined, count }: Search) {
  // SQLite evaluates every part of an `and` or an `or` whose value is selected, but as the condition of `iif` only those
  // that it needs. That makes a search twice as fast.
  const is_match = sql`iif(${matches}, 1, 0)`.as('is_match')
  const page = orm
    .select({ id: sql<number>`${id}`.as('examined_id'), is_match })
    .from(table)
    .where(range)
    .orderBy(order)
    .limit(limitOf(examined))
    .as('examined')
  return orm
    .select({ id: page.id })
    .from(page)
    .where(sql`${page.is_match}`)
    .limit(limitOf(count))
}

/** The columns of what `searched` selects: `matches` is 0 for the first record that was not examined. */
export const found = { id: sql<number>`found.id`, matches: sql<0 | 1>`found.matches` }

/**
 * The records that match and, unless they fill the page, the first one that was not examined. That one is found by reading
 * the range a second time, without its columns. To count the records on the way, SQLite would store them, which takes as
 * long as two more readings.
 */
export function searched(search: Search): SQL {
  const { table, id, range, order, examined, count } = search
  const wanted = sql`(select wanted.count from wanted)`
  const end = orm
    .select({ id: sql<number>`${id}`.as('id') })
    .from(table)
    .where(range)
    .orderBy(order)
    // No rows if the page is full. A condition would be evaluated for every record of the range, this is not.
    .limit(limitOf(sql`(select count(*) from page) < ${wanted}`))
    .offset(limitOf(examined))
  return sql`(with wanted(count) as materialized (select ${count}),
    page(id) as materialized ${selectMatching({ ...search, count: wanted })}
    select page.id, 1 as matches from page union all select last.id, 0 from ${end} last) found`
}

/** The page of the rows that `searched` has selected for `limit + 1`. `cursorAt` returns the cursor of the page that begins with a row. */
export function searchPage<Row extends { matches: 0 | 1 }, Cursor>(
  rows: Row[],
  limit: number,
  cursorAt: (row: Row) => Cursor,
): { rows: Row[]; next: Cursor | null } {
  const end = rows.findIndex(({ matches }, i) => matches === 0 || i === limit)
  const first = rows[end]
  return first === undefined ? { rows, next: null } : { rows: rows.slice(0, end), next: cursorAt(first) }
}

/** The same for a list that is ordered by number. */
export function searchPageOf<Row extends { id: number; matches: 0 | 1 }>(
  rows: Row[],
  limit: number,
  order: Order,
): Page<Row> {
  // One more match than the page takes: the search has not reached its end.
  if (rows[limit]?.matches === 1) return pageOf(rows, limit, (row) => numberOf(row.id))
  const step = order === 'asc' ? 1 : -1
  return searchPage(rows, limit, (row) => String(numberOf(row.id) - step))
}

interface PageQuery<Row> {
  /** Selects up to `count` rows after the cursor. */
  select: (count: number) => Step<Row>
  limit: number
  cursorOf: (row: Row) => string | number
}

/** One page. Throws if the caller may not read it. */
export async function readPage<Row>(
  db: Db,
  context: RequestContext,
  { select, limit, cursorOf }: PageQuery<Row>,
): Promise<Page<Row>> {
  return pageOf(await read(db, context, select(limit + 1)), limit, cursorOf)
}

interface ListRequest extends PageRequest<number> {
  order?: Order | undefined
}

/** What a page adds to the query of a list. */
interface PageOfQuery {
  isOnPage: SQL | undefined
  order: SQL
  limit: Placeholder
}

/** A function that lists the records of a store, ordered by this column, which has ids. */
export function listOf<Name extends string, Row extends Record<Name, number>>(
  table: Record<Name, SQLiteColumn>,
  name: Name,
  select: (page: PageOfQuery) => Query & { _: { result: Row[] } },
  defaultOrder: Order = 'asc',
) {
  const id = table[name]
  const selects = inBothOrders((order) =>
    statement(pageParams, () =>
      select({ isOnPage: isAfterCursor(order, id), order: orderBy(order, id), limit: limitOf(pageParams.count) }),
    ),
  )
  return function list(db: Db, context: RequestContext, request: ListRequest): Promise<Page<Row>> {
    const { limit, order = defaultOrder, after = startOf(order) } = request
    return readPage(db, context, {
      limit,
      cursorOf: (row) => numberOf(row[name]),
      select: (count) => selects[order]({ after, count }),
    })
  }
}
