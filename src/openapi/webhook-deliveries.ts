import * as z from 'zod'
import { listDeliveriesQuery, type toDelivery } from '../admin/webhook-deliveries.ts'
import { DELIVERY_STATES } from '../domain/webhooks/deliveries.ts'
import { describes } from './describes.ts'
import { choice, integer, text, time } from './fields.ts'
import { answer, type Operation, operatorOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { nothing, queryOf } from './requests.ts'

const DELIVERIES = '/admin/stores/{store_id}/webhook_endpoints/{id}/deliveries'

const delivery = describes<ReturnType<typeof toDelivery>>()(
  z
    .object({
      event_id: text('The id of the event.'),
      state: choice(
        DELIVERY_STATES,
        '`pending`: it is tried again; `delivered`: a 2xx came; `failed`: given up after three days.',
      ),
      attempts: integer('How often it was tried.'),
      last_status: integer('The status of the last answer; null: none came, or it was not tried yet.').nullable(),
      last_attempt_at: time('When it was last tried; null: not yet.').nullable(),
      next_attempt_at: time(
        'When it is next tried, to a few seconds; null: it is not, or the endpoint is disabled.',
      ).nullable(),
    })
    .meta({ id: 'WebhookDelivery', description: 'An event on its way to an endpoint.' }),
)

const example = {
  event_id: '14',
  state: 'pending',
  attempts: 2,
  last_status: 503,
  last_attempt_at: '2026-11-21T09:30:05.000Z',
  next_attempt_at: '2026-11-21T09:30:35.000Z',
}

export const webhookDeliveries: Operation[] = [
  operatorOperation({
    method: 'get',
    path: DELIVERIES,
    id: 'listWebhookDeliveries',
    tag: 'Webhook deliveries',
    summary: 'List what was and is to be delivered to an endpoint',
    description:
      'By the id of the event. Of what has happened, the newest may not be among them yet while older ones wait.',
    query: queryOf('listWebhookDeliveries', listDeliveriesQuery, {
      state:
        'The deliveries in this state. One request reads at most 5,000: a page may be short or empty while `next` says where to go on.',
    }),
    answers: {
      200: pageAnswer('WebhookDeliveryPage', { description: 'A page of deliveries.', record: delivery, example }),
    },
  }),
  operatorOperation({
    method: 'post',
    path: `${DELIVERIES}/{event_id}/redeliver`,
    id: 'redeliverEvent',
    tag: 'Webhook deliveries',
    summary: 'Deliver an event again',
    description: 'Posts it at once under the same `webhook-id`, apart from whatever waits, and answers how that went.',
    body: nothing,
    answers: {
      200: answer('WebhookDelivery', { description: 'The delivery as it is now.', schema: delivery, example }),
    },
  }),
]
