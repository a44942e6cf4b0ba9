import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { purgeClaims } from '../domain/idempotency/claims.ts'
import { purgeEvents } from '../domain/events/purge.ts'
import { purgeDeliveries } from '../domain/webhooks/deliveries.ts'
import { MIN_RETENTION_DAYS } from '../limits.ts'
import { logJob } from './log-job.ts'

/** Deletes what is too old, in chunks; two runs at once do no harm. */
export async function hourly(env: Bindings, now: number): Promise<void> {
  const days = retentionDays(env)
  const db = openDb(env.DB)
  const purged_claims = await purgeClaims(db, now)
  const purged_events = await purgeEvents(db, { days, now })
  const purged_deliveries = await purgeDeliveries(db)
  logJob('hourly', db, { purged_claims, purged_events, purged_deliveries })
}

/** Throws rather than delete the history for a typing error. */
function retentionDays({ EVENT_RETENTION_DAYS: days }: Bindings): number {
  if (!/^[1-9]\d{0,4}$/.test(days) || Number(days) < MIN_RETENTION_DAYS) {
    throw new Error(`EVENT_RETENTION_DAYS must be a number of days, at least ${MIN_RETENTION_DAYS}`)
  }
  return Number(days)
}
