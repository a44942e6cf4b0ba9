import { ENDPOINT_STATES } from './health.ts'
import type { toWebhookEndpoint } from './routes.ts'
import { eventType } from '../events/event-docs.ts'
import { choice, type Fields, flag, integer, list, nullable, resource, text, time } from '../../openapi/fields.ts'
import { describeOperations, pageResponse, response } from '../../openapi/operation.ts'

type WebhookEndpoint = ReturnType<typeof toWebhookEndpoint>

const fields: Fields<WebhookEndpoint> = {
  id: text('The number of the endpoint in its store.', '5'),
  url: text('The URL to which events are posted.', 'https://crm.example.com/registrar'),
  types: nullable(
    list(
      eventType('A type of events.'),
      'The types of events that are sent. Null: all types, including types that are added later.',
      ['user.created', 'product_access.updated'],
    ),
  ),
  enabled: flag('Whether events are sent. False if the endpoint responded 410 or had no success for three days.', true),
  state: choice(
    ENDPOINT_STATES,
    '`failing`: the last attempt failed. `down`: 20 attempts in a row failed, so it is only probed until one succeeds.',
    'ok',
  ),
  created_at: time('When the endpoint was created.'),
  failing_since: nullable(time('The first failure since the last success. Null if the last attempt succeeded.')),
  disabled_at: nullable(time('When the endpoint was disabled. Null if it is enabled.')),
  next_attempt_at: nullable(
    time('When the next attempt or probe is made. Null if no delivery is pending, or the endpoint is disabled.'),
  ),
  last_status: nullable(
    integer('The status of its last response. Null if nothing was sent yet, or it did not respond in 10 seconds.', 204),
  ),
}

const endpoint = resource<WebhookEndpoint>('WebhookEndpoint', 'A webhook endpoint, without its secret.', fields)

const withSecret = resource<WebhookEndpoint & { secret: string }>(
  'WebhookEndpointWithSecret',
  'A webhook endpoint with its secret.',
  {
    ...fields,
    secret: text('The secret that signs deliveries. It is only in this response.', 'whsec_<32 bytes in base64>'),
  },
)

const shown = response('WebhookEndpoint', 'The endpoint as it is now.', endpoint)

const url = 'An https URL of a public host. Redirects are not followed.'

export const webhookEndpoints = describeOperations('Webhook endpoints', {
  createWebhookEndpoint: {
    route: 'POST /v1/stores/{store_id}/webhook_endpoints',
    summary: 'Create a webhook endpoint',
    description:
      'The events of the store from now on are posted to the URL, each until a response is 2xx, for three days. A store has at most 16 endpoints; beyond that the response is 422 `limit_reached`. The secret that signs them is only in this response.',
    fields: {
      url,
      types: 'The types of events to send. If omitted or null: all types, including types that are added later.',
    },
    example: { url: 'https://crm.example.com/registrar', types: ['user.created', 'product_access.updated'] },
    responses: {
      201: response('WebhookEndpointCreated', 'The endpoint, with its secret.', withSecret, {
        example: { last_status: null },
      }),
    },
  },
  listWebhookEndpoints: {
    route: 'GET /v1/stores/{store_id}/webhook_endpoints',
    summary: 'List the webhook endpoints of a store',
    description: 'All endpoints by id, including disabled ones, without their secrets.',
    responses: { 200: pageResponse('WebhookEndpointPage', 'A page of webhook endpoints.', endpoint) },
  },
  getWebhookEndpoint: {
    route: 'GET /v1/stores/{store_id}/webhook_endpoints/{id}',
    summary: 'Read a webhook endpoint',
    description: 'Shows whether the endpoint works and when the next attempt is made.',
    responses: { 200: shown },
  },
  updateWebhookEndpoint: {
    route: 'PATCH /v1/stores/{store_id}/webhook_endpoints/{id}',
    summary: 'Change the URL or the types of a webhook endpoint',
    description: 'Pending deliveries go to the new URL. An endpoint that is down is probed there at once.',
    fields: { url, types: 'The types of events to send from now on. Null: all types.' },
    example: { types: null },
    responses: { 200: shown },
  },
  deleteWebhookEndpoint: {
    route: 'DELETE /v1/stores/{store_id}/webhook_endpoints/{id}',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it, and pending deliveries are dropped.',
  },
  rotateWebhookSecret: {
    route: 'POST /v1/stores/{store_id}/webhook_endpoints/{id}/rotate_secret',
    summary: 'Create a new secret',
    description:
      'Each delivery is signed with every valid secret: the new one and, for `overlap_hours`, the previous ones. At most four secrets are valid at once. Of concurrent rotations with `overlap_hours: 0`, only the secret of the last one signs.',
    fields: {
      overlap_hours:
        'How many hours the previous secret also signs. If it is omitted, 24. 0 ends every older secret at once: use it after a leak.',
    },
    example: { overlap_hours: 48 },
    responses: { 200: response('WebhookSecretRotated', 'The endpoint, with its new secret.', withSecret) },
  },
  enableWebhookEndpoint: {
    route: 'POST /v1/stores/{store_id}/webhook_endpoints/{id}/enable',
    summary: 'Enable a webhook endpoint that is disabled or failing',
    description:
      'Pending deliveries, and everything that has happened since, are sent at once; an endpoint that is down is probed first. The count of failures starts again.',
    responses: { 200: shown },
  },
})
