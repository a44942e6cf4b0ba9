import { type Context, Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import type { WebhookEndpoint } from '../db/schema.ts'
import { EVENT_TYPES } from '../domain/events.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
} from '../domain/webhook-endpoints.ts'
import { webhookUrlProblem } from '../domain/webhook-urls.ts'
import type { Detail } from '../errors.ts'
import { echo, jsonBody, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { wake } from '../webhooks/queue.ts'
import { filledText, id, optional, pageQuery, parseId, someOf } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'
import { storePath } from './store-path.ts'

export const createWebhookEndpointBody = z.object({
  url: filledText(LENGTH.url).meta({ format: 'uri', maxLength: LENGTH.url }),
  types: optional(someOf(EVENT_TYPES, 'type')),
})

export const listWebhookEndpointsQuery = pageQuery(id)

/** Never with a secret, but in the answers that make one. */
function toWebhookEndpoint(row: WebhookEndpoint) {
  return {
    id: String(row.id),
    url: row.url,
    types: row.types?.split(' ') ?? null,
    enabled: row.disabled_at === null,
    created_at: formatDateTime(row.created_at),
    failing_since: formatNullableDateTime(row.failing_since),
    disabled_at: formatNullableDateTime(row.disabled_at),
  }
}

/** Where the service may send to depends on where it runs. */
function deliverable(c: Context<AppEnv>, { url }: Record<string, unknown>): Promise<Detail[]> {
  if (typeof url !== 'string') return Promise.resolve([])
  const isLocal = c.env.ENVIRONMENT === 'development' || c.env.ENVIRONMENT === 'test'
  const problem = webhookUrlProblem(url, { isLocal })
  return Promise.resolve(
    problem === undefined ? [] : [{ field: 'url', value: echo(['url'], url), explanation: problem }],
  )
}

function endpointOf(c: Context<AppEnv, '/:store_id/webhook_endpoints/:id'>) {
  const { store_id, id: endpointId } = c.req.param()
  return { store_id, id: parseId(endpointId) }
}

export const webhookEndpoints = new Hono<AppEnv>()
  .post('/:store_id/webhook_endpoints', jsonBody(createWebhookEndpointBody, deliverable), storePath, async (c) => {
    const row = await createWebhookEndpoint(c.get('db'), {
      store_id: c.req.param('store_id'),
      now: c.get('now'),
      ...c.req.valid('json'),
    })
    return c.json({ ...toWebhookEndpoint(row), secret: row.secret }, 201)
  })
  .get('/:store_id/webhook_endpoints', queryString(listWebhookEndpointsQuery), storePath, async (c) => {
    const found = await listWebhookEndpoints(c.get('db'), {
      store_id: c.req.param('store_id'),
      ...c.req.valid('query'),
    })
    return c.json(toPage(found, toWebhookEndpoint))
  })
  .get('/:store_id/webhook_endpoints/:id', storePath, async (c) => {
    return c.json(toWebhookEndpoint(await getWebhookEndpoint(c.get('db'), endpointOf(c))))
  })
  .delete('/:store_id/webhook_endpoints/:id', storePath, async (c) => {
    await deleteWebhookEndpoint(c.get('db'), endpointOf(c))
    return c.body(null, 204)
  })
  .post('/:store_id/webhook_endpoints/:id/rotate_secret', storePath, async (c) => {
    const row = await rotateWebhookSecret(c.get('db'), { ...endpointOf(c), now: c.get('now') })
    return c.json({ ...toWebhookEndpoint(row), secret: row.secret })
  })
  .post('/:store_id/webhook_endpoints/:id/enable', storePath, async (c) => {
    const row = await enableWebhookEndpoint(c.get('db'), { ...endpointOf(c), now: c.get('now') })
    c.executionCtx.waitUntil(wake(c.env.WEBHOOKS, [row.id]))
    return c.json(toWebhookEndpoint(row))
  })
