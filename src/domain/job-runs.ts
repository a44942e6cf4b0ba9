/** The last run of each cron: when it was, and where the next one continues with what this one has not finished. */
import { eq, sql } from 'drizzle-orm'
import { batch, type Db, runParams } from '../db/batch.ts'
import { jobs } from '../db/schema.ts'
import { orm, params, statement } from '../db/statement.ts'

type JobName = 'minutely' | 'hourly'

/** By the name of the work, the last key that it has reached. */
export type Positions = Readonly<Record<string, string | number>>

const nameParam = params('job')

const selectPositions = statement(nameParam, () =>
  orm.select({ positions: jobs.positions }).from(jobs).where(eq(jobs.name, nameParam.job)),
)

export async function readPositions(db: Db, job: JobName): Promise<Positions> {
  const { rows } = await batch(db, { rows: selectPositions({ job }) }, { retry: 'only reads' })
  const [row = { positions: '{}' }] = rows
  return JSON.parse(row.positions)
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

const selectLastRun = statement(nameParam, () =>
  orm.select({ at: jobs.last_run_at }).from(jobs).where(eq(jobs.name, nameParam.job)),
)

/** When the job ran last; 0 if it never did. */
export async function lastRun(db: Db, job: JobName): Promise<number> {
  const { rows } = await batch(db, { rows: selectLastRun({ job }) }, { retry: 'only reads' })
  return rows[0]?.at ?? 0
}

const countParams = { ...nameParam, ...params('counts_until') }

const updateCountsUntil = statement(countParams, () =>
  orm.update(jobs).set({ counts_until: countParams.counts_until }).where(eq(jobs.name, countParams.job)),
)

/** In the database of one store: unless something changes, the job has nothing to count before this time. */
export async function setCountsUntil(db: Db, counts_until: number): Promise<void> {
  await batch(db, { update: updateCountsUntil({ job: 'minutely', counts_until }) }, { retry: 'idempotent' })
}

/** Until when the last run of the minutely job has done everything. */
export function doneUntil() {
  const run = orm
    .select({ at: sql`coalesce(${jobs.counts_until}, ${jobs.last_run_at})` })
    .from(jobs)
    .where(eq(jobs.name, 'minutely'))
  return sql<number | null>`${run}`
}
