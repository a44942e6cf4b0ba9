/** The database of the browser in which the imports are kept. */
/** Of an import. */
export interface Key {
  store: string
  startedAt: number
}

const DATABASE = 'registrar-imports'
const VERSION = 2
export const RUNS = 'runs'
export const BATCHES = 'batches'
export const CHANGES = 'changes'
export const ALL = [RUNS, BATCHES, CHANGES]

let opening: Promise<IDBDatabase> | undefined

export function openDatabase(): Promise<IDBDatabase> {
  return (opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION)
    request.addEventListener('upgradeneeded', () => {
      const { result } = request
      for (const name of result.objectStoreNames) result.deleteObjectStore(name)
      result.createObjectStore(RUNS, { keyPath: ['store', 'startedAt'] })
      // The key has the number of the first row of a batch.
      for (const name of [BATCHES, CHANGES])
        result.createObjectStore(name, { keyPath: ['store', 'startedAt', 'first'] })
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB cannot be opened')))
  }))
}

export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB cannot be read')))
  })
}

export function waitForCommit(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    const fail = () => reject(transaction.error ?? new Error('IndexedDB cannot be written'))
    transaction.addEventListener('error', fail)
    transaction.addEventListener('abort', fail)
  })
}

/** What is kept of one import. */
export function rangeOf({ store, startedAt }: Key): IDBKeyRange {
  return IDBKeyRange.bound([store, startedAt], [store, startedAt, []])
}
