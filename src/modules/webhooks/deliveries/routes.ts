import * as z from 'zod/mini'
import { formatNullableDateTime } from '../../../lib/date-time.ts'
import { numberOf } from '../../../db/ids.ts'
import { callEndpoint } from '../../../db/places.ts'
import { type DeliveryRecord, listDeliveries, toRecord } from './list-deliveries.ts'
import { DELIVERY_STATES, toAttempted } from './delivery.ts'
import { redeliver, testEndpoint } from './redeliver.ts'
import { requireScope } from '../../../http/middleware/bearer.ts'
import { Hono } from '../../../http/hono.ts'
import { contextOf, numberInPath } from '../../../http/request-context.ts'
import type { AttemptResult } from './send.ts'
import { sendWithinQuota } from './sending-quota.ts'
import { noBody, queryString } from '../../../http/middleware/validate.ts'
import { lazy } from '../../../lib/lazy.ts'
import { oneOf } from '../../../formats/values.ts'
import { listOrder, listQuery, toPage } from '../../../formats/pages.ts'
import { toMessage, toTestMessage } from './message.ts'

const listDeliveriesQuery = lazy(() =>
  z.object({
    state: z.optional(oneOf(DELIVERY_STATES)),
    order: listOrder(),
    ...listQuery().shape,
  }),
)

export function toDelivery(row: DeliveryRecord) {
  return {
    event_id: String(numberOf(row.event_id)),
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    last_status: row.last_status,
    last_attempt_at: formatNullableDateTime(row.last_attempt_at),
    next_attempt_at: formatNullableDateTime(row.next_attempt_at),
  }
}

export function toTestResult({ status, duration_ms, failure }: AttemptResult) {
  return { status, duration_ms, failure }
}

const ENDPOINT = '/:store_id/webhook_endpoints/:id'

export const webhookDeliveries = new Hono()
  .post(`${ENDPOINT}/test`, requireScope('webhooks:write'), noBody(), async (c) => {
    const context = contextOf(c)
    const result = await testEndpoint(c.get('db'), context, {
      number: numberInPath(c),
      send: (endpoint) => sendWithinQuota(c.env, endpoint, toTestMessage(context, endpoint.id)),
      recover: ({ id }) => callEndpoint(c.env, id, (object) => object.recover(id)),
    })
    return c.json(toTestResult(result))
  })
  .get(`${ENDPOINT}/deliveries`, requireScope('webhooks:read'), queryString(listDeliveriesQuery), async (c) => {
    const found = await listDeliveries(c.get('db'), contextOf(c), {
      number: numberInPath(c),
      ...c.req.valid('query'),
      page: ({ id }, request) => callEndpoint(c.env, id, (object) => object.page(id, request)),
    })
    return c.json(toPage(found, toDelivery))
  })
  .post(`${ENDPOINT}/deliveries/:event_id/redeliver`, requireScope('webhooks:write'), noBody(), async (c) => {
    const { endpoint, delivery } = await redeliver(c.get('db'), contextOf(c), {
      number: numberInPath(c),
      event: numberInPath(c, 'event_id'),
      send: (receiver, event) => sendWithinQuota(c.env, receiver, toMessage(event)),
      record: ({ id }, event, result) =>
        callEndpoint(c.env, id, (object) => object.redelivered(id, toAttempted(event), result)),
    })
    return c.json(toDelivery(toRecord(delivery, endpoint, Date.now())))
  })
