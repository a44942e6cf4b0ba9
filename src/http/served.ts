import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '../context.ts'

/** The pattern of the route that serves this path and method, if one does; middleware is registered for ALL. */
export function servedRoute(c: Context<AppEnv>): string | undefined {
  return matchedRoutes(c).find((route) => route.method !== 'ALL')?.path
}
