/** The users of a store, as v1 shows them. */
import { type FieldDocs, USER_FIELDS } from '../../db/schema/user-field-table.ts'
import { ofEach } from '../../lib/names.ts'
import { PLAIN_FIELDS, type PlainField, REQUIRED_FIELDS, SHOWN_FIELDS } from './user-fields.ts'
import type { toUser, toVerification } from './user-json.ts'
import {
  anyOf,
  constant,
  dictionary,
  component,
  object,
  optional,
  proseOf,
  resource,
  scalar,
  text,
  time,
} from '../../openapi/fields.ts'
import { describeOperations, order, pageResponse, response } from '../../openapi/operation.ts'

export const role = text('The role of the user in the store: `student`.', 'student')
export const createdAt = time('When the user was created.')
export const updatedAt = time('When a field of the user last changed.')

function docsOf(field: PlainField): Required<FieldDocs> {
  return { shows: 'As sent.', asks: 'Any text.', ...proseOf(USER_FIELDS[field].docs) }
}

function valueOf(field: PlainField) {
  const { shows, example } = docsOf(field)
  return text(shows, example)
}

const user = resource<ReturnType<typeof toUser>>('User', 'A user. A field without a value is omitted.', {
  id: text('The number of the user in its store. v3 shows it as an integer. No id is ever used twice.', '12'),
  ...ofEach(REQUIRED_FIELDS, valueOf),
  created_at: createdAt,
  ...ofEach(SHOWN_FIELDS, (field) => optional(valueOf(field))),
  // It keeps its place in the list.
  language: valueOf('language'),
  custom_fields: optional(
    dictionary(
      scalar('As sent, with every digit of a number.'),
      "The values of the store's custom fields, including fields that have been removed since.",
      { department: 'engines', year: 1843 },
    ),
  ),
  role,
  updated_at: updatedAt,
})

type Verification = ReturnType<typeof toVerification>

const verification = component(
  'PasswordVerification',
  anyOf(
    [
      component(
        'PasswordVerified',
        object<Extract<Verification, { verified: true }>>({
          verified: constant(true, 'This is the password of the user.'),
          user,
        }),
      ),
      component(
        'PasswordNotVerified',
        object<Extract<Verification, { verified: false }>>({
          verified: constant(false, 'The email, the password or both are wrong.'),
        }),
      ),
    ],
    'Whether the email and the password are right, and if so, the user.',
  ),
)

export const userFields = {
  ...ofEach(PLAIN_FIELDS, (field) => docsOf(field).asks),
  password:
    'Stored only as a salted Argon2id hash, and never shown. A token may send about 60 passwords in 60 seconds.',
  custom_fields: 'Each key is a custom field of the store. A value is a string, a number, a boolean or null.',
}

export const userFilters = {
  email: 'The user with this email, in any letter case: one user or none.',
  external_id: 'The users with this id in your own system.',
  ids: 'The users with these ids: 1 to 100, separated by commas.',
  q: 'A search for a person, by anything you would type in a search box: 1 to 5 words, separated by blanks or commas. Each word, in any order, must be part of the name, the last name or the email, ignoring case, accents and invisible characters, or the beginning of `external_id`. All apostrophes are the same, and all hyphens and dashes. If `q` has nothing but digits, blanks, dashes and `+ - ( ) . /`, it is a phone as well: zeros at its beginning and a `(0)` do not count, and with at least four other digits it also finds the users whose phone contains them or, if both have eight, ends with the same eight. Users whose email starts with `q` come first, by email, then the others, by id. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue.',
  custom_fields:
    'The users whose value of this custom field is this text, or a number, a boolean or null that is written like this in JSON: `custom_fields.department=engines`. One field at most, not together with `q`. A key that the store does not define is 422. One request examines at most 10,000 users: a page may be short or empty while `next` says where to continue.',
}

const shown = response('User', 'The user as it is now.', user, { headers: ['ETag'] })

export const users = describeOperations('Users', {
  createUser: {
    route: 'POST /v1/stores/{store_id}/users',
    summary: 'Create a user',
    description:
      'The user is registered at once, and no confirmation email is sent. Unknown fields are ignored. An optional field that is null counts as omitted.',
    fields: userFields,
    example: {
      name: 'Katherine',
      last_name: 'Johnson',
      email: 'katherine@example.com',
      country: 'US',
      external_id: 'crm-1918',
    },
    responses: {
      201: response('UserCreated', 'The new user, or for a used key the user that was created then.', user, {
        headers: ['ETag', 'Idempotent-Replayed'],
      }),
    },
  },
  listUsers: {
    route: 'GET /v1/stores/{store_id}/users',
    summary: 'List, find or search users',
    description:
      'All users by id, or the users that match every filter: the email, the id in your own system, a list of ids, or what a person types into a search field (`q`).',
    query: { ...userFilters, order: `${order} It cannot be combined with \`q\`.` },
    responses: { 200: pageResponse('UserPage', 'A page of users.', user) },
  },
  getUser: {
    route: 'GET /v1/stores/{store_id}/users/{id}',
    summary: 'Read a user',
    description: 'The user, with an ETag that a later change can send as `If-Match`.',
    responses: { 200: shown },
  },
  updateUser: {
    route: 'PATCH /v1/stores/{store_id}/users/{id}',
    summary: 'Correct a user',
    description:
      'Changes the fields that are sent and keeps the others. Null removes an optional field. If nothing would change, no event is written.',
    fields: {
      ...userFields,
      language: 'It must not be null, because every user has a language.',
      custom_fields:
        'Each key is set on its own. Null removes a value, including one of a field that no longer exists.',
      password: 'The new password. It always counts as a change, even if it is the same as before.',
    },
    example: { phone: '+44 20 7946 0001', custom_fields: { department: 'analysis' } },
    responses: { 200: shown },
  },
  eraseUser: {
    route: 'DELETE /v1/stores/{store_id}/users/{id}',
    summary: 'Erase a user',
    description:
      'Deletes the user and their accesses. The events stay, because they contain no personal data. The email is free again, and a new user with this email gets a new id. A create that is repeated with its old idempotency key is 404.',
  },
  verifyPassword: {
    route: 'POST /v1/stores/{store_id}/users/verify_password',
    summary: 'Check the password of a user',
    description:
      'For your own sign-in. It takes about the same time whether the email, the password or both are wrong. About 10 attempts in 60 seconds are allowed for each email of a store, whether they succeed or not, and about 60 for each token. After that, the response is 429.',
    fields: {
      email: 'The email of the user, in any letter case.',
      password: 'What the person has typed. It is neither stored nor logged.',
    },
    example: { email: 'ada@example.com', password: 'correct horse battery' },
    responses: { 200: response('PasswordVerification', 'Whether it is the password.', verification) },
  },
})
