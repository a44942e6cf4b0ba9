import type { MiddlewareHandler } from '../hono.ts'
import { describeError, log } from '../../lib/log.ts'

/** One line per request. It has the pattern of the route and not the path, which may contain what a caller wrote. */
export function logRequest(): MiddlewareHandler {
  return async function logRequest(c, next) {
    const began = Date.now()
    await next()
    const { cost } = c.get('db')
    log('request', {
      request_id: c.get('requestId'),
      log_id: c.get('logId'),
      method: c.req.method,
      route: c.get('route'),
      status: c.res.status,
      code: c.get('errorCode'),
      failure: c.get('failure'),
      duration_ms: Date.now() - began,
      d1_round_trips: cost.roundTrips,
      d1_rows_read: cost.rowsRead,
      d1_rows_written: cost.rowsWritten,
      // Only a request that succeeded is known to name a store, and not just any text.
      store_id: c.res.status < 400 ? c.req.param('store_id') : undefined,
      ...c.get('logged'),
      replayed: c.get('replayed'),
      error: c.res.status < 500 ? undefined : describeError(c.error?.cause ?? c.error),
    })
  }
}
