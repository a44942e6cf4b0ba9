import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { wakeEndpoints } from '../domain/webhooks/wake.ts'

/** Wakes the webhook endpoints that a change concerns, after the response. */
export function wakeChangedEndpoints(): MiddlewareHandler<AppEnv> {
  return async function wakeChangedEndpoints(c, next) {
    await next()
    const ids = c.get('endpointsToWake')
    if (ids.size > 0) c.executionCtx.waitUntil(wakeEndpoints(c.env, ids))
  }
}
