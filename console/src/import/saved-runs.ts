/**
 * Saves the state of imports, so that an import can continue after the tab was closed. It is in IndexedDB, because
 * sessionStorage ends with the tab, and because the failed lines of a batch and the state that counts them must be
 * written in one transaction. It has no personal data: for failed rows it has the line numbers and the reasons, which
 * the API gives without values. The rows are in the file, which has to be chosen again anyway.
 */
import type { DateOrder, OnExisting, Reason, State } from './engine.ts'

export interface SavedRun {
  store: string
  fingerprint: number
  fileName: string
  rename: Record<string, string>
  onExisting: OnExisting
  dates?: DateOrder | undefined
  headings: number
  delimiter: string
  state: State
  /** Milliseconds since 1970. */
  savedAt: number
}

export interface FailedLine {
  line: number
  /** The name of the person, or else the email. */
  person: string
  reasons: Reason[]
}

const DATABASE = 'registrar-imports'
const RUNS = 'runs'
const FAILED = 'failed'
const RETENTION_MS = 90 * 24 * 3_600_000

let opening: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  return (opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(RUNS, { keyPath: ['store', 'fingerprint'] })
      request.result.createObjectStore(FAILED, { keyPath: ['store', 'fingerprint', 'next'] })
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB cannot be opened')))
  }))
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB cannot be read')))
  })
}

function waitForCommit(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    const fail = () => reject(transaction.error ?? new Error('IndexedDB cannot be written'))
    transaction.addEventListener('error', fail)
    transaction.addEventListener('abort', fail)
  })
}

export async function findRun(store: string, fingerprint: number): Promise<SavedRun | undefined> {
  const database = await open()
  return resultOf(database.transaction(RUNS).objectStore(RUNS).get([store, fingerprint]))
}

/** Lists the unfinished runs, newest first, and deletes those that nobody has continued for 90 days. */
export async function listUnfinished(store: string): Promise<SavedRun[]> {
  const database = await open()
  const inStore = IDBKeyRange.bound([store], [store, []])
  const runs: SavedRun[] = await resultOf(database.transaction(RUNS).objectStore(RUNS).getAll(inStore))
  const isOld = ({ savedAt }: SavedRun) => savedAt < Date.now() - RETENTION_MS
  for (const run of runs.filter(isOld)) await removeRun(run.store, run.fingerprint)
  return runs.filter((run) => !isOld(run) && run.state.next < run.state.rows).toSorted((a, b) => b.savedAt - a.savedAt)
}

/**
 * Writes the run and its failed lines in one transaction, and resolves once they are on the disk. Otherwise a crash
 * could leave a state that counts lines which are missing.
 */
export async function saveRun(run: SavedRun, failed: FailedLine[]): Promise<void> {
  const database = await open()
  const transaction = database.transaction([RUNS, FAILED], 'readwrite', { durability: 'strict' })
  transaction.objectStore(RUNS).put(run)
  const { store, fingerprint, state } = run
  if (failed.length > 0) transaction.objectStore(FAILED).put({ store, fingerprint, next: state.next, lines: failed })
  await waitForCommit(transaction)
}

export async function loadFailed(store: string, fingerprint: number): Promise<FailedLine[]> {
  const database = await open()
  const request = database.transaction(FAILED).objectStore(FAILED).getAll(failedRange(store, fingerprint))
  const batches: { lines: FailedLine[] }[] = await resultOf(request)
  return batches.flatMap(({ lines }) => lines)
}

export async function removeRun(store: string, fingerprint: number): Promise<void> {
  const database = await open()
  const transaction = database.transaction([RUNS, FAILED], 'readwrite')
  transaction.objectStore(RUNS).delete([store, fingerprint])
  transaction.objectStore(FAILED).delete(failedRange(store, fingerprint))
  await waitForCommit(transaction)
}

function failedRange(store: string, fingerprint: number): IDBKeyRange {
  return IDBKeyRange.bound([store, fingerprint], [store, fingerprint, []])
}
