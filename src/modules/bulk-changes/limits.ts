/** How many accesses a bulk change reaches at once, and when its object rests, restarts and gives up. */
import { HOUR_MS } from '../../limits.ts'

export const BULK = {
  users: 1000,
  /** How many accesses one chunk reaches, and how many in a dry run, which writes nothing about them. */
  chunk: 400,
  dryRunChunk: 5000,
  /** How many bulk changes of a store may not have ended: each may read and change every access. */
  unfinished: 20,
  /** An invocation begins no chunk after this time, or after this many: D1 allows 1,000 statements, and a chunk has 7. */
  invocationMs: 20_000,
  invocationChunks: 130,
  /** After a chunk, the store's object rests for twice as long as the chunk took, and at most for this time. */
  maxRestMs: 5000,
  /** An object that dies while it works is started again after this time. */
  restartMs: 30_000,
  /** After this time without progress the every-minute job wakes the object of a bulk change, or ends the bulk change. */
  stoppedAfterMs: 60_000,
  failsAfterMs: HOUR_MS,
  /** Stalled bulk changes restarted per run of the every-minute job. */
  restarts: 100,
} as const
