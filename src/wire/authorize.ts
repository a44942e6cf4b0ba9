import type { MiddlewareHandler } from 'hono'
import type { AppEnv, Scope } from '../context.ts'
import { findPrincipal } from '../domain/access-tokens.ts'
import { bearer } from '../http/bearer.ts'

/** Asks for an access token, with the scope if one is given; where the path names a store, a token of that store. */
export function authorize(scope?: Scope): MiddlewareHandler<AppEnv> {
  return bearer({
    scope,
    async findPrincipal(c, token) {
      const principal = await findPrincipal(c.get('db'), token, c.get('now'))
      const store = c.req.param('store_id')
      return store === undefined || store === principal?.store_id ? principal : undefined
    },
  })
}
