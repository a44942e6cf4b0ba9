/** What the results of a batch mean for its rows. */
import type { PreparedRow } from './batches.ts'
import type { Change } from './changes.ts'
import type { Columns } from './columns.ts'
import { wasCreatedByRun } from './created-by-run.ts'
import { allFaults } from './faults.ts'
import type { SeenEmails } from './fingerprint.ts'
import { postItems, type Result } from './post.ts'
import type { Row } from './read.ts'
import type { Reason } from './reasons.ts'
import type { CreatedRow, FailedRow, Import, State } from './state.ts'
import { textIn } from './text-in.ts'

/** The result of one row. */
export type Outcome = 'created' | 'existing' | 'left_out' | Reason[]

/** The rows of one batch share these. */
export interface BatchContext {
  run: Import
  columns: Columns
  state: State
  seen: SeenEmails
  /** What the rows of this batch change of users that were there before it was sent first. */
  changes: Change[]
  /** The rows of this batch that created a user. */
  created: CreatedRow[]
  /** The users who have the emails of rejected rows. */
  owners: Map<Row, string>
}

/** Returns the outcome of a row, and remembers its email and the user that it created. */
export async function outcomeOf(
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
  // An import that only updates has created nobody, also not in its first attempt.
  const mayBeNew = isRepeated && exists && context.run.only === undefined
  if (result.status === 201 || (mayBeNew && (await isNew(context, prepared, result.id)))) {
    const { row, item } = prepared
    if (result.id !== undefined) context.created.push({ row, item, id: result.id })
    return 'created'
  }
  return isExisting ? 'existing' : rejected(context, prepared, result)
}

/** A dry run creates no users, so later batches do not find them. The emails that it has seen take their place. */
function predictOutcome(context: BatchContext, prepared: PreparedRow, result: Result): Outcome {
  if (result.status === 200) return 'existing'
  if (result.status !== 201) return rejected(context, prepared, result)
  const earlier = prepared.emailKey === undefined ? undefined : context.seen.find(prepared.emailKey)
  if (earlier === undefined) return 'created'
  return context.run.onExisting === 'fail' ? [repeated(context, earlier)] : 'existing'
}

function rejected(context: BatchContext, prepared: PreparedRow, { id, error }: Result): Reason[] {
  const reasons = rejection(context, prepared, error)
  if (id !== undefined && reasons.some(({ code }) => code === 'email_taken')) context.owners.set(prepared.row, id)
  return reasons
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
  { run, state, created, changes }: BatchContext,
  { text = '{}' }: PreparedRow,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined || [...created, ...changes].some((each) => each.id === id)) return false
  return wasCreatedByRun(run.client, { id, item: JSON.parse(text), lastId: state.lastId, since: state.since })
}

/** Returns the failed rows of a batch, each with all its faults. */
export async function failedRows(
  context: BatchContext,
  batch: PreparedRow[],
  outcomes: Outcome[],
): Promise<FailedRow[]> {
  const failed = batch.flatMap((prepared, i) => {
    const outcome = outcomes[i]
    return typeof outcome === 'object' ? [{ prepared, item: prepared.item, reasons: outcome }] : []
  })
  const all = await allFaults(failed, async (items, indexes) => {
    const { results } = await postItems(
      { ...context.run, dryRun: true },
      items.map((item) => JSON.stringify(item)),
    )
    return results.map(({ status, error }, i) => {
      const prepared = failed[indexes[i] ?? 0]?.prepared
      // With `skip` and `update`, the email is that of another faulty row, and then both may be imported.
      const isRepetition = context.run.onExisting !== 'fail' && textIn(error, 'code') === 'email_taken'
      const isFault = status >= 400 && status < 500 && status !== 429 && !isRepetition
      return isFault && prepared !== undefined ? rejection(context, prepared, error, items[i]) : []
    })
  })
  return failed.map(({ prepared: { row, item, emailKey } }, i) => {
    const [reasons, owner] = [all[i] ?? [], context.owners.get(row)]
    // A dry run has not created the earlier row, so the service cannot know that the email is taken.
    const earlier =
      emailKey === undefined || context.run.onExisting !== 'fail' ? undefined : context.seen.find(emailKey)
    const isKnown = earlier === undefined || reasons.some(({ field }) => field === 'email' || field === undefined)
    return { row, item, owner, reasons: isKnown ? reasons : [...reasons, repeated(context, earlier)] }
  })
}
