/**
 * Takes an import back, its last batch first: what it granted is closed, what it changed is put back where it is still as
 * the import left it, and whom it created is erased where nothing has happened since. Each step may be repeated, so after
 * a kill the next run takes back the rest. What somebody changes meanwhile is not written, because each request that
 * changes something has an ETag.
 */
import type { Change } from './changes.ts'
import type { Client } from './client.ts'
import { etagsOfRecent } from './recent-etags.ts'
import { undoChange } from './undo-changes.ts'
import { createdUnanswered, undoCreated } from './undo-created.ts'
import type { UndoBatch } from './undo-record.ts'
import type { UndoService } from './undo-service.ts'
import { type UndoCounts, type UndoListener, UndoStep, whoIn } from './undo-step.ts'

export interface UndoneBatch {
  counts: UndoCounts
  stays: number
  /** The rows of which something stays. The others are done: what somebody changes of them from now on is not the import's. */
  lines?: number[]
  /** Its changes of people whom an earlier batch has created. They are taken back with that batch. */
  deferred: number
  /** The ids of the accesses that were closed. */
  closed: string[]
}

export interface Undo extends UndoListener {
  client: Client
  service: UndoService
  mayErase: boolean
  /** The last one first. */
  batches: AsyncIterable<UndoBatch>
  keepUndone: (first: number, undone: UndoneBatch) => Promise<void>
}

/** People whom the import has created, and whom its later rows have changed. */
interface Later {
  changes: Map<string, Change[]>
  etags: Map<string, string>
}

/** Throws Refused, GaveUp or the reason of an aborted signal; what is undone until then is kept. */
export async function runUndo(undo: Undo): Promise<void> {
  const { service, keepUndone } = undo
  const later: Later = { changes: new Map(), etags: new Map() }
  let last: Pick<UndoneBatch, 'deferred' | 'stays'> & { first: number; lines: number[] } = {
    first: 0,
    deferred: 0,
    stays: 0,
    lines: [],
  }
  for await (const batch of undo.batches) {
    const { first } = batch
    const step = new UndoStep(service, undo)
    const deferred = await undoBatch(undo, step, batch, later)
    const result = resultOf(step)
    await keepUndone(first, { ...result, deferred })
    last = { first, deferred, stays: result.stays, lines: result.lines }
  }
  // Somebody else has created these while the import ran.
  const rest = [...later.changes.values()].flat()
  if (rest.length === 0) return
  const step = new UndoStep(service, undo)
  for (const change of rest) await undoChange(step, change)
  const { stays, lines, ...result } = resultOf(step)
  // What is said last about a batch counts.
  await keepUndone(last.first, {
    ...result,
    deferred: last.deferred,
    stays: last.stays + stays,
    lines: [...last.lines, ...lines],
  })
}

function resultOf({ counts, stays, lines, closed }: UndoStep) {
  return { counts, stays, lines: [...lines], closed }
}

async function undoBatch(undo: Undo, step: UndoStep, batch: UndoBatch, later: Later): Promise<number> {
  const { service } = step
  for (const { line, item } of batch.uncompared) step.stay(whoIn(line, '', item), 'uncompared')
  const deferred = batch.changes.filter(({ isRecent = false }) => isRecent)
  const etags = batch.unanswered ? await etagsOfRecent(undo.client, deferred) : batch.etags
  for (const [id, etag] of Object.entries(etags)) if (!later.etags.has(id)) later.etags.set(id, etag)
  for (const change of deferred) later.changes.set(change.id, [...(later.changes.get(change.id) ?? []), change])

  const changes = batch.changes.filter(({ isRecent = false }) => !isRecent).toReversed()
  const granted = changes.filter(({ accesses = [] }) => accesses.some(({ from }) => from === undefined))
  // Only a dry run need not read each person alone.
  const people = await service.readPeople((service.isDryRun ? changes : granted).map(({ id }) => id))
  const closed = new Set(batch.closed)
  const isAnswered = batch.unanswered === undefined
  for (const change of changes) await undoChange(step, change, { known: people.get(change.id), closed, isAnswered })

  const created = [...batch.created, ...(await createdUnanswered(undo.client, step, batch))].toReversed()
  const laterRows = (id: string) => {
    const rows = later.changes.get(id) ?? []
    later.changes.delete(id)
    return { changes: rows, etag: later.etags.get(id) }
  }
  for (let i = 0; i < created.length; i += service.groupSize)
    await undoCreated(step, created.slice(i, i + service.groupSize), { mayErase: undo.mayErase, laterRows, closed })
  return deferred.length
}
