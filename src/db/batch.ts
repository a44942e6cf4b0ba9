/** The only way to a database: several named statements in one round trip and one transaction. */
import { DATABASE } from '../limits.ts'
import { type BoundStatement, type Cost, type Database, failureOf, Unavailable, ValueTooBig } from './database.ts'
import { pause } from '../lib/pause.ts'
import { sharedParams, type Step } from './statement.ts'

/**
 * How many of a store's newest events an attempt searches for the event of its own request. For the first attempt it can
 * only be the newest; a later one must look past what others have written since. 100 events cost 15 to 30 µs.
 */
export const LOOKBACK = { firstAttempt: 1, laterAttempt: 10_000 } as const

/** A database as a request or a run of a job uses it, with what that has cost so far. */
export interface Db {
  database: Database
  /**
   * Finds the database of an operator's request, whose token does not say where the store lives. It is asked before each
   * batch, and asks the shared database once. It throws what rejects the operator.
   */
  locate?: ((shared: SharedValues) => Promise<Located>) | undefined
  cost: Cost
}

export interface Located {
  store: number
  database: Database
}

/** The cost may be shared with other databases that the same request uses. */
export function openDb(database: Database, cost: Cost = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, bytes: 0 }): Db {
  return { database, cost }
}

/** Statements by name, sent in this order. One that is undefined is not sent. */
export type Steps = Record<string, Step<unknown> | undefined>

export type RowsOf<S extends Steps> = { [Name in keyof S]: NonNullable<NonNullable<S[Name]>['rows']> }

/** Values of the parameters that every step may use. */
export type SharedValues = Readonly<Record<string, string | number | null>>

interface Options {
  /** Why the batch may be sent again when nobody knows whether it was committed. Without a reason it is sent once. */
  retry?: 'only reads' | 'idempotent'
  fencing?: undefined
  shared?: SharedValues
}

interface OwnEventOptions {
  /** A step inserts an event or another row under the `request_id`, and a later attempt finds it. */
  retry: 'own event'
  /** A step that each later attempt adds (src/change/event.ts): if an earlier one arrives after it, it does nothing. */
  fencing: Step<unknown>
  shared: SharedValues & { request_id: string; now: number }
}

/**
 * Sends the steps as one transaction and returns the rows of each step under its name. Throws `Unavailable` if the database
 * does not respond in time, and `ValueTooBig` if it cannot store a value.
 */
export async function batch<S extends Steps>(
  db: Db,
  steps: S,
  options: Options | OwnEventOptions = {},
): Promise<RowsOf<S>> {
  const { database, shared } = await locate(db, options)
  requireHolds(database, shared['store'])
  const { cost } = db
  const deadline = startDeadline(database)
  try {
    for (let attempt = 0; ; attempt++) {
      const sent = attempt === 0 ? steps : { ...steps, fencing: options.fencing }
      try {
        // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- a database returns untyped rows; the statement knows its columns
        return (await Promise.race([send(database, sent, { shared, attempt, cost }), deadline.passed])) as RowsOf<S>
      } catch (error) {
        const failure = failureOf(error)
        const mayRetry = options.retry !== undefined && failure === 'connection_lost' && attempt < DATABASE.retries
        if (!mayRetry) throw errorOf(database, failure, error)
      }
      await Promise.race([pause(Math.random() * DATABASE.retryBaseMs * 2 ** attempt), deadline.passed])
    }
  } finally {
    deadline.clear()
  }
}

/** Where a batch runs, and its shared values: those of an operator's request get the number of the store here. */
async function locate(db: Db, { shared = {} }: Options | OwnEventOptions) {
  const located = await db.locate?.(shared)
  if (located === undefined) return { database: db.database, shared }
  return { database: located.database, shared: { ...shared, store: located.store } }
}

/** A store's rows are in one database. In another one, the batch would find nothing, or write what nobody finds again. */
function requireHolds(database: Database, store: SharedValues[string] | undefined): void {
  if (typeof store === 'number' && store > 0 && !database.holds(store))
    throw new Error(`the rows of store ${store} are in another database`)
}

/** What a batch throws for an error of the database. One without a name is a defect and stays as it is. */
function errorOf(database: Database, failure: ReturnType<typeof failureOf>, error: unknown): unknown {
  if (failure === undefined) return error
  if (failure === 'value_too_big') return new ValueTooBig(database.name, error)
  return new Unavailable(database.name, failure, error)
}

/**
 * The number of this attempt, from 0, and how many of the store's newest events it searches for an event of its own
 * request.
 */
export const attemptParams = sharedParams('attempt', 'lookback')

/** The id of the request, or of the run of a job, and its time. */
export const runParams = sharedParams('request_id', 'now')

interface BatchAttempt {
  shared: SharedValues
  attempt: number
  cost: Cost
}

async function send(
  database: Database,
  steps: Steps,
  { shared, attempt, cost }: BatchAttempt,
): Promise<Record<string, unknown[]>> {
  const lookback = attempt === 0 ? LOOKBACK.firstAttempt : LOOKBACK.laterAttempt
  const values = { ...shared, attempt, lookback }
  const sent = Object.values(steps).filter((step) => step !== undefined)
  const results = await database.batch(
    sent.map((step) => bind(step, values)),
    cost,
  )
  const rows: Record<string, unknown[]> = {}
  let next = 0
  for (const name in steps) rows[name] = steps[name] === undefined ? [] : (results[next++] ?? [])
  return rows
}

/** The text of a step, and its values in the order of the text. */
export function bind({ compiled, values: own }: Step<unknown>, shared: SharedValues): BoundStatement {
  const { text, names } = compiled()
  const bound = names.map((name) => {
    const value = shared[name] === undefined ? own[name] : shared[name]
    // The database would reject undefined with an error that names neither the parameter nor the statement.
    if (value === undefined) throw new Error(`no value for the parameter ${name}: ${text}`)
    return value
  })
  return { text, values: bound }
}

/** One deadline for all attempts of a batch: D1 has been seen to stall for 25 s while its queries took under 1 ms. */
function startDeadline(database: Database) {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  // Nobody awaits this once the batch has ended, and an unhandled rejection would be logged as a defect.
  passed.catch(() => {})
  const timer = setTimeout(() => reject(new Unavailable(database.name, 'no_answer')), DATABASE.deadlineMs)
  return { passed, clear: () => clearTimeout(timer) }
}
