import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { sendWakeUps } from '../domain/webhooks/notify.ts'

/** Notifies the store's webhook endpoints of a change after the response. */
export function notifyWebhooks(): MiddlewareHandler<AppEnv> {
  return async function notifyWebhooks(c, next) {
    await next()
    const db = c.get('db')
    if (db.endpointsToNotify.size + db.endpointsToWake.size > 0)
      c.executionCtx.waitUntil(sendWakeUps(c.env.WEBHOOKS, db))
  }
}
