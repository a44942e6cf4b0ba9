/**
 * A statement as Drizzle describes it, with typed parameters. It is compiled at its first use, so that a start builds
 * nothing and a request only fills in values.
 */
import { getTableColumns, is, Param, Placeholder, type Query, SQL, sql } from 'drizzle-orm'
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

export type Orm = DrizzleD1Database

type Value = string | number | null

/** In the type alone: which values the parameters stand for. */
declare const VALUES: unique symbol

/**
 * What is called `p` wherever a statement is built: its parameters, by the names of its values. For a `store` that is an
 * expression, that itself stands there.
 */
export type Params<Values> = { readonly [Name in keyof Values]: Placeholder } & {
  /** How many of the store's newest events are searched for the request's own; `batch` fills it in. */
  readonly look: Placeholder
  /** How often the batch has been sent before; `batch` fills it in, too. */
  readonly attempt: Placeholder
  readonly [VALUES]?: Values
}

/** A Drizzle statement: a select, or a write with or without `returning`. */
interface Buildable {
  toSQL(): Query
  readonly _: { readonly result: unknown }
}

type Selected<Q extends Buildable> = Q['_']['result'] extends readonly (infer Row)[] ? Row : never

/** A statement with its values, to be sent by `batch`; `rows` exists in the type alone. */
export interface Step<Row> {
  compile: (d1: D1Database, values: object) => Compiled
  values: object
  rows?: Row[]
}

/** What a statement answers. */
export type RowOf<Statement extends (values: never) => Step<unknown>> =
  ReturnType<Statement> extends Step<infer Row> ? Row : never

interface Compiled {
  text: string
  /** What is bound to ?1, ?2 and so on: one of the values by its name, or a constant. */
  params: ({ name: string } | { constant: Value })[]
}

/**
 * A statement with typed parameters: one that `build` names and the values lack does not compile; values that it does
 * not name are left aside. A `store` that is an expression has to be a constant: the statement is compiled for each that it meets.
 */
export function statement<Values extends object, Q extends Buildable>(
  build: (p: Params<Values>, orm: Orm) => Q,
): (values: Values) => Step<Selected<Q>> {
  const compiled = new Map<SQL | undefined, Compiled>()
  const compile = (d1: D1Database, values: { store?: unknown }) => {
    const store = values.store instanceof SQL ? values.store : undefined
    const known = compiled.get(store)
    if (known) return known
    const made = compileStatement(build(paramsOf<Values>(store), drizzle(d1)).toSQL())
    compiled.set(store, made)
    return made
  }
  return (values) => ({ compile, values })
}

function paramsOf<Values>(store: SQL | undefined): Params<Values> {
  const get = (_: object, name: string | symbol) =>
    name === 'store' && store !== undefined ? store : sql.placeholder(String(name))
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- answers any name; the type allows those of the values
  return new Proxy({}, { get }) as Params<Values>
}

export type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

const joined = new WeakMap<Compiled, WeakMap<Compiled, Compiled>>()

/**
 * Two steps that select a row each, as one, which costs less than two: the columns of both. Where `other` selects nothing,
 * its columns are null. A value that both name is the same.
 */
export function beside<One, Other>(one: Step<One>, other: Step<Other>): Step<One & Nullable<Other>> {
  const compile = (d1: D1Database) => {
    const [a, b] = [one.compile(d1, one.values), other.compile(d1, other.values)]
    const joinedToOne = joined.get(a) ?? new WeakMap<Compiled, Compiled>()
    joined.set(a, joinedToOne)
    const made = joinedToOne.get(b) ?? joinStatements(a, b)
    joinedToOne.set(b, made)
    return made
  }
  return { compile, values: { ...other.values, ...one.values } }
}

function joinStatements(a: Compiled, b: Compiled): Compiled {
  const renumbered = b.text.replaceAll(/\?(\d+)/g, (_, number) => `?${Number(number) + a.params.length}`)
  return { text: `select * from (${a.text}) left join (${renumbered}) on 1`, params: [...a.params, ...b.params] }
}

/** Numbers the parameters, so that a value that stands in several places is bound once. */
function compileStatement({ sql: text, params }: Query): Compiled {
  const numbered: Compiled['params'] = []
  const numbers = new Map<unknown, number>()
  let next = 0
  const withNumbers = text.replaceAll('?', () => {
    const param = toBind(params[next++])
    const identity = 'name' in param ? `:${param.name}` : param.constant
    const known = numbers.get(identity)
    if (known !== undefined) return `?${known}`
    numbers.set(identity, numbered.push(param))
    return `?${numbered.length}`
  })
  return { text: withNumbers, params: numbered }
}

function toBind(param: unknown): Compiled['params'][number] {
  const value = is(param, Param) ? param.value : param
  if (is(value, Placeholder)) return { name: value.name }
  if (typeof value === 'string' || typeof value === 'number' || value === null) return { constant: value }
  throw new Error('a statement with a parameter that is neither text nor number')
}

/** Each column of a table with what is written into it. */
export type Columns<Table extends SQLiteTable> = {
  readonly [Column in keyof Table['$inferSelect']]: SQL | Placeholder | string | number | null
}

/** `insert into … select`: each column by its name, `from` and `where` as they are given. */
export function insertFrom<Table extends SQLiteTable>(orm: Orm, table: Table, columns: Columns<Table>, from: SQL) {
  const values = Object.keys(getTableColumns(table)).map((name) => sql`${Reflect.get(columns, name)}`)
  return orm.insert(table).select(sql`select ${sql.join(values, sql`, `)} ${from}`)
}
