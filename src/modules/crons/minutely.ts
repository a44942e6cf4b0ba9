import type { Bindings } from '../../bindings.ts'
import type { Db } from '../../db/batch.ts'
import { announceExpiries } from '../accesses/expiry.ts'
import { cancelAllOrphaned, endFailed } from '../bulk-changes/end-stopped.ts'
import { wakeBulkChanges } from '../bulk-changes/wake-object.ts'
import { readRun, recordRun } from '../../jobs/job-runs.ts'
import { countStats } from '../statistics/count-statistics.ts'
import { listNeglected, wakeEndpoints } from '../webhooks/deliveries/wake-endpoints.ts'
import { logJob, type Run, partsOf } from '../../jobs/run.ts'

/**
 * The work on one database. Wakes the objects of webhook endpoints and of bulk changes that have something to do and do not
 * do it, ends bulk changes that have failed or whose token was revoked, announces the expiry of accesses, and brings the statistics forward. Two runs may overlap.
 * Throws if a part has failed, once the others have run. If the row of the job cannot be read, the last two parts do not run.
 */
export async function minutely(db: Db, env: Bindings, { now, store }: Run): Promise<void> {
  const run = { run_id: crypto.randomUUID(), now }
  const parts = partsOf('minutely_part_failed', store)

  const neglected = await parts.run('webhooks', async () => {
    const endpoints = await listNeglected(db, now)
    await wakeEndpoints(env, endpoints)
    return endpoints
  })
  const bulk = await parts.run('bulk changes', async () => {
    const orphaned = await cancelAllOrphaned(db, run)
    const ended = await endFailed(db, run)
    await wakeBulkChanges(env, [...orphaned.stores, ...ended.stores])
    await wakeEndpoints(env, [...orphaned.endpoints, ...ended.endpoints])
    for (const { error } of [orphaned, ended]) if (error !== undefined) parts.errors.push(error)
    return { stopped: ended.stores.length, failed: ended.count, canceled: orphaned.count }
  })
  const { positions } = await readRun(db, 'minutely')
  const announced = await parts.run('expiry', () => announceExpiries(db, { ...run, positions }))
  if (announced?.error !== undefined) parts.errors.push(announced.error)
  await wakeEndpoints(env, announced?.endpoints ?? [])
  // After the expiries, so that the totals do not count an access that has expired as in force.
  const counted = await parts.run('statistics', () =>
    countStats(db, { now, afterStore: Number(positions['stats'] ?? 0) }),
  )
  if (counted?.error !== undefined) parts.errors.push(counted.error)
  await recordRun(db, 'minutely', {
    now,
    positions: { ...positions, ...announced?.positions, ...(counted && { stats: counted.afterStore }) },
  })
  logJob('minutely', db, {
    store,
    woken_endpoints: neglected?.length,
    stores_with_stopped_bulk_changes: bulk?.stopped,
    failed_bulk_changes: bulk?.failed,
    canceled_bulk_changes: bulk?.canceled,
    expiring: announced?.expiring,
    expired: announced?.expired,
    counted_events: counted?.events,
  })
  if (parts.errors.length > 0) throw parts.errors[0]
}
