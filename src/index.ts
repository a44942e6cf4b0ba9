import { app } from './app.ts'
import type { Bindings } from './context.ts'
import { createDb } from './db/client.ts'
import { purgeEvents } from './domain/events.ts'
import { purgeClaims } from './domain/idempotency-keys.ts'
import { purgeDeliveries } from './domain/webhook-deliveries.ts'
import { consume, sweep } from './webhooks/consumer.ts'
import type { WakeUp } from './webhooks/queue.ts'

/** As in wrangler.toml; the other one comes each minute. */
const HOURLY = '17 * * * *'

/** Throws rather than delete the history for a typing error. */
function retentionDays({ EVENT_RETENTION_DAYS: days }: Bindings): number {
  if (!/^[1-9]\d{0,4}$/.test(days)) throw new Error('EVENT_RETENTION_DAYS is no number of days')
  return Number(days)
}

export default {
  fetch: app.fetch,

  async scheduled({ cron, scheduledTime: now }, env) {
    const db = createDb(env.DB)
    if (cron !== HOURLY) {
      const woken_endpoints = await sweep(db, env, now)
      if (woken_endpoints > 0) console.log(JSON.stringify({ cron, woken_endpoints }))
      return
    }
    const purged_claims = await purgeClaims(db, now)
    const purged_events = await purgeEvents(db, { days: retentionDays(env), now })
    const purged_deliveries = await purgeDeliveries(db)
    console.log(JSON.stringify({ cron, purged_claims, purged_events, purged_deliveries }))
  },

  queue: consume,
} satisfies ExportedHandler<Bindings, WakeUp>
