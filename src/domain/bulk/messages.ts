import { QUEUE } from '../../limits.ts'
import { log } from '../../log.ts'

/** A message of the queue. It names the bulk change to continue; what is left to do is in the database. */
export interface BulkChangeMessage {
  bulk_change_id: number
}

/**
 * Sends a message for each bulk change, so that a consumer continues it. If the queue fails, the minutely job finds the bulk
 * changes that have stopped, so a lost message delays one and loses none.
 */
export async function resume(queue: Queue<BulkChangeMessage>, ids: readonly number[]): Promise<void> {
  try {
    for (let i = 0; i < ids.length; i += QUEUE.messages) {
      await queue.sendBatch(ids.slice(i, i + QUEUE.messages).map((bulk_change_id) => ({ body: { bulk_change_id } })))
    }
  } catch {
    log('warning', { code: 'queue_failed' })
  }
}
