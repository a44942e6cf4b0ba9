/**
 * The statistics of a store: totals in `store_stats` and `products`, and counts of days in `day_stats`. A request reads
 * what this job has written, so its cost does not grow with the store.
 *
 * The counts of days are brought forward from the events, because they outlive them. Once a store has no more of them, its
 * totals are counted anew from its rows, in chunks. One batch, which the database runs as one transaction, writes both and
 * moves the cursor past the events. If the job is killed or two runs overlap, the second batch finds the store as it did not
 * expect it (src/modules/statistics/plan.ts) and writes nothing for it.
 */
import { batch, type Db } from '../../db/batch.ts'
import { STATS } from './limits.ts'
import { workInRounds } from '../../jobs/rounds.ts'
import { addToDays } from './days.ts'
import { planCounts } from './plan.ts'
import { countRows } from './rows.ts'
import { insertStores, moveCursors, updateProducts } from './totals.ts'

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
  const { last, error } = await workInRounds(afterStore, {
    failureCode: 'statistics_failed',
    limits: STATS,
    find: (after) => planCounts(db, { now, afterStore: after }),
    work: async (plans) => {
      const upToDate = plans.filter(({ isLast }) => isLast).map(({ store }) => store)
      const { totals, products } = await countRows(db, upToDate, now)
      const values = {
        plans: JSON.stringify(plans.map((plan) => ({ ...plan, ...totals.get(plan.store) }))),
        products: JSON.stringify(products),
      }
      const steps = {
        stores: insertStores(values),
        days: addToDays(values),
        products: updateProducts(values),
        cursors: moveCursors(values),
      }
      await batch(db, steps, { retry: 'idempotent', shared: { now } })
      for (const { cursor, until } of plans) events += until - cursor
    },
  })
  return { events, afterStore: last, error }
}
