/**
 * Carries out the bulk changes of a store, in its object (src/modules/bulk-changes/object.ts): the first in line, and the dry runs,
 * which do not wait. They take turns, one chunk each, and after a chunk the object rests, so that other requests find the
 * database free. When that is busy, chunks take longer, and so do the rests between them.
 *
 * The cursor is in the database, and a chunk that finds it moved does nothing, so a chunk that is repeated skips no access
 * and changes none twice.
 */
import type { Bindings } from '../../bindings.ts'
import { openDb } from '../../db/batch.ts'
import { databaseOf } from '../../db/places.ts'
import { listRunnable, processChunk } from './process-chunk.ts'
import type { BulkChangeStatus } from './runnable.ts'
import { idsIn } from '../../change/commit.ts'
import { wakeEndpoints } from '../webhooks/deliveries/wake-endpoints.ts'
import { BULK } from './limits.ts'
import { describeError, log } from '../../lib/log.ts'
import { pause } from '../../lib/pause.ts'
import { logJob } from '../../jobs/run.ts'

/** `isWoken` is true once after a bulk change was created. If there is more to do, it is left to another invocation. */
export async function carryOut(
  store: number,
  env: Bindings,
  isWoken: () => boolean,
): Promise<'done' | 'more' | 'failed'> {
  const db = openDb(databaseOf(env, store))
  const run_id = crypto.randomUUID()
  const endsAt = Date.now() + BULK.invocationMs
  let runnable: BulkChangeStatus[] = []
  let chunks = 0
  try {
    for (;;) {
      if (runnable.length === 0 || isWoken()) runnable = await listRunnable(db, store)
      const [next, ...others] = runnable
      if (next === undefined) return 'done'
      if (chunks === BULK.invocationChunks || Date.now() >= endsAt) return 'more'
      const began = Date.now()
      const status = await processChunk(db, next, { run_id, now: began })
      if (status.dry_run === 0) await wakeEndpoints(env, idsIn(status.endpoints))
      chunks++
      // When one ends, the next one of the store may be another one.
      runnable = status.finished_at === null ? [...others, status] : []
      // A clock that is set back meanwhile must not be taken for a rest.
      await pause(Math.max(0, Math.min(2 * (Date.now() - began), BULK.maxRestMs)))
    }
  } catch (error) {
    log('warning', { code: 'bulk_change_stopped', store, error: describeError(error) })
    return 'failed'
  } finally {
    logJob('bulk_change', db, { store, chunks })
  }
}
