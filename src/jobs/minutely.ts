import type { Bindings } from '../context.ts'
import type { Db } from '../db/batch.ts'
import { announceExpiries } from '../domain/accesses/expiry.ts'
import { resume } from '../domain/bulk/messages.ts'
import { endFailed } from '../domain/bulk/stopped.ts'
import { readPositions, recordRun } from '../domain/job-runs.ts'
import { countStats } from '../domain/stats/count.ts'
import { listNeglected } from '../domain/webhooks/endpoints-to-poll.ts'
import { notify, sendWakeUps } from '../domain/webhooks/notify.ts'
import { logJob, type Run } from './log-job.ts'

/**
 * The work on one database. Notifies webhook endpoints whose wake-up was lost or whose consumer died, resumes or ends bulk
 * changes that have stopped, announces the expiry of accesses, and brings the statistics forward. Two runs may overlap.
 */
export async function minutely(db: Db, env: Bindings, { now, store }: Run): Promise<void> {
  const neglected = await listNeglected(db, now)
  await notify(env.WEBHOOKS, neglected)
  const run = { run_id: crypto.randomUUID(), now }
  const { failed: failed_bulk_changes, toResume } = await endFailed(db, run)
  await resume(env.WEBHOOKS, toResume)
  const positions = await readPositions(db, 'minutely')
  const { expiring, expired, positions: announced } = await announceExpiries(db, { ...run, positions })
  await sendWakeUps(env.WEBHOOKS, db)
  // After the expiries, so that the totals do not count an access that has expired as in force.
  const counted = await countStats(db, { now, afterStore: Number(positions['stats'] ?? 0) })
  await recordRun(db, 'minutely', { now, positions: { ...announced, stats: counted.afterStore } })
  logJob('minutely', db, {
    store,
    woken_endpoints: neglected.length,
    resumed_bulk_changes: toResume.length,
    failed_bulk_changes,
    expiring,
    expired,
    counted_events: counted.events,
  })
}
