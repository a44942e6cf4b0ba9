/** Many users or accesses in one request. Each item is validated, and reported, like a single create. */
import * as z from 'zod'
import { extend, type ZodMiniObject } from 'zod/mini'
import { ERROR_TYPES, ERRORS } from '../../error-codes.ts'
import { BATCH } from '../../limits.ts'
import { grantProductAccessBody } from '../../modules/accesses/routes.ts'
import type { toBatch } from '../../http/respond/batch.ts'
import { batchUser, nestedAccess } from '../../modules/users/batch/batch-schemas.ts'
import { codeOf, docsOfError, invalidField, invalidFields } from '../errors.ts'
import { anyOf, choice, flag, integer, list, optional, resource, text } from '../fields.ts'
import { describeOperations, response } from '../operation.ts'
import { grantFields } from '../../modules/accesses/docs.ts'
import { namedBody } from '../requests.ts'
import { userFields } from '../../modules/users/docs.ts'

type Batch = ReturnType<typeof toBatch>
type BatchResult = Batch['results'][number]

const types = [...new Set(Object.values(ERROR_TYPES))]

const error = resource<NonNullable<BatchResult['error']>>('BatchError', 'Why the item has failed.', {
  type: choice(types, 'The kind of error.', 'validation_error'),
  code: codeOf('email_taken'),
  message: text('What happened, in words for people.', ERRORS.email_taken.message),
  details: optional(anyOf([invalidField, invalidFields], 'For 400 the first invalid field, for 422 every one.')),
})

const result = resource<BatchResult>('BatchResult', 'The result of one item.', {
  index: integer('The position of the item in the list, from 0.', 0),
  status: integer(
    'The status that the single create would have returned: 201 if the record was created, 200 if it was skipped or updated, otherwise the status of the error.',
    201,
  ),
  id: optional(
    text('The id of the new or the existing record. A dry run has only that of a record that exists.', '14'),
  ),
  error: optional<NonNullable<BatchResult['error']>>({ schema: error.schema }),
})

const batch = resource<Batch>('BatchResults', 'The results of a batch.', {
  dry_run: flag('True if nothing was written.', false),
  results: list(result, 'One for each item, in the order of the items.'),
})

const { field, explanation, message } = ERRORS.email_taken
const { example } = docsOfError('email_taken')
const taken = { type: ERROR_TYPES[ERRORS.email_taken.status], code: 'email_taken', message }

const results = {
  results: [
    { index: 0, status: 201, id: '14' },
    { index: 1, status: 422, id: '12', error: { ...taken, details: [{ field, ...example, explanation }] } },
  ],
}

const done = response('BatchResults', 'The result of each item.', batch, { example: results })

const usersDone = response(
  'UserBatchResults',
  'The result of each item. If one is 429, `Retry-After` says how long to wait.',
  batch,
  {
    example: results,
    headers: ['Retry-After', 'RateLimit-Policy'],
  },
)

const fields = {
  items: `1 to ${BATCH.items} items. Each is validated and reported on its own.`,
  dry_run: 'If it is true, the response says what would happen, and nothing is written. If it is omitted, false.',
  on_existing:
    'What happens to an item whose record exists: `fail` (if omitted) reports what the single create would, `skip` leaves the record unchanged, `update` changes the fields that the item has.',
  never_shorten:
    'If it is true, an update keeps the date of an access that ends later than the item says, or never; a status is set all the same. If it is omitted, false.',
}

const user = namedBody(
  'BatchUser',
  extend(batchUser(), {
    product_accesses: z
      .array(
        namedBody('BatchUserProductAccess', nestedAccess(), {
          product_id: 'The id of the product. Send either this or the slug.',
          slug: 'The slug of the product. Send either this or the id.',
          status: 'If it is omitted, `with_access`.',
          access_due_date:
            "The last moment of the access. If it is omitted, the product's `expiration_days` apply. Null means no limit.",
        }),
      )
      .max(BATCH.accessesOfUser)
      .nullable()
      .optional(),
  }),
  {
    ...userFields,
    product_accesses:
      'Accesses that are granted together with the user. A token also needs the scope `product_accesses:write` for them. With `update`, missing accesses are granted and existing ones updated.',
  },
)

const listOf = (item: ZodMiniObject) => z.array(item).min(1).max(BATCH.items)

const description = `A failed item does not affect the others. If two items are for the same record, the later one is 422. Repeating the request, for example after a lost response, creates nothing twice. The body may have up to 1,048,576 bytes.`

export const batches = [
  ...describeOperations('Users', {
    createUsers: {
      route: 'POST /v1/stores/{store_id}/users/batch',
      summary: 'Create or update many users',
      description: `${description} At most ${BATCH.passwords} items may have a password. Items that exceed the rate limit of passwords are 429, and then the response has \`Retry-After\`.`,
      fields,
      shape: { items: listOf(user) },
      example: {
        items: [
          {
            name: 'Katherine',
            last_name: 'Johnson',
            email: 'katherine@example.com',
            product_accesses: [{ slug: 'analytical-engines' }],
          },
          { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
        ],
        on_existing: 'update',
      },
      responses: { 200: usersDone },
    },
  }),
  ...describeOperations('Product accesses', {
    grantProductAccesses: {
      route: 'POST /v1/stores/{store_id}/product_accesses/batch',
      summary: 'Grant or update many accesses',
      description,
      fields,
      shape: { items: listOf(namedBody('GrantProductAccess', grantProductAccessBody(), grantFields)) },
      example: { items: [{ user_id: '12', product_id: '4' }], dry_run: true },
      responses: { 200: done },
    },
  }),
]
