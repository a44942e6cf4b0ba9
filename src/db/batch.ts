/**
 * The one way to D1: Drizzle describes a statement, `batch` sends several, by name, in one round trip and one
 * transaction. A statement is compiled at its first use, so that a start builds nothing and a request only fills in
 * values.
 */
import { getTableColumns, is, Param, Placeholder, type Query, SQL, sql } from 'drizzle-orm'
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { D1, OWN_EVENT } from '../limits.ts'
import { failureOf, Unavailable } from './failures.ts'
import { idempotency_keys } from './schema.ts'

export interface Db {
  d1: D1Database
  /** What a request cost, for its log line. */
  cost: { roundTrips: number; rowsRead: number; rowsWritten: number }
  /** How large the database was after the newest batch, in bytes. */
  size: number
  /** Webhook endpoints that are to be told of what this request has changed. */
  endpointsToWake: Set<number>
}

export function openDb(d1: D1Database): Db {
  return { d1, cost: { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }, size: 0, endpointsToWake: new Set() }
}

export type Orm = DrizzleD1Database

type Value = string | number | null

/** In the type alone: which values the parameters stand for. */
declare const VALUES: unique symbol

/**
 * What is called `p` wherever a statement is built: its parameters, by the names of its values. For a value that is an
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
  /** What stands for ?1, ?2 and so on. */
  params: (Placeholder | Value)[]
}

/**
 * A statement with typed parameters: what `build` names and the values lack, or the other way round, does not
 * compile. A value that is an expression has to be a constant: the statement is compiled for each object that it meets.
 */
export function statement<Values extends object, Q extends Buildable>(
  build: (p: Params<Values>, orm: Orm) => Q,
): (values: Values) => Step<Selected<Q>> {
  /** By the expression among the values, of which there is at most one. */
  const compiled = new Map<SQL | undefined, Compiled>()
  const compile = (d1: D1Database, values: object) => {
    const expression: SQL | undefined = Object.values(values).find((value) => value instanceof SQL)
    const known = compiled.get(expression)
    if (known) return known
    const made = compileStatement(build(paramsOf(values), drizzle(d1)).toSQL())
    compiled.set(expression, made)
    return made
  }
  return (values) => ({ compile, values })
}

function paramsOf<Values>(values: object): Params<Values> {
  const get = (_: object, name: string | symbol) => {
    const value: unknown = Reflect.get(values, name)
    return is(value, SQL) ? value : sql.placeholder(String(name))
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- answers any name; the type allows those of the values
  return new Proxy({}, { get }) as Params<Values>
}

export type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

const joined = new Map<string, Compiled>()

/**
 * Two steps that select a row each, as one, which costs less than two: the columns of both. Where `other` selects nothing,
 * its columns are null. A value that both name is the same.
 */
export function beside<One, Other>(one: Step<One>, other: Step<Other>): Step<One & Nullable<Other>> {
  const compile = (d1: D1Database) => {
    const [a, b] = [one.compile(d1, one.values), other.compile(d1, other.values)]
    const texts = `${a.text} beside ${b.text}`
    const known = joined.get(texts)
    if (known) return known
    const renumbered = b.text.replaceAll(/\?(\d+)/g, (_, number) => `?${Number(number) + a.params.length}`)
    const text = `select * from (${a.text}) left join (${renumbered}) on 1`
    const made = { text, params: [...a.params, ...b.params] }
    joined.set(texts, made)
    return made
  }
  return { compile, values: { ...other.values, ...one.values } }
}

/** Numbers the parameters, so that a value that stands in several places is bound once. */
function compileStatement({ sql: text, params }: Query): Compiled {
  const numbered: Compiled['params'] = []
  const numbers = new Map<unknown, number>()
  let next = 0
  const withNumbers = text.replaceAll('?', () => {
    const param = bindable(params[next++])
    const identity = is(param, Placeholder) ? `:${param.name}` : param
    const known = numbers.get(identity)
    if (known !== undefined) return `?${known}`
    numbers.set(identity, numbered.push(param))
    return `?${numbered.length}`
  })
  return { text: withNumbers, params: numbered }
}

function bindable(param: unknown): Placeholder | Value {
  const value = is(param, Param) ? param.value : param
  if (is(value, Placeholder) || typeof value === 'string' || typeof value === 'number' || value === null) return value
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

export type Steps = Record<string, Step<unknown> | undefined>

type Answers<S extends Steps> = { [Name in keyof S]: NonNullable<NonNullable<S[Name]>['rows']> }

/**
 * Why a batch may be sent again when nobody knows whether it was committed. Of one that finds its own event, the values
 * of the first step name the request: `request_id` and `now`.
 */
type RetryReason = 'it only reads' | 'it finds its own event' | 'done twice is done once'

/**
 * Sends the steps in the order in which they are written, all or nothing, and answers the rows of each under its
 * name. A step that is undefined is left out. Without a reason for it, nothing is sent twice.
 * Throws `Unavailable` when D1 cannot answer in time.
 */
export async function batch<S extends Steps>(
  db: Db,
  steps: S,
  { retry }: { retry?: RetryReason } = {},
): Promise<Answers<S>> {
  const toSend = Object.entries(steps).flatMap(([name, step]) => (step === undefined ? [] : [{ name, step }]))
  const leavesMark = retry === 'it finds its own event'
  const deadline = startDeadline()
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        const results = await Promise.race([send(db, toSend, attempt), deadline.passed])
        const answers = Object.fromEntries(Object.keys(steps).map((name): [string, unknown[]] => [name, []]))
        for (const [index, { name }] of toSend.entries()) answers[name] = results[index]?.results ?? []
        // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- D1 sends untyped rows; the statement knows its columns
        return answers as Answers<S>
      } catch (error) {
        const failure = failureOf(error)
        if (failure === undefined) throw error
        if (failure !== 'd1_connection_lost' || retry === undefined || attempt === D1.retries) {
          throw new Unavailable(failure, error)
        }
        await Promise.race([pause(Math.random() * D1.retryBaseMs * 2 ** attempt), deadline.passed])
        const [first] = toSend
        if (attempt === 0 && leavesMark && first) toSend.push(markOf(first.step))
      }
    }
  } finally {
    deadline.clear()
  }
}

