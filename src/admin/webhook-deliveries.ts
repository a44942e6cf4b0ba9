import * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import { formatNullableDateTime } from '../date-time.ts'
import { numberOf } from '../db/ids.ts'
import { ORDERS } from '../domain/pages.ts'
import { DELIVERY_STATES, type DeliveryRecord, listDeliveries } from '../domain/webhooks/deliveries.ts'
import { wake } from '../domain/webhooks/notify.ts'
import { redeliver } from '../domain/webhooks/redeliver.ts'
import { send } from '../domain/webhooks/send.ts'
import { Hono } from '../http/hono.ts'
import { contextOf, numberInPath } from '../http/request-context.ts'
import { jsonBody, optionalBody, queryString } from '../http/validate.ts'
import { lazy } from '../lazy.ts'
import { noFields, oneOf } from '../wire/fields.ts'
import { listQuery, toPage } from '../wire/pages.ts'
import { toMessage } from '../wire/webhooks.ts'

export const listDeliveriesQuery = lazy(() =>
  z.object({
    state: z.optional(oneOf(DELIVERY_STATES)),
    order: z.optional(oneOf(ORDERS)),
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

export const webhookDeliveries = new Hono<AppEnv>()
  .get('/:store_id/webhook_endpoints/:id/deliveries', queryString(listDeliveriesQuery), async (c) => {
    const filter = { number: numberInPath(c), ...c.req.valid('query') }
    return c.json(toPage(await listDeliveries(c.get('db'), contextOf(c), filter), toDelivery))
  })
  .post(
    '/:store_id/webhook_endpoints/:id/deliveries/:event_id/redeliver',
    optionalBody(),
    jsonBody(noFields),
    async (c) => {
      const { delivery, endpoint_id, wakeAfterMs } = await redeliver(c.get('db'), contextOf(c), {
        number: numberInPath(c),
        event: numberInPath(c, 'event_id'),
        send: (endpoint, event, attempt) => send(endpoint, toMessage(event, attempt)),
      })
      if (wakeAfterMs !== undefined) {
        c.executionCtx.waitUntil(wake(c.env.WEBHOOKS, [endpoint_id], { delayMs: wakeAfterMs }))
      }
      return c.json(toDelivery(delivery))
    },
  )
