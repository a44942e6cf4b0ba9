/**
 * Keeps two processes from working on one file: the lock is that of SQLite on FILE.lock, which the system takes away from a
 * process that ends, however it ends.
 */
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** The result code SQLITE_BUSY. */
const BUSY = 5

/**
 * Takes the lock until this process ends, and returns false if another one has it. Where no lock can be had, such as on a
 * drive without locks, it is as if nobody had one.
 */
export function takeLock(path: string): boolean {
  const lock = `${path}.lock`
  for (;;) {
    const before = touch(lock)
    const database = new DatabaseSync(lock)
    try {
      database.exec('begin exclusive')
    } catch (error) {
      database.close()
      return !(error instanceof Error && 'errcode' in error && error.errcode === BUSY)
    }
    // Whoever had the lock before may have removed the file after it was opened here: the next one would make another.
    if (before === statSync(lock, { throwIfNoEntry: false })?.ino) {
      process.once('exit', () => {
        rmSync(lock, { force: true })
        database.close()
      })
      return true
    }
    database.close()
  }
}

/** Makes the file, which only its owner may read, and returns its number. */
function touch(lock: string): number {
  closeSync(openSync(lock, 'a', 0o600))
  return statSync(lock).ino
}
