/**
 * The D1 binding: it converts values, results and errors as D1's client in workerd does. The caller supplies the
 * transport.
 */
import type { Database, Param, Query, QueryResult } from './sqlite.ts'

/** One round sendBatch, which runs all queries as one transaction. */
export type SendBatch = (queries: Query[]) => Promise<QueryResult[]>

export interface Statement {
  bind: (...values: unknown[]) => Statement
  all: () => Promise<Result>
  run: () => Promise<Result>
  first: (column?: string) => Promise<unknown>
  raw: (options?: { columnNames?: boolean }) => Promise<unknown[][]>
}

export interface Result {
  success: true
  results: Record<string, unknown>[]
  meta: ReturnType<typeof toMeta>
}

export interface D1 {
  prepare: (sql: string) => Statement
  batch: (statements: Statement[]) => Promise<Result[]>
}

class PreparedStatement implements Statement {
  readonly query: Query
  readonly #send: SendBatch

  constructor(sendBatch: SendBatch, sql: string, params: Param[] = []) {
    this.#send = sendBatch
    this.query = { sql, params }
  }

  bind(...values: unknown[]): Statement {
    return new PreparedStatement(this.#send, this.query.sql, values.map(toParam))
  }

  async all(): Promise<Result> {
    return toResult(await this.#one())
  }

  run(): Promise<Result> {
    return this.all()
  }

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results
    if (row === undefined) return null
    if (column === undefined) return row
    if (row[column] === undefined) throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`)
    return row[column]
  }

  async raw({ columnNames = false } = {}): Promise<unknown[][]> {
    const { columns, rows } = await this.#one()
    return columnNames ? [columns, ...rows] : rows
  }

  async #one(): Promise<QueryResult> {
    const [result] = await this.#send([this.query])
    if (result === undefined) throw new Error('the query has no result')
    return result
  }
}

export function createD1(send: SendBatch): D1 {
  async function sendBatch(sent: Query[]): Promise<QueryResult[]> {
    try {
      return await send(sent)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new Error(`D1_ERROR: ${message}`, { cause: error })
    }
  }

  return {
    prepare: (sql) => new PreparedStatement(sendBatch, sql),
    batch: async (statements) => {
      const sent = statements.map((statement) => {
        if (!(statement instanceof PreparedStatement))
          throw new TypeError('the statement was prepared by another database')
        return statement.query
      })
      return (await sendBatch(sent)).map(toResult)
    },
  }
}

/** A D1 without delays and faults, for comparisons and tests. */
export function immediateD1(database: Database): D1 {
  return createD1(async (queries) => database.execute(queries))
}

/** D1 sends numbers as JSON and binds them as doubles, so Infinity and NaN become null, and -0 becomes 0. */
function toParam(value: unknown): Param {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value) && value.every((byte) => typeof byte === 'number' && byte >= 0 && byte < 256)) {
    return Uint8Array.from(value)
  }
  const reason = `Type '${typeof value}' not supported for value '${JSON.stringify(value)}'`
  throw new Error(`D1_TYPE_ERROR: ${reason}`, { cause: new Error(reason) })
}

function toResult(result: QueryResult): Result {
  return { success: true, results: result.rows.map(result.toNamed), meta: toMeta(result) }
}

function toMeta({ changes, last_row_id, rows }: QueryResult) {
  return {
    served_by: 'simulation',
    served_by_primary: true,
    total_attempts: 1,
    timings: { sql_duration_ms: 0 },
    duration: 0,
    changes,
    last_row_id,
    changed_db: changes > 0,
    size_after: 0,
    rows_read: rows.length,
    rows_written: changes,
  }
}
