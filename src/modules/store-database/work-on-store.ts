/** What the alarm of a store with its own database does: the work of both crons, and a report to the directory. */
import type { Bindings } from '../../bindings.ts'
import { batch, type Db, openDb } from '../../db/batch.ts'
import { d1Database } from '../../db/database.ts'
import { storeOf } from '../../db/ids.ts'
import { localDatabase } from '../../db/object-database.ts'
import { type Store, stores } from '../../db/schema/stores.ts'
import { orm, statement } from '../../db/statement.ts'
import { retentionDays } from '../events/retention.ts'
import { readRun, setCountsUntil } from '../../jobs/job-runs.ts'
import { reportToDirectory } from '../store-directory/directory.ts'
import { nextRunOf } from './next-run.ts'
import { readCounts } from '../status/read-status.ts'
import { HOUR_MS } from '../../limits.ts'
import { OWN_STORE } from '../store-directory/limits.ts'
import { hourly } from '../crons/hourly.ts'
import { type Run, partsOf } from '../../jobs/run.ts'
import { minutely } from '../crons/minutely.ts'

/**
 * Returns when the store has work to do next. A part that fails is logged, and done again in the next run; what is purged
 * once an hour, an hour later.
 */
export async function workOnStore(storage: DurableObjectStorage, env: Bindings): Promise<number> {
  const now = Date.now()
  const db = openDb(localDatabase(storage))
  const store = await findStore(db)
  if (store === undefined) return now + OWN_STORE.idleMs
  const run = { now, store: storeOf(store.id) }
  const parts = partsOf('store_work_failed', run.store)
  await parts.run('minutely', () => minutely(db, env, run))
  const isCounted = parts.errors.length === 0
  await parts.run('hourly', () => hourlyIfDue(db, env, run))
  let alarm_at = now + OWN_STORE.soonMs
  await parts.run('schedule', async () => {
    alarm_at = await nextRunOf(db, now)
    if (isCounted) await setCountsUntil(db, alarm_at)
  })
  await parts.run('report', async () => {
    // The store is as it was when the run began.
    const counts = await readCounts(db, now, { retentionDays: retentionDays(env.EVENT_RETENTION_DAYS) })
    await reportToDirectory(openDb(d1Database(env.DB)), { ...store, ...counts, number: run.store, alarm_at })
  })
  return alarm_at
}

async function hourlyIfDue(db: Db, env: Bindings, run: Run): Promise<void> {
  const { last_run_at } = await readRun(db, 'hourly')
  if (last_run_at <= run.now - HOUR_MS) await hourly(db, env, run)
}

const selectStore = statement({}, () => orm.select().from(stores))

/** The store of a database that has only one; undefined if its creation has not come so far. */
async function findStore(db: Db): Promise<Store | undefined> {
  const { found } = await batch(db, { found: selectStore({}) }, { retry: 'only reads' })
  return found[0]
}
