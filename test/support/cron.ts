import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import worker from '../../src/index.ts'
import { recordConsole } from './console.ts'
import { faultyD1 } from './faults.ts'

export const { hourly: HOURLY, minutely: MINUTELY } = inject('crons')

/** Runs the hourly job and returns its round trips, the rows it read and its log. */
export async function runCron(now = Date.now(), bindings: object = {}) {
  const { DB, roundTrips, rowsRead } = faultyD1(env.DB)
  const controller = createScheduledController({ scheduledTime: now, cron: HOURLY })
  const lines = await recordConsole(() => worker.scheduled(controller, { ...env, DB, ...bindings }))
  return { roundTrips: roundTrips(), rowsRead: rowsRead(), log: lines.map((line) => JSON.parse(line)) }
}

/** Runs the hourly job until it deletes nothing, because in a restored store each run ends at a gap in the ids. */
export async function purgeAll(now = Date.now()): Promise<void> {
  for (let purged = Infinity; purged > 0;) {
    const { purged_claims, purged_fencing_tokens, purged_events, purged_deliveries } = (await runCron(now)).log[0]
    purged = purged_claims + purged_fencing_tokens + purged_events + purged_deliveries
  }
}
