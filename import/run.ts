/**
 * The import: one batch after another, so that the rows of a file act in their order. After each answer the failed rows
 * are kept, then the state; whatever ends the run in between, the next run sends that one batch again.
 */
import { isObject } from '../src/json.ts'
import { batchesOf, type OnExisting, type Prepared } from './batches.ts'
import { type Answer, type Client, Refused, textIn } from './client.ts'
import { columnsOf, type Columns, type Reason } from './columns.ts'
import { SeenAddresses } from './fingerprint.ts'
import type { Inspection } from './inspect.ts'
import { wasMadeHere } from './made-here.ts'
import { openFile, type Row } from './read.ts'
import { checkToken } from './token.ts'
import type { Source } from './source.ts'

/** All that a run needs to go on. */
export interface State {
  fingerprint: number
  rows: number
  /** How many rows are done. */
  next: number
  created: number
  existing: number
  failed: number
  /** The highest id that the service has named. */
  lastId: number
  /** The service's clock at its latest answer. */
  since: number
}

export interface FailedRow {
  row: Row
  reasons: Reason[]
}

/** Where failed rows and state are kept. Rows that were kept after the latest state are to be dropped on going on. */
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
  /** What a former run has saved. */
  state?: State | undefined
  onProgress?: (state: State) => void
  /** For how long to leave rows that are refused for now, when the answer names no time. */
  itemPauseMs?: number
}

/** How one row has ended. */
type Outcome = 'created' | 'existing' | Reason[]

interface Result {
  status: number
  id: string | undefined
  error: unknown
}

/** What the rows of one batch share. */
interface Sending {
  run: Import
  columns: Columns
  state: State
  seen: SeenAddresses
  /** The ids of users whom rows of this batch have made. */
  made: Set<string>
}

/** How often an item is sent for which the service fails, while others succeed: then it is the item. */
const ITEM_TRIES = 5
const ITEM_PAUSE_MS = 10_000
const TAKEN: Reason = { column: 'email', explanation: 'is taken by an earlier row of this file' }

/** Throws Refused, GaveUp, the reason of an aborted signal, or FileError; the state is then what was last saved. */
export async function runImport(run: Import): Promise<State> {
  const { source, inspection, client, keeper, onExisting } = run
  const answer = await checkToken(client, inspection)
  const isResumed = run.state !== undefined
  let state = run.state ?? {
    fingerprint: inspection.fingerprint,
    rows: inspection.rows,
    next: 0,
    created: 0,
    existing: 0,
    failed: 0,
    lastId: 0,
    since: answer.date,
  }
  await keeper.saveState(state)
  const opened = await openFile(source)
  const columns = columnsOf(opened, run.rename)
  const seen = new SeenAddresses()
  let mayBeSent = isResumed
  for await (const batch of batchesOf(after(opened.rows, state.next), columns, onExisting)) {
    const sending = { run, columns, state: { ...state }, seen, made: new Set<string>() }
    const outcomes = await send(sending, batch, mayBeSent)
    mayBeSent = false
    const failed = batch.flatMap((prepared, i): FailedRow[] => {
      const outcome = outcomes[i]
      return typeof outcome === 'object' ? [{ row: prepared.row, reasons: outcome }] : []
    })
    if (failed.length > 0) await keeper.keepFailed(failed)
    state = {
      ...sending.state,
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

async function* after(rows: AsyncGenerator<Row>, done: number): AsyncGenerator<Row> {
  let index = 0
  for await (const row of rows) if (index++ >= done) yield row
}

/** Sends a batch until each of its rows has an outcome. */
async function send(sending: Sending, batch: Prepared[], mayBeSent: boolean): Promise<Outcome[]> {
  const outcomes: (Outcome | undefined)[] = batch.map(({ text, reasons }) => (text === undefined ? reasons : undefined))
  let { lastId, since } = sending.state
  for (let [isAgain, tries] = [mayBeSent, 1]; ; tries++) {
    const pending = [...batch.keys()].filter((i) => outcomes[i] === undefined)
    const items = pending.flatMap((i) => batch[i] ?? [])
    if (items.length === 0) {
      // Only now: what counts as younger is what is younger than before this batch.
      Object.assign(sending.state, { lastId, since })
      return outcomes.map((outcome) => outcome ?? [])
    }
    const answer = await post(sending, items)
    const results = resultsOf(answer, items.length)
    const isForNow = ({ status }: Result): boolean => status === 429 || (status >= 500 && tries < ITEM_TRIES)
    for (const [i, result] of results.entries()) {
      const [index, prepared] = [pending[i], items[i]]
      if (index === undefined || prepared === undefined || isForNow(result)) continue
      outcomes[index] = await outcomeOf(sending, prepared, result, isAgain || answer.isRepeated)
    }
    lastId = Math.max(lastId, ...results.map(({ id }) => Number(id ?? 0)))
    since = answer.date
    isAgain = results.some(({ status }) => status >= 500)
    if (results.some(isForNow))
      await sending.run.client.pause(pauseMs(sending.run, answer), 'some rows are refused for now')
  }
}

function pauseMs({ itemPauseMs = ITEM_PAUSE_MS }: Import, { retryAfter }: Answer): number {
  return retryAfter === undefined ? itemPauseMs : retryAfter * 1000
}

async function post({ run }: Sending, items: Prepared[]): Promise<Answer> {
  const body = `{"dry_run":${run.dryRun},"on_existing":"${run.onExisting}","items":[${items.map(({ text }) => text).join(',')}]}`
  const answer = await run.client.call('POST', '/users/batch', body)
  if (answer.status !== 200) throw new Refused(answer)
  return answer
}

async function outcomeOf(sending: Sending, prepared: Prepared, result: Result, isAgain: boolean): Promise<Outcome> {
  const { run, columns, made } = sending
  if (run.dryRun) return predicted(sending, prepared, result)
  const isExisting = result.status === 200
  const isThere = isExisting || textIn(result.error, 'code') === 'email_taken'
  if (result.status === 201 || (isAgain && isThere && (await isNew(sending, prepared, result.id)))) {
    if (result.id !== undefined) made.add(result.id)
    return 'created'
  }
  return isExisting ? 'existing' : columns.toReasons(result.error, prepared.row)
}

/** A dry run leaves no user behind for the next batch to find; the addresses that it has seen stand for them. */
function predicted({ run, columns, seen }: Sending, prepared: Prepared, result: Result): Outcome {
  if (result.status === 200) return 'existing'
  if (result.status !== 201) return columns.toReasons(result.error, prepared.row)
  if (prepared.address === undefined || seen.add(prepared.address)) return 'created'
  return run.onExisting === 'fail' ? [TAKEN] : 'existing'
}

async function isNew(
  { run, state, made }: Sending,
  { text = '{}' }: Prepared,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined || made.has(id)) return false
  return wasMadeHere(run.client, { id, item: JSON.parse(text), lastId: state.lastId, since: state.since })
}

function resultsOf(answer: Answer, count: number): Result[] {
  const list = isObject(answer.body) && Array.isArray(answer.body['results']) ? answer.body['results'] : []
  const results = list
    .filter(isObject)
    .map((result) => ({ status: Number(result['status']), id: textIn(result, 'id'), error: result['error'] }))
  // Never guess which row an answer is about.
  if (results.length !== count || results.some(({ status }) => !(status >= 200 && status <= 599)))
    throw new Refused(`The service answers ${results.length} results for ${count} rows.`)
  return results
}
