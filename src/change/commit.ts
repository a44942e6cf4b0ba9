/**
 * Sends a change or a read to the database, and turns its outcome into a result or an error. Each function throws what rejects
 * the caller (`requireAuthorization` in src/change/request.ts); a use case names only what it throws besides.
 */
import { and, eq, isNull, lt, sql, type SQLWrapper } from 'drizzle-orm'
import { batch, type Db, openDb, type RowsOf, type Steps } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import {
  lazySql,
  named,
  orm,
  type Params,
  params,
  type Query,
  type RowOf,
  statement,
  type Step,
  type ValuesOf,
} from '../db/statement.ts'
import { isOfStore } from '../db/ids.ts'
import { access_tokens, webhook_endpoints } from '../db/schema/stores.ts'
import { describeError, log } from '../lib/log.ts'
import { DAY_MS } from '../limits.ts'
import { DomainError, requireRow } from './errors.ts'
import { insertFencingToken } from './event.ts'
import {
  contextValues,
  detailsOf,
  isOperator,
  type Outcome,
  outcomeOf,
  rejectsCaller,
  type RequestContext,
  requireAuthorization,
  ROOT,
  type Rule,
  selectAuthorization,
  storeOfRequest,
  usedAt,
} from './request.ts'

/** The columns that the result of every change has. */
interface Result {
  outcome: Outcome
  /** A JSON object. */
  details: string
  /** A JSON list: the ids of the webhook endpoints to wake. */
  endpoints: string
  /** When the token was last used, as it is recorded. */
  used_at: number | null
}

/** The fields of `Result`, to be selected after the writes. */
export function resultOf(rules: readonly Rule[]) {
  return named({
    outcome: outcomeOf(rules),
    details: detailsOf(rules),
    // Only a change that was made wakes an endpoint.
    endpoints: sql<string>`iif(${rules.find(({ outcome }) => outcome === 'applied')?.when}, ${endpoints}, '[]')`,
    used_at: usedAt,
  })
}

const endpoints = lazySql<string>(() => selectEndpointsToWake(storeOfRequest))

type StepsWithResult = Steps & { result: Step<Result> }

type ResultOf<S extends StepsWithResult> = RowsOf<S>['result'][number] & Result

interface Sent<S extends StepsWithResult> {
  result: ResultOf<S>
  rows: RowsOf<S>
}

/**
 * Makes a change in one transaction, by steps in their order: usually its event, the writes that follow the event, and the
 * result. The context gets the webhook endpoints to wake and the use of the token, for what follows the response. If the
 * batch is sent again, a fencing token is left (src/change/event.ts). Throws `DomainError` if a rule rejects the request.
 */
export async function commit<S extends StepsWithResult>(db: Db, context: RequestContext, steps: S): Promise<Sent<S>> {
  const rows = await batch(db, steps, {
    retry: 'own event',
    fencing: insertFencingToken({}),
    shared: contextValues(context),
  })
  const result = resultIn<ResultOf<S>>(db, context, rows.result)
  if (result.outcome === 'applied') for (const id of idsIn(result.endpoints)) context.endpointsToWake.add(id)
  return { result, rows }
}

/**
 * Finds out how a change would end, by steps that only read. The outcome is `allowed` if the change would be made. Throws
 * `DomainError` if a rule rejects the request.
 */
export async function preview<S extends StepsWithResult>(db: Db, context: RequestContext, steps: S): Promise<Sent<S>> {
  const rows = await batch(db, steps, { retry: 'only reads', shared: contextValues(context) })
  return { result: resultIn<ResultOf<S>>(db, context, rows.result), rows }
}

interface ComputedChange<Row, Computed> {
  /** If it is undefined, nothing is computed, and the change is one round trip. */
  compute: (() => Promise<Computed>) | undefined
  result: Step<Row>
  /** The event and its writes, with what was computed. */
  steps: (computed: Computed | undefined) => Steps
}

/**
 * Like `commit`, for a change with a value that takes long to compute and blocks the instance, such as the hash of a
 * password. It is computed only if a first round trip finds that the change would be made: a request that is rejected, or
 * was made before, ends there.
 */
export async function commitComputed<Row extends Result, Computed>(
  db: Db,
  context: RequestContext,
  { compute, result, steps }: ComputedChange<Row, Computed>,
): Promise<Row> {
  const previewed = compute && (await preview(db, context, { result }))
  if (previewed && previewed.result.outcome !== 'allowed') return previewed.result
  const committed = await commit(db, context, { ...steps(await compute?.()), result })
  return committed.result
}

/** Throws if a rule rejects the request, which may be a use of the token nevertheless. */
function resultIn<Row extends Result>(db: Db, context: RequestContext, [row]: Row[]): Row {
  if (row === undefined) throw new Error('a change returned no result')
  noteUse(db, context, row)
  switch (row.outcome) {
    case 'allowed':
    case 'applied':
    case 'unchanged':
    case 'replayed':
      return row
    case 'superseded':
      throw new Error('a superseded attempt returned a result to its caller')
    default:
      throw new DomainError(row.outcome, JSON.parse(row.details))
  }
}

