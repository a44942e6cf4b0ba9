import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { announceExpiries } from '../domain/expiry.ts'
import { findNeglected } from '../domain/webhooks/deliveries.ts'
import { wake } from '../domain/webhooks/wake.ts'
import { logJob } from './log-job.ts'

/**
 * Tells of the accesses that end, and wakes what a lost message or a killed process has left behind. Two runs at once
 * do no harm.
 */
export async function minutely(env: Bindings, now: number): Promise<void> {
  const db = openDb(env.DB)
  const { expiring, expired } = await announceExpiries(db, now, crypto.randomUUID())
  const neglected = await findNeglected(db, now)
  await wake(env.WEBHOOKS, [...new Set([...db.endpointsToWake, ...neglected])])
  logJob('minutely', db, { expiring, expired, woken_endpoints: neglected.length })
}
