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
 * much work would hold up all others. If a batch fails, its stores have batches of their own, so that only the one whose work
 * fails is left out. Ends when no work is left, or after a number of batches or some time.
 */
export async function workInTurns<Store extends { store: number }>(
  afterStore: number,
  { failureCode, limits, find, work }: StoreWork<Store>,
): Promise<Progress> {
  const endsAt = Date.now() + limits.ms
  let [last, isTurnIdle] = [afterStore, false]
  let batchSize = limits.stores
  let error: unknown
  for (let chunk = 0; chunk < limits.maxChunks && Date.now() < endsAt; chunk++) {
    const begin = Date.now()
    const found = await find(last)
    const stores = found.slice(0, batchSize)
    // A turn over all stores that finds nothing is the end. One that began in the middle is followed by another.
    if (stores.length === 0 && (last === 0 || isTurnIdle)) return { last: 0, error }
    isTurnIdle = stores.length === 0
    if (stores.length > 0) {
      try {
        await work(stores)
      } catch (failure) {
        if (stores.length > 1) {
          batchSize = 1
          continue
        }
        error ??= failure
        log('warning', { code: failureCode, store: stores[0]?.store, error: describeError(failure) })
      }
    }
    const isLastOfTurn = stores.length === found.length && found.length < limits.stores
    last = isLastOfTurn ? 0 : (stores.at(-1)?.store ?? 0)
    // The store that failed would fail in each turn.
    if (last === 0 && error !== undefined) break
    await leaveRoom(begin)
  }
  return { last, error }
}
