/**
 * Runs an import, one batch after another, so that the rows are applied in their order. After each response the failed
 * rows are stored first and the state second: if the run ends in between, the next run sends that batch again, and no
 * row is lost.
 */
import { isObject } from '../src/json.ts'
import { batchesOf, type OnExisting, type PreparedRow } from './batches.ts'
import type { Client, ServiceResponse } from './client.ts'
import { columnsOf, type Columns } from './columns.ts'
import { wasCreatedByRun } from './created-by-run.ts'
import { allFaults } from './faults.ts'
import { SeenEmails } from './fingerprint.ts'
import type { Inspection } from './inspect.ts'
import type { Product } from './products.ts'
import { openFile, type Row } from './read.ts'
import type { Reason } from './reasons.ts'
import { Refused } from './request-errors.ts'
import type { Source } from './source.ts'
import { textIn } from './text-in.ts'
import { checkToken } from './token.ts'

/** With this state, a later run can continue. */
export interface State {
  fingerprint: number
  rows: number
  /** The number of rows that are done. */
  next: number
  created: number
  existing: number
  failed: number
  /** The highest id in a response. */
  lastId: number
  /** The time of the service at its last response. */
  since: number
}

export interface FailedRow {
  row: Row
  /** What could be read of the row. */
  item: Record<string, unknown>
  reasons: Reason[]
}

/** Stores failed rows and the state. A resumed run must drop failed rows that were stored after the last state. */
export interface Keeper {
  keepFailed: (rows: FailedRow[]) => Promise<void>
  saveState: (state: State) => Promise<void>
}

export interface Import {
  source: Source
  inspection: Inspection
  client: Client
  keeper: Keeper
  onExisting: OnExisting
  dryRun: boolean
  rename?: Record<string, string>
  /** Those of the store, which a file may name by their names. */
  products?: Product[] | undefined
  /** The saved state of an earlier run. */
  state?: State | undefined
  onProgress?: (state: State) => void
  /** Temporarily rejected rows are sent again after this pause, unless the response requests another one. */
  itemPauseMs?: number
}

/** The result of one row. */
type Outcome = 'created' | 'existing' | Reason[]

interface Result {
  status: number
  id: string | undefined
  error: unknown
}

/** The rows of one batch share these. */
interface BatchContext {
  run: Import
  columns: Columns
  state: State
  seen: SeenEmails
  /** The ids of users that rows of this batch created. */
  createdIds: Set<string>
}

/** If the service fails for an item this often while others succeed, the item is the cause and the row fails. */
const ITEM_ATTEMPTS = 5
const ITEM_PAUSE_MS = 10_000
/** For the words of a reason only, so it need not know every row, and memory does not grow with the file. */
const REMEMBERED_EMAILS = 100_000

/** Throws Refused, GaveUp, FileError or the reason of an aborted signal; the last saved state is then valid. */
export async function runImport(run: Import): Promise<State> {
  const { source, inspection, client, keeper, onExisting } = run
  const response = await checkToken(client, inspection)
  const isResumed = run.state !== undefined
  let state = run.state ?? {
    fingerprint: inspection.fingerprint,
    rows: inspection.rows,
    next: 0,
    created: 0,
    existing: 0,
    failed: 0,
    lastId: 0,
    since: response.date,
  }
  await keeper.saveState(state)
  const opened = await openFile(source)
  const columns = columnsOf(opened, run)
  // A dry run predicts with them.
  const seen = new SeenEmails(run.dryRun ? undefined : REMEMBERED_EMAILS)
  let mayHaveBeenSent = isResumed
  for await (const batch of batchesOf(skipRows(opened.rows, state.next), columns, onExisting)) {
    const context = { run, columns, state: { ...state }, seen, createdIds: new Set<string>() }
    const outcomes = await send(context, batch, mayHaveBeenSent)
    mayHaveBeenSent = false
    const failed = await failedRows(context, batch, outcomes)
    if (failed.length > 0) await keeper.keepFailed(failed)
    state = {
      ...context.state,
      next: state.next + batch.length,
      created: state.created + outcomes.filter((outcome) => outcome === 'created').length,
      existing: state.existing + outcomes.filter((outcome) => outcome === 'existing').length,
      failed: state.failed + failed.length,
    }
    await keeper.saveState(state)
    run.onProgress?.(state)
  }
  return state
}

/** Returns the failed rows of a batch, each with all its faults. */
async function failedRows(context: BatchContext, batch: PreparedRow[], outcomes: Outcome[]): Promise<FailedRow[]> {
  const failed = batch.flatMap((prepared, i) => {
    const outcome = outcomes[i]
    return typeof outcome === 'object' ? [{ prepared, item: prepared.item, reasons: outcome }] : []
  })
  const all = await allFaults(failed, async (items, indexes) => {
    const response = await post(
      { ...context.run, dryRun: true },
      items.map((item) => JSON.stringify(item)),
    )
    return resultsOf(response, items.length).map(({ status, error }, i) => {
      const prepared = failed[indexes[i] ?? 0]?.prepared
      const isFault = status >= 400 && status < 500 && status !== 429
      return isFault && prepared !== undefined ? rejection(context, prepared, error, items[i]) : []
    })
  })
  return failed.map(({ prepared: { row, item, emailKey } }, i) => {
    const reasons = all[i] ?? []
    // A dry run has not created the earlier row, so the service cannot know that the email is taken.
    const earlier =
      emailKey === undefined || context.run.onExisting !== 'fail' ? undefined : context.seen.find(emailKey)
    const isKnown = earlier === undefined || reasons.some(({ field }) => field === 'email' || field === undefined)
    return { row, item, reasons: isKnown ? reasons : [...reasons, repeated(context, earlier)] }
  })
}

