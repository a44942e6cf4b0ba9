import type { Env } from 'hono'
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * This Hono uses TrieRouter only. The default preset tries RegExpRouter first, which rejects `/tokens/revoke_all` next to
 * `/tokens/:id/rotate`.
 */
export class Hono<E extends Env> extends HonoBase<E> {
  constructor() {
    super({ router: new TrieRouter() })
  }
}
