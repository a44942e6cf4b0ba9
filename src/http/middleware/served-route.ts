import { matchedRoutes } from 'hono/route'
import { ApiError } from '../errors/api-error.ts'
import type { Context, Hono, MiddlewareHandler } from '../hono.ts'

/** The pattern of the route that serves this path and method, if there is one. Middleware is registered for ALL. */
export function servedRoute(c: Context): string | undefined {
  return matchedRoutes(c).find((route) => route.method !== 'ALL')?.path
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Before the token or the body is checked, this responds 404 to a path that no route serves, and 405 to a method that the
 * path does not support.
 */
export function onlyServed(app: Hono): MiddlewareHandler {
  return function onlyServed(c, next) {
    if (c.get('route') !== undefined) return next()
    const methods = METHODS.filter((method) => serves(app, method, c.req.path))
    if (methods.length === 0) throw new ApiError('route_not_found')
    throw new ApiError('method_not_allowed', { headers: { Allow: methods.join(', ') } })
  }
}

/** Hono serves HEAD by the routes for GET. */
function serves({ router }: Hono, method: string, path: string): boolean {
  const [handlers] = router.match(method === 'HEAD' ? 'GET' : method, path)
  return handlers.some(([[, route]]) => route.method !== 'ALL')
}
