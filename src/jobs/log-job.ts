import type { Db } from '../db/batch.ts'
import { log } from '../log.ts'

/** The line of a job: what it did, and what that cost. */
export function logJob(job: string, { cost }: Db, done: Record<string, number>): void {
  log('job', {
    job,
    ...done,
    d1_round_trips: cost.roundTrips,
    d1_rows_read: cost.rowsRead,
    d1_rows_written: cost.rowsWritten,
  })
}
