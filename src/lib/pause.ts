/** After each batch, a job pauses for as long as the batch has taken, and at most for this time. */
export const MAX_JOB_PAUSE_MS = 1000

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * Pauses for as long as the work since then has taken, so that a job takes half of the time of its database, which does one
 * thing at a time. Without pauses, a request could wait until the job ends. The limit is for a clock that jumps.
 */
export async function leaveRoom(since: number): Promise<void> {
  const elapsed = Date.now() - since
  if (elapsed > 0) await pause(Math.min(elapsed, MAX_JOB_PAUSE_MS))
}

/** Returns undefined if the work takes longer. It is not stopped then. */
export async function waitAtMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(timeout.resolve, ms)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** True if the time is in the last so many milliseconds, and not in the future: a clock may have been set back. */
export function isWithin(at: number, ms: number): boolean {
  const elapsed = Date.now() - at
  return elapsed >= 0 && elapsed < ms
}
