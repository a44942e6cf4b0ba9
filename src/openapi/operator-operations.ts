/** The operations of the operator API, with the schemas that validate them. */
import * as accessTokens from '../admin/access-tokens.ts'
import * as customFields from '../admin/custom-fields.ts'
import * as adminAccesses from '../admin/product-accesses.ts'
import * as products from '../admin/products.ts'
import * as stores from '../admin/stores.ts'
import * as adminUsers from '../admin/users.ts'
import { listEventsQuery } from '../wire/events.ts'
import * as answers from './answers.ts'
import * as eventAnswers from './event-answers.ts'
import { FOLLOWING, ifMatch, list, type Operation, read, remove, STORE } from './operation.ts'
import * as operatorAnswers from './operator-answers.ts'

export const operatorOperations: Operation[] = [
  {
    method: 'post',
    path: '/admin/stores',
    id: 'createStore',
    tag: 'Operator',
    summary: 'Create a store',
    auth: 'operator',
    body: { schema: stores.createStoreBody, example: { id: 'academy', name: 'Academy', language: 'EN' } },
    success: { status: 201, description: 'The store.', schema: operatorAnswers.store },
    errors: ['missing_parameter', 'invalid_parameter', 'already_exists'],
  },
  list('/admin/stores', 'listStores', 'List the stores', stores.listStoresQuery, operatorAnswers.storePage),
  read(STORE, 'getStore', 'Read a store', operatorAnswers.store),
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
    success: { status: 201, description: 'The token.', schema: operatorAnswers.createdAccessToken },
    errors: ['missing_parameter', 'invalid_parameter', 'not_found'],
  },
  list(
    `${STORE}/tokens`,
    'listAccessTokens',
    'List the access tokens, revoked ones too',
    accessTokens.listAccessTokensQuery,
    operatorAnswers.accessTokenPage,
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
    success: { status: 201, description: 'The field is defined.', schema: operatorAnswers.customField },
    alternative: { status: 200, description: 'The field was there.' },
    errors: ['invalid_parameter', 'not_found'],
  },
  list(
    `${STORE}/custom_fields`,
    'listCustomFields',
    'List the custom fields, by key',
    customFields.listCustomFieldsQuery,
    operatorAnswers.customFieldPage,
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
    success: { status: 201, description: 'The product.', schema: operatorAnswers.product },
    errors: ['missing_parameter', 'invalid_parameter', 'already_exists', 'not_found'],
  },
  list(
    `${STORE}/products`,
    'listProducts',
    'List the products',
    products.listProductsQuery,
    operatorAnswers.productPage,
  ),
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
    success: { status: 201, description: 'The access.', schema: answers.productAccess, headers: ['ETag'] },
    errors: ['missing_parameter', 'invalid_parameter', 'access_exists', 'not_found'],
  },
  list(
    `${STORE}/product_accesses`,
    'listProductAccesses',
    'List or find accesses',
    adminAccesses.listProductAccessesQuery,
    answers.productAccessPage,
  ),
  read(`${STORE}/product_accesses/{id}`, 'getProductAccess', 'Read an access', answers.productAccess, ['ETag']),
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
    header: ifMatch,
    success: { status: 200, description: 'The access as it is now.', schema: answers.productAccess, headers: ['ETag'] },
    errors: ['invalid_parameter', 'not_found', 'etag_mismatch'],
  },
  {
    ...list(`${STORE}/events`, 'listEvents', 'List what happened in a store', listEventsQuery, eventAnswers.eventPage),
    description: FOLLOWING,
  },
]
