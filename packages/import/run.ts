/**
 * Runs an import, one batch after another, so that the rows of a person are applied in their order. After each response the failed
 * rows are stored first and the state second: if the run ends in between, the next run sends that batch again, and no
 * row is lost.
 */
import { batchesOf, type PreparedRow } from './batches.ts'
import type { Change } from './changes.ts'
import type { Client } from './client.ts'
import { type Columns, columnsOf } from './columns.ts'
import { newestUserId } from './created-by-run.ts'
import { SeenEmails } from './fingerprint.ts'
import type { Inspection } from './inspect.ts'
import { type BatchContext, failedRows, type Outcome, outcomeOf } from './outcomes.ts'
import { withPeople } from './people-by-id.ts'
import { planBatch, type PlannedUsers } from './plan.ts'
import { isTemporary, pauseMs, postItems } from './post.ts'
import { openFile } from './read.ts'
import { etagsOfRecent } from './recent-etags.ts'
import { repeatedEmails } from './repeated.ts'
import { Refused } from './request-errors.ts'
import type { Import, State } from './state.ts'
import { EFFECTS, type Effect } from './stored-accesses.ts'
import { checkToken } from './token.ts'
import { type SentRow, toSentRow } from './undo-record.ts'

/** For the words of a reason only, so it need not know every row, and memory does not grow with the file. */
const REMEMBERED_EMAILS = 100_000

/** Throws Refused, GaveUp, FileError or the reason of an aborted signal; the last saved state is then valid. */
export async function runImport(run: Import): Promise<State> {
  const { source, inspection, client, keeper, onExisting } = run
  const response = await checkToken(client, inspection)
  const isResumed = run.state !== undefined
  const newest = isResumed ? 0 : await newestUserId(client)
  let state: State = {
    fingerprint: inspection.fingerprint,
    rows: inspection.rows,
    next: 0,
    created: 0,
    existing: 0,
    changed: 0,
    uncompared: 0,
    effects: noEffects(),
    failed: 0,
    leftOut: 0,
    lastId: newest,
    since: response.date,
    newest,
    ...run.state,
  }
  await keeper.saveState(state)
  const opened = await openFile(source)
  const columns = columnsOf(opened, run)
  // A dry run predicts with them.
  const seen = new SeenEmails(run.dryRun ? undefined : REMEMBERED_EMAILS)
  const planned = await plannedUsers(run, columns)
  let mayHaveBeenSent = isResumed
  for await (const { rows, waiting } of batchesOf(
    opened.rows,
    columns,
    { onExisting, mayWait: mayWait(inspection) },
    state,
  )) {
    const read = columns.hasIds ? await withPeople(client, rows, columns.nameOf) : rows
    const planning = { run, columns, seen, planned, newest: state.newest }
    const { batch, changes, uncompared } = await planBatch(planning, read, state)
    const context: BatchContext = { run, columns, state: { ...state }, seen, changes, created: [], owners: new Map() }
    if (!run.dryRun) await keeper.keepSent?.(sentRows(batch), state)
    const outcomes = await send(context, batch, mayHaveBeenSent)
    mayHaveBeenSent = false
    if (!run.dryRun) await removeLimits(client, batch, outcomes)
    const failed = await failedRows(context, batch, outcomes)
    if (failed.length > 0) await keeper.keepFailed(failed)
    if (!run.dryRun && keeper.keepResults) {
      const etags = await etagsOfRecent(client, changes)
      await keeper.keepResults({ created: context.created, uncompared, etags }, state)
    }
    const leftOut = batch.filter(({ isLeftOut }) => isLeftOut)
    state = {
      ...context.state,
      next: state.next + batch.length,
      waiting,
      created: state.created + outcomes.filter((outcome) => outcome === 'created').length,
      existing: state.existing + outcomes.filter((outcome) => outcome === 'existing').length,
      changed: state.changed + changes.length,
      uncompared: state.uncompared + uncompared.length,
      effects: withEffects(state.effects, changes),
      failed: state.failed + failed.length,
      leftOut: state.leftOut + leftOut.length,
      firstLeftOut: firstOf([state.firstLeftOut, ...leftOut.map(({ row }) => row.line)]),
    }
    await keeper.saveState(state)
    run.onProgress?.(state)
  }
  return state
}

