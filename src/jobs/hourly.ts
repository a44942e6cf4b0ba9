import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { purgeFencingTokens } from '../domain/change/fencing-tokens.ts'
import { purgeEvents } from '../domain/events/purge.ts'
import { purgeClaims } from '../domain/idempotency/claims.ts'
import { purgeDeliveries } from '../domain/webhooks/deliveries.ts'
import { MIN_RETENTION_DAYS } from '../limits.ts'
import { logJob } from './log-job.ts'

/** Deletes rows that are too old, in chunks. Two runs may overlap. */
export async function hourly(env: Bindings, now: number): Promise<void> {
  const days = retentionDays(env)
  const db = openDb(env.DB)
  const purged_claims = await purgeClaims(db, now)
  const purged_fencing_tokens = await purgeFencingTokens(db, now)
  const purged_events = await purgeEvents(db, { days, now })
  const purged_deliveries = await purgeDeliveries(db)
  logJob('hourly', db, { purged_claims, purged_fencing_tokens, purged_events, purged_deliveries })
}

/** Throws if the setting is invalid: a typing error must not delete the history. */
function retentionDays({ EVENT_RETENTION_DAYS: days }: Bindings): number {
  if (!/^[1-9]\d{0,4}$/.test(days) || Number(days) < MIN_RETENTION_DAYS) {
    throw new Error(`EVENT_RETENTION_DAYS must be a number of days, at least ${MIN_RETENTION_DAYS}`)
  }
  return Number(days)
}
