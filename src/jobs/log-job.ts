import type { Db } from '../db/batch.ts'
import { log } from '../lib/log.ts'

export interface Run {
  /** Milliseconds since the epoch. */
  now: number
  /** The number of the store whose own database it is, for the log. */
  store?: number
}

/** Logs what a run of a job did, and what it cost. */
export function logJob(job: string, { cost }: Db, done: Record<string, number | readonly string[] | undefined>): void {
  log('job', {
    job,
    ...done,
    d1_round_trips: cost.roundTrips,
    d1_rows_read: cost.rowsRead,
    d1_rows_written: cost.rowsWritten,
  })
}
