import * as z from 'zod'
import { ACCESS_STATUSES } from '../domain/accesses/product-accesses.ts'
import {
  grantProductAccessBody,
  listProductAccessesQuery,
  recordProgressBody,
  updateProductAccessBody,
} from '../v1/product-accesses.ts'
import type { toProductAccess } from '../wire/product-accesses.ts'
import { describes } from './describes.ts'
import { choice, flag, integer, scalar, text, time } from './fields.ts'
import { answer, type Operation, storeOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { queryOf, requestBody } from './requests.ts'

const productAccess = describes<ReturnType<typeof toProductAccess>>()(
  z
    .object({
      id: text('The number of the access in its store; none is ever used twice.'),
      created_at: time('When the access was granted.'),
      started_at: time('When the user began; null: not yet, or not told.').nullable(),
      completed_at: time('When the user completed the product; null: not yet, or not told.').nullable(),
      access_due_date: time('The last moment at which the access is in force; null: no limit.').nullable(),
      expiration_days: integer('For how many days the product is given unless a due date is named.').optional(),
      status: choice(ACCESS_STATUSES, 'What was set. It does not change when the due date passes.'),
      grade: scalar('The grade, in whatever scale the caller uses; null: none yet.'),
      concept_grade: text('The grade in words; null: none yet.').nullable(),
      passed: flag('Whether the user has passed.'),
      progress: integer('How much is done, in percent: 0 to 100.'),
      certificate_url: text('Where the certificate is; null: there is none.').nullable(),
      product: z
        .object({
          id: text('The id of the product.'),
          slug: text('The short name of the product, unique in its store.'),
          type: text("The store's own word for the kind of product."),
          name: text('The name of the product as it is now.'),
        })
        .meta({ description: 'What the access is to.' }),
      user: z
        .object({
          id: text('The id of the user.'),
          name: text('The first name as it is now.'),
          last_name: text('The last name as it is now.'),
          external_id: text("The user's id in the caller's own system; null: none.").nullable(),
          email: text('The e-mail as it is now.'),
        })
        .meta({ description: 'Who has the access.' }),
    })
    .meta({ id: 'ProductAccess', description: 'The access of a user to a product.' }),
)

const example = {
  id: '13',
  created_at: '2026-11-21T09:30:00.000Z',
  started_at: null,
  completed_at: null,
  access_due_date: '2027-12-31T00:00:00.000Z',
  expiration_days: 365,
  status: 'with_access',
  grade: null,
  concept_grade: null,
  passed: false,
  progress: 0,
  certificate_url: null,
  product: { id: '4', slug: 'analytical-engines', type: 'course', name: 'Analytical engines' },
  user: { id: '12', name: 'Ada', last_name: 'Lovelace', external_id: 'crm-1815', email: 'ada@example.com' },
}

export const grantBody = requestBody('GrantProductAccess', {
  schema: grantProductAccessBody,
  fields: {
    user_id: 'Who gets the access; a user of the store.',
    product_id: 'To what; a product of the store.',
    status: 'Left out: `with_access`.',
    access_due_date:
      "The last moment of the access. Left out: now and the product's `expiration_days`, or no limit where it has none; null: no limit.",
  },
  example: { user_id: '12', product_id: '4', access_due_date: '2027-12-31T00:00:00Z' },
})

const updateBody = requestBody('UpdateProductAccess', {
  schema: updateProductAccessBody,
  fields: {
    status: 'Opens or closes the access. Left out: as before.',
    access_due_date:
      'The last moment of the access, which may lie in the past: it then ends at once. Null removes the limit. Left out: as before.',
  },
  example: { status: 'with_access', access_due_date: '2027-12-31T00:00:00Z' },
})

const progressBody = requestBody('RecordProgress', {
  schema: recordProgressBody,
  fields: {
    started_at: 'When the user began; null takes it back.',
    completed_at: 'When the user completed the product; null takes it back.',
    progress: 'How much is done, in percent.',
    grade: 'A string, number or boolean, in whatever scale you use, kept as sent; null removes it.',
    concept_grade: 'The grade in words; null removes it.',
    passed: 'Whether the user has passed.',
    certificate_url: 'An http or https URL; null removes it.',
  },
  example: { started_at: '2026-11-21T09:30:00Z', progress: 40, grade: 8.5, passed: false },
})

export const accessFilters = {
  user_id: 'The accesses of this user.',
  product_id: 'The accesses to this product.',
  status: 'The accesses with this status.',
  due_after: 'The accesses whose due date is later than this.',
  due_before: 'The accesses whose due date is earlier than this; those without a limit are not among them.',
}

const listQuery = queryOf('listProductAccesses', listProductAccessesQuery, accessFilters)

const shown = answer('ProductAccess', {
  description: 'The access as it is now.',
  schema: productAccess,
  example,
  headers: ['ETag'],
})

export const productAccesses: Operation[] = [
  ...storeOperation({
    method: 'put',
    path: '/product_accesses/{id}',
    id: 'updateProductAccess',
    tag: 'Product accesses',
    summary: 'Change the status or the due date of an access',
    description:
      'What is left out keeps its value; `{}` changes nothing and answers the access. Success is 201. Fields that are not known are ignored.',
    scope: 'product_accesses:write',
    headers: ['If-Match'],
    body: updateBody,
    answers: { 201: shown },
  }),
  ...storeOperation({
    method: 'post',
    path: '/product_accesses',
    id: 'grantProductAccess',
    tag: 'Product accesses',
    summary: 'Give a user access to a product',
    description:
      'A user has one access to a product: a second one is 422 `access_exists`, and `X-Existing-Id` names the one that is there.',
    scope: 'product_accesses:write',
    headers: ['X-Idempotency-Key'],
    body: grantBody,
    answers: {
      201: answer('ProductAccessGranted', {
        description: 'The access that was granted, or with a used key, the one that was granted then.',
        schema: productAccess,
        example,
        headers: ['ETag', 'Idempotent-Replayed'],
      }),
    },
    errors: ['access_exists'],
  }),
  ...storeOperation({
    method: 'get',
    path: '/product_accesses',
    id: 'listProductAccesses',
    tag: 'Product accesses',
    summary: 'List or find accesses',
    description:
      'All accesses by id, or those that fit every filter. With `status`, `due_after` or `due_before` one request reads at most 5,000 accesses: a page may be short or empty while `next` says where to go on.',
    scope: 'product_accesses:read',
    query: listQuery,
    answers: {
      200: pageAnswer('ProductAccessPage', { description: 'A page of accesses.', record: productAccess, example }),
    },
  }),
  ...storeOperation({
    method: 'get',
    path: '/product_accesses/{id}',
    id: 'getProductAccess',
    tag: 'Product accesses',
    summary: 'Read an access',
    description:
      'The access with its product and its user. The ETag is that of its own fields: it stays when the user or the product is renamed.',
    scope: 'product_accesses:read',
    answers: { 200: shown },
  }),
  ...storeOperation({
    method: 'patch',
    path: '/product_accesses/{id}',
    id: 'recordProgress',
    tag: 'Product accesses',
    summary: 'Record what the user has reached',
    description: 'Changes what is sent and leaves the rest; null removes what an access may lack.',
    scope: 'product_accesses:write',
    headers: ['If-Match'],
    body: progressBody,
    answers: { 200: shown },
  }),
]
