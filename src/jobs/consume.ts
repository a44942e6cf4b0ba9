/** The consumer of the queue, and of the queue of dead letters. A message names what to go on with. */
import type { Bindings } from '../context.ts'
import type { BulkChangeMessage } from '../domain/bulk/messages.ts'
import type { WakeUp } from '../domain/webhooks/notify.ts'
import { carryOut } from './bulk-changes.ts'
import { deliver } from './deliver.ts'

export type Message = WakeUp | BulkChangeMessage

export async function consume(
  { queue, messages }: MessageBatch<Message>,
  env: Bindings,
  ctx: ExecutionContext,
): Promise<void> {
  const bodies = messages.map(({ body }) => body)
  // All work is done after the handler has returned, so only a message that crashes the consumer gets a dead letter.
  for (const body of bodies) if ('bulk_change_id' in body) carryOut(body, env, ctx)
  await deliver({ queue, wakeUps: bodies.flatMap((body) => ('bulk_change_id' in body ? [] : [body])) }, env, ctx)
}
