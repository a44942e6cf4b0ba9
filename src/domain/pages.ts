import { and, asc, desc, gt, lt, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../db/batch.ts'
import { idIn, isOfStore, NO_NUMBER } from '../db/ids.ts'
import { params, type Step } from '../db/statement.ts'
import { storeNumber } from './change/authorize.ts'
import type { RequestContext } from './change/context.ts'
import { read } from './change/read.ts'

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
export function isAfterCursor(order: Order, id: SQLiteColumn): SQL | undefined {
  if (order === 'asc') return isOfStore(id, storeNumber, pageParams.after)
  return and(gt(id, idIn(storeNumber, 0)), followsCursor(order, id))
}

/** The same as a condition on records that are known to be of the store. */
export function followsCursor(order: Order, id: SQLWrapper): SQL {
  return (order === 'asc' ? gt : lt)(id, idIn(storeNumber, pageParams.after))
}

export interface PageRequest<Cursor> {
  /** The maximum number of rows. */
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

/** A row of a search. One that does not match marks the end of the records that were searched. */
interface Searched {
  matches: 0 | 1
}

/** The page of a search. If it found too few rows, `next` is the end of the records that were searched. */
export function searchedPageOf<Row extends Searched>(
  found: Row[],
  limit: number,
  cursorOf: (row: Row) => string | number,
): Page<Row> {
  const matching = found.filter((row) => row.matches === 1)
  const end = found.find((row) => row.matches === 0)
  return end ? { rows: matching.slice(0, limit), next: String(cursorOf(end)) } : pageOf(matching, limit, cursorOf)
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
