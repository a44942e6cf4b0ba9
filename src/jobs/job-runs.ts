/** The last run of each cron: when it was, and where the next one continues with what this one has not finished. */
import { eq, sql } from 'drizzle-orm'
import { batch, type Db, runParams } from '../db/batch.ts'
import { jobs } from '../db/schema/jobs.ts'
import { orm, params, statement } from '../db/statement.ts'

type JobName = 'minutely' | 'hourly'

/** By the name of the work, the last key that it has reached. */
export type Positions = Readonly<Record<string, string | number>>

const nameParam = params('job')

const selectRun = statement(nameParam, () => orm.select().from(jobs).where(eq(jobs.name, nameParam.job)))

/** When the job ran last (0 if it never did), and where it stopped. */
export async function readRun(db: Db, job: JobName): Promise<{ last_run_at: number; positions: Positions }> {
  const { rows } = await batch(db, { rows: selectRun({ job }) }, { retry: 'only reads' })
  const [{ last_run_at, positions } = { last_run_at: 0, positions: '{}' }] = rows
  return { last_run_at, positions: JSON.parse(positions) }
}

const runValues = { ...nameParam, ...params('positions') }

const upsertRun = statement(runValues, () =>
  orm
    .insert(jobs)
    .values({
      name: sql`${runValues.job}`,
      last_run_at: sql`${runParams.now}`,
      positions: sql`${runValues.positions}`,
    })
    .onConflictDoUpdate({
      target: jobs.name,
      set: { last_run_at: sql`excluded.last_run_at`, positions: sql`excluded.positions` },
    }),
)

interface EndedRun {
  now: number
  positions: Positions
}

/** Records that a run has ended. The state of the service shows it, so that a cron that stopped is noticed. */
export async function recordRun(db: Db, job: JobName, { now, positions }: EndedRun): Promise<void> {
  const run = upsertRun({ job, positions: JSON.stringify(positions) })
  await batch(db, { run }, { retry: 'idempotent', shared: { now } })
}

/** Where the next run of the job continues with this work; null if it starts from the beginning. */
export function positionOf(job: JobName, work: string) {
  const position = orm
    .select({ key: sql`${jobs.positions} ->> ${work}` })
    .from(jobs)
    .where(eq(jobs.name, job))
  return sql<string | number | null>`${position}`
}

/** When the job ran last; null if it never did. */
export function lastRunOf(job: JobName) {
  const newest = orm.select({ at: jobs.last_run_at }).from(jobs).where(eq(jobs.name, job))
  return sql<number | null>`${newest}`
}

const countParams = { ...nameParam, ...params('counts_until') }

const updateCountsUntil = statement(countParams, () =>
  orm.update(jobs).set({ counts_until: countParams.counts_until }).where(eq(jobs.name, countParams.job)),
)

/** In the database of one store: unless something changes, the job has nothing to count before this time. */
export async function setCountsUntil(db: Db, counts_until: number): Promise<void> {
  await batch(db, { update: updateCountsUntil({ job: 'minutely', counts_until }) }, { retry: 'idempotent' })
}

/** Until when the last run of the every-minute job has done everything. */
export function doneUntil() {
  const run = orm
    .select({ at: sql`coalesce(${jobs.counts_until}, ${jobs.last_run_at})` })
    .from(jobs)
    .where(eq(jobs.name, 'minutely'))
  return sql<number | null>`${run}`
}
