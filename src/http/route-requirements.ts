import type { ZodMiniObject } from 'zod/mini'
import type { Scope } from '../auth/scopes.ts'

/** What a middleware requires of a request. The OpenAPI document is generated from it; the service does not read it. */
export interface RouteRequirements {
  /** Whose token the routes under a path require. */
  caller?: 'access_token' | 'operator'
  /** The scope that an access token needs. */
  scope?: Scope
  /** The operation is for the root, not for other operators. */
  isRootOnly?: true
  /** Any operator may call the operation, also one who is limited to stores, although its path names no store. */
  isForAnyOperator?: true
  headers?: readonly ('X-Idempotency-Key' | 'If-Match')[]
  query?: () => ZodMiniObject
  body?: () => ZodMiniObject
  /** A request without a body is taken as an empty object. */
  isBodyOptional?: true
}

const requirementsByMiddleware = new WeakMap<object, RouteRequirements>()

/** Attaches the requirements to the middleware and returns the middleware. */
export function withRequirements<Middleware extends object>(
  requirements: RouteRequirements,
  middleware: Middleware,
): Middleware {
  requirementsByMiddleware.set(middleware, requirements)
  return middleware
}

export function requirementsOf(middleware: object): RouteRequirements {
  return requirementsByMiddleware.get(middleware) ?? {}
}
