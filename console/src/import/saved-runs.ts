/**
 * What is kept so that an import can be closed and gone on with: in IndexedDB, because sessionStorage ends with the
 * tab, and because a batch's failed lines and the state that counts them must be written in one step. No person's data
 * is in it: of failed rows their lines and the reasons, which the API gives without the values. The rows themselves are
 * in the file, which has to be chosen again anyway.
 */
import type { OnExisting, Reason, State } from './engine.ts'

export interface SavedRun {
  store: string
  fingerprint: number
  fileName: string
  rename: Record<string, string>
  onExisting: OnExisting
  state: State
  /** Milliseconds since the epoch. */
  savedAt: number
}

export interface FailedLine {
  line: number
  reasons: Reason[]
}

const DATABASE = 'registrar-imports'
const RUNS = 'runs'
const FAILED = 'failed'
const KEPT_MS = 90 * 24 * 3_600_000

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

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB cannot be read')))
  })
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    const fail = () => reject(transaction.error ?? new Error('IndexedDB cannot be written'))
    transaction.addEventListener('error', fail)
    transaction.addEventListener('abort', fail)
  })
}

export async function findRun(store: string, fingerprint: number): Promise<SavedRun | undefined> {
  const database = await open()
  return answerOf(database.transaction(RUNS).objectStore(RUNS).get([store, fingerprint]))
}

/** The unfinished ones, the latest first. What nobody has gone on with for months is forgotten. */
export async function listUnfinished(store: string): Promise<SavedRun[]> {
  const database = await open()
  const inStore = IDBKeyRange.bound([store], [store, []])
  const runs: SavedRun[] = await answerOf(database.transaction(RUNS).objectStore(RUNS).getAll(inStore))
  const isOld = ({ savedAt }: SavedRun) => savedAt < Date.now() - KEPT_MS
  for (const run of runs.filter(isOld)) await removeRun(run.store, run.fingerprint)
  return runs.filter((run) => !isOld(run) && run.state.next < run.state.rows).toSorted((a, b) => b.savedAt - a.savedAt)
}

/** In one step, on the disk before it returns: after a crash the state and the lines that it counts fit together. */
export async function saveRun(run: SavedRun, failed: FailedLine[]): Promise<void> {
  const database = await open()
  const transaction = database.transaction([RUNS, FAILED], 'readwrite', { durability: 'strict' })
  transaction.objectStore(RUNS).put(run)
  const { store, fingerprint, state } = run
  if (failed.length > 0) transaction.objectStore(FAILED).put({ store, fingerprint, next: state.next, lines: failed })
  await endOf(transaction)
}

export async function loadFailed(store: string, fingerprint: number): Promise<FailedLine[]> {
  const database = await open()
  const request = database.transaction(FAILED).objectStore(FAILED).getAll(linesOf(store, fingerprint))
  const kept: { lines: FailedLine[] }[] = await answerOf(request)
  return kept.flatMap(({ lines }) => lines)
}

export async function removeRun(store: string, fingerprint: number): Promise<void> {
  const database = await open()
  const transaction = database.transaction([RUNS, FAILED], 'readwrite')
  transaction.objectStore(RUNS).delete([store, fingerprint])
  transaction.objectStore(FAILED).delete(linesOf(store, fingerprint))
  await endOf(transaction)
}

function linesOf(store: string, fingerprint: number): IDBKeyRange {
  return IDBKeyRange.bound([store, fingerprint], [store, fingerprint, []])
}
