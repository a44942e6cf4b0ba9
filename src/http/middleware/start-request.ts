import type { MiddlewareHandler } from '../hono.ts'
import { warnOfBlanks } from '../../auth/secrets.ts'
import { openDb } from '../../db/batch.ts'
import { d1Database } from '../../db/database.ts'
import { servedRoute } from './served-route.ts'

const CF_RAY = /^[0-9a-f]{16}(-[a-z]{3})?$/i

/**
 * Sets what every request has: its time, a new id, never one that the caller sent, its route, the shared database, and the
 * headers of every response.
 */
export function startRequest(): MiddlewareHandler {
  return function startRequest(c, next) {
    warnOfBlanks(c.env)
    const id = crypto.randomUUID()
    const ray = c.req.header('CF-Ray') ?? ''
    c.set('now', Date.now())
    c.set('requestId', id)
    c.set('logId', CF_RAY.test(ray) ? ray : id)
    c.set('route', servedRoute(c))
    c.set('endpointsToWake', new Set())
    c.set('firstUses', new Set())
    c.set('db', openDb(d1Database(c.env.DB)))
    c.header('X-Request-Id', id)
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
    return next()
  }
}
