/**
 * Hashing blocks the instance, so an instance hashes one password at a time and serves other requests between two. A
 * request may hash after a pause in which nobody else did; otherwise it pauses again. No request wakes the next: the timers
 * and promises of a request end when its client disconnects, and a queue in which each waits for the one before would then
 * stand still. A request that is gone simply hashes nothing.
 */
import { pause } from '../../../lib/pause.ts'
import { DomainError } from '../../../change/errors.ts'

/**
 * Between two hashes an instance serves other requests for `pauseMs`: about one round trip to D1, so that a request that
 * has waited for one hash ends before the next begins. On a machine that is slower than Cloudflare's, the pause is as
 * long as a hash, up to `maxPauseMs`, which is for a clock that jumps. The store that hashed last pauses for
 * `sameStoreMs` longer. If nobody hashed for `quietMs`, a password waits for no one. 100 passwords at once take about
 * 10 s; a client that waits for 30 s then gets a 503 instead of nothing.
 */
export const HASHING = { pauseMs: 50, maxPauseMs: 500, sameStoreMs: 10, quietMs: 1000, maxWaitMs: 20_000 } as const

interface Pace {
  count: number
  /** When the last hash ended, in milliseconds since the epoch. */
  lastAt: number
  /** How long it took, in milliseconds; 0 on Cloudflare, where the clock stands still while code runs. */
  lastMs: number
  lastStore: number | undefined
}

/** By the environment of the instance. The simulation runs several in a process: they must share no memory. */
const paceOf = new WeakMap<object, Pace>()

/**
 * Calls `hash` once the instance has paused long enough since the last one. Of two stores that wait, the one that did not
 * hash last goes first, so a store with many passwords delays another store's by about one hash. Throws
 * `hashing_too_busy` after `HASHING.maxWaitMs`.
 */
export async function paceHash<T>(instance: object, store: number, hash: () => T): Promise<T> {
  const pace = paceOf.get(instance) ?? { count: 0, lastAt: -Infinity, lastMs: 0, lastStore: undefined }
  paceOf.set(instance, pace)
  const startedAt = Date.now()
  let seen = startedAt - pace.lastAt < HASHING.quietMs ? undefined : pace.count
  // No await between this comparison and the count: of two pauses that end together, only one may see the old number.
  while (seen !== pace.count) {
    if (Date.now() - startedAt > HASHING.maxWaitMs) throw new DomainError('hashing_too_busy', {})
    seen = pace.count
    const pauseMs = Math.max(HASHING.pauseMs, pace.lastMs)
    await pause(pace.lastStore === store ? pauseMs + HASHING.sameStoreMs : pauseMs)
  }
  pace.count++
  pace.lastStore = store
  const began = Date.now()
  try {
    return hash()
  } finally {
    pace.lastAt = Date.now()
    pace.lastMs = Math.min(pace.lastAt - began, HASHING.maxPauseMs)
  }
}
