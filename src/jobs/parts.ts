import { describeError, log } from '../lib/log.ts'

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
