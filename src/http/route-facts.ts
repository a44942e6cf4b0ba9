import type { ZodMiniObject } from 'zod/mini'
import type { Scope } from '../domain/tokens/scopes.ts'

/** What a middleware requires of a request. The OpenAPI document is generated from it; the service does not read it. */
export interface RouteFacts {
  /** Whose token the routes under a path require. */
  caller?: 'access_token' | 'operator'
  /** The scope that an access token needs. */
  scope?: Scope
  /** The operation is for the root, not for other operators. */
  isRootOnly?: true
  /** Any operator may call the operation, also one who is limited to stores, although its path names no store. */
  isForAnyOperator?: true
  header?: 'X-Idempotency-Key' | 'If-Match'
  query?: () => ZodMiniObject
  body?: () => ZodMiniObject
  /** A request without a body is taken as an empty object. */
  isBodyOptional?: true
}

const factsByMiddleware = new WeakMap<object, RouteFacts>()

/** Attaches the facts to the middleware and returns the middleware. */
export function withFacts<Middleware extends object>(facts: RouteFacts, middleware: Middleware): Middleware {
  factsByMiddleware.set(middleware, facts)
  return middleware
}

export function factsOf(middleware: object): RouteFacts {
  return factsByMiddleware.get(middleware) ?? {}
}
