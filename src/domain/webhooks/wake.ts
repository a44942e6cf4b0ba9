import { log } from '../../log.ts'

/** The messages of the queue: which endpoint to look after. What for is in D1. */
export interface WakeUp {
  endpoint_id: number
}

/** What Queues take at once. */
const MAX_MESSAGES = 100
/** What Queues surely take; the sweep does the work of a wake-up that comes too early. */
const MAX_DELAY_SECONDS = 12 * 60 * 60

interface WakeOptions {
  delayMs?: number
}

/** A message that cannot be sent is not missed for long: the sweep finds what waits in D1. */
export async function wake(
  queue: Queue<WakeUp>,
  endpoints: readonly number[],
  { delayMs = 0 }: WakeOptions = {},
): Promise<void> {
  const options = { delaySeconds: Math.min(MAX_DELAY_SECONDS, Math.ceil(delayMs / 1000)) }
  try {
    for (let i = 0; i < endpoints.length; i += MAX_MESSAGES) {
      const messages = endpoints.slice(i, i + MAX_MESSAGES).map((endpoint_id) => ({ body: { endpoint_id } }))
      await queue.sendBatch(messages, options)
    }
  } catch {
    log('warning', { code: 'queue_failed' })
  }
}
