/** What runs a batch: the shared D1, or the object of a store. */

/** Stores with a greater number have a database of their own (src/db/places.ts). */
export const LAST_SHARED_STORE = 2 ** 20 - 1

export interface BoundStatement {
  text: string
  /** The values of ?1, ?2, … */
  values: readonly (string | number | null)[]
}

/** What a request or a job cost, for its log line. */
export interface Cost {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
  /** The size of the database after the newest batch, in bytes. */
  bytes: number
}

export type DatabaseName = 'd1' | 'object'

export interface Database {
  /** It begins the code of a failure, such as `d1_overloaded`. */
  readonly name: DatabaseName
  /** True if the rows of the store with this number are in the database. */
  holds: (store: number) => boolean
  /**
   * Runs the statements in their order, as one transaction, and returns the rows of each. It adds to the cost: the trip
   * before it waits, so that a database that does not respond counts as well.
   */
  batch(statements: readonly BoundStatement[], cost: Cost): Promise<unknown[][]>
}

/** The database that all stores share unless they have one of their own. */
export function d1Database(d1: D1Database): Database {
  return {
    name: 'd1',
    holds: (store) => store <= LAST_SHARED_STORE,
    async batch(statements, cost) {
      cost.roundTrips++
      const results = await d1.batch(statements.map(({ text, values }) => d1.prepare(text).bind(...values)))
      for (const { meta } of results) {
        cost.rowsRead += meta.rows_read
        cost.rowsWritten += meta.rows_written
        cost.bytes = meta.size_after
      }
      return results.map((result) => result.results)
    },
  }
}
