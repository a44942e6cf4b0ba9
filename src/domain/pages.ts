import type { Db } from '../db/batch.ts'
import { params, type Step } from '../db/statement.ts'
import type { RequestContext } from './change/context.ts'
import { read } from './change/read.ts'

/** The cursor of the previous page, and how many rows are selected. */
export const pageParams = params('after', 'count')

/** Of a list: ascending is the oldest first. */
export const ORDERS = ['asc', 'desc'] as const

export type Order = (typeof ORDERS)[number]

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
