/**
 * Looks after one endpoint per message. The handler ends once the deliveries are claimed; the attempts go on beyond
 * it (compatibility flag queue_consumer_no_wait_for_wait_until), so that an endpoint that does not answer holds up
 * no message of another.
 */
import type { Bindings } from '../context.ts'
import { createDb, type Db } from '../db/client.ts'
import { type Claimed, claimDeliveries } from '../domain/webhook-attempts.ts'
import { findNeglected } from '../domain/webhook-deliveries.ts'
import { recordOutcomes } from '../domain/webhook-outcomes.ts'
import { attempt } from './attempt.ts'
import { type WakeUp, wake } from './queue.ts'

/** As in wrangler.toml. */
const DEAD_LETTERS = 'registrar-webhooks-dead'

export async function consume(batch: MessageBatch<WakeUp>, env: Bindings, ctx: ExecutionContext): Promise<void> {
  if (batch.queue === DEAD_LETTERS) return report(batch)
  for (const { endpoint_id } of batch.messages.map((message) => message.body)) {
    const db = createDb(env.DB)
    const claimed = await claimDeliveries(db, endpoint_id, Date.now())
    if (claimed) ctx.waitUntil(deliver(db, claimed, env))
  }
}

/** Wake-ups that failed again and again: the sweep does their work, an operator should know why. */
function report(batch: MessageBatch<WakeUp>): void {
  for (const { body } of batch.messages) console.error(JSON.stringify({ error: 'wake_up_failed', ...body }))
}

async function deliver(db: Db, claimed: Claimed, env: Bindings): Promise<void> {
  if (claimed.attempts.length === 0) {
    if (claimed.hasMore) await wake(env.WEBHOOKS, [claimed.endpoint.id])
    return
  }
  const outcomes = await Promise.all(claimed.attempts.map((each) => attempt(claimed.endpoint, each)))
  const now = Date.now()
  for (const next of await recordOutcomes(db, { claimed, outcomes, now })) {
    await wake(env.WEBHOOKS, [claimed.endpoint.id], { delayMs: Math.max(0, next - now) })
  }
}

/** Wakes what a lost message or a killed process has left behind; two sweeps at once do no harm. */
export async function sweep(db: Db, env: Bindings, now: number): Promise<number> {
  const neglected = await findNeglected(db, now)
  await wake(env.WEBHOOKS, neglected)
  return neglected.length
}
