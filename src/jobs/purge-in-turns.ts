/**
 * Purges delete rows that are too old, each from a table of its own. They take turns, one chunk each, so that a purge
 * with much to delete does not hold up the others, and each continues after the last key that it has examined: starting
 * over would examine the rows that it keeps again and again. After each chunk the job pauses, because requests wait while
 * D1 deletes.
 */
import type { SQL } from 'drizzle-orm'
import type { Db } from '../db/batch.ts'
import { Unavailable } from '../db/database.ts'
import { PURGE } from './limits.ts'
import { leaveRoom } from '../lib/pause.ts'
import { describeError, log } from '../lib/log.ts'
import type { Positions } from './job-runs.ts'

type Position = string | number

interface Chunk {
  deleted: number
  /** The last key that was examined; null at the end of the table. */
  next: Position | null
}

export interface PurgeTime {
  now: number
  /** The number of days for which events are kept; undefined if the setting is invalid, and then none is purged. */
  retentionDays: number | undefined
}

export interface Purge {
  name: string
  statements: number
  /** Deletes rows after this key, at most so many. `after` is null at the start of the table. */
  deleteChunk: (db: Db, after: Position | null, time: PurgeTime) => Promise<Chunk>
  /** How many of the rows that the purge examines next are to be deleted, up to a bound. */
  backlog: () => SQL<number>
}

interface Purged {
  counts: Record<string, number>
  /** Where the next run continues with each purge that has not reached its end. */
  positions: Positions
  /** The names of the purges that have not reached their end. */
  unfinished: string[]
  /** The first error. Each one is logged, and stops only the purge that threw it. */
  error?: unknown
}

/** Runs each purge until it reaches its end, or until the time or the statements of the job are used up. */
export async function purgeInTurns(
  db: Db,
  purges: readonly Purge[],
  { start, ms, ...time }: PurgeTime & { start: Positions; ms: number },
): Promise<Purged> {
  const endsAt = Date.now() + ms
  const counts = Object.fromEntries(purges.map(({ name }) => [name, 0]))
  const positions: Record<string, Position> = { ...start }
  const errors: unknown[] = []
  let statements: number = PURGE.statements
  let left = purges
  while (left.length > 0 && Date.now() < endsAt && statements > 0) {
    const unfinished: Purge[] = []
    for (const purge of left) {
      const { name } = purge
      const begin = Date.now()
      statements -= purge.statements
      try {
        const { deleted, next } = await purge.deleteChunk(db, positions[name] ?? null, time)
        counts[name] = (counts[name] ?? 0) + deleted
        if (next === null) {
          delete positions[name]
        } else {
          positions[name] = next
          unfinished.push(purge)
        }
      } catch (error) {
        errors.push(error)
        logFailure(name, error)
      }
      await leaveRoom(begin)
    }
    left = unfinished
  }
  return { counts, positions, unfinished: left.map(({ name }) => name), error: errors[0] }
}

function logFailure(purge: string, error: unknown): void {
  const cause = error instanceof Unavailable ? { failure: error.failure } : { error: describeError(error) }
  log('warning', { code: 'purge_failed', purge, ...cause })
}
