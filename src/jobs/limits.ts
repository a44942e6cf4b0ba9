/** How much the jobs that purge delete at once, and count. */

/**
 * D1 recommends to delete at most a few thousand rows at once, and allows 1,000 statements per invocation. Four and a half
 * million rows an hour are more than one token can write.
 */
export const PURGE = { chunk: 5000, statements: 900, ms: 10 * 60_000 } as const

/** The status counts at most this many rows of each kind that are to be purged, and examines about as many. */
export const BACKLOG_LIMIT = 5000
