import { DAY_MS } from '../../limits.ts'

/**
 * One batch counts so many stores and so many of their events, and a chunk so many of their users and accesses, which takes
 * D1 15 ms. A run leaves the rest to the next after so many batches, or so much time. A store that takes t to count is
 * counted at most every `restFactor` × t.
 */
export const STATS = {
  defaultDays: 30,
  maxDays: 90,
  products: 20,
  endingMs: 7 * DAY_MS,
  stores: 20,
  events: 2000,
  rows: 25_000,
  restFactor: 100,
  maxChunks: 60,
  ms: 20_000,
} as const
