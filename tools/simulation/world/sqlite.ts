/**
 * The database behind D1, as workerd runs it: SQLite with D1's limits, and each list of queries is one transaction.
 * compare.test.ts checks that both behave the same. Four things differ: node:sqlite does not count rows, so `rows_read` is
 * the number of returned rows and `rows_written` that of changed rows (D1 adds index entries); syntax errors lack D1's
 * ` at offset n`; an integer beyond 2^53 throws, while D1 returns another number without an error; a foreign key that
 * fails only at the commit (DEFERRABLE) is reported as such, while workerd reports `internal error`.
 */
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'

export type Param = null | number | string

export interface Query {
  sql: string
  params: Param[]
}

export interface QueryResult {
  columns: string[]
  rows: unknown[][]
  /** A row as an object. If two columns have one name, the last value is kept in the position of the first, as in D1. */
  toNamed: (row: unknown[]) => NamedRow
  changes: number
}

/** The limits of workerd's sqlite.c++ and of https://developers.cloudflare.com/d1/platform/limits/. */
const LIMITS = {
  length: 4_000_000,
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  vdbeOp: 25_000,
  functionArg: 32,
  attach: 0,
  likePatternLength: 50,
  variableNumber: 100,
  triggerDepth: 10,
}

type NamedRow = Record<string, unknown>

interface Prepared {
  statement: StatementSync
  columns: string[]
  toNamed: (row: unknown[]) => NamedRow
  params: number
  isSelect: boolean
}

export class Database {
  readonly #db = new DatabaseSync(':memory:', { limits: LIMITS, enableDoubleQuotedStringLiterals: true })
  readonly #prepared = new Map<string, Prepared>()
  readonly #begin = this.#db.prepare('BEGIN')
  readonly #commit = this.#db.prepare('COMMIT')
  readonly #counter = this.#prepare('SELECT total_changes()').statement
  /** The counter of the connection after the newest statement that writes. */
  #changes = 0

  /**
   * Runs the queries in order as one transaction. Throws an error with SQLite's text, in the form that D1 reports it.
   */
  execute(sent: readonly Query[]): QueryResult[] {
    const queries = sent.filter(({ sql }) => sql.trim() !== '')
    if (queries.length === 0) throw new Error('No SQL statements detected.')
    // SQLite runs a single statement as a transaction, too.
    if (queries.length === 1) return queries.map((query) => this.run(query))
    return this.transaction(() => queries.map((query) => this.#run(query)))
  }

  /** Everything that `run` does, or nothing if it throws. */
  transaction<T>(run: () => T): T {
    this.#begin.run()
    try {
      const result = run()
      this.#commit.run()
      return result
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      this.#count()
      throw describe(error)
    }
  }

  /** Runs one query, in the transaction that is open or in one of its own. */
  run(query: Query): QueryResult {
    try {
      return this.#run(query)
    } catch (error) {
      this.#count()
      throw describe(error)
    }
  }

  /** Runs several statements in one text. Only for schemas: it returns no results. */
  exec(sql: string): void {
    this.#db.exec(sql)
    this.#count()
  }

  /**
   * Empties every table. A new database would be slower, because all statements would have to be compiled again, as
   * after any PRAGMA. A table that others still refer to cannot be emptied yet, so it is tried again after them.
   */
  clear(): void {
    let left = this.#tables()
    while (left.length > 0) left = left.filter((name) => !this.#isEmptied(name))
    this.#count()
  }

  #isEmptied(table: string): boolean {
    try {
      this.#db.exec(`DELETE FROM "${table}"`)
      return true
    } catch {
      return false
    }
  }

  /** Deletes every table. */
  drop(): void {
    for (const name of this.#tables()) this.#db.exec(`DROP TABLE "${name}"`)
    this.#prepared.clear()
    this.#count()
  }

  has(table: string): boolean {
    return this.#tables().includes(table)
  }

  #tables(): string[] {
    const tables = this.#db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return tables.all().map(({ name }) => String(name))
  }

  /** The rows of all tables, for `load`. */
  save(): Map<string, Record<string, SQLOutputValue>[]> {
    return new Map(this.#tables().map((name) => [name, this.#db.prepare(`SELECT * FROM "${name}"`).all()]))
  }

  /** Replaces all rows by those that were saved. */
  load(saved: ReturnType<Database['save']>): void {
    this.clear()
    this.#db.exec('BEGIN; PRAGMA defer_foreign_keys = on')
    for (const [table, rows] of saved) {
      for (const row of rows) {
        const names = Object.keys(row)
        const values = names.map(() => '?').join()
        this.#db.prepare(`INSERT INTO "${table}" (${names.join()}) VALUES (${values})`).run(...Object.values(row))
      }
    }
    this.#db.exec('COMMIT')
    this.#count()
  }

  rows(table: string): Record<string, unknown>[] {
    return this.#db.prepare(`SELECT * FROM "${table}"`).all()
  }

  /** All rows of each table, as text. */
  dump(): Map<string, string> {
    return new Map(
      this.#tables().map((name) => {
        const rows = this.#db.prepare(`SELECT * FROM "${name}"`).all()
        return [name, rows.map((row) => Object.values(row).join(' ')).join('\n')]
      }),
    )
  }

  #run({ sql, params }: Query): QueryResult {
    const { statement, columns, toNamed, params: expected, isSelect } = this.#prepare(sql)
    if (params.length !== expected) throw new Error('Wrong number of parameter bindings for SQL query.')
    const rows = statement.all(...params).map(toRow)
    const changes = isSelect ? 0 : this.#count()
    return { columns, rows, toNamed, changes }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    if (/^\s*(begin|commit|end|rollback|savepoint|release)\b/i.test(sql)) {
      throw new Error('To execute a transaction, please use the state.storage.transaction() API')
    }
    if (sql.length > LIMITS.sqlLength) throw new Error('statement too long: SQLITE_TOOBIG')
    const statement = this.#db.prepare(sql.replaceAll(BOUND_LIMIT, '$1($2 | 0)'))
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    const toNamed = compileToNamed(columns)
    const prepared = { statement, columns, toNamed, params: countParams(sql), isSelect: /^select/i.test(sql) }
    this.#prepared.set(sql, prepared)
    return prepared
  }

