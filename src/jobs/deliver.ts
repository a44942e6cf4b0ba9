/**
 * Looks after one endpoint per message. The handler ends once the deliveries are leased; the attempts go on beyond it
 * (compatibility flag queue_consumer_no_wait_for_wait_until), so that an endpoint that does not answer holds up no
 * message of another. Each attempt is followed by a turn of its own, which notes it and leases the next: one that does
 * not end holds up no other of its endpoint.
 */
import type { Bindings } from '../context.ts'
import { type Db, openDb } from '../db/batch.ts'
import { numberOf, storeOf } from '../db/ids.ts'
import type { WebhookEndpoint } from '../db/schema.ts'
import type { Ended } from '../domain/webhooks/outcomes.ts'
import { send } from '../domain/webhooks/send.ts'
import { type Attempt, takeTurn } from '../domain/webhooks/claim-deliveries.ts'
import { wake, type WakeUp } from '../domain/webhooks/notify.ts'
import { WEBHOOK } from '../limits.ts'
import { describeError, log } from '../log.ts'
import { toMessage } from '../wire/webhooks.ts'

/** What one invocation does for an endpoint. */
interface Invocation {
  endpoint_id: number
  db: Db
  queue: Queue<WakeUp>
  waitUntil: (attempt: Promise<void>) => void
  /** Later, or after so many attempts, no other begins: the next message goes on. */
  endsAt: number
  attemptsLeft: number
}

export async function deliver(batch: MessageBatch<WakeUp>, env: Bindings, ctx: ExecutionContext): Promise<void> {
  // Named so in wrangler.toml, whatever the environment.
  if (batch.queue.endsWith('-dead')) return report(batch)
  for (const { body } of batch.messages) {
    await beginAttempts({
      endpoint_id: body.endpoint_id,
      db: openDb(env.DB),
      queue: env.WEBHOOKS,
      waitUntil: (attempt) => ctx.waitUntil(attempt),
      endsAt: Date.now() + WEBHOOK.invocationMs,
      attemptsLeft: WEBHOOK.invocationAttempts,
    })
  }
}

/** Wake-ups that failed again and again: the sweep does their work, an operator should know why. */
function report({ messages }: MessageBatch<WakeUp>): void {
  for (const { body } of messages) log('warning', { code: 'wake_up_failed', ...namesOf(body) })
}

/** Notes the attempt that has ended, if one has, and begins those that are due. */
async function beginAttempts(invocation: Invocation, ended?: Ended): Promise<void> {
  const { endpoint_id, queue } = invocation
  const mayBegin = Date.now() < invocation.endsAt && invocation.attemptsLeft > 0
  const { endpoint, attempts, isToGoOn, retryAfterMs, others } = await takeTurn(invocation.db, {
    endpoint_id,
    ended,
    mayBegin,
  })
  invocation.attemptsLeft -= attempts.length
  if (endpoint) for (const attempt of attempts) invocation.waitUntil(makeAttempt(invocation, endpoint, attempt))

  if (others.length > 0) await wake(queue, others)
  if (retryAfterMs !== undefined) await wake(queue, [endpoint_id], { delayMs: retryAfterMs })
  if (isToGoOn) await wake(queue, [endpoint_id])
}

async function makeAttempt(
  invocation: Invocation,
  endpoint: WebhookEndpoint,
  { event, lease, number, retries }: Attempt,
): Promise<void> {
  const answered = await send(endpoint, toMessage(event, number))
  const { endpoint_id } = invocation
  try {
    await beginAttempts(invocation, { endpoint_id, event_id: event.id, lease, retries, answered })
  } catch (error) {
    // Its lease ends by itself, and then it is sent again.
    log('warning', { code: 'outcome_lost', ...namesOf(invocation), error: describeError(error) })
  }
}

/** For the log. */
function namesOf({ endpoint_id }: WakeUp) {
  return { store: storeOf(endpoint_id), webhook_endpoint_id: numberOf(endpoint_id) }
}
