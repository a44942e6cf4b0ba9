import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { wake } from '../domain/webhooks/notify.ts'

/** Once a change is answered, has the store's webhook endpoints told of it. */
export function wakeWebhooks(): MiddlewareHandler<AppEnv> {
  return async function wakeWebhooks(c, next) {
    await next()
    const endpoints = [...c.get('db').endpointsToWake]
    if (endpoints.length > 0) c.executionCtx.waitUntil(wake(c.env.WEBHOOKS, endpoints))
  }
}