async function* skipRows(rows: AsyncGenerator<Row>, count: number): AsyncGenerator<Row> {
  let index = 0
  for await (const row of rows) if (index++ >= count) yield row
}

/** Sends a batch until each of its rows has an outcome. */
async function send(context: BatchContext, batch: PreparedRow[], mayHaveBeenSent: boolean): Promise<Outcome[]> {
  const outcomes: (Outcome | undefined)[] = batch.map(({ text, reasons }) => (text === undefined ? reasons : undefined))
  let { lastId, since } = context.state
  for (let [isRepeated, attempts] = [mayHaveBeenSent, 1]; ; attempts++) {
    const pending = [...batch.keys()].filter((i) => outcomes[i] === undefined)
    const items = pending.flatMap((i) => batch[i] ?? [])
    if (items.length === 0) {
      // These must not change earlier, because users count as new if they are newer than everything before this batch.
      Object.assign(context.state, { lastId, since })
      return outcomes.map((outcome) => outcome ?? [])
    }
    const response = await post(
      context.run,
      items.flatMap(({ text }) => text ?? []),
    )
    const results = resultsOf(response, items.length)
    const isTemporary = ({ status }: Result): boolean => status === 429 || (status >= 500 && attempts < ITEM_ATTEMPTS)
    for (const [i, result] of results.entries()) {
      const [index, prepared] = [pending[i], items[i]]
      if (index === undefined || prepared === undefined || isTemporary(result)) continue
      outcomes[index] = await outcomeOf(context, prepared, result, isRepeated || response.isRepeated)
    }
    lastId = Math.max(lastId, ...results.map(({ id }) => Number(id ?? 0)))
    since = response.date
    isRepeated = results.some(({ status }) => status >= 500)
    if (results.some(isTemporary)) await context.run.client.pause(pauseMs(context.run, response), { code: 'rows' })
  }
}

function pauseMs({ itemPauseMs = ITEM_PAUSE_MS }: Import, { retryAfter }: ServiceResponse): number {
  return retryAfter === undefined ? itemPauseMs : retryAfter * 1000
}

async function post(
  { client, dryRun, onExisting }: Pick<Import, 'client' | 'dryRun' | 'onExisting'>,
  items: string[],
): Promise<ServiceResponse> {
  const body = `{"dry_run":${dryRun},"on_existing":"${onExisting}","items":[${items.join(',')}]}`
  return client.call('POST', '/users/batch', body)
}

async function outcomeOf(
  context: BatchContext,
  prepared: PreparedRow,
  result: Result,
  isRepeated: boolean,
): Promise<Outcome> {
  const outcome = context.run.dryRun
    ? predictOutcome(context, prepared, result)
    : await realOutcome(context, prepared, result, isRepeated)
  if (typeof outcome === 'string' && prepared.emailKey !== undefined)
    context.seen.add(prepared.emailKey, prepared.row.line)
  return outcome
}

async function realOutcome(
  context: BatchContext,
  prepared: PreparedRow,
  result: Result,
  isRepeated: boolean,
): Promise<Outcome> {
  const isExisting = result.status === 200
  const exists = isExisting || textIn(result.error, 'code') === 'email_taken'
  if (result.status === 201 || (isRepeated && exists && (await isNew(context, prepared, result.id)))) {
    if (result.id !== undefined) context.createdIds.add(result.id)
    return 'created'
  }
  return isExisting ? 'existing' : rejection(context, prepared, result.error)
}

/** A dry run creates no users, so later batches do not find them. The emails that it has seen take their place. */
function predictOutcome(context: BatchContext, prepared: PreparedRow, result: Result): Outcome {
  if (result.status === 200) return 'existing'
  if (result.status !== 201) return rejection(context, prepared, result.error)
  const earlier = prepared.emailKey === undefined ? undefined : context.seen.find(prepared.emailKey)
  if (earlier === undefined) return 'created'
  return context.run.onExisting === 'fail' ? [repeated(context, earlier)] : 'existing'
}

/** Names the row of this file that has taken the email, if there is one. */
function rejection(
  context: BatchContext,
  { emailKey, item }: PreparedRow,
  error: unknown,
  sent: Record<string, unknown> = item,
): Reason[] {
  const isTaken = textIn(error, 'code') === 'email_taken'
  const earlier = isTaken && emailKey !== undefined ? context.seen.find(emailKey) : undefined
  return earlier === undefined ? context.columns.toReasons(error, sent) : [repeated(context, earlier)]
}

function repeated({ columns }: BatchContext, row: number): Reason {
  const explanation = `is repeated in row ${row} of this file`
  return { column: columns.nameOf('email'), field: 'email', code: 'repeated', row, explanation }
}

async function isNew(
  { run, state, createdIds }: BatchContext,
  { text = '{}' }: PreparedRow,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined || createdIds.has(id)) return false
  return wasCreatedByRun(run.client, { id, item: JSON.parse(text), lastId: state.lastId, since: state.since })
}

function resultsOf(response: ServiceResponse, count: number): Result[] {
  const list = isObject(response.body) && Array.isArray(response.body['results']) ? response.body['results'] : []
  const results = list
    .filter(isObject)
    .map((result) => ({ status: Number(result['status']), id: textIn(result, 'id'), error: result['error'] }))
  // If a result were missing, each one after it would be reported for the wrong row.
  if (results.length !== count || results.some(({ status }) => !(status >= 200 && status <= 599)))
    throw new Refused({ code: 'results', results: results.length, rows: count })
  return results
}
