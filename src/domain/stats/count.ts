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
}

/** Counts in turns: each store with work gets its share before any store gets another one. */
export async function countStats(db: Db, { now, afterStore }: Run): Promise<Counted> {
  const endsAt = Date.now() + STATS.ms
  let [last, total, isTurnIdle] = [afterStore, 0, false]
  for (let i = 0; i < STATS.maxBatches && Date.now() < endsAt; i++) {
    const begin = Date.now()
    const plans = await planCounts(db, { now, afterStore: last })
    if (plans.length > 0) await batch(db, countSteps(plans), { retry: 'idempotent', shared: { now } })
    for (const { cursor, until } of plans) total += until - cursor
    // A turn over all stores that finds nothing is the end. One that began in the middle is followed by another.
    if (plans.length === 0 && (last === 0 || isTurnIdle)) return { events: total, afterStore: 0 }
    isTurnIdle = plans.length === 0
    last = plans.length < STATS.stores ? 0 : (plans.at(-1)?.store ?? 0)
    await leaveRoom(begin)
  }
  return { events: total, afterStore: last }
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
