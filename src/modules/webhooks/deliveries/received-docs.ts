/** The requests that webhook endpoints receive, as https://www.standardwebhooks.com describes them. */
import * as z from 'zod'
import type { ZodOpenApiPathItemObject, ZodOpenApiResponseObject, ZodOpenApiSchemaObject } from 'zod-openapi'
import { EVENTS, TEST_EVENT } from '../../../change/event-types.ts'
import { eventsByType, actor, ids, namedEvent } from '../../events/event-docs.ts'
import { EVENT_TEXTS, TEST_EVENT_TEXT } from '../../events/event-texts.ts'
import type { toTestEvent } from './message.ts'
import { REQUEST_ID, pascalCase } from '../../../openapi/errors.ts'
import { constant, nullable, object, text, time } from '../../../openapi/fields.ts'

function header(id: string, description: string, example: string) {
  return { [id]: z.string().meta({ description, example, param: { id } }) }
}

const headers = z.object({
  ...header(
    'webhook-id',
    'The id of the store and the id of the event. It is the same in each attempt. Ignore an event that you have already seen.',
    'demo_14',
  ),
  ...header(
    'webhook-timestamp',
    'When the attempt was made, in seconds since the epoch. Reject a request that is minutes old.',
    '1795253400',
  ),
  ...header(
    'webhook-signature',
    '`v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64. There is one signature for each valid secret, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
})

const arrived: ZodOpenApiResponseObject = {
  id: 'Arrived',
  description: 'Any 2xx within 10 seconds means that the event has arrived. It is not sent again.',
}

const unwanted: ZodOpenApiResponseObject = {
  id: 'Unwanted',
  description: 'The endpoint no longer wants events. It is disabled.',
}

const notNow: ZodOpenApiResponseObject = {
  id: 'NotNow',
  description:
    'For anything else, including a redirect and no response, the event is sent again after 5 s, 30 s, 2 min, 10 min, 1 h, and then every 6 h, for three days. After 20 failures in a row the endpoint is only probed, at least every 30 minutes, until an attempt succeeds.',
}

/** The request that an endpoint receives for events of one type. */
export function receives(type: string, description: string, schema: ZodOpenApiSchemaObject): ZodOpenApiPathItemObject {
  return {
    post: {
      operationId: `receive${pascalCase(type)}`,
      tags: ['Webhooks'],
      summary: type,
      description,
      security: [],
      requestParams: { header: headers },
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': arrived, '410': unwanted, default: notNow },
    },
  }
}

export const testEvent = namedEvent(
  'WebhookEndpointTestEvent',
  object<ReturnType<typeof toTestEvent>>(
    {
      id: text('`0`, which no event of a store has.', '0'),
      timestamp: time('When the test was sent.'),
      store_id: nullable(text('The store.', 'demo')),
      request_id: text('The `X-Request-Id` of the request that sent the test.', REQUEST_ID),
      actor: { ...actor, example: { type: 'system' } },
      type: constant(TEST_EVENT, TEST_EVENT_TEXT),
      data: object({ ...ids.webhook_endpoint }, 'The endpoint.'),
    },
    TEST_EVENT_TEXT,
  ),
)

/** What is posted to webhook endpoints: tests, and every event of a store. */
export const webhooks: Record<string, ZodOpenApiPathItemObject> = {
  [TEST_EVENT]: receives(TEST_EVENT, TEST_EVENT_TEXT, testEvent.schema),
  ...Object.fromEntries(
    [...eventsByType]
      .filter(([type]) => EVENTS[type].subject !== 'operator')
      .map(([type, { schema }]) => [type, receives(type, EVENT_TEXTS[type], schema)]),
  ),
}
