/** The only way to D1: several named statements in one round trip and one transaction. */
import { sql } from 'drizzle-orm'
import { D1, LOOKBACK } from '../limits.ts'
import { pause } from '../pause.ts'
import { failureOf, Unavailable, ValueTooBig } from './failures.ts'
import { fencing_tokens } from './schema.ts'
import { orm, sharedParams, statement, type Step } from './statement.ts'

export interface Db {
  d1: D1Database
  /** What a request cost, for its log line. */
  cost: { roundTrips: number; rowsRead: number; rowsWritten: number }
  /** The size of the database after the newest batch, in bytes. */
  size: number
  /** The webhook endpoints that are notified of a change once the request has its response. */
  endpointsToNotify: Set<number>
}

export function openDb(d1: D1Database): Db {
  return { d1, cost: { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }, size: 0, endpointsToNotify: new Set() }
}

/** Statements by name, sent in this order. One that is undefined is not sent. */
export type Steps = Record<string, Step<unknown> | undefined>

export type RowsOf<S extends Steps> = { [Name in keyof S]: NonNullable<NonNullable<S[Name]>['rows']> }

/** Values of the parameters that every step may use. */
type SharedValues = Readonly<Record<string, string | number | null>>

interface Options {
  /** Why the batch may be sent again when nobody knows whether it was committed. Without a reason it is sent once. */
  retry?: 'only reads' | 'idempotent'
  shared?: SharedValues
}

interface OwnEventOptions {
  /** The first step inserts an event under the `request_id`, and a later attempt finds it. */
  retry: 'own event'
  shared: SharedValues & { request_id: string; now: number }
}

/**
 * Sends the steps as one transaction and returns the rows of each step under its name. Throws `Unavailable` if D1 does
 * not respond in time, and `ValueTooBig` if it cannot store a value.
 */
export async function batch<S extends Steps>(
  db: Db,
  steps: S,
  options: Options | OwnEventOptions = {},
): Promise<RowsOf<S>> {
  const deadline = startDeadline()
  try {
    for (let attempt = 0; ; attempt++) {
      const sent = attempt === 0 ? steps : { ...steps, ...fencingStep(options) }
      try {
        // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- D1 returns untyped rows; the statement knows its columns
        return (await Promise.race([send(db, sent, { shared: options.shared, attempt }), deadline.passed])) as RowsOf<S>
      } catch (error) {
        const failure = failureOf(error)
        if (failure === undefined) throw error
        if (failure === 'd1_value_too_big') throw new ValueTooBig(error)
        const mayRetry = options.retry !== undefined && failure === 'd1_connection_lost' && attempt < D1.retries
        if (!mayRetry) throw new Unavailable(failure, error)
      }
      await Promise.race([pause(Math.random() * D1.retryBaseMs * 2 ** attempt), deadline.passed])
    }
  } finally {
    deadline.clear()
  }
}

/**
 * The number of this attempt, from 0, and how many of the store's newest events it searches for an event of its own
 * request.
 */
export const attemptParams = sharedParams('attempt', 'lookback')

/** The id of the request, or of the run of a job, and its time. */
export const runParams = sharedParams('request_id', 'now')

/**
 * An attempt whose connection was lost may still arrive. So each later attempt leaves its number as a fencing token: an
 * earlier one that arrives after it finds the token and does nothing (domain/change/event.ts).
 */
const insertFencingToken = statement({}, () =>
  orm
    .insert(fencing_tokens)
    .values({
      request_id: sql`${runParams.request_id}`,
      attempt: sql`${attemptParams.attempt}`,
      created_at: sql`${runParams.now}`,
    })
    .onConflictDoUpdate({
      target: fencing_tokens.request_id,
      set: { attempt: sql`max(${fencing_tokens.attempt}, excluded.attempt)` },
    }),
)

function fencingStep({ retry }: Options | OwnEventOptions): Steps {
  return retry === 'own event' ? { fencing: insertFencingToken({}) } : {}
}

interface Attempt {
  shared: SharedValues | undefined
  attempt: number
}

async function send(db: Db, steps: Steps, { shared, attempt }: Attempt): Promise<Record<string, unknown[]>> {
  const lookback = attempt === 0 ? LOOKBACK.firstAttempt : LOOKBACK.laterAttempt
  const named = Object.entries(steps).flatMap(([name, step]) => (step === undefined ? [] : [{ name, step }]))
  const statements = named.map(({ step }) => prepare(db.d1, step, { ...step.values, ...shared, attempt, lookback }))
  db.cost.roundTrips++
  const results = await db.d1.batch(statements)
  for (const { meta } of results) {
    db.cost.rowsRead += meta.rows_read
    db.cost.rowsWritten += meta.rows_written
    db.size = meta.size_after
  }
  const rows: Record<string, unknown[]> = Object.fromEntries(Object.keys(steps).map((name) => [name, []]))
  for (const [index, { name }] of named.entries()) rows[name] = results[index]?.results ?? []
  return rows
}

function prepare(d1: D1Database, { compiled }: Step<unknown>, values: SharedValues): D1PreparedStatement {
  const { text, names } = compiled()
  return d1.prepare(text).bind(
    ...names.map((name) => {
      const value = values[name]
      // D1 would reject undefined with an error that names neither the parameter nor the statement.
      if (value === undefined) throw new Error(`no value for the parameter ${name}: ${text}`)
      return value
    }),
  )
}

/** One deadline for all attempts of a batch: D1 has been seen to stall for 25 s while its queries took under 1 ms. */
function startDeadline() {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  // Nobody awaits this once the batch has ended, and an unhandled rejection would be logged as a defect.
  passed.catch(() => {})
  const timer = setTimeout(() => reject(new Unavailable('d1_no_answer')), D1.deadlineMs)
  return { passed, clear: () => clearTimeout(timer) }
}
