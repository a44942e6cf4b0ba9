/** What the service posts to webhook endpoints, as https://www.standardwebhooks.com describes it. */
import * as z from 'zod'
import type { ZodOpenApiPathItemObject, ZodOpenApiResponseObject } from 'zod-openapi'

const headers = z.object({
  'webhook-id': z.string().meta({
    description: 'The id of the store and that of the event: the same in each attempt. Ignore one that you have seen.',
    example: 'demo_14',
    param: { id: 'webhook-id' },
  }),
  'webhook-timestamp': z.string().meta({
    description: 'When the attempt was made, in seconds since the epoch; refuse one that is minutes old.',
    example: '1795253400',
    param: { id: 'webhook-timestamp' },
  }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with what follows `whsec_` in the secret, decoded from base64. One for each secret that is good, separated by spaces.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    param: { id: 'webhook-signature' },
  }),
})

const arrived: ZodOpenApiResponseObject = {
  id: 'Arrived',
  description: 'Any 2xx within 10 seconds: it has arrived, and is not sent again.',
}

const unwanted: ZodOpenApiResponseObject = {
  id: 'Unwanted',
  description: 'Nobody wants events here any more: the endpoint is disabled.',
}

const notNow: ZodOpenApiResponseObject = {
  id: 'NotNow',
  description:
    'Anything else, a redirect or no answer too: it is sent again after 5 s, 30 s, 2 min, 10 min, 1 h, then every 6 h, for three days.',
}

/** The request that an endpoint receives for events of one type. */
export function receives(type: string, description: string, schema: z.ZodType): ZodOpenApiPathItemObject {
  const name = type.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  return {
    post: {
      operationId: `receive${name}`,
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
