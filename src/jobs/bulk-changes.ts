/**
 * Carries out bulk changes. A message of the queue names one and nothing else:
 *   1. The consumer processes chunks of it in the background, and the handler returns, as with webhooks (deliver.ts).
 *   2. The bulk changes of a store take turns in an instance, one chunk each (turns.ts), so that other requests find the
 *      database free. When it is busy, chunks take longer, and so do the rests between them. Dry runs begin while others
 *      are under way: without turns, a hundred of them would keep the database busy.
 *   3. An invocation ends after a while, and sends a new message for the bulk change. When that has ended, the next one
 *      of the store gets a message.
 * The cursor is in the database, so a message that is lost, late or repeated skips no access and changes none twice. Of
 * two consumers, the one that finds that the other has moved the cursor stops.
 */
import type { Bindings } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { numberOf, storeOf } from '../db/ids.ts'
import { databaseOf } from '../db/places.ts'
import { findBulkChange, processChunk } from '../domain/bulk/chunk.ts'
import type { BulkChangeStatus } from '../domain/bulk/status.ts'
import { type BulkChangeMessage, resume } from '../domain/bulk/messages.ts'
import { sendWakeUps } from '../domain/webhooks/notify.ts'
import { BULK } from '../limits.ts'
import { describeError, log } from '../log.ts'
import { waitForTurn } from '../turns.ts'
import { logJob } from './log-job.ts'
import { waitWithMessage } from './message-turns.ts'

export function carryOut({ bulk_change_id }: BulkChangeMessage, env: Bindings, ctx: ExecutionContext): void {
  ctx.waitUntil(
    processChunks(bulk_change_id, env).catch((error: unknown) => {
      // The minutely job resumes it.
      log('warning', { code: 'bulk_change_stopped', ...loggedBulkChange(bulk_change_id), error: describeError(error) })
    }),
  )
}

/** Processes chunks until an invocation has to end. */
async function processChunks(id: number, env: Bindings): Promise<void> {
  const db = openDb(databaseOf(env, storeOf(id)))
  const run_id = crypto.randomUUID()
  const endsAt = Date.now() + BULK.invocationMs
  let status = await findBulkChange(db, id)
  let chunks = 0
  while (status !== undefined && status.finished_at === null && isItsTurn(status)) {
    const key = `bulk changes of ${storeOf(id)}`
    const options = { until: endsAt, rests: 'always' } as const
    // Later, a consumer that waits with the same message is behind this one, and stops when it finds that.
    const turn =
      chunks === 0
        ? await waitWithMessage(env, key, { bulk_change_id: id }, options)
        : ((await waitForTurn(env, key, options)) ?? 'late')
    if (turn === 'repeated') break
    if (turn === 'late' || chunks === BULK.invocationChunks || Date.now() >= endsAt) {
      if (turn !== 'late') turn.end()
      await resume(env.WEBHOOKS, [id])
      break
    }
    status = await processChunk(db, status, { run_id, now: Date.now() }).finally(turn.end)
    // Once for all events of a chunk.
    await sendWakeUps(env.WEBHOOKS, db)
    chunks++
    // Another consumer has the bulk change, or it was canceled.
    if (status.run_id !== run_id) break
  }
  if (status?.finished_at != null && status.first_in_line !== null) await resume(env.WEBHOOKS, [status.first_in_line])
  logJob('bulk_change', db, { ...loggedBulkChange(id), chunks })
}

/** Dry runs do not wait until others have finished. */
function isItsTurn({ id, dry_run, first_in_line }: BulkChangeStatus): boolean {
  return dry_run === 1 || first_in_line === id
}

/** The ids of the bulk change, for the log. */
export function loggedBulkChange(id: number) {
  return { store: storeOf(id), bulk_change_id: numberOf(id) }
}
