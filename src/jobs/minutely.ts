import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { announceExpiries } from '../domain/expiry.ts'
import { wake } from '../domain/webhooks/wake.ts'
import { log } from '../log.ts'

/** What is done each minute. */
export async function runMinutely(env: Bindings, now: number): Promise<void> {
  const db = openDb(env.DB)
  const run_id = crypto.randomUUID()
  const { expiring, expired } = await announceExpiries(db, now, run_id)
  await wake(env.WEBHOOKS, [...db.endpointsToWake])
  if (expiring + expired > 0) log('job', { job: 'minutely', run_id, expiring, expired })
}