/** The marks of requests whose batch was sent again: rows beside the claims of idempotency keys, deleted as these are. */
export const ATTEMPT_MARK = { store: 0, caller_id: 0, operation: 'attempt' } as const

/**
 * What was sent over a lost connection may still arrive. So each later attempt leaves a mark with its number: an
 * earlier one that comes after it finds that, and does nothing (decisions.ts).
 */
const markAttempt = statement((p: Params<{ request_id: string; now: number }>, orm) => {
  const { store, caller_id, operation, key, record_id } = idempotency_keys
  return orm
    .insert(idempotency_keys)
    .values({ ...ATTEMPT_MARK, key: p.request_id, fingerprint: '', record_id: p.attempt, created_at: p.now })
    .onConflictDoUpdate({
      target: [store, caller_id, operation, key],
      set: { record_id: sql`max(${record_id}, excluded.record_id)` },
    })
})

function markOf({ values }: Step<unknown>) {
  const step = markAttempt({ request_id: Reflect.get(values, 'request_id'), now: Reflect.get(values, 'now') })
  return { name: 'mark', step }
}

async function send(db: Db, toSend: { step: Step<unknown> }[], attempt: number): Promise<D1Result[]> {
  const own = { look: attempt === 0 ? OWN_EVENT.lookBack : OWN_EVENT.lookBackAgain, attempt }
  const statements = toSend.map(({ step: { compile, values } }) => {
    const { text, params } = compile(db.d1, values)
    const valueOf = (name: string): unknown => Reflect.get(name in own ? own : values, name)
    return db.d1.prepare(text).bind(...params.map((param) => (is(param, Placeholder) ? valueOf(param.name) : param)))
  })
  db.cost.roundTrips++
  const results = await db.d1.batch(statements)
  for (const { meta } of results) {
    db.cost.rowsRead += meta.rows_read
    db.cost.rowsWritten += meta.rows_written
    db.size = meta.size_after
  }
  return results
}

/** One deadline for all attempts of a batch: D1 has been seen to stall for 25 s while its queries took under 1 ms. */
function startDeadline() {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  // Where the batch has ended by itself nobody waits for this any more.
  passed.catch(() => {})
  const timer = setTimeout(() => reject(new Unavailable('d1_no_answer')), D1.deadlineMs)
  return { passed, clear: () => clearTimeout(timer) }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
