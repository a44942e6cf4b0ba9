import type { Bindings } from '../context.ts'
import type { Db } from '../db/batch.ts'
import { fencingTokenPurge } from '../domain/change/fencing-tokens.ts'
import { eventPurge } from '../domain/events/purge.ts'
import { retentionDays } from '../domain/events/retention.ts'
import { claimPurge } from '../domain/idempotency/purge.ts'
import { readPositions, recordRun } from '../domain/job-runs.ts'
import { purgeInTurns } from '../domain/purge.ts'
import { deliveryPurge } from '../domain/webhooks/purge.ts'
import { MIN_RETENTION_DAYS } from '../limits.ts'
import { logJob, type Run } from './log-job.ts'

/**
 * Deletes the rows of a database that are too old. Two runs may overlap. Throws if a purge has failed, once the others
 * have run.
 */
export async function hourly(db: Db, env: Bindings, { now, store }: Run): Promise<void> {
  const days = requireRetention(env)
  const purges = [claimPurge(now), fencingTokenPurge(now), eventPurge({ days, now }), deliveryPurge]
  const { counts, positions, error } = await purgeInTurns(db, purges, await readPositions(db, 'hourly'))
  await recordRun(db, 'hourly', { now, positions })
  const purged = Object.fromEntries(Object.entries(counts).map(([name, count]) => [`purged_${name}`, count]))
  logJob('hourly', db, { store, ...purged })
  if (error !== undefined) throw error
}

/** Throws if the setting is invalid: a typing error must not delete the history. */
function requireRetention({ EVENT_RETENTION_DAYS }: Bindings): number {
  const days = retentionDays(EVENT_RETENTION_DAYS)
  if (days === undefined)
    throw new Error(`EVENT_RETENTION_DAYS must be a number of days, at least ${MIN_RETENTION_DAYS}`)
  return days
}
