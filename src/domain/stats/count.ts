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
import { workInTurns } from '../stores-in-turns.ts'
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

/** Each store with work gets its share before any store gets another one. */
export async function countStats(db: Db, { now, afterStore }: Run): Promise<Counted> {
  let events = 0
  const { last, error } = await workInTurns(afterStore, {
    failureCode: 'statistics_failed',
    limits: STATS,
    find: (after) => planCounts(db, { now, afterStore: after }),
    work: async (plans) => {
      await batch(db, countSteps(plans), { retry: 'idempotent', shared: { now } })
      for (const { cursor, until } of plans) events += until - cursor
    },
  })
  return { events, afterStore: last, error }
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
