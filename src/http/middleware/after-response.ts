import type { MiddlewareHandler } from '../hono.ts'
import { recordUse } from '../../change/commit.ts'
import type { Bindings } from '../../bindings.ts'

type Wake = (env: Bindings, endpoints: Iterable<number>) => Promise<void>

/** After the response, wakes the webhook endpoints that a change concerns, and records the first use of a token on a day. */
export function workAfterResponse(wakeEndpoints: Wake): MiddlewareHandler {
  return async function workAfterResponse(c, next) {
    await next()
    const ids = c.get('endpointsToWake')
    if (ids.size > 0) c.executionCtx.waitUntil(wakeEndpoints(c.env, ids))
    for (const database of c.get('firstUses'))
      c.executionCtx.waitUntil(recordUse(database, c.get('caller').id, c.get('now')))
  }
}
