import { ACCESS_STATUSES } from './access-record.ts'
import type { toProductAccess } from './access-json.ts'
import {
  choice,
  flag,
  integer,
  nullable,
  object,
  optional,
  resource,
  scalar,
  text,
  time,
} from '../../openapi/fields.ts'
import { describeOperations, order, pageResponse, response } from '../../openapi/operation.ts'

type ProductAccess = ReturnType<typeof toProductAccess>

const productAccess = resource<ProductAccess>('ProductAccess', 'The access of a user to a product.', {
  id: text('The number of the access in its store. No id is ever used twice.', '13'),
  created_at: time('When the access was granted.'),
  started_at: nullable(time('When the user started the product. Null if this is not recorded.')),
  completed_at: nullable(time('When the user completed the product. Null if this is not recorded.')),
  access_due_date: nullable(
    time('The last moment at which the access is in force. Null if there is no limit.', '2027-12-31T00:00:00.000Z'),
  ),
  expiration_days: optional(
    integer('How many days an access to the product lasts if it is granted without a due date.', 365),
  ),
  status: choice(ACCESS_STATUSES, 'As set. It does not change when the due date passes.', 'with_access'),
  grade: scalar('The grade, in any scale that you use. Null if there is none.'),
  concept_grade: nullable(text('The grade in words. Null if there is none.')),
  passed: flag('Whether the user has passed.', false),
  progress: integer('How much is done, in percent: 0 to 100.', 0),
  certificate_url: nullable(text('The URL of the certificate. Null if there is none.')),
  product: object<ProductAccess['product']>(
    {
      id: text('The id of the product.', '4'),
      slug: text('The short name of the product, unique in its store.', 'analytical-engines'),
      type: text("The store's own word for the kind of product.", 'course'),
      name: text('The name of the product as it is now.', 'Analytical engines'),
    },
    'The product.',
  ),
  user: object<ProductAccess['user']>(
    {
      id: text('The id of the user.', '12'),
      name: text('The first name as it is now.', 'Ada'),
      last_name: text('The last name as it is now.', 'Lovelace'),
      external_id: nullable(text("The user's id in your own system. Null if there is none.", 'crm-1815')),
      email: text('The email as it is now.', 'ada@example.com'),
    },
    'The user who has the access.',
  ),
})

export const grantFields = {
  user_id: 'The user who gets the access. It must be a user of the store.',
  product_id: 'The id of the product, which must be a product of the store. Send either this or `slug`.',
  slug: 'The slug of the product, instead of its id.',
  status: 'If it is omitted, `with_access`.',
  access_due_date:
    "The last moment of the access. If it is omitted, the access lasts for the product's `expiration_days` from now, or without a limit if the product has none. Null means no limit.",
}

export const accessFilters = {
  ids: 'The accesses with these ids: 1 to 100, separated by commas.',
  user_ids: 'The accesses of these users: 1 to 100 ids, separated by commas.',
  custom_fields:
    'The accesses of users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most. The token then needs the scope `users:read` as well. A key that the store does not define is 422.',
  user_id: 'The accesses of this user.',
  product_id: 'The accesses to this product.',
  status: 'The accesses with this status.',
  in_force:
    '`true`: the accesses that are in force now: their status is `with_access`, and their due date has not passed. `false`: all others.',
  due_after: 'The accesses whose due date is this or later.',
  due_before: 'The accesses whose due date is earlier than this. Accesses without a limit do not match.',
}

const shown = response('ProductAccess', 'The access as it is now.', productAccess, { headers: ['ETag'] })

export const productAccesses = describeOperations('Product accesses', {
  updateProductAccess: {
    route: 'PUT /v1/stores/{store_id}/product_accesses/{id}',
    summary: 'Change the status or the due date of an access',
    description:
      'An omitted field keeps its value. `{}` changes nothing and returns the access. Success is 201. Unknown fields are ignored.',
    fields: {
      status: 'Opens or closes the access. If it is omitted, the status stays as it is.',
      access_due_date:
        'The last moment of the access. A date in the past ends the access at once. Null removes the limit. If it is omitted, the date stays as it is.',
    },
    example: { status: 'with_access', access_due_date: '2027-12-31T00:00:00Z' },
    responses: { 201: shown },
  },
  grantProductAccess: {
    route: 'POST /v1/stores/{store_id}/product_accesses',
    summary: 'Give a user access to a product',
    description:
      'A user has at most one access to a product. A second grant is 422 `access_exists`, and `X-Existing-Id` names the existing access.',
    fields: grantFields,
    example: { user_id: '12', product_id: '4', access_due_date: '2027-12-31T00:00:00Z' },
    responses: {
      201: response(
        'ProductAccessGranted',
        'The new access, or for a used key the access that was granted then.',
        productAccess,
        { headers: ['ETag', 'Idempotent-Replayed'] },
      ),
    },
  },
  listProductAccesses: {
    route: 'GET /v1/stores/{store_id}/product_accesses',
    summary: 'List or find accesses',
    description:
      'All accesses by id, or the accesses that match every filter. With `status`, `in_force`, `due_after` or `due_before`, one request examines at most 5,000 accesses, and with a custom field at most 2,000: a page may be short or empty while `next` says where to continue.',
    query: { ...accessFilters, order },
    responses: { 200: pageResponse('ProductAccessPage', 'A page of accesses.', productAccess) },
  },
  getProductAccess: {
    route: 'GET /v1/stores/{store_id}/product_accesses/{id}',
    summary: 'Read an access',
    description:
      'The access with its product and its user. The ETag covers the fields of the access: it does not change when the user or the product is renamed.',
    responses: { 200: shown },
  },
  extendProductAccess: {
    route: 'POST /v1/stores/{store_id}/product_accesses/{id}/extend',
    summary: 'Extend an access',
    description:
      'What a paid renewal does: the access ends so many days or months later, and never earlier. They are counted from its due date, or from now if that has passed, by the calendar of the time zone of the store: the time of day stays, the end of a day becomes the end of the new day, and a month that has no such day ends with its last day. An access without a date stays as it is, and so does one that would move beyond the year 9999; the status does not change. Send the order as `X-Idempotency-Key`: without a key, a request that is sent again extends again.',
    fields: {
      days: 'How many days later the access ends, 1 to 3650. Send either this or `months`.',
      months: 'How many months later the access ends, 1 to 120. Send either this or `days`.',
    },
    example: { months: 1 },
    responses: {
      200: response(
        'ProductAccessExtended',
        'The access with its new date, or for a used key the response of then.',
        productAccess,
        { headers: ['ETag', 'Idempotent-Replayed'] },
      ),
    },
  },
  recordProgress: {
    route: 'PATCH /v1/stores/{store_id}/product_accesses/{id}',
    summary: 'Record the progress of a user',
    description: 'Changes the fields that are sent and keeps the others. Null removes an optional field.',
    fields: {
      started_at: 'When the user started the product.',
      completed_at: 'When the user completed the product.',
      progress: 'How much is done, in percent.',
      grade: 'A string, number or boolean, in any scale that you use. It is stored as sent. Null removes it.',
      concept_grade: 'The grade in words.',
      passed: 'Whether the user has passed.',
      certificate_url: 'An http or https URL.',
    },
    example: { started_at: '2026-11-21T09:30:00Z', progress: 40, grade: 8.5, passed: false },
    responses: { 200: shown },
  },
})
