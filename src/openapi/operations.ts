/** Every operation, with the schemas that validate it; document.ts adds what all have in common. */
import * as z from 'zod'
import * as accessTokens from '../admin/access-tokens.ts'
import * as customFields from '../admin/custom-fields.ts'
import * as adminAccesses from '../admin/product-accesses.ts'
import * as products from '../admin/products.ts'
import * as stores from '../admin/stores.ts'
import * as adminUsers from '../admin/users.ts'
import type { Scope } from '../context.ts'
import type { ErrorCode } from '../errors.ts'
import { LENGTH } from '../limits.ts'
import * as accessesV1 from '../v1/product-accesses.ts'
import * as usersV1 from '../v1/users.ts'
import * as usersV3 from '../v3/users.ts'
import * as answers from './answers.ts'

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

const STORE = '/admin/stores/{store_id}'

function list(path: string, id: string, summary: string, query: z.ZodObject, page: z.ZodType): Operation {
  return {
    method: 'get',
    path,
    id,
    tag: 'Operator',
    summary,
    auth: 'operator',
    query,
    success: { status: 200, description: 'A page; `next` is the `after` of the next one.', schema: page },
    errors: path === '/admin/stores' ? ['invalid_parameter'] : ['invalid_parameter', 'not_found'],
  }
}

function read(path: string, id: string, summary: string, schema: z.ZodType): Operation {
  const success = { status: 200, description: 'The record.', schema }
  return { method: 'get', path, id, tag: 'Operator', summary, auth: 'operator', success, errors: ['not_found'] }
}

/** The example is one that does no harm when somebody runs all examples. */
function remove(operation: Pick<Operation, 'path' | 'id' | 'summary' | 'description' | 'pathExample'>): Operation {
  const success = { status: 204, description: 'Done.' }
  return { ...operation, method: 'delete', tag: 'Operator', auth: 'operator', success, errors: ['not_found'] }
}

const operator: Operation[] = [
  {
    method: 'post',
    path: '/admin/stores',
    id: 'createStore',
    tag: 'Operator',
    summary: 'Create a store',
    auth: 'operator',
    body: { schema: stores.createStoreBody, example: { id: 'academy', name: 'Academy', language: 'EN' } },
    success: { status: 201, description: 'The store.', schema: answers.store },
    errors: ['missing_parameter', 'invalid_parameter', 'already_exists'],
  },
  list('/admin/stores', 'listStores', 'List the stores', stores.listStoresQuery, answers.storePage),
  read(STORE, 'getStore', 'Read a store', answers.store),
  {
    method: 'post',
    path: `${STORE}/tokens`,
    id: 'createAccessToken',
    tag: 'Operator',
    summary: 'Issue an access token',
    description: 'The token is in this answer and nowhere else: only its SHA-256 is kept.',
    auth: 'operator',
    body: {
      schema: accessTokens.createAccessTokenBody,
      example: { name: 'Checkout', scopes: ['users:write'], expires_at: '2027-12-31T00:00:00Z' },
    },
    success: { status: 201, description: 'The token.', schema: answers.createdAccessToken },
    errors: ['missing_parameter', 'invalid_parameter', 'not_found'],
  },
  list(
    `${STORE}/tokens`,
    'listAccessTokens',
    'List the access tokens, revoked ones too',
    accessTokens.listAccessTokensQuery,
    answers.accessTokenPage,
  ),
  remove({
    path: `${STORE}/tokens/{id}`,
    id: 'revokeAccessToken',
    summary: 'Revoke an access token',
    description: 'Takes effect everywhere within 60 seconds.',
    pathExample: '9007199254740991',
  }),
  {
    method: 'put',
    path: `${STORE}/custom_fields/{key}`,
    id: 'putCustomField',
    tag: 'Operator',
    summary: 'Define a custom field, or change its label',
    auth: 'operator',
    body: { schema: customFields.putCustomFieldBody, example: { label: 'Department' } },
    success: { status: 201, description: 'The field is defined.', schema: answers.customField },
    alternative: { status: 200, description: 'The field was there.' },
    errors: ['invalid_parameter', 'not_found'],
  },
  list(
    `${STORE}/custom_fields`,
    'listCustomFields',
    'List the custom fields, by key',
    customFields.listCustomFieldsQuery,
    answers.customFieldPage,
  ),
  remove({
    path: `${STORE}/custom_fields/{key}`,
    id: 'deleteCustomField',
    summary: 'Remove a custom field',
    description: 'New values are refused within 60 seconds; values that users have are kept.',
    pathExample: 'obsolete_field',
  }),
  {
    method: 'post',
    path: `${STORE}/products`,
    id: 'createProduct',
    tag: 'Operator',
    summary: 'Create a product',
    auth: 'operator',
    body: {
      schema: products.createProductBody,
      example: { name: 'Difference engines', slug: 'difference-engines', type: 'course', expiration_days: 365 },
    },
    success: { status: 201, description: 'The product.', schema: answers.product },
    errors: ['missing_parameter', 'invalid_parameter', 'already_exists', 'not_found'],
  },
  list(`${STORE}/products`, 'listProducts', 'List the products', products.listProductsQuery, answers.productPage),
  list(`${STORE}/users`, 'listUsers', 'List or find users', adminUsers.listUsersQuery, answers.userPage),
  read(`${STORE}/users/{id}`, 'getUser', 'Read a user', answers.user),
  {
    method: 'post',
    path: `${STORE}/product_accesses`,
    id: 'grantProductAccess',
    tag: 'Operator',
    summary: 'Give a user access to a product',
    description: 'Without `access_due_date` it lasts as long as the product says; null is no limit.',
    auth: 'operator',
    body: { schema: adminAccesses.grantProductAccessBody, example: { user_id: '1', product_id: '1' } },
    success: { status: 201, description: 'The access.', schema: answers.productAccess },
    errors: ['missing_parameter', 'invalid_parameter', 'access_exists', 'not_found'],
  },
  list(
    `${STORE}/product_accesses`,
    'listProductAccesses',
    'List or find accesses',
    adminAccesses.listProductAccessesQuery,
    answers.productAccessPage,
  ),
  read(`${STORE}/product_accesses/{id}`, 'getProductAccess', 'Read an access', answers.productAccess),
  {
    method: 'patch',
    path: `${STORE}/product_accesses/{id}`,
    id: 'recordProgress',
    tag: 'Operator',
    summary: 'Record what the learner has reached',
    auth: 'operator',
    body: {
      schema: adminAccesses.recordProgressBody,
      example: { started_at: '2026-11-21T09:30:00Z', progress: 40, passed: false },
    },
    success: { status: 200, description: 'The access as it is now.', schema: answers.productAccess },
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

export const operations: Operation[] = [...integrator, ...operator, ...service]
