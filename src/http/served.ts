import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '../context.ts'

/** The pattern of the route that serves this path and method, if one does; middleware is registered for ALL. */
export function servedRoute(c: Context<AppEnv>): string | undefined {
  return matchedRoutes(c).find((route) => route.method !== 'ALL')?.path
}

/** Ends a request that no route serves, before any check of its token or body. */
export function onlyServed(): MiddlewareHandler<AppEnv> {
  return async function onlyServed(c, next) {
    if (servedRoute(c) === undefined) return c.notFound()
    return next()
  }
}
