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
