/**
 * The record of the imports of this browser. By it an import continues after the tab was closed, and an office finds again
 * what it has imported. It is in IndexedDB, because sessionStorage ends with the tab, and because the rows of a batch and
 * the state that counts them must be written in one transaction. It holds people's data (failed rows, the names of those
 * who were created, the values of those who were updated as they were before), but no password. So it is deleted by a
 * button, and after 30 days.
 */
import { ALL, BATCHES, CHANGES, type Key, openDatabase, rangeOf, resultOf, RUNS, waitForCommit } from './database.ts'
import type {
  Change,
  DateOrder,
  Inspection,
  KeptRow,
  OnExisting,
  Reason,
  SentRow,
  State,
  UndoCounts,
} from './engine.ts'
// Every screen deletes old records, and by engine.ts it would load the whole engine.
import { mergedChanges } from '../../../import/merged-changes.ts'
import { changeOf, type KeptChange, keptChange } from './kept-change.ts'

/** The import of a file into a store. */
export interface SavedRun {
  store: string
  /** Milliseconds since 1970, as are the other times. With the store it is the key. */
  startedAt: number
  savedAt: number
  fileName: string
  fingerprint: number
  inspection: Inspection
  rename: Record<string, string>
  onExisting: OnExisting
  only?: 'update' | undefined
  aliases?: Record<string, string>
  splits?: Record<number, number>
  dates?: DateOrder | undefined
  isNeverShorten?: boolean
  /** That of the store, in which its days were read. */
  timeZone?: string | undefined
  headings: number
  state: State
  /** True if the file was started over or taken back, so that this import is never continued. */
  isOver: boolean
  /** What was taken back, once that has ended, and how much stays. */
  undo?: { counts: UndoCounts; stays: number }
}

export interface FailedLine {
  line: number
  /** The name of the person, or else the email. */
  person: string
  reasons: Reason[]
  /** The id of the user who has the email already. */
  owner?: string | undefined
  row: KeptRow
}

export interface CreatedLine {
  line: number
  id: string
  person: string
  /** These are missing in the record of an older import. */
  etag?: string
  /** The values that an undo compares. */
  item?: SentRow['item']
}

/** What the rows of one batch resulted in. */
export interface KeptBatch {
  failed: FailedLine[]
  created: CreatedLine[]
  /** As in `UndoBatch` of the engine. */
  uncompared?: SentRow[]
  etags?: Record<string, string>
}

const RETENTION_MS = 30 * 24 * 3_600_000

/** Returns the import of this file that is continued, or that has ended. */
export async function findRun(store: string, fingerprint: number): Promise<SavedRun | undefined> {
  const runs = await listRuns(store)
  return runs.find((run) => run.fingerprint === fingerprint && !run.isOver)
}

/** Newest first. */
export async function listRuns(store: string): Promise<SavedRun[]> {
  const database = await openDatabase()
  const range = IDBKeyRange.bound([store], [store, []])
  const runs: SavedRun[] = await resultOf(database.transaction(RUNS).objectStore(RUNS).getAll(range))
  return runs.toReversed()
}

/** Deletes the imports of all stores that have not changed for 30 days. */
export async function removeOldRuns(): Promise<void> {
  const database = await openDatabase()
  const runs: SavedRun[] = await resultOf(database.transaction(RUNS).objectStore(RUNS).getAll())
  for (const run of runs) if (run.savedAt < Date.now() - RETENTION_MS) await removeRun(run)
}

/**
 * Writes the run and the rows of its last batch in one transaction, and resolves once they are on the disk. Otherwise a
 * crash could leave a state that counts rows which are missing.
 */
export async function saveRun(run: SavedRun, first: number, batch: KeptBatch): Promise<void> {
  const database = await openDatabase()
  const transaction = database.transaction(ALL, 'readwrite', { durability: 'strict' })
  transaction.objectStore(RUNS).put(run)
  const { store, startedAt } = run
  const { failed, created, uncompared = [], etags = {} } = batch
  if (failed.length + created.length + uncompared.length + Object.keys(etags).length > 0)
    transaction.objectStore(BATCHES).put({ store, startedAt, first, ...batch })
  const changes = transaction.objectStore(CHANGES)
  const sent: { sent?: unknown } | undefined = await resultOf(changes.get([store, startedAt, first]))
  // The results are known, so the rows that were sent are needed no more.
  if (sent?.sent !== undefined && run.state.next > first) changes.put({ ...sent, sent: undefined })
  await waitForCommit(transaction)
}

/**
 * Writes what a batch is to change, before it is sent, and returns it. If the batch was sent before, what was written then
 * is a part of it.
 */
export async function saveChanges({ store, startedAt }: Key, first: number, changes: Change[]): Promise<Change[]> {
  const database = await openDatabase()
  const transaction = database.transaction(CHANGES, 'readwrite', { durability: 'strict' })
  const kept = transaction.objectStore(CHANGES)
  const earlier: { changes: KeptChange[] } | undefined = await resultOf(kept.get([store, startedAt, first]))
  const merged = earlier ? mergedChanges(earlier.changes.map(changeOf), changes) : changes
  kept.put({ ...earlier, store, startedAt, first, changes: merged.map(keptChange) })
  await waitForCommit(transaction)
  return merged
}

export async function loadRows(key: Key): Promise<KeptBatch & { changes: Change[] }> {
  const database = await openDatabase()
  const transaction = database.transaction([BATCHES, CHANGES])
  const [batches, changes]: [KeptBatch[], { changes: KeptChange[] }[]] = await Promise.all([
    resultOf(transaction.objectStore(BATCHES).getAll(rangeOf(key))),
    resultOf(transaction.objectStore(CHANGES).getAll(rangeOf(key))),
  ])
  return {
    failed: batches.flatMap(({ failed }) => failed),
    created: batches.flatMap(({ created }) => created),
    changes: changes.flatMap((each) => each.changes.map(changeOf)),
  }
}

/** The import stays in the list, and the next one of its file begins anew. */
export async function endRun(run: SavedRun): Promise<void> {
  await saveRun({ ...run, isOver: true }, 0, { failed: [], created: [] })
}

/** Notes what was taken back. */
export async function saveUndoOf(run: SavedRun, undo: NonNullable<SavedRun['undo']>): Promise<void> {
  await saveRun({ ...run, isOver: true, undo }, 0, { failed: [], created: [] })
}

export async function removeRun(key: Key): Promise<void> {
  const database = await openDatabase()
  const transaction = database.transaction(ALL, 'readwrite')
  transaction.objectStore(RUNS).delete([key.store, key.startedAt])
  for (const name of [BATCHES, CHANGES]) transaction.objectStore(name).delete(rangeOf(key))
  await waitForCommit(transaction)
}
