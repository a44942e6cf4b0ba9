/** A run of a job: its parts, and its line in the log. */
import type { Db } from '../db/batch.ts'
import { describeError, log } from '../lib/log.ts'

export interface Run {
  now: number
  /** The number of the store whose own database it is, for the log. */
  store?: number
}

export function logJob(job: string, { cost }: Db, done: Record<string, number | readonly string[] | undefined>): void {
  log('job', {
    job,
    ...done,
    d1_round_trips: cost.roundTrips,
    d1_rows_read: cost.rowsRead,
    d1_rows_written: cost.rowsWritten,
  })
}

/** The parts of a job's work. An error of one is logged with this code, and the others still run. */
export function partsOf(code: string, store: number | undefined) {
  const errors: unknown[] = []
  return {
    errors,
    /** Returns what the part returns, or undefined if it has thrown. */
    run: async <T>(part: string, work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work()
      } catch (error) {
        errors.push(error)
        log('warning', { code, part, store, error: describeError(error) })
        return undefined
      }
    },
  }
}
