/** Turns the errors of a command into what it prints and its exit code. */
import { connect } from '../packages/import/client.ts'
import { FileError } from '../packages/import/file-error.ts'
import { GaveUp, NoService, Refused } from '../packages/import/request-errors.ts'
import { UnknownZone } from '../packages/import/time-zone.ts'
import { takeLock } from './file-lock.ts'
import { Stop } from './import-options.ts'

export function connectOrStop(options: Parameters<typeof connect>[0]): ReturnType<typeof connect> {
  try {
    return connect(options)
  } catch (error) {
    if (error instanceof RangeError) throw new Stop(2, `--url: ${error.message}`)
    throw error
  }
}

/** Two imports at once would each count the other's new users as their own, and an undo would miss the last batches. */
export function lockOrStop(path: string): void {
  try {
    if (takeLock(path)) return
  } catch (error) {
    throw toStop(error, false)
  }
  throw new Stop(
    2,
    `Another import of ${path}, or its undo, is running. Wait until it has ended.\nNothing was changed.`,
  )
}

/** If `isBegun`, the token was accepted and the run has a state, so it can continue. */
export function toStop(error: unknown, isBegun: boolean): unknown {
  if (!(error instanceof Error)) return error
  // An error of the system is one of the disk: it is full, or the file cannot be written.
  const isExpected =
    'syscall' in error ||
    [Stop, Refused, GaveUp, NoService, FileError, UnknownZone].some((known) => error instanceof known)
  if (!isExpected) return error
  const after = isBegun ? 'Run the same command again to continue.' : 'Nothing was changed.'
  const exitCode = error instanceof Stop ? error.exitCode : isBegun ? 3 : 2
  return new Stop(exitCode, `${error.message}\n${after}`)
}