async function plannedUsers({ source, dryRun, onExisting }: Import, columns: Columns): Promise<PlannedUsers> {
  if (!dryRun || onExisting !== 'update') return new Map()
  const { rows } = await openFile(source)
  return new Map(Array.from(await repeatedEmails(rows, columns), (key) => [key, undefined]))
}

/** A repetition changes nothing, so this may be interrupted at any moment. */
async function removeLimits(client: Client, batch: PreparedRow[], outcomes: Outcome[]): Promise<void> {
  const ids = batch.flatMap(({ unlimited = [] }, i) => (outcomes[i] === 'existing' ? unlimited : []))
  for (const id of ids) {
    try {
      await client.call('PUT', `/product_accesses/${id}`, '{"access_due_date":null}')
    } catch (error) {
      // Somebody has erased the person in the meantime.
      if (!(error instanceof Refused && error.status === 404)) throw error
    }
  }
}

function sentRows(batch: PreparedRow[]): SentRow[] {
  return batch.flatMap(({ row, item, text, isLeftOut }) =>
    text === undefined || isLeftOut ? [] : [toSentRow(row.line, item)],
  )
}

export function noEffects(): Record<Effect, number> {
  return { earlier: 0, closed: 0, granted: 0, opened: 0, later: 0 }
}

function withEffects(effects: Record<Effect, number>, changes: Change[]): Record<Effect, number> {
  const found = changes.flatMap(({ accesses = [] }) => accesses.flatMap((access) => access.effects))
  const sum = { ...effects }
  for (const effect of EFFECTS) sum[effect] += found.filter((each) => each === effect).length
  return sum
}

/** People read the results in the order of the file, so rows leave it only where that saves many requests. */
function mayWait({ rows, sharedEmails }: Inspection): boolean {
  return (sharedEmails?.count ?? 0) > Math.max(20, rows / 100)
}

/** Rows that waited for an earlier row of their person come in later batches than the rows behind them. */
function firstOf(lines: (number | undefined)[]): number | undefined {
  const known = lines.filter((line) => line !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** Sends a batch until each of its rows has an outcome. */
async function send(context: BatchContext, batch: PreparedRow[], mayHaveBeenSent: boolean): Promise<Outcome[]> {
  const outcomes: (Outcome | undefined)[] = batch.map(({ text, reasons, isLeftOut }) => {
    if (isLeftOut) return 'left_out'
    return text === undefined ? reasons : undefined
  })
  let { lastId, since } = context.state
  for (let [isRepeated, attempts] = [mayHaveBeenSent, 1]; ; attempts++) {
    const pending = [...batch.keys()].filter((i) => outcomes[i] === undefined)
    const items = pending.flatMap((i) => batch[i] ?? [])
    if (items.length === 0) {
      // These must not change earlier, because users count as new if they are newer than everything before this batch.
      Object.assign(context.state, { lastId, since })
      return outcomes.map((outcome) => outcome ?? [])
    }
    const { response, results } = await postItems(
      context.run,
      items.flatMap(({ text }) => text ?? []),
    )
    // A batch is carried out as a whole, but for passwords beyond the quota. If it creates somebody now, an earlier run has not
    // sent it, and somebody else has registered those who exist.
    const isFirst =
      attempts === 1 && results.some(({ status }, i) => status === 201 && items[i]?.item['password'] === undefined)
    const mayBeOwn = (isRepeated && !isFirst) || response.isRepeated
    for (const [i, result] of results.entries()) {
      const [index, prepared] = [pending[i], items[i]]
      if (index === undefined || prepared === undefined || isTemporary(result, attempts)) continue
      outcomes[index] = await outcomeOf(context, prepared, result, mayBeOwn)
    }
    lastId = Math.max(lastId, ...results.map(({ id }) => Number(id ?? 0)))
    since = response.date
    isRepeated = results.some(({ status }) => status >= 500)
    if (results.some((result) => isTemporary(result, attempts)))
      await context.run.client.pause(pauseMs(context.run, response), { code: 'rows' })
  }
}
