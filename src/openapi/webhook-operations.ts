/** The operations on webhook endpoints, and the webhook itself. */
import * as z from 'zod'
import type { ZodOpenApiPathItemObject } from 'zod-openapi'
import { listDeliveriesQuery } from '../admin/webhook-deliveries.ts'
import { createWebhookEndpointBody, listWebhookEndpointsQuery } from '../admin/webhook-endpoints.ts'
import * as eventAnswers from './event-answers.ts'
import { list, type Operation, read, remove, STORE } from './operation.ts'

const ENDPOINTS = `${STORE}/webhook_endpoints`
const ENDPOINT = `${ENDPOINTS}/{id}`

function act(path: string, id: string, summary: string, description: string, schema: z.ZodType): Operation {
  const success = { status: 200, description: 'Done.', schema }
  return {
    method: 'post',
    path,
    id,
    tag: 'Operator',
    summary,
    description,
    auth: 'operator',
    success,
    errors: ['not_found'],
  }
}

export const webhookOperations: Operation[] = [
  {
    method: 'post',
    path: ENDPOINTS,
    id: 'createWebhookEndpoint',
    tag: 'Operator',
    summary: 'Have the events of a store delivered to a URL',
    description:
      'From now on, each event is posted there until it is answered 2xx. The secret that signs is in this answer and nowhere else. The URL is https and names a public host.',
    auth: 'operator',
    body: {
      schema: createWebhookEndpointBody,
      example: { url: 'https://crm.example.com/registrar', types: ['user.created', 'product_access.updated'] },
    },
    success: { status: 201, description: 'The endpoint.', schema: eventAnswers.webhookEndpointWithSecret },
    errors: ['missing_parameter', 'invalid_parameter', 'not_found'],
  },
  list(
    ENDPOINTS,
    'listWebhookEndpoints',
    'List the webhook endpoints',
    listWebhookEndpointsQuery,
    eventAnswers.webhookEndpointPage,
  ),
  read(ENDPOINT, 'getWebhookEndpoint', 'Read a webhook endpoint', eventAnswers.webhookEndpoint),
  remove({
    path: ENDPOINT,
    id: 'deleteWebhookEndpoint',
    summary: 'Deliver no more to a webhook endpoint',
    pathExample: '9007199254740991',
  }),
  act(
    `${ENDPOINT}/rotate_secret`,
    'rotateWebhookSecret',
    'Make a new secret',
    'Deliveries are signed with the new secret and, for 24 hours, with the one before as well.',
    eventAnswers.webhookEndpointWithSecret,
  ),
  act(
    `${ENDPOINT}/enable`,
    'enableWebhookEndpoint',
    'Go on with a webhook endpoint that was disabled',
    'It is sent at once what waits for it and all that has happened since.',
    eventAnswers.webhookEndpoint,
  ),
  list(
    `${ENDPOINT}/deliveries`,
    'listWebhookDeliveries',
    'List what was and is to be delivered',
    listDeliveriesQuery,
    eventAnswers.webhookDeliveryPage,
  ),
  act(
    `${ENDPOINT}/deliveries/{event_id}/redeliver`,
    'redeliverEvent',
    'Deliver an event again',
    'Under the same `webhook-id`. An endpoint that fails gets it with its next attempt, a disabled one once it is enabled.',
    eventAnswers.webhookDelivery,
  ),
]

const webhookHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'The id of the event: the same in each attempt.', example: '12' }),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'When the attempt was made, in seconds since the epoch.', example: '1795253400' }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; two of them, separated by a space, while a secret is rotated.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
})

/** What the service sends, as https://www.standardwebhooks.com describes it. */
export const webhooks: Record<string, ZodOpenApiPathItemObject> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Events'],
      summary: 'An event, posted to the webhook endpoints of its store',
      description:
        'At least once, in no certain order: ignore a `webhook-id` that you have seen. Any 2xx within 10 seconds is success and 410 disables the endpoint; all else, redirects too, is tried again for about three days.',
      security: [],
      requestParams: { header: webhookHeaders },
      requestBody: { required: true, content: { 'application/json': { schema: eventAnswers.event } } },
      responses: {
        '2XX': { description: 'It has arrived.' },
        '410': { description: 'Nobody wants it any more: the endpoint is disabled.' },
      },
    },
  },
}
