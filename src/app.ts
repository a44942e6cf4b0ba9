/** The whole way of a request, in order. Routes and methods first: what no route serves meets no other check. */
import { Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { admin, hideWithoutSecret } from './admin/router.ts'
import type { AppEnv } from './context.ts'
import { createDb } from './db/client.ts'
import { checkHealth } from './domain/health.ts'
import { ApiError } from './errors.ts'
import { receiveBody } from './http/body.ts'
import { docs } from './http/docs.ts'
import { answerError, onError } from './http/error-body.ts'
import { log } from './http/log.ts'
import { requestId } from './http/request-id.ts'
import { onlyServed } from './http/served.ts'
import { events } from './v1/events.ts'
import { productAccesses } from './v1/product-accesses.ts'
import { token } from './v1/token.ts'
import { users as usersV1 } from './v1/users.ts'
import { users as usersV3 } from './v3/users.ts'

export const app = new Hono<AppEnv>()

app.use(requestId())
app.use(async function openDb(c, next) {
  c.set('db', createDb(c.env.DB))
  await next()
})
app.use(log())
app.use('/admin/*', hideWithoutSecret())
app.use(
  methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) =>
      answerError(c, new ApiError('method_not_allowed', { headers: { Allow: methods.join(', ') } })),
  }),
)
app.use(onlyServed())
app.use(receiveBody())

app.route('/', docs)
app.get('/health', async (c) => {
  await checkHealth(c.get('db'))
  return c.json({ status: 'ok' })
})
app.route('/v1/stores', usersV1)
app.route('/v1/stores', productAccesses)
app.route('/v1/stores', events)
app.route('/v1', token)
app.route('/v3/public', usersV3)
app.route('/admin', admin)

app.notFound((c) => answerError(c, new ApiError('route_not_found')))
app.onError(onError)
