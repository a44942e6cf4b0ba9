/**
 * The crons of the Worker. They work on the shared database; a store with its own has an alarm
 * (src/modules/store-database/object.ts).
 */
import type { Bindings } from '../../bindings.ts'
import { type Db, openDb } from '../../db/batch.ts'
import { d1Database } from '../../db/database.ts'
import { wakeStore } from '../../db/places.ts'
import { listLate } from '../store-directory/directory.ts'
import { describeError, log } from '../../lib/log.ts'
import { hourly } from './hourly.ts'
import { minutely } from './minutely.ts'

/** wrangler.toml has two crons. Only the hourly one begins with a number, its minute. */
export async function runCron({ cron, scheduledTime }: ScheduledController, env: Bindings): Promise<void> {
  const db = openDb(d1Database(env.DB))
  if (!cron.startsWith('*')) return hourly(db, env, { now: scheduledTime })
  try {
    await minutely(db, env, { now: scheduledTime })
  } finally {
    await wakeLateStores(db, env, scheduledTime)
  }
}

async function wakeLateStores(db: Db, env: Bindings, now: number): Promise<void> {
  for (const store of await listLate(db, now)) {
    await wakeStore(env, store).catch((error: unknown) => {
      log('warning', { code: 'store_not_woken', store, error: describeError(error) })
    })
  }
}
