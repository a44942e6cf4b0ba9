import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { announceExpiries } from '../domain/accesses/expiry.ts'
import { listNeglected } from '../domain/webhooks/deliveries.ts'
import { wake } from '../domain/webhooks/notify.ts'
import { logJob } from './log-job.ts'

/**
 * Wakes what a lost message or a killed process has left behind, and tells of the accesses that end. Two runs at once
 * do no harm.
 */
export async function minutely(env: Bindings, now: number): Promise<void> {
  const db = openDb(env.DB)
  const neglected = await listNeglected(db, now)
  await wake(env.WEBHOOKS, neglected)
  const { expiring, expired } = await announceExpiries(db, now, crypto.randomUUID())
  await wake(env.WEBHOOKS, [...db.endpointsToWake])
  logJob('minutely', db, { woken_endpoints: neglected.length, expiring, expired })
}
