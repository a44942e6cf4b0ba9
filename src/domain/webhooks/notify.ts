import { storeOf } from '../../db/ids.ts'
import { QUEUE, WEBHOOK } from '../../limits.ts'
import { log } from '../../log.ts'

/** A message of the queue. It names the endpoint to poll; what to deliver is in the database. */
export interface EndpointWakeUp {
  endpoint_id: number
}

/** A message about the endpoints of a store, by its number. Those up to the id `after` have been polled. */
export interface StoreWakeUp {
  store: number
  after: number
}

export type WakeUp = EndpointWakeUp | StoreWakeUp

interface NotifyOptions {
  delayMs?: number
}

/**
 * Sends a wake-up for each endpoint, or one for the store if these are many. If the queue fails, the minutely job finds
 * what waits in the database, so a lost message delays a delivery and loses none.
 */
export async function notify(
  queue: Queue<WakeUp>,
  endpoints: readonly number[],
  { delayMs = 0 }: NotifyOptions = {},
): Promise<void> {
  const delaySeconds = Math.min(QUEUE.maxDelaySeconds, Math.ceil(delayMs / 1000))
  await sendAll(queue, [...Map.groupBy(endpoints, storeOf)].flatMap(wakeUpsOf), delaySeconds)
}

/** Has another invocation poll the store's endpoints after this one. */
export async function passOn(queue: Queue<WakeUp>, wakeUp: StoreWakeUp): Promise<void> {
  await sendAll(queue, [wakeUp], 0)
}

/**
 * With a message for each endpoint, ten changes of a store with a thousand endpoints would send ten thousand, and the
 * messages of all other stores would wait behind them.
 */
function wakeUpsOf([store, endpoints]: [number, number[]]): WakeUp[] {
  if (endpoints.length > WEBHOOK.storeEndpoints) return [{ store, after: 0 }]
  return endpoints.map((endpoint_id) => ({ endpoint_id }))
}

async function sendAll(queue: Queue<WakeUp>, wakeUps: WakeUp[], delaySeconds: number): Promise<void> {
  try {
    for (let i = 0; i < wakeUps.length; i += QUEUE.messages) {
      const messages = wakeUps.slice(i, i + QUEUE.messages).map((body) => ({ body }))
      await queue.sendBatch(messages, { delaySeconds })
    }
  } catch {
    log('warning', { code: 'queue_failed' })
  }
}
