import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../errors.ts'
import { operatorBearer } from '../http/bearer.ts'
import { accessTokens } from './access-tokens.ts'
import { customFields } from './custom-fields.ts'
import { events } from './events.ts'
import { productAccesses } from './product-accesses.ts'
import { products } from './products.ts'
import { stores } from './stores.ts'
import { users } from './users.ts'
import { webhookDeliveries } from './webhook-deliveries.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

/** Without the secret there is no operator API: not even its 405s or 401s tell of it. */
export function hideWithoutSecret(): MiddlewareHandler<AppEnv> {
  return async function hideWithoutSecret(c, next) {
    if (!c.env.ADMIN_TOKEN) throw new ApiError('route_not_found')
    await next()
  }
}

export const admin = new Hono<AppEnv>()
  .use(operatorBearer((c, token) => isEqual(token, c.env.ADMIN_TOKEN ?? '')))
  .route('/stores', stores)
  .route('/stores', accessTokens)
  .route('/stores', customFields)
  .route('/stores', products)
  .route('/stores', users)
  .route('/stores', productAccesses)
  .route('/stores', events)
  .route('/stores', webhookEndpoints)
  .route('/stores', webhookDeliveries)

/** In constant time, whatever the lengths: digests are compared. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
