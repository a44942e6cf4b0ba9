import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { announceExpiries } from '../domain/accesses/expiry.ts'
import { readPositions, recordRun } from '../domain/job-runs.ts'
import { countStats } from '../domain/stats/count.ts'
import { listNeglected } from '../domain/webhooks/neglected-endpoints.ts'
import { notify } from '../domain/webhooks/notify.ts'
import { logJob } from './log-job.ts'

/**
 * Notifies webhook endpoints whose wake-up was lost or whose consumer died, announces the expiry of accesses, and brings
 * the statistics forward. Two runs may overlap.
 */
export async function minutely(env: Bindings, now: number): Promise<void> {
  const db = openDb(env.DB)
  const neglected = await listNeglected(db, now)
  await notify(env.WEBHOOKS, neglected)
  const positions = await readPositions(db, 'minutely')
  const {
    expiring,
    expired,
    positions: announced,
  } = await announceExpiries(db, {
    run_id: crypto.randomUUID(),
    now,
    positions,
  })
  await notify(env.WEBHOOKS, [...db.endpointsToNotify])
  // After the expiries, so that the totals do not count an access that has expired as in force.
  const counted = await countStats(db, { now, afterStore: Number(positions['stats'] ?? 0) })
  await recordRun(db, 'minutely', { now, positions: { ...announced, stats: counted.afterStore } })
  logJob('minutely', db, { woken_endpoints: neglected.length, expiring, expired, counted_events: counted.events })
}
