import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Purge, purgeInTurns } from '../../src/jobs/purge-in-turns.ts'
import { PURGE } from '../../src/jobs/limits.ts'
import { MAX_JOB_PAUSE_MS } from '../../src/lib/pause.ts'
import { sharedDb } from '../support/db.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A purge of so many chunks, each of which takes so long. It deletes nothing: only the order and the pauses count. */
function purgeOf(chunks: number, takesMs: () => void, name = 'rows'): Purge {
  return {
    name,
    statements: 1,
    deleteChunk: (_, after) => {
      takesMs()
      const position = Number(after ?? 0) + 1
      return Promise.resolve({ deleted: PURGE.chunk, next: position < chunks ? position : null })
    },
    backlog: () => sql`0`,
  }
}

/** Runs the purge with a clock that only `advance` and pauses move, and returns its result and the pauses. */
async function run(...purges: Purge[]) {
  const wait = vi.spyOn(globalThis, 'setTimeout')
  const purged = purgeInTurns(sharedDb(), purges, {
    start: {},
    ms: PURGE.ms,
    now: Date.now(),
    retentionDays: undefined,
  })
  await vi.runAllTimersAsync()
  return { ...(await purged), pauses: wait.mock.calls.map(([, ms]) => ms) }
}

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms)

it('A purge pauses after each chunk for as long as the chunk has taken, at most for a second', async () => {
  const times = [40, 300, 5000]
  const { pauses } = await run(purgeOf(times.length, () => advance(times.shift() ?? 0)))
  expect(pauses).toEqual([40, 300, MAX_JOB_PAUSE_MS])
})

it('A purge of 200 chunks, which are a million rows in production, ends in one run', async () => {
  const { counts, positions } = await run(purgeOf(200, () => advance(10)))
  expect({ counts, positions }).toEqual({ counts: { rows: 200 * PURGE.chunk }, positions: {} })
})

it('A purge that its time does not suffice for is reported as unfinished', async () => {
  const { unfinished } = await run(
    purgeOf(1000, () => advance(PURGE.ms / 10), 'events'),
    purgeOf(1, () => {}, 'claims'),
  )
  expect(unfinished).toEqual(['events'])
})
