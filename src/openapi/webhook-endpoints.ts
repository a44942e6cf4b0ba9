import * as z from 'zod'
import {
  createWebhookEndpointBody,
  type toTestResult,
  type toWebhookEndpoint,
  updateWebhookEndpointBody,
} from '../admin/webhook-endpoints.ts'
import { EVENT_TYPES } from '../domain/events/event-types.ts'
import { listQuery, rotationBody } from '../wire/fields.ts'
import { describes } from './describes.ts'
import { choice, flag, integer, text, time } from './fields.ts'
import { answer, done, type Operation, operatorOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { nothing, queryOf, requestBody } from './requests.ts'

const ENDPOINTS = '/admin/stores/{store_id}/webhook_endpoints'

const fields = {
  id: text('The number of the endpoint in its store.'),
  url: text('Where events are posted to.'),
  types: z
    .array(choice(EVENT_TYPES, 'A type of events.').meta({ id: 'EventType' }))
    .meta({ description: 'The types of events that are sent; null: all, those that are yet to come too.' })
    .nullable(),
  enabled: flag('Whether events are sent. False: it answered 410, or had no success for three days.'),
  created_at: time('When the endpoint was created.'),
  failing_since: time('The first failure since the last success; null: the last attempt was a success.').nullable(),
  disabled_at: time('When the endpoint was disabled; null: it is enabled.').nullable(),
  next_attempt_at: time(
    'When the next delivery is tried; null: nothing waits, or the endpoint is disabled.',
  ).nullable(),
  last_status: integer(
    'The status of its last answer; null: none was sent yet, or none came within 10 seconds.',
  ).nullable(),
}

const webhookEndpoint = describes<ReturnType<typeof toWebhookEndpoint>>()(
  z.object(fields).meta({ id: 'WebhookEndpoint', description: 'A webhook endpoint, without its secret.' }),
)

const withSecret = describes<ReturnType<typeof toWebhookEndpoint> & { secret: string }>()(
  z
    .object({ ...fields, secret: text('What signs: in this answer and nowhere else.') })
    .meta({ id: 'WebhookEndpointWithSecret', description: 'A webhook endpoint with its secret, this once.' }),
)

const testResult = describes<ReturnType<typeof toTestResult>>()(
  z
    .object({
      status: integer('The status of the answer; null: none came.').nullable(),
      duration_ms: integer('How long it took, in milliseconds.'),
      failure: z.enum(['timeout', 'unreachable']).nullable().meta({
        description: '`timeout`: no answer within 10 seconds; `unreachable`: no connection; null: there was an answer.',
      }),
    })
    .meta({ id: 'WebhookTestResult', description: 'What came back from a test.' }),
)

const example = {
  id: '5',
  url: 'https://crm.example.com/registrar',
  types: ['user.created', 'product_access.updated'],
  enabled: true,
  created_at: '2026-11-21T09:30:00.000Z',
  failing_since: null,
  disabled_at: null,
  next_attempt_at: null,
  last_status: 204,
}

const secretExample = { ...example, secret: 'whsec_<32 bytes in base64>' }

const shown = answer('WebhookEndpoint', {
  description: 'The endpoint as it is now.',
  schema: webhookEndpoint,
  example,
})

const url = 'An https URL of a public host. Redirects are not followed.'

export const webhookEndpoints: Operation[] = [
  operatorOperation({
    method: 'post',
    path: ENDPOINTS,
    id: 'createWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Have the events of a store posted to a URL',
    description:
      'It is sent what happens from now on, each event until it is answered 2xx, for three days. The secret that signs is in this answer and nowhere else.',
    body: requestBody('CreateWebhookEndpoint', {
      schema: createWebhookEndpointBody,
      fields: { url, types: 'The types of events to send. Left out or null: all, those that are yet to come too.' },
      example: { url: 'https://crm.example.com/registrar', types: ['user.created', 'product_access.updated'] },
    }),
    answers: {
      201: answer('WebhookEndpointCreated', {
        description: 'The endpoint, with its secret.',
        schema: withSecret,
        example: { ...secretExample, last_status: null },
      }),
    },
  }),
  operatorOperation({
    method: 'get',
    path: ENDPOINTS,
    id: 'listWebhookEndpoints',
    tag: 'Webhook endpoints',
    summary: 'List the webhook endpoints of a store',
    description: 'By id, disabled ones too; never with the secret.',
    query: queryOf('listWebhookEndpoints', listQuery, {}),
    answers: {
      200: pageAnswer('WebhookEndpointPage', {
        description: 'A page of webhook endpoints.',
        record: webhookEndpoint,
        example,
      }),
    },
  }),
  operatorOperation({
    method: 'get',
    path: `${ENDPOINTS}/{id}`,
    id: 'getWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Read a webhook endpoint',
    description: 'Whether it works, and when the next delivery is tried.',
    answers: { 200: shown },
  }),
  operatorOperation({
    method: 'patch',
    path: `${ENDPOINTS}/{id}`,
    id: 'updateWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Change the URL or the types of a webhook endpoint',
    description: 'What waits to be delivered goes to the new URL.',
    body: requestBody('UpdateWebhookEndpoint', {
      schema: updateWebhookEndpointBody,
      fields: { url, types: 'The types of events to send from now on; null: all.' },
      example: { types: null },
      isOptional: true,
    }),
    answers: { 200: shown },
  }),
  operatorOperation({
    method: 'delete',
    path: `${ENDPOINTS}/{id}`,
    id: 'deleteWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it; what waited is forgotten.',
    answers: { 204: done },
  }),
  operatorOperation({
    method: 'post',
    path: `${ENDPOINTS}/{id}/rotate_secret`,
    id: 'rotateWebhookSecret',
    tag: 'Webhook endpoints',
    summary: 'Make a new secret',
    description:
      'Each delivery is signed with every secret that is good: the new one and, for as long as `overlap_hours` says, those before. At most four are good at once.',
    body: requestBody('RotateWebhookSecret', {
      schema: rotationBody,
      fields: {
        overlap_hours:
          'For how many hours the secret before signs, too; left out: 24. 0 ends every older secret at once, as a leak demands.',
      },
      example: { overlap_hours: 48 },
      isOptional: true,
    }),
    answers: {
      200: answer('WebhookSecretRotated', {
        description: 'The endpoint, with its new secret.',
        schema: withSecret,
        example: secretExample,
      }),
    },
  }),
  operatorOperation({
    method: 'post',
    path: `${ENDPOINTS}/{id}/enable`,
    id: 'enableWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Go on with a webhook endpoint that was disabled, or fails',
    description: 'It is sent at once what waits for it and all that has happened since. Failures are forgotten.',
    body: nothing,
    answers: { 200: shown },
  }),
  operatorOperation({
    method: 'post',
    path: `${ENDPOINTS}/{id}/test`,
    id: 'testWebhookEndpoint',
    tag: 'Webhook endpoints',
    summary: 'Send a test to a webhook endpoint',
    description:
      'Posts a `webhook_endpoint.test` at once, whatever waits, and answers what came back. A failure of the endpoint is an answer as any other, and counts for nothing.',
    body: nothing,
    answers: {
      200: answer('WebhookTestResult', {
        description: 'What came back.',
        schema: testResult,
        example: { status: 204, duration_ms: 42, failure: null },
      }),
    },
  }),
]
