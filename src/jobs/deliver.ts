/**
 * The consumer of the webhook queue. A message names an endpoint and nothing else:
 *   1. The endpoint is polled (claim-deliveries.ts): the poll leases the deliveries that may be sent now.
 *   2. Each delivery is sent in the background (send.ts), and the handler returns. If it waited for the attempts, an
 *      endpoint that does not respond would hold up the messages of others. For the same reason the compatibility flag
 *      queue_consumer_no_wait_for_wait_until is set: without it the platform itself would wait.
 *   3. When an attempt ends, the endpoint is polled again: this poll records the result and leases the next deliveries.
 *      So an attempt that hangs holds up no other delivery of its endpoint.
 *   4. The poll schedules a wake-up for the next retry or probe, if none arrives earlier (wake-ups.ts). What is left when
 *      this invocation has to stop gets a message at once.
 */
import type { Bindings } from '../context.ts'
import { type Db, openDb } from '../db/batch.ts'
import { numberOf, storeOf } from '../db/ids.ts'
import type { WebhookEndpoint } from '../db/schema.ts'
import { claimDeliveries, type ClaimedDelivery } from '../domain/webhooks/claim-deliveries.ts'
import type { FinishedAttempt } from '../domain/webhooks/finished-attempts.ts'
import { notify, type WakeUp } from '../domain/webhooks/notify.ts'
import { send } from '../domain/webhooks/send.ts'
import { WEBHOOK } from '../limits.ts'
import { describeError, log } from '../log.ts'
import { toMessage } from '../wire/webhooks.ts'

/** The work of one message. */
interface Invocation {
  endpoint_id: number
  db: Db
  queue: Queue<WakeUp>
  waitUntil: (attempt: Promise<void>) => void
  /** After this time, or once `attemptsLeft` is 0, no attempt is started: the rest is left to the next message. */
  endsAt: number
  attemptsLeft: number
  /** How many polls have leased deliveries. */
  claims: number
  /**
   * What `claims` was when the poll began that sent the last message for what is left. Until further deliveries have been
   * leased, a second message would only lengthen the queue. After that it is needed: the first one may have found that
   * their attempts were using all slots.
   */
  handedOverAt: number
}

interface WakeUps {
  /** The name of the queue. */
  queue: string
  wakeUps: WakeUp[]
}

export async function deliver({ queue, wakeUps }: WakeUps, env: Bindings, ctx: ExecutionContext): Promise<void> {
  // wrangler.toml gives the queue of dead letters this suffix in every environment.
  if (queue.endsWith('-dead')) return logDeadLetters(wakeUps)
  for (const { endpoint_id } of wakeUps) {
    await poll({
      endpoint_id,
      db: openDb(env.DB),
      queue: env.WEBHOOKS,
      waitUntil: (attempt) => ctx.waitUntil(attempt),
      endsAt: Date.now() + WEBHOOK.invocationMs,
      attemptsLeft: WEBHOOK.invocationAttempts,
      claims: 0,
      handedOverAt: -1,
    })
  }
}

/** The minutely job takes over from a message that failed every time. An operator has to find out why it failed. */
function logDeadLetters(wakeUps: WakeUp[]): void {
  for (const wakeUp of wakeUps) log('warning', { code: 'wake_up_failed', ...namesOf(wakeUp) })
}

/** Records the result of the attempt that has finished, if one has, and starts the attempts that may be made now. */
async function poll(invocation: Invocation, finished?: FinishedAttempt): Promise<void> {
  const { endpoint_id, db, queue } = invocation
  const maxClaims = reserveAttempts(invocation)
  const claimsBefore = invocation.claims
  const { endpoint, deliveries, ...next } = await claimDeliveries(db, { endpoint_id, finished, maxClaims })
  invocation.attemptsLeft += maxClaims - deliveries.length
  if (deliveries.length > 0) invocation.claims++
  if (endpoint) for (const delivery of deliveries) invocation.waitUntil(attempt(invocation, endpoint, delivery))

  await notify(queue, next.endpointsToNotify)
  if (next.wakeAfterMs !== undefined) await notify(queue, [endpoint_id], { delayMs: next.wakeAfterMs })
  if (next.hasMore && invocation.handedOverAt < claimsBefore) {
    invocation.handedOverAt = claimsBefore
    await notify(queue, [endpoint_id])
  }
}

/**
 * How many attempts a poll may start. They are taken from `attemptsLeft` before the poll, because other polls of this
 * invocation run at the same time; what the poll does not need is given back.
 */
function reserveAttempts(invocation: Invocation): number {
  if (Date.now() >= invocation.endsAt) return 0
  const reserved = Math.min(WEBHOOK.inFlight, invocation.attemptsLeft)
  invocation.attemptsLeft -= reserved
  return reserved
}

/** Sends the delivery, and polls again with the result. */
async function attempt(invocation: Invocation, endpoint: WebhookEndpoint, delivery: ClaimedDelivery): Promise<void> {
  const { event, number, lease, retries, isProbe } = delivery
  const result = await send(endpoint, toMessage(event, number))
  try {
    await poll(invocation, { endpoint_id: endpoint.id, event_id: event.id, lease, retries, isProbe, result })
  } catch (error) {
    // The result is lost. The lease expires, and then the delivery is sent again.
    log('warning', { code: 'outcome_lost', ...namesOf(invocation), error: describeError(error) })
  }
}

/** The ids of the endpoint, for the log. */
function namesOf({ endpoint_id }: WakeUp) {
  return { store: storeOf(endpoint_id), webhook_endpoint_id: numberOf(endpoint_id) }
}
