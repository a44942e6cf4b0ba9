/** What each route requires of a request, as its middleware says. */
import type { Route } from '../operation.ts'
import { app } from '../../app.ts'
import { requirementsOf, type RouteRequirements } from '../../http/route-requirements.ts'

function findCaller(path: string): RouteRequirements['caller'] {
  const prefixes = app.routes.filter(
    ({ method, path: prefix }) => method === 'ALL' && path.startsWith(prefix.slice(0, -1)),
  )
  return prefixes.map(({ handler }) => requirementsOf(handler).caller).find((caller) => caller !== undefined)
}

/** By method and path, such as `GET /v1/stores/{store_id}/users`. */
export const routes = new Map<string, Route>()

for (const { method, path: pattern, handler } of app.routes) {
  if (method === 'ALL') continue
  const path = pattern.replaceAll(/:(\w+)/g, '{$1}')
  const caller = findCaller(path)
  const route = routes.get(`${method} ${path}`) ?? { method, path, ...(caller && { caller }) }
  const { headers = [], ...requirements } = requirementsOf(handler)
  routes.set(`${method} ${path}`, { ...route, ...requirements, headers: [...(route.headers ?? []), ...headers] })
}
