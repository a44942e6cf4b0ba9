import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'

const CF_RAY = /^[0-9a-f]{16}(-[a-z]{3})?$/i

/** Sets a new id for each request, never one that the caller sent, and the headers of every response. */
export function requestId(): MiddlewareHandler<AppEnv> {
  return async function requestId(c, next) {
    const id = crypto.randomUUID()
    const ray = c.req.header('CF-Ray') ?? ''
    c.set('now', Date.now())
    c.set('requestId', id)
    c.set('logId', CF_RAY.test(ray) ? ray : id)
    c.header('X-Request-Id', id)
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
    await next()
  }
}
