import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../context.ts'
import { getStore } from '../domain/stores.ts'

/** Answers 404 for a path whose store does not exist; stands after the validators, as every check of state does. */
export const storePath = createMiddleware<AppEnv, '/:store_id'>(async function storePath(c, next) {
  const store = await getStore(c.get('db'), c.req.param('store_id'))
  c.set('webhookEndpoints', store.webhook_endpoints)
  await next()
})
