import type { Bindings } from '../../bindings.ts'
import type { Db } from '../../db/batch.ts'
import { eventPurge } from '../events/purge-events.ts'
import { retentionDays, MIN_RETENTION_DAYS } from '../events/retention.ts'
import { readRun, recordRun } from '../../jobs/job-runs.ts'
import { purgeInTurns } from '../../jobs/purge-in-turns.ts'
import { renewZones } from '../time-zones/renew-zones.ts'
import { partsOf, logJob, type Run } from '../../jobs/run.ts'
import { PURGES } from './purges.ts'
import { OWN_STORE } from '../store-directory/limits.ts'
import { PURGE } from '../../jobs/limits.ts'

/**
 * Deletes the rows of a database that are too old, and renews those of time zones. Two runs may overlap. Throws if a part has
 * failed, or if the retention of events is invalid, once the others have run.
 */
export async function hourly(db: Db, env: Bindings, { now, store }: Run): Promise<void> {
  // The alarm of a store does the every-minute work as well, which must not wait for minutes.
  const ms = store === undefined ? PURGE.ms : OWN_STORE.purgeMs
  const days = retentionDays(env.EVENT_RETENTION_DAYS)
  // A typing error must not delete the history.
  const purges = days === undefined ? PURGES.filter((purge) => purge !== eventPurge) : PURGES
  const parts = partsOf('hourly_part_failed', store)
  const {
    positions: { time_zones, ...start },
  } = await readRun(db, 'hourly')
  const zones = await parts.run('time zones', () => renewZones(db, String(time_zones ?? '')))
  const { counts, positions, unfinished, error } = await purgeInTurns(db, purges, {
    start,
    ms,
    now,
    retentionDays: days,
  })
  await recordRun(db, 'hourly', { now, positions: { ...positions, ...zones?.positions } })
  const purged = Object.fromEntries(Object.entries(counts).map(([name, count]) => [`purged_${name}`, count]))
  logJob('hourly', db, {
    store,
    ...purged,
    renewed_time_zones: zones?.renewed,
    unfinished: unfinished.length > 0 ? unfinished : undefined,
  })
  if (error !== undefined) throw error
  if (parts.errors.length > 0) throw parts.errors[0]
  if (days === undefined)
    throw new Error(`EVENT_RETENTION_DAYS must be a number of days, at least ${MIN_RETENTION_DAYS}`)
}
