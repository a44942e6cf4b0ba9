/** The create of v3. */
import * as z from 'zod'
import { createUserBody, type toUser } from '../v3/users.ts'
import { describes } from './describes.ts'
import { integer, text } from './fields.ts'
import { answer, type Operation } from './operation.ts'
import { requestBody } from './requests.ts'
import { createdAt, createFields, role, updatedAt } from './users.ts'

const publicUser = describes<ReturnType<typeof toUser>>()(
  z
    .object({
      id: integer('The number of the user in its store, which v1 shows as a string.'),
      name: text('The first name.'),
      last_name: text('The last name.'),
      role,
      email: text('The address as it was sent.'),
      phone: text('As it was sent.'),
      avatar: text('As it was sent; may be empty.'),
      country: text('Two letters, in upper case.'),
      language: text('Two letters, in upper case.'),
      created_at: createdAt,
      updated_at: updatedAt,
      external_id: text("The user's id in the caller's own system; not unique here."),
      custom_fields: z
        .looseObject({ field1: text('As it was sent.') })
        .meta({ description: "`field1`, and the values of the store's own custom fields." }),
    })
    .meta({ id: 'PublicUser', description: 'A user as v3 shows it: every field, whether it has a value or not.' }),
)

const publicUserBody = requestBody('CreatePublicUser', {
  schema: createUserBody,
  fields: {
    ...createFields,
    phone: 'Not blank.',
    avatar: 'May be empty; usually the URL of a picture.',
    country: 'Two letters, in either case.',
    language: 'Two upper-case letters.',
    external_id: "The user's id in the caller's own system; not blank, and not necessarily unique.",
    custom_fields: "`field1`, which every store takes, and values of the store's own custom fields.",
  },
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
})

export const publicUsers: Operation[] = [
  {
    method: 'post',
    path: '/v3/public/users',
    id: 'createPublicUser',
    tag: 'Users',
    summary: 'Create a user (public v3)',
    description:
      'The user belongs to the store of the token. The user is registered at once, and no confirmation e-mail is sent. Fields that are not known are ignored.',
    caller: { scope: 'users:write' },
    headers: ['X-Idempotency-Key'],
    body: publicUserBody,
    answers: {
      201: answer('PublicUserCreated', {
        description: 'The user that was created, or with a used key, the one that was created then.',
        schema: publicUser,
        example: {
          id: 14,
          name: 'Margaret',
          last_name: 'Hamilton',
          role: 'student',
          email: 'margaret@example.com',
          phone: '+1 202 555 0100',
          avatar: '',
          country: 'US',
          language: 'EN',
          created_at: '2026-11-21T09:30:00.000Z',
          updated_at: '2026-11-21T09:30:00.000Z',
          external_id: 'crm-1936',
          custom_fields: { field1: 'guidance' },
        },
        headers: ['Idempotent-Replayed'],
      }),
    },
    errors: ['email_taken'],
  },
]
