import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { announceExpiries } from '../domain/accesses/expiry.ts'
import { resume } from '../domain/bulk/messages.ts'
import { endFailed } from '../domain/bulk/stopped.ts'
import { listNeglected } from '../domain/webhooks/neglected-endpoints.ts'
import { notify } from '../domain/webhooks/notify.ts'
import { logJob } from './log-job.ts'

/**
 * Notifies webhook endpoints whose wake-up was lost or whose consumer died, resumes or ends bulk changes that have
 * stopped, and announces the expiry of accesses. Two runs may overlap.
 */
export async function minutely(env: Bindings, now: number): Promise<void> {
  const db = openDb(env.DB)
  const neglected = await listNeglected(db, now)
  await notify(env.WEBHOOKS, neglected)
  const run = { run_id: crypto.randomUUID(), now }
  const { failed: failed_bulk_changes, toResume } = await endFailed(db, run)
  await resume(env.WEBHOOKS, toResume)
  const { expiring, expired } = await announceExpiries(db, run)
  await notify(env.WEBHOOKS, [...db.endpointsToNotify])
  logJob('minutely', db, {
    woken_endpoints: neglected.length,
    resumed_bulk_changes: toResume.length,
    failed_bulk_changes,
    expiring,
    expired,
  })
}
