import * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import { formatDateTime } from '../date-time.ts'
import { readStats, type Stats } from '../domain/stores/stats.ts'
import { Hono } from '../http/hono.ts'
import { queryString } from '../http/validate.ts'
import { STATS } from '../limits.ts'
import { lazy } from '../lazy.ts'
import { contextOf } from '../http/request-context.ts'
import { numberText } from '../wire/fields.ts'

export const statsQuery = lazy(() => z.object({ days: numberText(1, STATS.maxDays, STATS.defaultDays) }))

export function toStats({ days, complete }: Stats) {
  return {
    days: days.map(({ start, counts }) => ({
      day: formatDateTime(start).slice(0, 10),
      users_created: counts.users_created,
      accesses_granted: counts.accesses_granted,
      accesses_updated: counts.accesses_updated,
      accesses_expired: counts.accesses_expired,
    })),
    complete,
  }
}

export const stats = new Hono<AppEnv>().get('/:store_id/stats', queryString(statsQuery), async (c) =>
  c.json(toStats(await readStats(c.get('db'), contextOf(c), c.req.valid('query').days))),
)
