/**
 * The statistics of a store: totals in `store_stats` and `products`, and counts of days in `day_stats`. A request reads
 * what this job has written, so its cost does not grow with the store.
 *
 * One batch, which D1 runs as one transaction, counts for each of its stores the events that the plan names (pending.ts)
 * and moves the cursor past them. So an event is counted once, even if the job is killed or two runs overlap: the second
 * batch finds another version of the store and writes nothing for it.
 *
 * Each access holds how it is counted (`counted_as`). A batch compares this with the access as it is, for every access
 * that an event names or whose end has come within seven days, and adds the difference to the totals. So the totals are
 * always the sum over `counted_as`, whatever order events are counted in; an erasure subtracts what it deletes
 * (erased.ts). Once a day, each store is recounted from its rows in chunks, into totals of their own that replace the
 * others at the end.
 */
import { batch, type Db } from '../../db/batch.ts'
import { STATS } from '../../limits.ts'
import { describeError, log } from '../../log.ts'
import { leaveRoom } from '../../pause.ts'
import { addToProducts, addToTotals, markAccesses } from './accesses.ts'
import { addToDays } from './days.ts'
import { type Plan, planCounts } from './pending.ts'
import { insertStores, moveCursor, replaceProducts } from './stores.ts'

interface Run {
  now: number
  /** Where an earlier run stopped: the number of the last store that it counted. */
  afterStore: number
}

interface Counted {
  events: number
  /** Where the next run continues; 0 if this run found nothing more to count. */
  afterStore: number
  /** The first error of a store that could not be counted. */
  error?: unknown
}

/**
 * Counts in turns: each store with work gets its share before any store gets another one. If a batch fails, its stores have
 * batches of their own, so that only the one that cannot be counted is left out.
 */
export async function countStats(db: Db, { now, afterStore }: Run): Promise<Counted> {
  const endsAt = Date.now() + STATS.ms
  let [last, total, isTurnIdle] = [afterStore, 0, false]
  let stores: number = STATS.stores
  let error: unknown
  for (let i = 0; i < STATS.maxBatches && Date.now() < endsAt; i++) {
    const begin = Date.now()
    const found = await planCounts(db, { now, afterStore: last })
    const plans = found.slice(0, stores)
    // A turn over all stores that finds nothing is the end. One that began in the middle is followed by another.
    if (plans.length === 0 && (last === 0 || isTurnIdle)) return { events: total, afterStore: 0, error }
    isTurnIdle = plans.length === 0
    if (plans.length > 0) {
      try {
        await batch(db, countSteps(plans), { retry: 'idempotent', shared: { now } })
        for (const { cursor, until } of plans) total += until - cursor
      } catch (failure) {
        if (plans.length > 1) {
          stores = 1
          continue
        }
        error ??= failure
        log('warning', { code: 'statistics_failed', store: plans[0]?.store, error: describeError(failure) })
      }
    }
    const isLastOfTurn = plans.length === found.length && found.length < STATS.stores
    last = isLastOfTurn ? 0 : (plans.at(-1)?.store ?? 0)
    // The store that failed would fail in each turn.
    if (last === 0 && error !== undefined) break
    await leaveRoom(begin)
  }
  return { events: total, afterStore: last, error }
}

function countSteps(plans: Plan[]) {
  const values = { plans: JSON.stringify(plans) }
  return {
    stores: insertStores(values),
    days: addToDays(values),
    products: addToProducts(values),
    totals: addToTotals(values),
    accesses: markAccesses(values),
    recounted: replaceProducts(values),
    cursor: moveCursor(values),
  }
}
