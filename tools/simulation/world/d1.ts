/**
 * The D1 binding, as far as the Worker uses it: batches of statements with values. compare.test.ts sends the same to
 * workerd's.
 */
import type { Param, Query, QueryResult } from './sqlite.ts'

class Statement {
  readonly query: Query

  constructor(query: Query) {
    this.query = query
  }
}

interface Result {
  results: Record<string, unknown>[]
  meta: { changes: number; rows_read: number; rows_written: number; size_after: number }
}

export interface D1 {
  prepare: (sql: string) => { bind: (...values: unknown[]) => Statement }
  batch: (statements: Statement[]) => Promise<Result[]>
}

/** `send` runs all queries as one transaction. */
export function createD1(send: (queries: Query[]) => Promise<QueryResult[]>): D1 {
  return {
    prepare: (sql) => ({ bind: (...values) => new Statement({ sql, params: values.map(toParam) }) }),
    async batch(statements) {
      try {
        return (await send(statements.map(({ query }) => query))).map(toResult)
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        throw new Error(`D1_ERROR: ${message}`, { cause: error })
      }
    },
  }
}

/** D1 would take other values as well, and bind NaN as null. The Worker sends none of these. */
function toParam(value: unknown): Param {
  if (typeof value === 'string' || value === null) return value
  // D1 gets numbers as JSON, in which -0 is 0.
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0
  throw new TypeError(`D1 would not keep a ${typeof value} as it is`)
}

function toResult({ rows, toNamed, changes }: QueryResult): Result {
  const meta = { changes, rows_read: rows.length, rows_written: changes, size_after: 0 }
  return { results: rows.map(toNamed), meta }
}