  /** Returns the number of rows that have changed since the last call. */
  #count(): number {
    const [total] = Object.values(this.#counter.get() ?? {})
    const before = this.#changes
    this.#changes = Number(total)
    return this.#changes - before
  }
}

/** Converts values as D1 does, whose responses are JSON: bytes become arrays, and Infinity becomes null. */
function toRow(found: Record<string, SQLOutputValue>): unknown[] {
  const row: unknown[] = Array.isArray(found) ? found : Object.values(found)
  for (let i = 0; i < row.length; i++) {
    const value = row[i]
    if (value instanceof Uint8Array) row[i] = [...value]
    else if (typeof value === 'number' && !Number.isFinite(value)) row[i] = null
  }
  return row
}

/** An object literal of its own for each statement: V8 builds it, and reads its fields, several times as fast as one filled by name. */
function compileToNamed(columns: string[]): (row: unknown[]) => NamedRow {
  const fields = columns.map((name, i) => `${JSON.stringify(name)}: row[${i}]`)
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion, typescript/consistent-type-assertions -- the names of columns are quoted
  return new Function('row', `return { ${fields.join()} }`) as (row: unknown[]) => NamedRow
}

/**
 * SQLite looks at the value of a bare parameter in LIMIT and compiles the statement again for each value, which takes
 * half of its time.
 */
const BOUND_LIMIT = /\b(limit )(\?\d+)/gi

const STRINGS_AND_COMMENTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[^]*?\*\//g

/**
 * Counts the placeholders: SQLite binds null to one without a value, and D1 reports an error. Throws for a second
 * statement, which D1 would run.
 */
function countParams(sql: string): number {
  const bare = sql.replace(STRINGS_AND_COMMENTS, ' ')
  if (/;\s*\S/.test(bare) && !/\bbegin\b/i.test(bare)) throw new Error('The simulated D1 runs one statement at a time')
  let highest = 0
  for (const [, number] of bare.matchAll(/\?(\d*)/g)) {
    highest = number === '' ? highest + 1 : Math.max(highest, Number(number))
  }
  return highest
}

/** The result codes of https://www.sqlite.org/rescode.html that D1 adds to the text of an error. */
const CODES: Record<number, string> = { 1: 'ERROR', 18: 'TOOBIG', 20: 'MISMATCH', 13: 'FULL', 23: 'AUTH' }
const CONSTRAINTS: Record<number, string> = {
  1: 'CHECK',
  3: 'FOREIGNKEY',
  5: 'NOTNULL',
  6: 'PRIMARYKEY',
  7: 'TRIGGER',
  8: 'UNIQUE',
  10: 'ROWID',
  12: 'DATATYPE',
}
const SQLITE_CONSTRAINT = 19

function describe(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error
  const { message, errcode } = error
  const name = CODES[errcode & 0xff]
  if (name !== undefined) return new Error(`${message}: SQLITE_${name}`)
  if ((errcode & 0xff) !== SQLITE_CONSTRAINT) return error
  return new Error(`${message}: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_${CONSTRAINTS[errcode >> 8]})`)
}
