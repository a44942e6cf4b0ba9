import { takeTurn } from '../../http/middleware/turns.ts'
import * as z from 'zod/mini'
import { formatDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import { readStats, type Stats } from './read-statistics.ts'
import { Hono } from '../../http/hono.ts'
import { queryString } from '../../http/middleware/validate.ts'
import { DAY_MS } from '../../limits.ts'
import { STATS } from './limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { contextOf } from '../../http/request-context.ts'
import { numberText } from '../../formats/pages.ts'

const statsQuery = lazy(() => z.object({ days: numberText(1, STATS.maxDays, STATS.defaultDays) }))

export function toStats({ totals, products, days, as_of }: Stats) {
  return {
    totals: {
      users: totals.users,
      accesses: totals.accesses,
      in_force: totals.in_force,
      ending_in_7_days: totals.ending,
    },
    products: products.map(({ id, name, accesses, in_force }) => ({
      id: String(numberOf(id)),
      name,
      accesses,
      in_force,
    })),
    days: days.map(({ day, ...counts }) => ({
      day: formatDateTime(day * DAY_MS).slice(0, 10),
      users_created: counts.users_created,
      users_erased: counts.users_erased,
      accesses_granted: counts.accesses_granted,
      accesses_updated: counts.accesses_updated,
      accesses_expired: counts.accesses_expired,
    })),
    as_of: formatDateTime(as_of),
  }
}

export const stats = new Hono().get('/:store_id/stats', takeTurn(), queryString(statsQuery), async (c) =>
  c.json(toStats(await readStats(c.get('db'), contextOf(c), c.req.valid('query').days))),
)
