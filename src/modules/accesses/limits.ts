/** How much a run of the jobs that announce due dates does. */

/**
 * Accesses announced per batch (two rows each), and stores per batch. A run leaves the rest to the next after
 * so many batches, or so much time, for each of the two events.
 */
export const EXPIRY = { chunk: 500, stores: 20, maxChunks: 40, ms: 15_000 } as const
