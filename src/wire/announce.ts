import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { wake } from '../webhooks/queue.ts'

/** Has the store's webhook endpoints told of the events that this request has written, after the answer. */
export function announce(c: Context<AppEnv>): void {
  const endpoints = c.get('principal')?.webhook_endpoints ?? c.get('webhookEndpoints')
  if (endpoints.length > 0) c.executionCtx.waitUntil(wake(c.env.WEBHOOKS, endpoints))
}
