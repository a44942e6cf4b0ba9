import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import worker from '../../src/index.ts'
import { recordConsole } from './console.ts'
import { faultyD1 } from './faults.ts'

export const { hourly: HOURLY, minutely: MINUTELY } = inject('crons')

/** What an hourly run of the cron trigger sent, read and logged. */
export async function runCron(now = Date.now(), bindings: object = {}) {
  const { DB, roundTrips, rowsRead } = faultyD1(env.DB)
  const controller = createScheduledController({ scheduledTime: now, cron: HOURLY })
  const lines = await recordConsole(() => worker.scheduled(controller, { ...env, DB, ...bindings }))
  return { roundTrips: roundTrips(), rowsRead: rowsRead(), log: lines.map((line) => JSON.parse(line)) }
}

/** Run after run until one finds nothing to delete: in a store that was restored, each ends at a gap in its numbers. */
export async function purgeAll(now = Date.now()): Promise<void> {
  for (let purged = Infinity; purged > 0;) {
    const { purged_claims, purged_fencing_tokens, purged_events, purged_deliveries } = (await runCron(now)).log[0]
    purged = purged_claims + purged_fencing_tokens + purged_events + purged_deliveries
  }
}
