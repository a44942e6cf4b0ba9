import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { announceExpiries } from '../../src/modules/accesses/expiry.ts'
import { countStats } from '../../src/modules/statistics/count-statistics.ts'
import worker from '../../src/index.ts'
import { recordConsole } from './console.ts'
import { sharedDb } from './db.ts'
import { faultyD1, type FaultyObjects, faultyObjects } from './faults.ts'

export const { hourly: HOURLY, minutely: MINUTELY } = inject('crons')

/** Runs the hourly job and returns its round trips, the rows it read and its log, without what objects do at the same time. */
export async function runCron(now = Date.now(), bindings: object = {}) {
  const { DB, roundTrips, rowsRead } = faultyD1(env.DB)
  const controller = createScheduledController({ scheduledTime: now, cron: HOURLY })
  const lines = await recordConsole(() => worker.scheduled(controller, { ...env, DB, ...bindings }))
  const ofTheJob = ({ kind, store }: { kind: string; store?: number }) =>
    kind !== 'attempt' && (kind !== 'job' || store === undefined)
  const log = lines.map((line) => JSON.parse(line)).filter(ofTheJob)
  return { roundTrips: roundTrips(), rowsRead: rowsRead(), log }
}

/** Runs the hourly job until it deletes nothing, because in a restored store each run ends at a gap in the ids. */
export async function purgeAll(now = Date.now()): Promise<void> {
  for (let purged = Infinity; purged > 0;) {
    const { purged_claims, purged_fencing_tokens, purged_events } = (await runCron(now)).log[0]
    purged = purged_claims + purged_fencing_tokens + purged_events
  }
}

/**
 * Runs the every-minute job, and returns its wake-ups, which are lost: they would wake the endpoints that the tests before it
 * have left, and their deliveries would appear in what later tests record.
 */
export async function runMinutely(now = Date.now(), bindings: object = {}): Promise<FaultyObjects> {
  const controller = createScheduledController({ scheduledTime: now, cron: MINUTELY })
  const objects = faultyObjects(env, () => 'lost')
  await recordConsole(() => worker.scheduled(controller, { ...env, ...objects.bindings, ...bindings }))
  return objects
}

/** Announces the ends of all accesses, in every store of the shared database, as the every-minute job of this time does. */
export function announceAll(now = Date.now(), d1 = env.DB) {
  return announceExpiries(sharedDb(d1), { run_id: crypto.randomUUID(), now })
}

let minutes = 0

/**
 * Counts everything in every store, including those of other tests. Each time it is a minute later, because a store is not
 * counted again before a hundred times the time that its last count took.
 */
export async function countAll(now = Date.now() + ++minutes * 60_000, d1 = env.DB): Promise<void> {
  for (let work = { events: 1, afterStore: 0 }; work.events > 0 || work.afterStore > 0;) {
    work = await countStats(sharedDb(d1), { now, afterStore: work.afterStore })
  }
}
