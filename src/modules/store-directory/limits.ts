import { HOUR_MS } from '../../limits.ts'

export const OWN_STORE = {
  /** After a change, the store does its every-minute work within this time. */
  soonMs: 60_000,
  /** Two runs of a store have at least this pause between them. */
  minPauseMs: 1000,
  /** How long its alarm purges, once an hour: a million rows or so. */
  purgeMs: 30_000,
  /** Without any work that is due earlier, the store's next run. */
  idleMs: HOUR_MS,
  /** How much later than it said a store may run before the every-minute job wakes it. */
  lateMs: 10 * 60_000,
  /** The every-minute job wakes at most this many stores. */
  wokenPerRun: 100,
  /** How many numbers a creation tries if the objects of the first ones have a store that the directory has lost. */
  triedNumbers: 100,
  /** How many of the largest stores the status lists. */
  largest: 5,
} as const
