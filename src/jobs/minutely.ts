import type { Bindings } from '../context.ts'
import type { Db } from '../db/batch.ts'
import { announceExpiries } from '../domain/accesses/expiry.ts'
import { resume } from '../domain/bulk/messages.ts'
import { endFailed } from '../domain/bulk/stopped.ts'
import { readPositions, recordRun } from '../domain/job-runs.ts'
import { countStats } from '../domain/stats/count.ts'
import { listNeglected } from '../domain/webhooks/endpoints-to-poll.ts'
import { notify, sendWakeUps } from '../domain/webhooks/notify.ts'
import { describeError, log } from '../log.ts'
import { logJob, type Run } from './log-job.ts'

/**
 * The work on one database. Notifies webhook endpoints whose wake-up was lost or whose consumer died, resumes or ends bulk
 * changes that have stopped, announces the expiry of accesses, and brings the statistics forward. Two runs may overlap.
 * Throws if a part has failed, once the others have run.
 */
export async function minutely(db: Db, env: Bindings, { now, store }: Run): Promise<void> {
  const run = { run_id: crypto.randomUUID(), now }
  const errors: unknown[] = []
  /** Logs an error of the part, so that the others still run. */
  async function runPart<T>(part: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      errors.push(error)
      log('warning', { code: 'minutely_part_failed', part, store, error: describeError(error) })
      return undefined
    }
  }

  const neglected = await runPart('webhooks', async () => {
    const endpoints = await listNeglected(db, now)
    await notify(env.WEBHOOKS, endpoints)
    return endpoints
  })
  const bulk = await runPart('bulk changes', async () => {
    const ended = await endFailed(db, run)
    await resume(env.WEBHOOKS, ended.toResume)
    return ended
  })
  const positions = await readPositions(db, 'minutely')
  const announced = await runPart('expiry', () => announceExpiries(db, { ...run, positions }))
  if (announced?.error !== undefined) errors.push(announced.error)
  await sendWakeUps(env.WEBHOOKS, db)
  // After the expiries, so that the totals do not count an access that has expired as in force.
  const counted = await runPart('statistics', () =>
    countStats(db, { now, afterStore: Number(positions['stats'] ?? 0) }),
  )
  if (counted?.error !== undefined) errors.push(counted.error)
  await recordRun(db, 'minutely', {
    now,
    positions: { ...positions, ...announced?.positions, ...(counted && { stats: counted.afterStore }) },
  })
  logJob('minutely', db, {
    store,
    woken_endpoints: neglected?.length,
    resumed_bulk_changes: bulk?.toResume.length,
    failed_bulk_changes: bulk?.failed,
    expiring: announced?.expiring,
    expired: announced?.expired,
    counted_events: counted?.events,
  })
  if (errors.length > 0) throw errors[0]
}
