/**
 * An id is `store number × 2^32 + n`. The API shows only n; the path or the token supplies the store, so an id cannot
 * reach into another store, and the rows of a store are a range of rowids that needs no index. Write a range as a range,
 * without a condition on the store column. With that condition SQLite picks another index, and a page of 300,000 users
 * takes 57 ms instead of 0.2. Never send an id through JSON or text: it is bound as a double, of which `json_array(id)`
 * loses digits. Functions that end in `Of` compute in JavaScript, those that end in `In` write SQL.
 */
import { and, gt, lt, type SQL, sql, type SQLWrapper } from 'drizzle-orm'

const IDS_PER_STORE = 2 ** 32

/** The n of an id that is well formed but that no record gets. */
export const NO_NUMBER = IDS_PER_STORE - 1

/**
 * A dry run of a bulk change has no event to take its number from, and a number of its own from the sequence would be
 * given again to the next record. So dry runs have the numbers from this one on, which the sequence does not reach.
 */
export const DRY_RUNS_FROM = 15 * 2 ** 28

export function idOf(store: number, n: number): number {
  return store * IDS_PER_STORE + n
}

/** The n of an id: what the API shows. */
export function numberOf(id: number): number {
  return id % IDS_PER_STORE
}

export function storeOf(id: number): number {
  return Math.floor(id / IDS_PER_STORE)
}

/** `idOf`, in SQL. */
export function idIn(store: SQLWrapper, n: SQLWrapper | number): SQL<number> {
  return sql<number>`((${store} << 32) + ${n})`
}

/** The id of the store's own row, in SQL: the first id of the store. */
export function storeRowIdIn(store: SQLWrapper): SQL<number> {
  return idIn(store, 1)
}

/** `numberOf`, in SQL. */
export function numberIn(id: SQLWrapper): SQL<number> {
  return sql<number>`(${id} & ${IDS_PER_STORE - 1})`
}

/** `storeOf`, in SQL. */
export function storeIn(id: SQLWrapper): SQL<number> {
  return sql<number>`(${id} >> 32)`
}

/** The ids of the numbers in a JSON list; none if the store is null. */
export function idsOfList(store: SQLWrapper, numbers: SQLWrapper): SQL {
  return sql`(select ${idIn(store, sql`value`)} from json_each(iif(${store} is null, null, ${numbers})))`
}

/** True if the id belongs to the store and its n is greater than `after`. */
export function isOfStore(id: SQLWrapper, store: SQLWrapper, after: SQLWrapper | number = 0): SQL | undefined {
  return and(gt(id, idIn(store, after)), lt(id, idIn(store, NO_NUMBER)))
}