/** A row of which every column is null if there is no record. */
type Selected<Row> = { [Column in keyof Row]: Row[Column] | null }

/**
 * The statement that selects the result of a change and its record. `Row` is the type of the record, because Drizzle's own
 * type of a query is not resolved while the fields of the query are generic.
 */
export function resultStatement<P extends Params<string>, Row>(parameters: P, build: () => Query) {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- see above
  return statement(parameters, build) as unknown as (values: ValuesOf<P>) => Step<Result & Selected<Row>>
}

/**
 * The record that a change has selected. Throws `not_found` if it has been erased since an earlier attempt, or an earlier
 * request with the same key, created it.
 */
export function requireRecord<Row extends { id: number }>(row: Selected<Row>): Row {
  if (!isRecord<Row>(row)) throw new DomainError('not_found', {})
  return row
}

function isRecord<Row extends { id: number }>(row: Selected<Row>): row is Selected<Row> & Row {
  return row.id !== null
}

// The day on which a token was last used. Each batch selects it, and the first request of a day writes it once its response
// is on the way: in the batch itself, the statement would be a tenth of the text of every request. If the write fails, the
// next request of the day makes it.

function dayOf(now: number): number {
  return now - (now % DAY_MS)
}

/** False if the first use of the day is still to be recorded. The root has no row. */
export function isRecorded(used_at: number | null, { caller, now }: { caller: number; now: number }): boolean {
  return caller === ROOT || (used_at ?? 0) >= dayOf(now)
}

/**
 * Notes that the use of the token is to be recorded in this database. A request whose caller is rejected is no use. That of
 * an operator in a store is noted when the store is looked up (src/modules/store-directory/locate-store.ts).
 */
export function noteUse(
  { database }: Db,
  { caller, store_slug, now, firstUses }: RequestContext,
  { outcome, used_at }: Pick<Result, 'outcome' | 'used_at'>,
): void {
  if (rejectsCaller(outcome)) firstUses.clear()
  else if (isOperator(caller.id) && store_slug !== null) return
  else if (!isRecorded(used_at, { caller: caller.id, now })) firstUses.add(database)
}

const useParams = params('used_token', 'today')

const updateLastUsed = statement(useParams, () =>
  orm
    .update(access_tokens)
    .set({ last_used_at: useParams.today })
    .where(
      and(
        eq(access_tokens.id, useParams.used_token),
        lt(sql`coalesce(${access_tokens.last_used_at}, 0)`, useParams.today),
      ),
    ),
)

export async function recordUse(database: Database, caller: number, now: number): Promise<void> {
  const step = updateLastUsed({ used_token: caller, today: dayOf(now) })
  // Its cost is not that of the request, whose log line may have been written already.
  await batch(openDb(database), { step }, { retry: 'idempotent' }).catch((error: unknown) => {
    log('warning', { code: 'use_not_recorded', error: describeError(error) })
  })
}

// The webhook endpoints that a change of their store wakes, after the response (src/modules/webhooks/deliveries/wake-endpoints.ts).

/** True for an endpoint that each change wakes. One that is down is woken by its own alarm only. */
export const isWoken = and(isNull(webhook_endpoints.disabled_at), eq(webhook_endpoints.is_down, sql`0`))

/** Selects the ids of these endpoints as a JSON list. */
export function selectEndpointsToWake(store: SQLWrapper) {
  return orm
    .select({ ids: sql<string>`json_group_array(${webhook_endpoints.id})` })
    .from(webhook_endpoints)
    .where(and(isOfStore(webhook_endpoints.id, store), isWoken))
}

export function idsIn(list: string): number[] {
  return JSON.parse(list)
}

// Reading: the authorization and what is read, in one batch.

/**
 * The rows that the steps select. Throws if the caller may not read them, and `not_found` if there is no such store. Unless
 * `isUse` is false, it counts as a use of the token.
 */
export async function readAll<S extends Steps>(
  db: Db,
  context: RequestContext,
  steps: S,
  { isUse = true } = {},
): Promise<RowsOf<S>> {
  const sent = { authorization: selectAuthorization({}), ...steps }
  const rows = await batch(db, sent, { retry: 'only reads', shared: contextValues(context) })
  const authorization = requireRow<RowOf<typeof selectAuthorization>>(rows.authorization)
  if (isUse) noteUse(db, context, authorization)
  requireAuthorization(authorization)
  return rows
}

/** The rows that one step selects. Throws like `readAll`. */
export async function read<Row>(db: Db, context: RequestContext, step: Step<Row>): Promise<Row[]> {
  const { rows } = await readAll(db, context, { rows: step })
  return rows
}

/** The one row that the step selects. Throws like `readAll`, and `not_found` if there is none. */
export async function readOne<Row>(db: Db, context: RequestContext, step: Step<Row>): Promise<Row> {
  return requireRow(await read(db, context, step))
}
