/**
 * Delivers webhooks, for the consumer of the queue (consume.ts). A message names an endpoint, or a range of them, and
 * nothing else. The handler returns at once, and the work is done in the background: otherwise the queue would deliver no
 * other message meanwhile. For the same reason the compatibility flag queue_consumer_no_wait_for_wait_until is set:
 * without it the platform itself would wait.
 *   1. When it is the store's turn, a poll asks the database what may be sent to the endpoint now, and leases it
 *      (poll-endpoint.ts). Without turns, a store with a thousand endpoints would begin a thousand polls at once.
 *   2. Each delivery is sent (send.ts).
 *   3. When an attempt ends, another poll follows: it records the result and leases the next deliveries. So an attempt
 *      that hangs holds up no other delivery of its endpoint. What ends during a poll is recorded by the next one, all
 *      together: the slower D1 is, the fewer polls it gets.
 *   4. The poll schedules a wake-up for the next retry or probe, if none arrives earlier (wake-ups.ts). What is left when
 *      this invocation has to stop gets a message at once.
 * Of a range, the first endpoint that has something to send is polled, and another message names the rest. A message
 * whose work fails does not arrive again, because its handler has returned: the minutely job finds what it has left. If
 * the process dies, its leases end, and the deliveries are sent again: a receiver drops what it has by its webhook-id. If
 * it dies before the message is acknowledged, a range may be passed on twice, and the second message finds little to do.
 */
import type { Bindings } from '../context.ts'
import { type Db, openDb } from '../db/batch.ts'
import { numberOf, storeOf } from '../db/ids.ts'
import { databaseOf } from '../db/places.ts'
import type { WebhookEndpoint } from '../db/schema.ts'
import { type LeasedDelivery, pollEndpoint } from '../domain/webhooks/poll-endpoint.ts'
import type { FinishedAttempt } from '../domain/webhooks/finished-attempts.ts'
import { findInRange } from '../domain/webhooks/endpoints-to-poll.ts'
import {
  type EndpointWakeUp,
  notify,
  passOn,
  postpone,
  type RangeWakeUp,
  wake,
  type WakeUp,
} from '../domain/webhooks/notify.ts'
import { send } from '../domain/webhooks/send.ts'
import { WEBHOOK } from '../limits.ts'
import { pause } from '../pause.ts'
import { describeError, log } from '../log.ts'
import { toMessage } from '../wire/webhooks.ts'
import { waitWithMessage } from './message-turns.ts'

/** The work of one message. */
interface Invocation {
  endpoint_id: number
  db: Db
  queue: Queue<WakeUp>
  waitUntil: (attempt: Promise<void>) => void
  /**
   * After this time, in milliseconds since the epoch, or once `attemptsLeft` is 0, no attempt is started: the rest is
   * left to the next message.
   */
  endsAt: number
  /** Lets the store's next message begin. A further call does nothing. */
  endTurn: () => void
  attemptsLeft: number
  /** The attempts that have ended and are not recorded yet. */
  finished: FinishedAttempt[]
  isRecording: boolean
}

/** Starts the work on a message, and returns at once. */
export function deliver(wakeUp: WakeUp, env: Bindings, ctx: ExecutionContext): void {
  ctx.waitUntil(workInTurn(wakeUp, env, ctx))
}

/** An instance polls for one message of a store at a time. One whose turn does not come in time is sent again. */
async function workInTurn(wakeUp: WakeUp, env: Bindings, ctx: ExecutionContext): Promise<void> {
  const endsAt = Date.now() + WEBHOOK.invocationMs
  const key = `webhooks of ${loggedWakeUp(wakeUp).store}`
  const turn = await waitWithMessage(env, key, wakeUp, { until: endsAt, rests: 'never' })
  if (turn === 'repeated') return
  if (turn === 'late' || Date.now() >= endsAt) {
    if (turn !== 'late') turn.end()
    return postpone(env.WEBHOOKS, wakeUp)
  }
  const platform = { env, ctx, endsAt, endTurn: turn.end }
  try {
    await ('endpoint_id' in wakeUp ? poll(newInvocation(wakeUp, platform)) : pollInRange(wakeUp, platform))
  } catch (error) {
    log('warning', { code: 'poll_failed', ...loggedWakeUp(wakeUp), error: describeError(error) })
  } finally {
    turn.end()
  }
}

