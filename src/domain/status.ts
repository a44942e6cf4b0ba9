/** What an operator watches. One trip; what it reads grows with the endpoints, and with what waits up to a bound. */
import { sql } from 'drizzle-orm'
import type { Db } from '../db/batch.ts'
import { statement } from '../db/statement.ts'
import { isOfStore, numberIn } from '../db/ids.ts'
import { literal } from '../db/literal.ts'
import { events, stores, webhook_deliveries, webhook_endpoints } from '../db/schema.ts'
import { hasWord } from '../db/words.ts'
import { D1, PENDING_LIMIT, WEBHOOK } from '../limits.ts'
import type { Call } from './change/context.ts'
import { readAll } from './change/read.ts'

export type Status = Awaited<ReturnType<typeof readStatus>>

export async function readStatus(db: Db, call: Call) {
  const { waiting, endpoints, ofStores } = await readAll(db, call, {
    waiting: countWaiting({}),
    endpoints: countEndpoints({}),
    ofStores: countStores({}),
  })
  return {
    database: { bytes: db.size, limit_bytes: D1.maxBytes },
    webhooks: { pending: 0, oldest_pending_at: null, ...waiting[0], failing: 0, disabled: 0, ...endpoints[0] },
    stores: { total: 0, suspended: 0, ...ofStores[0] },
  }
}

/**
 * What enabled endpoints have not been sent yet: deliveries, up to a bound in all, and events that no delivery was made
 * of, up to a window for each endpoint. The latter are there for a moment only, unless the queue is down.
 */
const countWaiting = statement((_, orm) => {
  const deliveries = sql`select e.created_at from ${webhook_endpoints} w
    cross join ${webhook_deliveries} d on d.endpoint_id = w.id and d.next_attempt_at is not null
    cross join ${events} e on e.id = d.event_id
    where w.disabled_at is null limit ${literal(PENDING_LIMIT)}`
  const isNext = sql`${isOfStore(sql`n.id`, sql`(w.id >> 32)`, numberIn(sql`w.cursor`))}`
  const behind = sql`select e.created_at from ${webhook_endpoints} w
    cross join ${events} e on e.id in (select n.id from ${events} n where ${isNext}
      order by n.id limit ${literal(WEBHOOK.window)})
    where w.disabled_at is null and (w.types is null or ${hasWord(sql`w.types`, sql`e.type`)})`
  return orm
    .select({
      pending: sql<number>`count(*)`.as('pending'),
      oldest_pending_at: sql<number | null>`min(created_at)`.as('oldest_pending_at'),
    })
    .from(sql`(select * from (${deliveries}) union all ${behind})`)
})

const countEndpoints = statement((_, orm) =>
  orm
    .select({
      failing: sql<number>`count(*) filter (where disabled_at is null and failing_since is not null)`.as('failing'),
      disabled: sql<number>`count(disabled_at)`.as('disabled'),
    })
    .from(webhook_endpoints),
)

/** No store is ever deleted, so the highest number tells how many there are. */
const countStores = statement((_, orm) =>
  orm
    .select({
      total: sql<number>`coalesce((select max(id) >> 32 from ${stores}), 0)`.as('total'),
      suspended: sql<number>`(select count(*) from ${stores} where suspended_at is not null)`.as('suspended'),
    })
    .from(sql`(select 1)`),
)
