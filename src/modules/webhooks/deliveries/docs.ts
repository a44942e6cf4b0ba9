import { DELIVERY_STATES } from './delivery.ts'
import type { toDelivery, toTestResult } from './routes.ts'
import { eventType } from '../../events/event-docs.ts'
import { choice, integer, nullable, resource, text, time } from '../../../openapi/fields.ts'
import { describeOperations, pageResponse, response } from '../../../openapi/operation.ts'

const delivery = resource<ReturnType<typeof toDelivery>>(
  'WebhookDelivery',
  'The delivery of an event to an endpoint.',
  {
    event_id: text('The id of the event.', '14'),
    type: eventType('The type of the event.', 'user.created'),
    state: choice(
      DELIVERY_STATES,
      '`pending`: it will be tried again. `delivered`: a response was 2xx. `failed`: it was given up after three days.',
      'pending',
    ),
    attempts: integer('How many attempts were made.', 2),
    last_status: nullable(
      integer('The status of the last response. Null if there was no attempt yet, or no response.', 503),
    ),
    last_attempt_at: nullable(
      time('When the last attempt was made. Null if there was none.', '2026-11-21T09:30:05.000Z'),
    ),
    next_attempt_at: nullable(
      time(
        'When the next attempt is made, within a few seconds. Null if there will be none, or the endpoint is disabled or down.',
        '2026-11-21T09:30:35.000Z',
      ),
    ),
  },
)

const testResult = resource<ReturnType<typeof toTestResult>>('WebhookTestResult', 'The result of a test.', {
  status: nullable(integer('The status of the response. Null if there was none.', 204)),
  duration_ms: integer('How long it took, in milliseconds.', 42),
  failure: nullable(
    choice(
      ['timeout', 'unreachable'],
      '`timeout`: no response within 10 seconds. `unreachable`: no connection. Null if there was a response.',
    ),
  ),
})

/** It is a route of this room, and an operation on an endpoint to its callers. */
export const webhookTest = describeOperations('Webhook endpoints', {
  testWebhookEndpoint: {
    route: 'POST /v1/stores/{store_id}/webhook_endpoints/{id}/test',
    summary: 'Send a test to a webhook endpoint',
    description:
      'Posts a `webhook_endpoint.test` at once, independently of pending deliveries, and returns the result. A failure of the endpoint is a normal result: the response is 200, and the endpoint does not count as failing. A success ends the state `down`. Tests and redeliveries together are limited to about 10 in 60 seconds for an endpoint, and about 60 for a store.',
    responses: { 200: response('WebhookTestResult', 'The result.', testResult) },
  },
})

export const webhookDeliveries = describeOperations('Webhook deliveries', {
  listWebhookDeliveries: {
    route: 'GET /v1/stores/{store_id}/webhook_endpoints/{id}/deliveries',
    summary: 'List the deliveries to an endpoint',
    description:
      'Past and pending deliveries, by the id of the event, the newest first. Of the events that were not attempted yet, it has the next 100.',
    query: {
      order: '`asc`: the oldest event first. If it is omitted, `desc`.',
      state:
        'The deliveries in this state. One request reads at most 5,000 deliveries: a page may be short or empty while `next` says where to continue.',
    },
    responses: { 200: pageResponse('WebhookDeliveryPage', 'A page of deliveries.', delivery) },
  },
  redeliverEvent: {
    route: 'POST /v1/stores/{store_id}/webhook_endpoints/{id}/deliveries/{event_id}/redeliver',
    summary: 'Deliver an event again',
    description:
      'Posts the event at once, with the same `webhook-id` and independently of pending deliveries, and returns the result. Redeliveries and tests together are limited to about 10 in 60 seconds for an endpoint, and about 60 for a store. A success ends the state `down` of the endpoint; a failure does not count.',
    responses: { 200: response('WebhookDelivery', 'The delivery as it is now.', delivery) },
  },
})