interface Platform extends Pick<Invocation, 'endsAt' | 'endTurn'> {
  env: Bindings
  ctx: ExecutionContext
}

/** Polls the first endpoint of the range that has something to send, once the message for the rest is sent. */
async function pollInRange(range: RangeWakeUp, platform: Platform): Promise<void> {
  const { env } = platform
  const endpoint_id = await findInRange(openDb(databaseOf(env, storeOf(range.first_endpoint_id))), range)
  if (endpoint_id === undefined) return
  await passOn(env.WEBHOOKS, range, endpoint_id)
  await poll(newInvocation({ endpoint_id }, platform))
}

function newInvocation({ endpoint_id }: EndpointWakeUp, { env, ctx, endsAt, endTurn }: Platform): Invocation {
  return {
    endpoint_id,
    db: openDb(databaseOf(env, storeOf(endpoint_id))),
    queue: env.WEBHOOKS,
    waitUntil: (attempt) => ctx.waitUntil(attempt),
    endsAt,
    endTurn,
    attemptsLeft: WEBHOOK.invocationAttempts,
    finished: [],
    isRecording: false,
  }
}

/** Records the results of the attempts that have ended, and starts the attempts that may be made now. */
async function poll(invocation: Invocation): Promise<void> {
  const { endpoint_id, db, queue } = invocation
  const finished = invocation.finished.splice(0)
  const maxLeases = Date.now() < invocation.endsAt ? Math.min(WEBHOOK.inFlight, invocation.attemptsLeft) : 0
  const { endpoint, deliveries, ...next } = await pollEndpoint(db, { endpoint_id, finished, maxLeases }).catch(
    (error: unknown) => {
      // The results are lost. The leases expire, and then the deliveries are sent again.
      if (finished.length > 0)
        log('warning', { code: 'outcome_lost', ...loggedWakeUp({ endpoint_id }), error: describeError(error) })
      throw error
    },
  )
  // The store's next message need not wait until the queue has taken those that follow.
  invocation.endTurn()
  invocation.attemptsLeft -= deliveries.length
  if (endpoint) for (const delivery of deliveries) invocation.waitUntil(attempt(invocation, endpoint, delivery))

  await notify(queue, next.endpointsToNotify)
  if (next.wakeAfterMs !== undefined) await wake(queue, [endpoint_id], { delayMs: next.wakeAfterMs })
  if (next.hasMore) await wake(queue, [endpoint_id])
}

/** Sends the delivery, and records the result with another poll, unless another attempt is recording: it takes it along. */
async function attempt(invocation: Invocation, endpoint: WebhookEndpoint, delivery: LeasedDelivery): Promise<void> {
  const { event, lease, retries, isProbe } = delivery
  const result = await send(endpoint, toMessage(event, delivery.attempt))
  invocation.finished.push({ endpoint_id: endpoint.id, event_id: event.id, lease, retries, isProbe, result })
  if (invocation.isRecording) return
  invocation.isRecording = true
  // Each of these polls can send a message for what is left, so requests that time out together share one poll.
  if (Date.now() >= invocation.endsAt) await pause(WEBHOOK.lateResultsMs)
  // `poll` has logged the error.
  while (invocation.finished.length > 0) await poll(invocation).catch(() => {})
  invocation.isRecording = false
}

/** The ids of the endpoint, or of the first and the last one of the range, for the log. */
function loggedWakeUp(wakeUp: WakeUp) {
  if ('endpoint_id' in wakeUp)
    return { store: storeOf(wakeUp.endpoint_id), webhook_endpoint_id: numberOf(wakeUp.endpoint_id) }
  return {
    store: storeOf(wakeUp.first_endpoint_id),
    first_webhook_endpoint_id: numberOf(wakeUp.first_endpoint_id),
    last_webhook_endpoint_id: numberOf(wakeUp.last_endpoint_id),
  }
}
