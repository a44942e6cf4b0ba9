import { env } from 'cloudflare:workers'
import { inspectRoutes } from 'hono/dev'
import { app } from '../../src/app.ts'
import type { Answer } from './openapi.ts'
import type { TestStore } from './rows.ts'
import { ALL_SCOPES, v1User, v3User } from './api.ts'

export interface Route {
  method: string
  /** The path is as it was registered: `/v1/stores/:store_id/users`. */
  path: string
  middleware: string[]
}

const BY_NAME = new Map<string, Route>()
for (const { method, path, name } of inspectRoutes(app).filter((route) => route.method !== 'ALL')) {
  const key = `${method} ${path}`
  const route = BY_NAME.get(key) ?? { method, path, middleware: [] }
  BY_NAME.set(key, { ...route, middleware: [...route.middleware, name] })
}

/** These paths are served without a token. */
export const isPublic = ({ path }: Route) =>
  /^\/((docs|console).*|openapi\.json|llms\.txt|\.well-known.*|health)?$/.test(path)
export const isAdmin = ({ path }: Route) => path.startsWith('/admin')
export const takesBody = ({ method }: Route) => ['POST', 'PUT', 'PATCH'].includes(method)
/** The three operations of the specification, which ignore what they do not know, wherever they are mounted. */
export const isSpecified = ({ method, path }: Route) =>
  (method === 'POST' && path.endsWith('/users')) || (method === 'PUT' && path.endsWith('/product_accesses/:id'))
/** These routes treat an omitted body as an empty object. */
export const needsNoBody = ({ middleware }: Route) => middleware.includes('optionalBody')

/** Returns the routes as rows for `it.each`. */
export function routesWhere(holds: (route: Route) => boolean = () => true): [string, Route][] {
  return [...BY_NAME].filter(([, route]) => holds(route))
}

/** Returns the path with this store and an id that no record has. */
export function pathOf({ path }: Route, store: Pick<TestStore, 'id'>): string {
  return path.replace(':store_id', store.id).replaceAll(/:\w+/g, '4294967294')
}

/** Returns the root's token under /admin, and the token of the store elsewhere. */
export function tokenFor(route: Route, store: TestStore): string {
  return isAdmin(route) ? env.ADMIN_TOKEN : store.token
}

/** Returns a valid body for operations of the specification; others get an empty object, which is incomplete. */
export function bodyFor(route: Route): object | undefined {
  if (!takesBody(route)) return undefined
  if (route.method === 'POST' && /^\/(v1|admin)\/.*\/users$/.test(route.path)) return v1User()
  return route.path === '/v3/public/users' ? v3User() : {}
}

/** Returns the scope that the route requires, or undefined if it accepts any. */
export function scopeOf({ method, path }: Route): string | undefined {
  if (/^\/v1\/token(\/rotate)?$/.test(path)) return undefined
  if (path.endsWith('/events')) return 'events:read'
  if (path.endsWith('/verify_password')) return 'passwords:verify'
  if (/\/(products|custom_fields)(\/|$)/.test(path)) return 'products:read'
  // Of a nested path, such as that of the accesses of a user, the last collection counts.
  const [, collection] = /.*\/(users|product_accesses|bulk_changes|webhook_endpoints)/.exec(path) ?? []
  // A bulk change is a change of accesses.
  const noun = { bulk_changes: 'product_accesses', webhook_endpoints: 'webhooks' }[collection ?? ''] ?? collection
  if (noun === 'users' && method === 'DELETE') return 'users:erase'
  const scope = `${noun}:${method === 'GET' ? 'read' : 'write'}`
  if (!ALL_SCOPES.includes(scope)) throw new Error(`which scope does ${method} ${path} ask for?`)
  return scope
}

/** Returns the keys of an error body in alphabetical order. */
export function keysOf({ json }: Answer): string[] {
  return Object.keys(json).toSorted()
}

/** Returns the keys that an error on this path must have. */
export function envelopeOf(path: string, ...more: string[]): string[] {
  const logId = path.startsWith('/v3/') || path === '/v3' ? [] : ['log_id']
  return ['code', 'message', 'request_id', 'timestamp', 'type', ...logId, ...more].toSorted()
}
