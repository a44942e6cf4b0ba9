import { describeError, log } from '../lib/log.ts'
import { leaveRoom } from '../lib/pause.ts'

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
  /** Where the next run continues: the last store that had its share; 0 for the first store. */
  last: number
  /** The first error of a store whose work failed. */
  error?: unknown
}

/**
 * Works on the stores in rounds: each store with work gets a share before any store gets another one. Otherwise one store
 * with much work would hold up all others. If a batch fails, each of its stores gets a batch of its own, and the one
 * whose work fails is left out until the next run. Ends when no work is left, or after a number of batches or some time.
 */
export async function workInRounds<Store extends { store: number }>(
  afterStore: number,
  { failureCode, limits, find, work }: StoreWork<Store>,
): Promise<Progress> {
  const endsAt = Date.now() + limits.ms
  const failed = new Map<number, unknown>()
  let last = afterStore
  /** The last store of a batch that failed: up to it, each store gets a batch of its own. */
  let aloneUntil = 0
  // A round that begins in the middle is followed by another one, whatever it finds.
  let roundHasWork = afterStore > 0
  for (let batches = 0; batches < limits.maxChunks && Date.now() < endsAt; batches++) {
    const begin = Date.now()
    const found = await find(last)
    const left = found.filter(({ store }) => !failed.has(store))
    const stores = left.slice(0, last < aloneUntil ? 1 : limits.stores)
    const lastOfBatch = stores.at(-1)?.store ?? 0
    if (stores.length > 0) roundHasWork = true
    try {
      if (stores.length > 0) await work(stores)
    } catch (error) {
      if (stores.length > 1) {
        aloneUntil = lastOfBatch
        await leaveRoom(begin)
        continue
      }
      failed.set(lastOfBatch, error)
      log('warning', { code: failureCode, store: lastOfBatch, error: describeError(error) })
    }
    if (stores.length < left.length) last = lastOfBatch
    else if (found.length === limits.stores) last = found.at(-1)?.store ?? 0
    else if (!roundHasWork) return { last: 0, error: firstOf(failed) }
    else {
      last = aloneUntil = 0
      roundHasWork = false
    }
    await leaveRoom(begin)
  }
  return { last, error: firstOf(failed) }
}

function firstOf(errors: Map<number, unknown>): unknown {
  return errors.values().next().value
}
