import { describeError, log } from '../log.ts'
import { leaveRoom } from '../pause.ts'

/** What a job does for the stores of a database. */
interface StoreWork<Store extends { store: number }> {
  /** The code of the warning about a store whose work fails. */
  failureCode: string
  limits: { stores: number; maxChunks: number; ms: number }
  /** Returns the stores with work whose number is higher than this one, in order, at most `limits.stores`. */
  find: (afterStore: number) => Promise<Store[]>
  /** Does a share of the work of each store, all in one batch. */
  work: (stores: Store[]) => Promise<void>
}

interface Progress {
  /** Where the next run continues: the last store that had its share, or 0 if that was the last one with work. */
  last: number
  /** The first error of a store whose work failed. */
  error?: unknown
}

/**
 * Works on the stores in turns: each store with work gets a share before any store gets another one. Otherwise one store with
 * much work would hold up all others. If a batch fails, its stores have batches of their own, and the one whose work fails is
 * left out until the next run. Ends when no work is left, or after a number of batches or some time.
 */
export async function workInTurns<Store extends { store: number }>(
  afterStore: number,
  { failureCode, limits, find, work }: StoreWork<Store>,
): Promise<Progress> {
  const endsAt = Date.now() + limits.ms
  const failed = new Set<number>()
  let batchSize = limits.stores
  let [last, error]: [number, unknown] = [afterStore, undefined]
  // A turn that begins in the middle is followed by another one, whatever it finds.
  let hasWork = afterStore > 0
  for (let chunk = 0; chunk < limits.maxChunks && Date.now() < endsAt; chunk++) {
    const begin = Date.now()
    const found = await find(last)
    const left = found.filter(({ store }) => !failed.has(store))
    const stores = left.slice(0, batchSize)
    if (stores.length > 0) {
      hasWork = true
      try {
        await work(stores)
      } catch (failure) {
        if (stores.length > 1) {
          batchSize = 1
          continue
        }
        error ??= failure
        for (const { store } of stores) {
          failed.add(store)
          log('warning', { code: failureCode, store, error: describeError(failure) })
        }
      }
    }
    if (stores.length < left.length) {
      last = stores.at(-1)?.store ?? 0
    } else {
      batchSize = limits.stores
      const isEndOfTurn = found.length < limits.stores
      if (isEndOfTurn && !hasWork) return { last: 0, error }
      if (isEndOfTurn) hasWork = false
      last = isEndOfTurn ? 0 : (found.at(-1)?.store ?? 0)
    }
    await leaveRoom(begin)
  }
  return { last, error }
}
