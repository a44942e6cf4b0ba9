import { app } from './app.ts'
import type { Bindings } from './context.ts'
import { createDb } from './db/client.ts'
import { purgeEvents } from './domain/events.ts'
import { purgeClaims } from './domain/idempotency-keys.ts'

export default {
  fetch: app.fetch,

  async scheduled({ cron, scheduledTime }, env) {
    const db = createDb(env.DB)
    const purged_claims = await purgeClaims(db, scheduledTime)
    const purged_events = await purgeEvents(db, { days: Number(env.EVENT_RETENTION_DAYS), now: scheduledTime })
    console.log(JSON.stringify({ cron, purged_claims, purged_events }))
  },
} satisfies ExportedHandler<Bindings>
