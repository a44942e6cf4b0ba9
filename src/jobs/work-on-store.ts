/** What the alarm of a store with its own database does: the work of both crons, and a report to the directory. */
import type { Bindings } from '../context.ts'
import { type Db, openDb } from '../db/batch.ts'
import { d1Database } from '../db/database.ts'
import { localDatabase } from '../db/object-database.ts'
import { retentionDays } from '../domain/events/retention.ts'
import { lastRun, setNextRun } from '../domain/job-runs.ts'
import { report } from '../domain/places/directory.ts'
import { nextRunOf } from '../domain/places/next-run.ts'
import { readReport } from '../domain/places/report.ts'
import { HOUR_MS, PLACES } from '../limits.ts'
import { describeError, log } from '../log.ts'
import { hourly } from './hourly.ts'
import { minutely } from './minutely.ts'

/** Returns when the store has work to do next. A part that fails is logged, and done again in the next run. */
export async function workOnStore(storage: DurableObjectStorage, env: Bindings): Promise<number> {
  const now = Date.now()
  const db = openDb(localDatabase(storage))
  await attempt('minutely', () => minutely(db, env, now))
  await attempt('hourly', () => hourlyIfDue(db, env, now))
  let alarm_at = now + PLACES.soonMs
  await attempt('schedule', async () => {
    const next_run_at = await nextRunOf(db, now)
    await setNextRun(db, next_run_at)
    alarm_at = next_run_at
  })
  await attempt('report', async () => {
    const days = retentionDays(env.EVENT_RETENTION_DAYS)
    await report(openDb(d1Database(env.DB)), await readReport(db, { now, alarm_at, retentionDays: days }))
  })
  return alarm_at
}

async function hourlyIfDue(db: Db, env: Bindings, now: number): Promise<void> {
  if ((await lastRun(db, 'hourly')) <= now - HOUR_MS) await hourly(db, env, now)
}

async function attempt(part: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('warning', { code: 'store_work_failed', part, error: describeError(error) })
  }
}
