import type { Db } from '../db/batch.ts'
import { log } from '../log.ts'

/** Logs what a run of a job did, and what it cost. */
export function logJob(job: string, { cost }: Db, done: Record<string, number>): void {
  log('job', {
    job,
    ...done,
    d1_round_trips: cost.roundTrips,
    d1_rows_read: cost.rowsRead,
    d1_rows_written: cost.rowsWritten,
  })
}
