/** Every operation, with the schemas that validate it; document.ts adds what all have in common. */
import * as z from 'zod'
import type { ErrorCode } from '../errors.ts'
import { LENGTH } from '../limits.ts'
import * as accessesV1 from '../v1/product-accesses.ts'
import * as usersV1 from '../v1/users.ts'
import * as usersV3 from '../v3/users.ts'
import { listEventsQuery } from '../wire/events.ts'
import * as answers from './answers.ts'
import * as eventAnswers from './event-answers.ts'
import { FOLLOWING, ifMatch, type Operation, PAGE } from './operation.ts'
import { operatorOperations } from './operator-operations.ts'
import { webhookOperations } from './webhook-operations.ts'

const idempotencyKey = z.object({
  'X-Idempotency-Key': z
    .string()
    .max(LENGTH.idempotencyKey)
    .regex(/^[!-~]+$/)
    .optional()
    .meta({
      description:
        'Makes a retry safe for 24 hours: the same key with the same body answers the first response again and creates nothing.',
    }),
})

const creation: ErrorCode[] = ['invalid_header', 'missing_parameter', 'invalid_parameter']
const claims: ErrorCode[] = ['email_taken', 'idempotency_key_reused']

const integrator: Operation[] = [
  {
    method: 'post',
    path: '/v3/public/users',
    id: 'createPublicUser',
    tag: 'Users',
    summary: 'Create a user (public v3)',
    description: 'The user belongs to the store of the token. No confirmation e-mail is sent.',
    auth: 'users:write',
    header: idempotencyKey,
    body: {
      schema: usersV3.createUserBody,
      example: {
        name: 'Margaret',
        last_name: 'Hamilton',
        email: 'margaret@example.com',
        phone: '+1 202 555 0100',
        avatar: '',
        country: 'US',
        language: 'EN',
        password: 'correct horse battery',
        external_id: 'crm-1936',
        custom_fields: { field1: 'guidance' },
      },
    },
    success: { status: 201, description: 'The user.', schema: answers.publicUser, headers: ['Idempotent-Replayed'] },
    errors: [...creation, ...claims],
  },
  {
    method: 'post',
    path: '/v1/stores/{store_id}/users',
    id: 'createUser',
    tag: 'Users',
    summary: 'Create a user in a store (v1)',
    description: 'The user is registered at once; no confirmation e-mail is sent. Fields without a value are left out.',
    auth: 'users:write',
    header: idempotencyKey,
    body: {
      schema: usersV1.createUserBody,
      example: { name: 'Katherine', last_name: 'Johnson', email: 'katherine@example.com', country: 'US' },
    },
    success: { status: 201, description: 'The user.', schema: answers.user, headers: ['Idempotent-Replayed'] },
    errors: [...creation, ...claims],
  },
  {
    method: 'put',
    path: '/v1/stores/{store_id}/product_accesses/{id}',
    id: 'updateProductAccess',
    tag: 'Product accesses',
    summary: 'Change the status or the due date of an access (v1)',
    description:
      'What is left out keeps its value; `access_due_date: null` removes the limit; `{}` changes nothing. Success is 201.',
    auth: 'product_accesses:write',
    header: ifMatch,
    body: {
      schema: accessesV1.updateProductAccessBody,
      example: { status: 'with_access', access_due_date: '2027-12-31T00:00:00Z' },
    },
    success: { status: 201, description: 'The access as it is now.', schema: answers.productAccess, headers: ['ETag'] },
    errors: ['invalid_parameter', 'not_found', 'etag_mismatch'],
  },
  {
    method: 'get',
    path: '/v1/stores/{store_id}/events',
    id: 'followEvents',
    tag: 'Events',
    summary: 'Follow what happens in the store (v1)',
    description: FOLLOWING,
    auth: 'events:read',
    query: listEventsQuery,
    success: { status: 200, description: PAGE, schema: eventAnswers.eventPage },
    errors: ['invalid_parameter'],
  },
  {
    method: 'get',
    path: '/v1/token',
    id: 'getToken',
    tag: 'Access tokens',
    summary: 'What the token of this request is (v1)',
    description: 'Checks a credential without any effect: it does not count as a use of the token.',
    auth: 'any token',
    success: { status: 200, description: 'The token.', schema: answers.ownAccessToken },
    errors: [],
  },
]

const service: Operation[] = [
  {
    method: 'get',
    path: '/health',
    id: 'checkHealth',
    tag: 'Service',
    summary: 'Whether the service and its database answer',
    auth: 'none',
    success: {
      status: 200,
      description: 'They do.',
      schema: z.object({ status: z.literal('ok') }).meta({ example: { status: 'ok' } }),
    },
    errors: [],
  },
]

export const operations: Operation[] = [...integrator, ...operatorOperations, ...webhookOperations, ...service]
