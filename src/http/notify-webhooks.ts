import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { notify } from '../domain/webhooks/notify.ts'

/** Notifies the store's webhook endpoints of a change after the response. */
export function notifyWebhooks(): MiddlewareHandler<AppEnv> {
  return async function notifyWebhooks(c, next) {
    await next()
    const endpoints = [...c.get('db').endpointsToNotify]
    if (endpoints.length > 0) c.executionCtx.waitUntil(notify(c.env.WEBHOOKS, endpoints))
  }
}
