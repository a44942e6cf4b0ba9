import type { Env } from 'hono'
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Hono with the one router that serves these routes. Its own preset brings two and tries RegExpRouter first, which
 * does not take `/tokens/revoke_all` beside `/tokens/:id/rotate`.
 */
export class Hono<E extends Env> extends HonoBase<E> {
  constructor() {
    super({ router: new TrieRouter() })
  }
}
