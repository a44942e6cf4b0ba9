/**
 * The one way to D1: Drizzle describes a statement, `run` sends one or several as a single batch, which is one
 * round trip and one transaction. Hot statements are compiled once per instance (`statement`), others per call.
 */
import { fillPlaceholders, type Query } from 'drizzle-orm'
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import { ApiError } from '../errors.ts'
import { D1_RETRY, RETRY_AFTER_SECONDS } from '../limits.ts'

/** What a request cost, for its log line. */
export interface DbCost {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
}

export interface Db {
  d1: D1Database
  orm: DrizzleD1Database
  cost: DbCost
}

const orms = new WeakMap<D1Database, DrizzleD1Database>()

export function createDb(d1: D1Database): Db {
  let orm = orms.get(d1)
  if (!orm) orms.set(d1, (orm = drizzle(d1)))
  return { d1, orm, cost: { roundTrips: 0, rowsRead: 0, rowsWritten: 0 } }
}

/** A Drizzle statement: a select, or a write with or without `returning`. */
interface Buildable {
  toSQL(): Query
  readonly _: { readonly result: unknown }
}

/** Compiled text with its values; `rows` exists in the type alone. */
export interface Bound<Row> {
  sql: string
  params: unknown[]
  rows?: Row[]
}

type RowOf<Q extends Buildable> = Q['_']['result'] extends readonly (infer Row)[] ? Row : never

/** Binds a statement that is built for this call. Its columns must come out of the SQL under their own names. */
export function query<Q extends Buildable>(built: Q): Bound<RowOf<Q>> {
  const { sql, params } = built.toSQL()
  return { sql, params }
}

/** Compiles a statement at its first use; afterwards only the values of its `sql.placeholder`s are filled in. */
export function statement<Q extends Buildable>(build: (orm: DrizzleD1Database) => Q) {
  let compiled: Query | undefined
  return function bind(db: Db, values: Record<string, string | number | null>): Bound<RowOf<Q>> {
    compiled ??= build(db.orm).toSQL()
    return { sql: compiled.sql, params: fillPlaceholders(compiled.params, values) }
  }
}

interface RunOptions {
  /** Sent before the statements, in the same batch; what they return is dropped. */
  writes?: Bound<unknown>[]
  /** May be answered by a read replica, which can lag behind. */
  replica?: boolean
  /** Sent again after a failure that may have been committed: only for what is harmless to do twice. */
  retry?: boolean
}

type RowsOf<B extends Bound<unknown>[]> = { [I in keyof B]: B[I] extends Bound<infer Row> ? Row[] : never }

/** Sends the statements as one batch: all or nothing. Throws `service_unavailable` when D1 cannot answer. */
export async function run<B extends Bound<unknown>[]>(
  db: Db,
  statements: [...B],
  { writes = [], replica = false, retry = false }: RunOptions = {},
): Promise<RowsOf<B>> {
  const session = replica ? db.d1.withSession('first-unconstrained') : db.d1
  for (let attempt = 0; ; attempt++) {
    try {
      db.cost.roundTrips++
      const batch = [...writes, ...statements]
      const results = await session.batch(batch.map(({ sql, params }) => session.prepare(sql).bind(...params)))
      for (const { meta } of results) {
        db.cost.rowsRead += meta.rows_read
        db.cost.rowsWritten += meta.rows_written
      }
      // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- D1 sends untyped rows; the statement knows its columns
      return results.slice(writes.length).map((result) => result.results) as RowsOf<B>
    } catch (error) {
      const failure = failureOf(error)
      if (failure === undefined) throw error
      if (failure === 'overloaded' || !retry || attempt === D1_RETRY.retries) {
        throw new ApiError('service_unavailable', {
          cause: error,
          headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
        })
      }
      await pause(Math.random() * D1_RETRY.baseMs * 2 ** attempt)
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Messages of https://developers.cloudflare.com/d1/observability/debug-d1/; D1 errors carry no code. */
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue on remote node|client disconnected/i
const OVERLOADED =
  /D1 DB is overloaded|Too many requests queued|exceeded timeout which caused object to be reset|exceeded its memory limit|exceeded its CPU time limit/i

function failureOf(error: unknown): 'transient' | 'overloaded' | undefined {
  const message = error instanceof Error ? error.message : String(error)
  if (OVERLOADED.test(message)) return 'overloaded'
  if (TRANSIENT.test(message)) return 'transient'
  return undefined
}
