import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '../context.ts'

/** The pattern of the route that serves this path and method, if there is one. Middleware is registered for ALL. */
export function servedRoute(c: Context<AppEnv>): string | undefined {
  return matchedRoutes(c).find((route) => route.method !== 'ALL')?.path
}

/** Responds 404 to a path that no route serves, before its token or body is checked. */
export function onlyServed(): MiddlewareHandler<AppEnv> {
  return async function onlyServed(c, next) {
    if (servedRoute(c) === undefined) return c.notFound()
    return next()
  }
}
