/**
 * Hashing blocks the instance, so an instance hashes one password at a time and serves other requests between two. A
 * request may hash after a pause in which nobody else did; otherwise it pauses again. No request passes the turn on to the
 * next: the timers and promises of a request end when its client disconnects, and a queue in which each waits for the one
 * before would then stand still. A request that is gone simply takes no turn.
 */
import { HASHING } from '../../../limits.ts'
import { pause } from '../../../pause.ts'
import { DomainError } from '../../errors.ts'

interface Turns {
  count: number
  /** When the last hash ended, in milliseconds since the epoch. */
  lastAt: number
  /** How long it took, in milliseconds; 0 on Cloudflare, where the clock stands still while code runs. */
  lastMs: number
  lastStore: number | undefined
}

/** By the environment of the instance. The simulation runs several in a process: they must share no memory. */
const turnsOf = new WeakMap<object, Turns>()

/**
 * Calls `hash` when it is the store's turn. Of two stores that wait, the one that did not hash last goes first, so a
 * store with many passwords delays another store's by about one hash. Throws `hashing_too_busy` after
 * `HASHING.maxWaitMs`.
 */
export async function hashInTurn<T>(instance: object, store: number, hash: () => T): Promise<T> {
  const turns = turnsOf.get(instance) ?? { count: 0, lastAt: -Infinity, lastMs: 0, lastStore: undefined }
  turnsOf.set(instance, turns)
  const startedAt = Date.now()
  let seen = startedAt - turns.lastAt < HASHING.quietMs ? undefined : turns.count
  // No await between this comparison and the count: of two pauses that end together, only one may see the old number.
  while (seen !== turns.count) {
    if (Date.now() - startedAt > HASHING.maxWaitMs) throw new DomainError('hashing_too_busy', {})
    seen = turns.count
    const pauseMs = Math.max(HASHING.pauseMs, turns.lastMs)
    await pause(turns.lastStore === store ? pauseMs + HASHING.sameStoreMs : pauseMs)
  }
  turns.count++
  turns.lastStore = store
  const began = Date.now()
  try {
    return hash()
  } finally {
    turns.lastAt = Date.now()
    turns.lastMs = Math.min(turns.lastAt - began, HASHING.maxPauseMs)
  }
}
