/** The create of v3. */
import type { toUser } from './public-routes.ts'
import { integer, resource, text } from '../../openapi/fields.ts'
import { describeOperations, response } from '../../openapi/operation.ts'
import { createdAt, role, updatedAt, userFields } from './docs.ts'

const publicUser = resource<ReturnType<typeof toUser>>(
  'PublicUser',
  'A user as v3 shows it: with every field, even if it has no value.',
  {
    id: integer('The number of the user in its store. v1 shows it as a string.', 14),
    name: text('The first name.', 'Katherine'),
    last_name: text('The last name.', 'Johnson'),
    role,
    email: text('The email as sent.', 'katherine@example.com'),
    phone: text('As sent.', '+1 202 555 0100'),
    avatar: text('As sent. It may be empty.', ''),
    country: text('Two letters, in upper case.', 'US'),
    language: text('Two letters, in upper case.', 'EN'),
    created_at: createdAt,
    updated_at: updatedAt,
    external_id: text("The user's id in your own system. It need not be unique.", 'crm-1918'),
    custom_fields: {
      schema: {
        type: 'object',
        properties: { field1: text('As sent.').schema },
        required: ['field1'],
        additionalProperties: {},
        description: "`field1`, and the values of the store's own custom fields.",
      },
      example: { field1: 'trajectories' },
    },
  },
)

const { name, last_name, email, password } = userFields

export const publicUsers = describeOperations('Users', {
  createPublicUser: {
    route: 'POST /v3/public/users',
    summary: 'Create a user (public v3)',
    description:
      'The user belongs to the store of the token. The user is registered at once, and no confirmation email is sent. Unknown fields are ignored.',
    fields: {
      name,
      last_name,
      email,
      password,
      phone: 'Any text.',
      avatar: 'It may be empty. Usually the URL of a picture.',
      country: 'Two letters, in upper or lower case.',
      language: 'Two upper-case letters.',
      external_id: "The user's id in your own system. It need not be unique.",
      custom_fields: "`field1`, which every store accepts, and values of the store's own custom fields.",
    },
    example: {
      name: 'Katherine',
      last_name: 'Johnson',
      email: 'katherine@example.com',
      phone: '+1 202 555 0100',
      avatar: '',
      country: 'US',
      language: 'EN',
      password: 'correct horse battery',
      external_id: 'crm-1918',
      custom_fields: { field1: 'trajectories' },
    },
    responses: {
      201: response(
        'PublicUserCreated',
        'The new user, or for a used key the user that was created then.',
        publicUser,
        {
          headers: ['ETag', 'Idempotent-Replayed'],
        },
      ),
    },
  },
})
