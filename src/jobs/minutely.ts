import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { announceExpiries } from '../domain/accesses/expiry.ts'
import { listNeglected } from '../domain/webhooks/neglected-endpoints.ts'
import { notify } from '../domain/webhooks/notify.ts'
import { logJob } from './log-job.ts'

/**
 * Notifies webhook endpoints whose wake-up was lost or whose consumer died, and announces the expiry of accesses. Two
 * runs may overlap.
 */
export async function minutely(env: Bindings, now: number): Promise<void> {
  const db = openDb(env.DB)
  const neglected = await listNeglected(db, now)
  await notify(env.WEBHOOKS, neglected)
  const { expiring, expired } = await announceExpiries(db, { run_id: crypto.randomUUID(), now })
  await notify(env.WEBHOOKS, [...db.endpointsToNotify])
  logJob('minutely', db, { woken_endpoints: neglected.length, expiring, expired })
}
