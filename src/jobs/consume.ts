/**
 * The consumer of the queue. A message names what to continue. The handler returns before the work is done, and the
 * minutely job finds what is left if a message or its work is lost.
 */
import type { Bindings } from '../context.ts'
import type { BulkChangeMessage } from '../domain/bulk/messages.ts'
import type { WakeUp } from '../domain/webhooks/notify.ts'
import { carryOut } from './bulk-changes.ts'
import { deliver } from './deliver.ts'

export type Message = WakeUp | BulkChangeMessage

export function consume({ messages }: MessageBatch<Message>, env: Bindings, ctx: ExecutionContext): void {
  for (const { body } of messages) {
    if ('bulk_change_id' in body) carryOut(body, env, ctx)
    else deliver(body, env, ctx)
  }
}
