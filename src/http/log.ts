import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../errors.ts'
import { servedRoute } from './served.ts'

/**
 * One JSON line per request: the route's pattern rather than the path, ids rather than values. Nothing that a
 * caller wrote gets in.
 */
export function log(): MiddlewareHandler<AppEnv> {
  return async function log(c, next) {
    await next()
    const { cost } = c.get('db')
    const line = {
      request_id: c.get('requestId'),
      log_id: c.get('logId'),
      method: c.req.method,
      route: servedRoute(c),
      status: c.res.status,
      code: c.get('errorCode'),
      duration_ms: Date.now() - c.get('now'),
      d1_round_trips: cost.roundTrips,
      d1_rows_read: cost.rowsRead,
      d1_rows_written: cost.rowsWritten,
      token_id: c.get('principal')?.token_id,
      store_id: c.get('principal')?.store_id,
      replayed: c.res.headers.has('Idempotent-Replayed') || undefined,
      error: c.error && describe(c.error),
    }
    console.log(JSON.stringify(line))
  }
}

/** D1's messages name tables and columns and are safe; any other message may quote what was sent, so only its place is kept. */
function describe(error: Error): object | undefined {
  const cause = error instanceof ApiError ? error.cause : error
  if (!(cause instanceof Error)) return undefined
  const isD1 = cause.message.startsWith('D1_') || error instanceof ApiError
  return {
    name: cause.name,
    message: isD1 ? cause.message : undefined,
    at: cause.stack
      ?.replace(cause.message, '')
      .split('\n')
      .filter((frame) => frame.startsWith('    at '))
      .slice(0, 8),
  }
}
