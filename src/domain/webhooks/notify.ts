import type { Db } from '../../db/batch.ts'
import { storeOf } from '../../db/ids.ts'
import { QUEUE, WEBHOOK } from '../../limits.ts'
import { log } from '../../log.ts'

/** A message of the queue. It names the endpoint to poll; what to deliver is in the database. */
export interface EndpointWakeUp {
  endpoint_id: number
}

/** A message about endpoints of one store, by the first and the last id: those with something to send are polled in turn. */
export interface RangeWakeUp {
  first_endpoint_id: number
  last_endpoint_id: number
}

export type WakeUp = EndpointWakeUp | RangeWakeUp

/** Sends the wake-ups that a change has noted, and forgets them. */
export async function sendWakeUps(queue: Queue<WakeUp>, { endpointsToNotify, endpointsToWake }: Db): Promise<void> {
  const oneByOne = [...endpointsToWake]
  const inRanges = [...endpointsToNotify].filter((id) => !endpointsToWake.has(id))
  endpointsToWake.clear()
  endpointsToNotify.clear()
  await wake(queue, oneByOne)
  await notify(queue, inRanges)
}

/**
 * Wakes the endpoints of a store after an event. With a message for each, ten changes of a store with a thousand endpoints
 * would send ten thousand, and the messages of all other stores would wait behind them. So a change sends at most six:
 * each wakes a sixth of the endpoints, one after the other.
 */
export async function notify(queue: Queue<WakeUp>, endpoints: readonly number[]): Promise<void> {
  await send(queue, [...Map.groupBy(endpoints, storeOf).values()].flatMap(toWakeUps))
}

function toWakeUps(endpoints: number[]): WakeUp[] {
  const ids = endpoints.toSorted((a, b) => a - b)
  const count = Math.min(ids.length, WEBHOOK.wakeUps)
  return Array.from({ length: count }, (_, part) => {
    const start = (index: number) => Math.floor((index * ids.length) / count)
    const [first = 0, ...others] = ids.slice(start(part), start(part + 1))
    const last = others.at(-1)
    return last === undefined ? { endpoint_id: first } : { first_endpoint_id: first, last_endpoint_id: last }
  })
}

interface WakeOptions {
  delayMs?: number
}

/** Sends each endpoint a message of its own, so that it waits for no other endpoint. */
export async function wake(
  queue: Queue<WakeUp>,
  endpoints: readonly number[],
  { delayMs = 0 }: WakeOptions = {},
): Promise<void> {
  const wakeUps = endpoints.map((endpoint_id) => ({ endpoint_id }))
  await send(queue, wakeUps, Math.min(QUEUE.maxDelaySeconds, Math.ceil(delayMs / 1000)))
}

/** Sends a message once more, for a while later. */
export async function postpone(queue: Queue<WakeUp>, wakeUp: WakeUp): Promise<void> {
  await send(queue, [wakeUp], WEBHOOK.postponedSeconds)
}

/** Sends a message for the rest of the range, after this endpoint. */
export async function passOn(queue: Queue<WakeUp>, range: RangeWakeUp, endpoint_id: number): Promise<void> {
  if (endpoint_id < range.last_endpoint_id) await send(queue, [{ ...range, first_endpoint_id: endpoint_id + 1 }])
}

/**
 * If the queue fails, the minutely job finds what waits in the database, so a lost message delays a delivery and loses
 * none.
 */
async function send(queue: Queue<WakeUp>, wakeUps: WakeUp[], delaySeconds = 0): Promise<void> {
  try {
    for (let i = 0; i < wakeUps.length; i += QUEUE.messages) {
      const messages = wakeUps.slice(i, i + QUEUE.messages).map((body) => ({ body }))
      await queue.sendBatch(messages, { delaySeconds })
    }
  } catch {
    log('warning', { code: 'queue_failed' })
  }
}
