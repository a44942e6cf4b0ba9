import type { Db } from '../db/batch.ts'
import type { Step } from '../db/statement.ts'
import type { Call } from './change/context.ts'
import { read } from './change/read.ts'

export interface PageRequest<Cursor> {
  /** How many rows at most. */
  limit: number
  /** The cursor of the page before. */
  after?: Cursor | undefined
}

export interface Page<Row> {
  rows: Row[]
  /** Where the next page starts, null at the end. */
  next: string | null
}

/** Makes a page of up to `limit + 1` rows: the row too many tells that there is a next page. */
export function pageOf<Row>(found: Row[], limit: number, cursorOf: (row: Row) => string | number): Page<Row> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last !== undefined ? String(cursorOf(last)) : null }
}

/** A row of a search; one that does not match marks the end of the records that were searched. */
interface Searched {
  matches: 0 | 1
}

/** Makes a page of what a search found; where that is too little, `next` is the end of what was searched. */
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
  /** Selects up to so many rows, from behind the cursor on. */
  select: (limit: number) => Step<Row>
  limit: number
  cursorOf: (row: Row) => string | number
}

/** One page for a caller who may read it; throws what speaks against it. */
export async function readPage<Row>(
  db: Db,
  call: Call,
  { select, limit, cursorOf }: PageQuery<Row>,
): Promise<Page<Row>> {
  return pageOf(await read(db, call, select(limit + 1)), limit, cursorOf)
}
