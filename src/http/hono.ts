/** Hono's own types and class, with the bindings and the variables of this service. */
import type { Context as HonoContext, MiddlewareHandler as HonoMiddlewareHandler } from 'hono'
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type { AppEnv } from './app-env.ts'

export type Context = HonoContext<AppEnv>

export type MiddlewareHandler = HonoMiddlewareHandler<AppEnv>

/**
 * This Hono uses TrieRouter only. The default preset tries RegExpRouter first, which rejects `/tokens/revoke_all` next to
 * `/tokens/:id/rotate`.
 */
export class Hono extends HonoBase<AppEnv> {
  constructor() {
    super({ router: new TrieRouter() })
  }
}
