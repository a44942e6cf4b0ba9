import { QUEUE } from '../../limits.ts'
import { log } from '../../log.ts'

/** A message of the queue. It names the endpoint to poll; what to deliver is in the database. */
export interface WakeUp {
  endpoint_id: number
}

interface NotifyOptions {
  delayMs?: number
}

/**
 * Sends a wake-up for each endpoint. If the queue fails, the minutely job finds what waits in the database, so a lost
 * message delays a delivery and loses none.
 */
export async function notify(
  queue: Queue<WakeUp>,
  endpoints: readonly number[],
  { delayMs = 0 }: NotifyOptions = {},
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
