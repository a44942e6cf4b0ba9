/**
 * A statement is a Drizzle query with named parameters. Its text is built at the first use and kept: Drizzle alone would
 * build it anew for every request, which costs an update a third of its throughput. Drizzle builds the SQL, and only
 * `batch` sends it. Rows arrive as the database returns them: the keys are the names of the selected columns, and nothing is
 * decoded.
 */
import { getTableColumns, is, Param, Placeholder, SQL, sql, type SQLWrapper } from 'drizzle-orm'
import {
  QueryBuilder,
  SQLiteAsyncDialect,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  type SQLiteTable,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core'
import { lazy } from '../lib/lazy.ts'
import { ofEach } from '../lib/names.ts'

/** No name in the schema needs quotes, and without them the text is a tenth shorter and can be pasted into a shell. */
class Dialect extends SQLiteAsyncDialect {
  override escapeName(name: string): string {
    return name
  }
}

const dialect = new Dialect()

// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- a builder uses its session only to send a query
const NO_SESSION = {} as ConstructorParameters<typeof SQLiteInsertBuilder>[1]

/** Builds queries and cannot send them. Drizzle's own `drizzle()` would add its drivers, 3 KiB of the bundle. */
class Orm extends QueryBuilder {
  insert<Table extends SQLiteTable>(table: Table) {
    return new SQLiteInsertBuilder<Table, 'async', D1Result>(table, NO_SESSION, dialect)
  }

  update<Table extends SQLiteTable>(table: Table) {
    return new SQLiteUpdateBuilder<Table, 'async', D1Result>(table, NO_SESSION, dialect)
  }

  delete<Table extends SQLiteTable>(table: Table) {
    return new SQLiteDeleteBase<Table, 'async', D1Result>(table, NO_SESSION, dialect)
  }
}

export const orm = new Orm(dialect)

type Value = string | number | null

/** The names under which values are bound, each with the placeholder that stands for the value in a query. */
export type Params<Name extends string> = { readonly [N in Name]: SQL }

/** The values of named parameters. A statement cannot be called without one of them. */
export type ValuesOf<P> = { readonly [Name in keyof P]: Value }

const sharedNames = new Set<string>()
const ownNames = new Set<string>()

/** `params('email')` is `{ email }`, which stands in a query for the value that is bound later under that name. */
export function params<const Name extends string>(...names: Name[]): Params<Name> {
  return declare(names, ownNames, sharedNames)
}

/**
 * Parameters that `batch` binds in every step, such as the caller of the request. No other parameter may have their
 * names: a step would otherwise overwrite, for example, the caller.
 */
export function sharedParams<const Name extends string>(...names: Name[]): Params<Name> {
  return declare(names, sharedNames, ownNames)
}

function declare<Name extends string>(names: Name[], kind: Set<string>, otherKind: Set<string>): Params<Name> {
  return ofEach(names, (name) => {
    if (otherKind.has(name)) throw new Error(`the parameter ${name} would hide the shared one`)
    kind.add(name)
    return sql`${sql.placeholder(name)}`
  })
}

/** The fields of a query, with each expression named after its key. */
type Named<Fields> = { [Key in keyof Fields]: Fields[Key] extends SQL<infer T> ? SQL.Aliased<T> : Fields[Key] }

/**
 * Names the expressions of a query after their keys, as rows and subqueries need it. A column has its name already, and
 * what has another name keeps it.
 */
export function named<Fields extends Record<string, SQLWrapper>>(fields: Fields): Named<Fields> {
  const entries = Object.entries(fields).map(([name, field]) => [name, is(field, SQL) ? field.as(name) : field])
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- fromEntries forgets the names
  return Object.fromEntries(entries) as Named<Fields>
}

/** A table with the condition under which its row is joined. */
export type Join = [table: SQLiteTable | SQL, on: SQL | undefined]

type Joinable = { leftJoin: (...join: Join) => unknown }

/**
 * Left joins tables to a query, each with its condition. Drizzle's joins change the query in place; a chain of them would lose
 * its type in a generic function.
 */
export function withJoins<Q extends object>(query: Q, ...joins: readonly Join[]): Q {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- the type of `leftJoin` depends on all that was joined before
  const joinable = query as Q & Joinable
  for (const [table, on] of joins) joinable.leftJoin(table, on)
  return query
}

/** Like `withJoins`, but with inner joins: a row without a match is not selected. */
export function withInnerJoins<Q extends object>(query: Q, ...joins: readonly Join[]): Q {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- like `withJoins`
  const joinable = query as Q & { innerJoin: (...join: Join) => unknown }
  for (const [table, on] of joins) joinable.innerJoin(table, on)
  return query
}

/** A part of several statements, which is built with the first of them and not when its module is loaded. */
export function lazySql<T = unknown>(build: () => SQLWrapper): SQL<T> {
  const getSQL = lazy(() => build().getSQL())
  return sql<T>`${{ getSQL }}`
}

/** A parameter as the limit of a query: Drizzle's type takes a placeholder only, although any SQL works. */
export function limitOf(param: SQL): Placeholder {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- see above
  return param as SQL & Placeholder
}

/** True if a word is in a text of words separated by spaces, such as the scopes of a token. */
export function hasWord(words: SQLWrapper, word: SQLWrapper): SQL {
  return sql`(instr(' ' || ${words} || ' ', ' ' || ${word} || ' ') > 0)`
}

/** A query over numbers in a text, separated by spaces: each is the `value` of a row, and `key` is its position. */
export function eachNumber(words: SQLWrapper): SQL {
  return sql`json_each('[' || replace(${words}, ' ', ',') || ']')`
}

/** A statement with its values, for `batch` to send. `rows` exists in the type only: it carries the type of the rows. */
export interface Step<Row> {
  compiled: () => Compiled
  values: Readonly<Record<string, Value>>
  rows?: Row[]
}

interface Compiled {
  text: string
  /** The names of the values that are bound to ?1, ?2, … */
  names: string[]
}

export type Query = SQLWrapper & { readonly _: { readonly result: unknown } }

type RowOfQuery<Q extends Query> = Q['_']['result'] extends readonly (infer Row)[] ? Row : never

export type RowOf<Statement extends (values: never) => Step<unknown>> =
  ReturnType<Statement> extends Step<infer Row> ? Row : never

export interface Declared {
  parameters: readonly string[]
  compiled: () => Compiled
}

let onDeclared: ((declared: Declared) => void) | undefined

/** For a test that prepares every statement, and scripts that print some: each one that is declared after this call. */
export function watchStatements(watch: (declared: Declared) => void): void {
  onDeclared = watch
}

/**
 * The query may use the parameters that are listed here, and the shared ones. Compiling throws if it uses another one;
 * a test compiles and prepares every statement.
 */
export function statement<P extends Params<string>, Q extends Query>(parameters: P, build: () => Q) {
  const allowed = new Set(Object.keys(parameters))
  const compiled = lazy(() => compile(build(), allowed))
  onDeclared?.({ parameters: [...allowed], compiled })
  return (values: ValuesOf<P>): Step<RowOfQuery<Q>> => ({ compiled, values })
}

/** What is selected for each column of a table by `insert into … select`. */
export type ColumnValues<Table extends SQLiteTable> = {
  readonly [Column in keyof Table['$inferSelect']]: SQLWrapper | string | number | null
}

/**
 * The fields of `insert into … select`, in the order of the table's columns: SQLite matches them by position, so without
 * this a field in the wrong place would be written into another column.
 */
export function columnsOf<Table extends SQLiteTable>(table: Table, values: ColumnValues<Table>) {
  const byName: Readonly<Record<string, SQLWrapper | string | number | null>> = values
  const ordered = Object.keys(getTableColumns(table)).map((name) => [name, toSql(byName[name] ?? null)])
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- Drizzle's type asks for an alias of each field, which an insert does not need
  return Object.fromEntries(ordered) as { [Column in keyof Table['$inferSelect']]: SQL.Aliased }
}

function toSql(value: SQLWrapper | string | number | null): SQLWrapper {
  return typeof value === 'object' && value !== null ? value : sql`${value}`
}

/**
 * Numbers the parameters, so that a value that occurs several times is bound once. Constants become part of the text:
 * D1 binds every number as a double, and `7.0 / 2` is not `7 / 2`.
 */
function compile(query: Query, allowed: ReadonlySet<string>): Compiled {
  const { sql: text, params: found } = dialect.sqlToQuery(query.getSQL().inlineParams())
  const occurrences = found.map(nameOf)
  const names = [...new Set(occurrences)]
  const undeclared = names.filter((name) => !allowed.has(name) && !sharedNames.has(name))
  if (undeclared.length > 0) throw new Error(`undeclared parameters ${undeclared.join(', ')}: ${text}`)
  if (text.split('?').length - 1 !== occurrences.length) throw new Error(`a constant contains a question mark: ${text}`)
  let next = 0
  return { text: text.replaceAll('?', () => `?${names.indexOf(occurrences[next++] ?? '') + 1}`), names }
}

function nameOf(param: unknown): string {
  const placeholder = is(param, Param) ? param.value : param
  if (is(placeholder, Placeholder)) return placeholder.name
  throw new Error('a value that is neither a constant nor a named parameter')
}
