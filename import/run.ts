/**
 * Runs an import, one batch after another, so that the rows are applied in their order. After each response the failed
 * rows are stored first and the state second: if the run ends in between, the next run sends that batch again, and no
 * row is lost.
 */
import { isObject } from '../src/json.ts'
import { batchesOf, type OnExisting, type PreparedRow } from './batches.ts'
import type { Client, ServiceResponse } from './client.ts'
import { columnsOf, type Columns, type Reason } from './columns.ts'
import { wasCreatedByRun } from './created-by-run.ts'
import { SeenEmails } from './fingerprint.ts'
import type { Inspection } from './inspect.ts'
import { openFile, type Row } from './read.ts'
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
const TAKEN: Reason = { column: 'email', code: 'repeated', explanation: 'is used by an earlier row of this file' }

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
  const columns = columnsOf(opened, run.rename)
  const seen = new SeenEmails()
  let mayHaveBeenSent = isResumed
  for await (const batch of batchesOf(skipRows(opened.rows, state.next), columns, onExisting)) {
    const context = { run, columns, state: { ...state }, seen, createdIds: new Set<string>() }
    const outcomes = await send(context, batch, mayHaveBeenSent)
    mayHaveBeenSent = false
    const failed = batch.flatMap((prepared, i): FailedRow[] => {
      const outcome = outcomes[i]
      return typeof outcome === 'object' ? [{ row: prepared.row, reasons: outcome }] : []
    })
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
    const response = await post(context, items)
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

async function post({ run }: BatchContext, items: PreparedRow[]): Promise<ServiceResponse> {
  const body = `{"dry_run":${run.dryRun},"on_existing":"${run.onExisting}","items":[${items.map(({ text }) => text).join(',')}]}`
  return run.client.call('POST', '/users/batch', body)
}

async function outcomeOf(
  context: BatchContext,
  prepared: PreparedRow,
  result: Result,
  isRepeated: boolean,
): Promise<Outcome> {
  const { run, columns, createdIds } = context
  if (run.dryRun) return predictOutcome(context, prepared, result)
  const isExisting = result.status === 200
  const exists = isExisting || textIn(result.error, 'code') === 'email_taken'
  if (result.status === 201 || (isRepeated && exists && (await isNew(context, prepared, result.id)))) {
    if (result.id !== undefined) createdIds.add(result.id)
    return 'created'
  }
  return isExisting ? 'existing' : columns.toReasons(result.error, prepared.row)
}

/** A dry run creates no users, so later batches do not find them. The emails that it has seen take their place. */
function predictOutcome({ run, columns, seen }: BatchContext, prepared: PreparedRow, result: Result): Outcome {
  if (result.status === 200) return 'existing'
  if (result.status !== 201) return columns.toReasons(result.error, prepared.row)
  if (prepared.emailKey === undefined || seen.add(prepared.emailKey)) return 'created'
  return run.onExisting === 'fail' ? [TAKEN] : 'existing'
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
