/** Many users or accesses at once: each item is under the schema of the single create, and answered as that would be. */
import * as z from 'zod'
import { extend, type ZodMiniObject } from 'zod/mini'
import { type ErrorCode, ERRORS } from '../wire/errors.ts'
import { BATCH } from '../limits.ts'
import { batchBody, type toBatch } from '../wire/batches.ts'
import { batchUser, nestedAccess, usersBatchBody } from '../wire/user-batches.ts'
import { describes } from './describes.ts'
import { flag, integer, text } from './fields.ts'
import { answer, type Operation, storeOperation } from './operation.ts'
import { grantBody } from './product-accesses.ts'
import { named, requestBody } from './requests.ts'
import { userFields } from './users.ts'

const detail = { field: text('What was refused.'), explanation: text('What is wrong with it, in words for a person.') }

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

const result = z
  .object({
    index: integer('The place of the item in the list, from 0.'),
    status: integer('What the single create would have answered: 201 created, 200 skipped or updated, else an error.'),
    id: text('The record that was created, or the one that is there. A dry run tells none.').optional(),
    error: z
      .object({
        type: z.enum(Object.values(ERRORS).map(({ type }) => type)).meta({ description: 'The kind of error.' }),
        code: z.enum(Object.keys(ERRORS).filter(isCode)).meta({ description: 'What happened; branch on this.' }),
        message: text('What happened, in words for a person.'),
        details: z
          .union([
            z.object(detail),
            z.array(z.object({ ...detail, value: text('What was sent; of a password, `[redacted]`.') })),
          ])
          .meta({ description: 'Of a 400 the first field that is to blame, of a 422 every one.' })
          .optional(),
      })
      .meta({ id: 'BatchError', description: 'Why there is no record of this item.' })
      .optional(),
  })
  .meta({ id: 'BatchResult', description: 'What has become of one item.' })

const batch = describes<ReturnType<typeof toBatch>>()(
  z
    .object({
      dry_run: flag('Whether nothing was written.'),
      results: z.array(result).meta({ description: 'One for each item, in the order of the items.' }),
    })
    .meta({ id: 'BatchResults' }),
)

const answered = answer('BatchResults', {
  description: 'What has become of each item.',
  schema: batch,
  example: {
    dry_run: false,
    results: [
      { index: 0, status: 201, id: '14' },
      {
        index: 1,
        status: 422,
        id: '12',
        error: {
          type: 'validation_error',
          code: 'email_taken',
          message: ERRORS.email_taken.message,
          details: [
            {
              field: 'email',
              value: 'ada@example.com',
              explanation: 'an account with this e-mail exists in the store',
            },
          ],
        },
      },
    ],
  },
})

const fields = {
  items: `1 to ${BATCH.items} of them; each is judged and answered by itself.`,
  dry_run: 'True: answers what would happen, and writes nothing. Left out: false.',
  on_existing:
    'What becomes of an item whose record is there: `fail` (left out) answers as the single create does, `skip` leaves the record as it is, `update` changes what the item names.',
}

const user = named(
  'BatchUser',
  extend(batchUser(), {
    product_accesses: z
      .array(
        named('BatchUserProductAccess', nestedAccess(), {
          product_id: 'The id of the product. Either this or the slug.',
          slug: 'The slug of the product. Either this or the id.',
          status: 'Left out: `with_access`.',
          access_due_date:
            "The last moment of the access. Left out: as the product's `expiration_days` say; null: no limit.",
        }),
      )
      .max(BATCH.accessesOfUser)
      .nullable()
      .optional(),
  }),
  {
    ...userFields,
    product_accesses:
      'Accesses that come along. With a token they need the scope `product_accesses:write`, too. `update` grants those that are missing and updates those that are there.',
  },
)

const listOf = <Item extends ZodMiniObject>(item: Item) => z.array(item).min(1).max(BATCH.items)

const description = `One item's failure is its own. Of two items for the same record the later one is 422. Sent twice, or again after a lost answer, nothing is doubled. The body may have 1,048,576 bytes.`

export const batches: Operation[] = [
  ...storeOperation({
    method: 'post',
    path: '/users/batch',
    id: 'createUsers',
    tag: 'Users',
    summary: 'Create, or bring up to date, many users',
    description: `${description} At most ${BATCH.passwords} items may bring a password, and those beyond the quota of passwords are 429.`,
    scope: 'users:write',
    body: requestBody('CreateUsers', {
      schema: () => extend(usersBatchBody(), { items: listOf(user) }),
      fields,
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
    }),
    answers: { 200: answered },
  }),
  ...storeOperation({
    method: 'post',
    path: '/product_accesses/batch',
    id: 'grantProductAccesses',
    tag: 'Product accesses',
    summary: 'Grant, or bring up to date, many accesses',
    description,
    scope: 'product_accesses:write',
    body: requestBody('GrantProductAccesses', {
      schema: () => extend(batchBody(), { items: listOf(grantBody.schema) }),
      fields,
      example: { items: [{ user_id: '12', product_id: '4' }], dry_run: true },
    }),
    answers: { 200: answered },
  }),
]
