/**
 * Carries out bulk changes. A message of the queue names one and nothing else:
 *   1. The consumer processes chunks of it in the background, and the handler returns, as with webhooks (deliver.ts).
 *   2. Between two chunks it pauses for longer than the chunk has taken, so that other requests find the database free.
 *      When it is busy, chunks take longer, and so do the pauses. Dry runs do not wait for each other, so the pause grows
 *      with the number of those that the store has under way: hundreds of them would otherwise keep the database busy.
 *   3. An invocation ends after a while, and sends the bulk change a new message. At its end, the next one of the store
 *      gets one.
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
import { pause } from '../pause.ts'
import { describeError, log } from '../log.ts'
import { logJob } from './log-job.ts'

export function carryOut({ bulk_change_id }: BulkChangeMessage, env: Bindings, ctx: ExecutionContext): void {
  ctx.waitUntil(
    processChunks(bulk_change_id, env).catch((error: unknown) => {
      // The minutely job resumes it.
      log('warning', { code: 'bulk_change_stopped', ...loggedBulkChange(bulk_change_id), error: describeError(error) })
    }),
  )
}

/** How many bulk changes of each store this instance carries out, by environment (as in http/turns.ts). */
const underWay = new WeakMap<object, Map<number, number>>()

async function processChunks(id: number, env: Bindings): Promise<void> {
  const store = storeOf(id)
  const counts = underWay.get(env) ?? new Map<number, number>()
  underWay.set(env, counts)
  const count = () => counts.get(store) ?? 0
  counts.set(store, count() + 1)
  try {
    await processInTime(id, env, count)
  } finally {
    counts.set(store, count() - 1)
    if (count() === 0) counts.delete(store)
  }
}

/** Processes chunks until an invocation has to end. `count` returns how many bulk changes of the store are under way. */
async function processInTime(id: number, env: Bindings, count: () => number): Promise<void> {
  const db = openDb(databaseOf(env, storeOf(id)))
  const run_id = crypto.randomUUID()
  const endsAt = Date.now() + BULK.invocationMs
  // A pause ends early enough to send the message of the next invocation.
  const pauseFor = (ms: number) => pause(Math.max(0, Math.min(ms * count(), endsAt - Date.now())))
  let status = await findBulkChange(db, id)
  let chunks = 0
  // As long as each of the others takes for a chunk and its pause. Without this, many that start together would all begin
  // with a chunk.
  if (count() > 1) await pauseFor((1 + BULK.pauseFactor) * BULK.minPauseMs)
  while (status !== undefined && status.finished_at === null && isItsTurn(status)) {
    const now = Date.now()
    if (now >= endsAt || chunks === BULK.invocationChunks) {
      await resume(env.WEBHOOKS, [id])
      break
    }
    status = await processChunk(db, status, { run_id, now })
    // Once for all events of a chunk.
    await sendWakeUps(env.WEBHOOKS, db)
    chunks++
    // Another consumer has the bulk change, or it was canceled.
    if (status.run_id !== run_id) break
    if (status.finished_at === null) await pauseFor(Math.max(BULK.minPauseMs, BULK.pauseFactor * (Date.now() - now)))
  }
  if (status?.finished_at != null && status.first_in_line !== null) await resume(env.WEBHOOKS, [status.first_in_line])
  logJob('bulk_change', db, { ...loggedBulkChange(id), chunks })
}

/** Dry runs wait for nobody. */
function isItsTurn({ id, dry_run, first_in_line }: BulkChangeStatus): boolean {
  return dry_run === 1 || first_in_line === id
}

/** The ids of the bulk change, for the log. */
export function loggedBulkChange(id: number) {
  return { store: storeOf(id), bulk_change_id: numberOf(id) }
}
