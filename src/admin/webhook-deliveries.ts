import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { formatNullableDateTime } from '../date-time.ts'
import type { WebhookDelivery } from '../db/schema.ts'
import { DELIVERY_STATES, listDeliveries, redeliver } from '../domain/webhook-deliveries.ts'
import { getWebhookEndpoint } from '../domain/webhook-endpoints.ts'
import { queryString } from '../http/validate.ts'
import { wake } from '../webhooks/queue.ts'
import { id, oneOf, pageQuery, parseId } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'
import { storePath } from './store-path.ts'

export const listDeliveriesQuery = z.object({ state: oneOf(DELIVERY_STATES).optional(), ...pageQuery(id).shape })

function toDelivery(row: WebhookDelivery) {
  return {
    event_id: String(row.event_id),
    state: row.state,
    attempts: row.attempts,
    last_status: row.last_status,
    last_attempt_at: formatNullableDateTime(row.last_attempt_at),
    next_attempt_at: formatNullableDateTime(row.next_attempt_at),
  }
}

export const webhookDeliveries = new Hono<AppEnv>()
  .get('/:store_id/webhook_endpoints/:id/deliveries', queryString(listDeliveriesQuery), storePath, async (c) => {
    const { store_id, id: endpointId } = c.req.param()
    const endpoint = await getWebhookEndpoint(c.get('db'), { store_id, id: parseId(endpointId) })
    const found = await listDeliveries(c.get('db'), { endpoint_id: endpoint.id, ...c.req.valid('query') })
    return c.json(toPage(found, toDelivery))
  })
  .post('/:store_id/webhook_endpoints/:id/deliveries/:event_id/redeliver', storePath, async (c) => {
    const { store_id, id: endpointId, event_id } = c.req.param()
    const row = await redeliver(c.get('db'), {
      store_id,
      id: parseId(endpointId),
      event_id: parseId(event_id),
      now: c.get('now'),
    })
    c.executionCtx.waitUntil(wake(c.env.WEBHOOKS, [row.endpoint_id]))
    return c.json(toDelivery(row))
  })
