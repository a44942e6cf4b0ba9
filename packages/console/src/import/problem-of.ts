/** Why something that reads a file or calls the service has failed, as the screen says it. */
import { FileError, GaveUp, Refused } from './engine.ts'
import { type Problem, Stopped } from './run-state.ts'

export function problemOf(error: unknown): Problem {
  if (error instanceof Stopped) return { code: error.code }
  if (error instanceof FileError) return { code: 'file', line: error.line, problem: error.problem }
  if (error instanceof GaveUp) return { code: 'gave_up', reason: error.reason, minutes: error.minutes }
  if (error instanceof Refused) return { code: 'refused', reason: error.reason }
  if (error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name))
    return { code: 'changed' }
  // Nobody else reports it, and without its message and stack the defect could not be found.
  reportError(error)
  return { code: 'unexpected' }
}
