import type { Db } from '../../db/batch.ts'
import { QUEUE } from '../../limits.ts'
import { log } from '../../log.ts'

/** The messages of the queue: which endpoint to look after. What for is in D1. */
export interface WakeUp {
  endpoint_id: number
}

/** Notes endpoints that are to be told of what was changed, once that is answered. */
export function wakeLater(db: Db, endpoints: readonly number[]): void {
  for (const id of endpoints) db.endpointsToWake.add(id)
}

interface WakeOptions {
  delayMs?: number
}

/** A message that cannot be sent is not missed for long: the sweep finds what waits in D1. */
export async function wake(
  queue: Queue<WakeUp>,
  endpoints: readonly number[],
  { delayMs = 0 }: WakeOptions = {},
): Promise<void> {
  const options = { delaySeconds: Math.min(QUEUE.maxDelaySeconds, Math.ceil(delayMs / 1000)) }
  try {
    for (let i = 0; i < endpoints.length; i += QUEUE.messages) {
      const messages = endpoints.slice(i, i + QUEUE.messages).map((endpoint_id) => ({ body: { endpoint_id } }))
      await queue.sendBatch(messages, options)
    }
  } catch {
    log('warning', { code: 'queue_failed' })
  }
}
