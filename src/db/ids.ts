/**
 * An id is `store number × 2^32 + n`. The wire shows n alone; the path or the token brings the store, so an id can
 * never reach into another store, and a store's rows are a range of ids that needs no index.
 * Ranges are written as ranges, without a store column beside them: with one SQLite takes another index (57 ms a
 * page of 300,000 users instead of 0.2). No id goes through JSON or text: bound, it is a double (literal.ts), of which
 * `json_array(id)` loses digits.
 * A function that ends in `Of` computes in JavaScript; one that ends in `In` writes SQL.
 */
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { literal } from './literal.ts'

const IDS_PER_STORE = 2 ** 32

/** The n of an id that is well formed but that no record gets. */
export const NO_NUMBER = IDS_PER_STORE - 1

export function idOf(store: number, n: number): number {
  return store * IDS_PER_STORE + n
}

/** What the wire shows of an id. */
export function numberOf(id: number): number {
  return id % IDS_PER_STORE
}

export function storeOf(id: number): number {
  return Math.floor(id / IDS_PER_STORE)
}

/** The id of the record n of a store: `idOf`, in SQL. */
export function idIn(store: SQLWrapper, n: SQLWrapper): SQL<number> {
  return sql`(${store} * ${literal(IDS_PER_STORE)} + ${n})`
}

/** Whether an id lies in the store, behind its first `after` ones. */
export function isOfStore(id: SQLWrapper, store: SQLWrapper, after: SQLWrapper = sql`0`): SQL {
  return sql`${id} > ${idIn(store, after)} and ${id} < ${idIn(store, literal(NO_NUMBER))}`
}

/** `numberOf`, in SQL. */
export function numberIn(id: SQL): SQL<number> {
  return sql`(${id} & ${literal(IDS_PER_STORE - 1)})`
}
