/** What runs a batch, the shared D1 or the object of a store, and what its errors mean. */

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

type Unavailability =
  | 'connection_lost'
  | 'overloaded'
  | 'timed_out'
  | 'full'
  | 'exporting'
  | 'outdated'
  | 'plan_limit'
  | 'no_answer'

type Failure = Unavailability | 'value_too_big'

/** The database is temporarily unavailable (503). Nobody knows whether the batch was committed. */
export class Unavailable extends Error {
  /** The code in the log line: `d1_overloaded`. */
  readonly failure: `${DatabaseName}_${Unavailability}`

  constructor(database: DatabaseName, failure: Unavailability, cause?: unknown) {
    const code = `${database}_${failure}` as const
    super(code, { cause })
    this.failure = code
  }
}

/** A value or a row exceeds the 2 MB that a database stores (422). Nothing of the batch was written. */
export class ValueTooBig extends Error {
  readonly failure: `${DatabaseName}_value_too_big`

  constructor(database: DatabaseName, cause: unknown) {
    const code = `${database}_value_too_big` as const
    super(code, { cause })
    this.failure = code
  }
}

/**
 * Those of D1 have no code, so they are recognized by their messages: those of
 * https://developers.cloudflare.com/d1/observability/debug-d1/ and some that were seen in production. Those of an object
 * are listed in https://developers.cloudflare.com/durable-objects/observability/troubleshooting/.
 * The order matters: the message of a timeout ends in `which caused object to be reset`, as another one does.
 */
const FAILURES: [Failure, RegExp][] = [
  ['timed_out', /exceeded timeout which caused object to be reset/i],
  // A daily limit of the Free plan: no query is answered until midnight UTC.
  ['plan_limit', /free tier/i],
  [
    'overloaded',
    /(D1 DB|Durable Object) is overloaded|Too many requests (queued|for the same)|Requests queued for too long|Too much data queued|within a 10 second window|too much load on Durable Objects|too many concurrent storage operations|exceeded its (memory|CPU time) limit/i,
  ],
  ['full', /Exceeded maximum DB size|database or disk is full/i],
  // A statement that is too long has the code SQLITE_TOOBIG as well, but is a defect.
  ['value_too_big', /string or blob too big/i],
  // An object in which the code of a new deployment has not started lacks the newest migrations and methods. D1 is migrated
  // before a deployment, so in D1 this is a defect: its message begins with D1_ERROR.
  ['outdated', /^(no such (table|column): |table \S+ has no column named |The RPC receiver does not implement )/],
  ['exporting', /long-running export|being exported|export is in progress/i],
  [
    'connection_lost',
    /Network connection lost|storage caused object to be reset|code (was|has been) updated|Cannot resolve (D1 DB|Durable Object) due to transient issue|client disconnected|Durable Object instance is no longer active|internal error; reference = /i,
  ],
]

/** Undefined for an error without a name, which is a defect. */
export function failureOf(error: unknown): Failure | undefined {
  const message = error instanceof Error ? error.message : String(error)
  return FAILURES.find(([, pattern]) => pattern.test(message))?.[0] ?? failureOfObject(error)
}

/** The platform marks the errors of objects; the errors of what runs in an object have no mark. */
function failureOfObject(error: unknown): Failure | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('overloaded' in error && error.overloaded === true) return 'overloaded'
  return 'retryable' in error && error.retryable === true ? 'connection_lost' : undefined
}
