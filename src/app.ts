/**
 * The path of a request through the service, in order. The order of the checks is the one of docs/errors.md: route and
 * method, token as presented, rate limit, media type, size; then the database, which knows whether the token is valid.
 */
import { accessTokens } from './admin/access-tokens.ts'
import { csvFiles } from './admin/csv-files.ts'
import { customFields as customFieldChanges } from './admin/custom-fields.ts'
import { operators } from './admin/operators.ts'
import { products as productChanges } from './admin/products.ts'
import { operatorEvents } from './admin/events.ts'
import { stats } from './admin/stats.ts'
import { status } from './admin/status.ts'
import { stores } from './admin/stores.ts'
import { checkHealth } from './domain/health.ts'
import { ApiError } from './wire/api-error.ts'
import { workAfterResponse } from './http/middleware/after-response.ts'
import { dropUnreadBody, receiveBody } from './http/middleware/body.ts'
import { operatorConsole } from './http/console.ts'
import { docs } from './http/docs.ts'
import { errorsWithout, respondToErrors, respondWithError } from './http/errors/error-body.ts'
import { Hono } from './http/hono.ts'
import { requireHttps } from './http/middleware/https.ts'
import { logRequest } from './http/middleware/log.ts'
import { onlyServed } from './http/middleware/served-route.ts'
import { startRequest } from './http/middleware/start-request.ts'
import { bulkChanges } from './v1/bulk-changes.ts'
import { customFields } from './v1/custom-fields.ts'
import { events } from './v1/events.ts'
import { productAccesses } from './v1/product-accesses.ts'
import { products } from './v1/products.ts'
import { token } from './v1/token.ts'
import { users as usersV1 } from './v1/users.ts'
import { webhookDeliveries } from './v1/webhook-deliveries.ts'
import { webhookEndpoints } from './v1/webhook-endpoints.ts'
import { users as usersV3 } from './v3/users.ts'
import { bearer, hideAdminWithoutSecret } from './http/middleware/bearer.ts'
import { openStoreOfPath, openStoreOfToken } from './http/middleware/open-store.ts'
import { findSignedOnOperator, signOn } from './http/middleware/sign-on.ts'

export const app = new Hono()

app.use(startRequest())
// As specified: errors of v3 have no `log_id`, and the 404 of the update of an access has no `code`.
app.use('/v3/*', errorsWithout('log_id'))
app.use('/v1/stores/:store_id/product_accesses/:id', errorsWithout('code', { method: 'PUT', code: 'not_found' }))
app.use(dropUnreadBody())
app.use(logRequest())
app.use(requireHttps())
app.use('/admin/*', hideAdminWithoutSecret())
app.use(onlyServed(app))
// A forged token (401) and a rate limit (429) cost no round trip. The database checks the rest together with the work.
app.use('/v1/*', bearer('access_token'))
app.use('/v3/*', bearer('access_token'))
// A store may have a database of its own. A token has the number of its store, so its requests go straight there.
app.use('/v1/*', openStoreOfToken())
app.use('/v3/*', openStoreOfToken())
app.use('/admin/*', signOn())
app.use('/admin/*', bearer('operator'))
app.use(receiveBody())
app.use('/admin/*', findSignedOnOperator())
app.use('/admin/stores/:store_id/*', openStoreOfPath())
app.use(workAfterResponse())

app.route('/', docs)
app.get('/health', async (c) => {
  const check = checkHealth(c.get('db'), c.get('now'))
  // Other requests wait for the same check, so it must end even if this caller disconnects.
  c.executionCtx.waitUntil(check.catch(() => {}))
  await check
  return c.json({ status: 'ok' })
})
app.route('/console', operatorConsole)

/** What a store's token may do, an operator may do for any store. */
const OF_STORES = [
  usersV1,
  productAccesses,
  bulkChanges,
  events,
  products,
  customFields,
  webhookEndpoints,
  webhookDeliveries,
]
for (const routes of OF_STORES) {
  app.route('/v1/stores', routes)
  app.route('/admin/stores', routes)
}
app.route('/v1', token)
app.route('/v3/public', usersV3)

for (const routes of [stores, accessTokens, customFieldChanges, productChanges, stats, csvFiles]) {
  app.route('/admin/stores', routes)
}
for (const routes of [operators, operatorEvents, status]) app.route('/admin', routes)

app.notFound((c) => respondWithError(c, new ApiError('route_not_found')))
app.onError(respondToErrors)
