/** Every operation, with the schemas that validate it; document.ts adds what all have in common. */
import * as z from 'zod'
import type { Scope } from '../context.ts'
import type { ErrorCode } from '../errors.ts'
import { LENGTH } from '../limits.ts'
import * as accessesV1 from '../v1/product-accesses.ts'
import * as usersV1 from '../v1/users.ts'
import * as usersV3 from '../v3/users.ts'
import * as answers from './answers.ts'
import { operatorOperations } from './operator-operations.ts'

export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  id: string
  tag: 'Users' | 'Product accesses' | 'Operator' | 'Service'
  summary: string
  description?: string
  /** The scope of an access token, the operator's token, or nothing. */
  auth: Scope | 'operator' | 'none'
  /** An example for the last parameter of the path that is no record of the demo store. */
  pathExample?: string
  query?: z.ZodObject
  header?: z.ZodObject
  body?: { schema: z.ZodType; example: object }
  success: { status: number; description: string; schema?: z.ZodType; isReplayable?: boolean }
  /** A second status of success. */
  alternative?: { status: number; description: string }
  /** Beyond those of the token, the body and the service. */
  errors: ErrorCode[]
}

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
    success: { status: 201, description: 'The user.', schema: answers.publicUser, isReplayable: true },
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
    success: { status: 201, description: 'The user.', schema: answers.user, isReplayable: true },
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
    body: {
      schema: accessesV1.updateProductAccessBody,
      example: { status: 'with_access', access_due_date: '2027-12-31T00:00:00Z' },
    },
    success: { status: 201, description: 'The access as it is now.', schema: answers.productAccess },
    errors: ['invalid_parameter', 'not_found'],
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

export const operations: Operation[] = [...integrator, ...operatorOperations, ...service]
