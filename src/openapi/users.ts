import * as z from 'zod'
import { createUserBody, listUsersQuery, updateUserBody, verifyPasswordBody } from '../v1/users.ts'
import type { toUser, toVerification } from '../wire/users.ts'
import { describes } from './describes.ts'
import { dictionary, scalar, text, time } from './fields.ts'
import { answer, done, type Operation, storeOperation } from './operation.ts'
import { pageAnswer } from './pages.ts'
import { queryOf, requestBody } from './requests.ts'

export const role = text('What the user is in the store: `student`.')
export const createdAt = time('When the user was created.')
export const updatedAt = time('When a field of the user last changed.')

/** A user as v1 shows it. */
const user = describes<ReturnType<typeof toUser>>()(
  z
    .object({
      id: text('The number of the user in its store, which v3 shows as an integer. None is ever used twice.'),
      name: text('The first name.'),
      last_name: text('The last name.'),
      email: text('The address as it was sent. In letters of another case it is the same address.'),
      created_at: createdAt,
      country: text('ISO 3166-1 alpha-2, in upper case. A user made on v3 may have other letters.').optional(),
      phone: text('As it was sent.').optional(),
      external_id: text("The user's id in the caller's own system; not unique here.").optional(),
      language: text('`ES`, `PT` or `EN`. A user made on v3 may have another.'),
      avatar: text('As it was sent; usually the URL of a picture.').optional(),
      custom_fields: dictionary(
        scalar('What was sent, each digit of a number included.'),
        "The user's values of the store's custom fields, and of fields that have been removed since.",
      ).optional(),
      role,
      updated_at: updatedAt,
    })
    .meta({ id: 'User', description: 'A user. A field without a value is left out.' }),
)

const userExample = {
  id: '12',
  name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  created_at: '2026-11-21T09:30:00.000Z',
  country: 'GB',
  phone: '+44 20 7946 0000',
  external_id: 'crm-1815',
  language: 'EN',
  avatar: 'https://example.com/ada.png',
  custom_fields: { department: 'engines', year: 1843 },
  role: 'student',
  updated_at: '2026-11-21T09:30:00.000Z',
}

export const createFields = {
  name: 'The first name; not blank.',
  last_name: 'The last name; not blank.',
  email: 'Unique within the store, without regard to letter case; taken already, the answer is 422 `email_taken`.',
  phone: 'Any text.',
  avatar: 'Any text; usually the URL of a picture.',
  external_id: "The user's id in the caller's own system. Users can be found by it; it need not be unique.",
  password: 'Kept as a salted scrypt hash alone, and never shown. About 60 in 60 seconds may be sent with one token.',
}

export const userFields = {
  ...createFields,
  country: 'A real ISO 3166-1 alpha-2 code, in either case.',
  language: "Left out: the store's own language.",
  custom_fields: 'Each key is a custom field that the store has defined; a value is a string, number, boolean or null.',
}

const userBody = requestBody('CreateUser', {
  schema: createUserBody,
  fields: userFields,
  example: {
    name: 'Katherine',
    last_name: 'Johnson',
    email: 'katherine@example.com',
    country: 'US',
    external_id: 'crm-1918',
  },
})

const userChange = requestBody('UpdateUser', {
  schema: updateUserBody,
  fields: {
    name: 'The first name; not blank.',
    last_name: 'The last name; not blank.',
    email: 'The new address; 422 `email_taken` where another user of the store has it.',
    phone: 'Null removes it.',
    country: 'A real ISO 3166-1 alpha-2 code; null removes it.',
    language: 'May not be null: a user has a language.',
    external_id: 'Null removes it.',
    avatar: 'Null removes it.',
    custom_fields: 'Each key is set on its own, and null removes it, that of a field that is no longer defined too.',
    password: 'The new password; always a change, even if it is the one before.',
  },
  example: { phone: '+44 20 7946 0001', custom_fields: { department: 'analysis' } },
})

const passwordBody = requestBody('VerifyPassword', {
  schema: verifyPasswordBody,
  fields: {
    email: 'The address of the user, in any letter case.',
    password: 'What the person has typed. It is neither stored nor logged.',
  },
  example: { email: 'ada@example.com', password: 'correct horse battery' },
})

const verification = describes<ReturnType<typeof toVerification>>()(
  z
    .union([
      z
        .object({ verified: z.literal(true).meta({ description: 'It is the password of this user.' }), user })
        .meta({ id: 'PasswordVerified' }),
      z
        .object({ verified: z.literal(false).meta({ description: 'The e-mail, the password or both are wrong.' }) })
        .meta({ id: 'PasswordNotVerified' }),
    ])
    .meta({ id: 'PasswordVerification', description: 'Whether the password is right, and then whose it is.' }),
)

export const userFilters = {
  email: 'The user with this address, in any letter case: one or none.',
  external_id: 'The users with this id in your own system.',
  q: 'The start of an e-mail, or a part of a name or last name, without regard to ASCII letter case. First come the users whose e-mail starts so, by e-mail, then those with the name, by id. One request looks through a few thousand users at most: a page may be short or empty while `next` says where to go on.',
}

const listQuery = queryOf('listUsers', listUsersQuery, userFilters)

const shown = answer('User', {
  description: 'The user as it is now.',
  schema: user,
  example: userExample,
  headers: ['ETag'],
})

export const users: Operation[] = [
  ...storeOperation({
    method: 'post',
    path: '/users',
    id: 'createUser',
    tag: 'Users',
    summary: 'Create a user',
    description:
      'The user is registered at once, and no confirmation e-mail is sent. Fields that are not known are ignored; an optional field that is null counts as left out.',
    scope: 'users:write',
    headers: ['X-Idempotency-Key'],
    body: userBody,
    answers: {
      201: answer('UserCreated', {
        description: 'The user that was created, or with a used key, the one that was created then.',
        schema: user,
        example: userExample,
        headers: ['ETag', 'Idempotent-Replayed'],
      }),
    },
    errors: ['email_taken'],
  }),
  ...storeOperation({
    method: 'get',
    path: '/users',
    id: 'listUsers',
    tag: 'Users',
    summary: 'List, find or search users',
    description:
      'All users by id, or those that fit: by their e-mail, by the id in your own system, or as one types (`q`). Several filters must all fit.',
    scope: 'users:read',
    query: listQuery,
    answers: {
      200: pageAnswer('UserPage', { description: 'A page of users.', record: user, example: userExample }),
    },
  }),
  ...storeOperation({
    method: 'get',
    path: '/users/{id}',
    id: 'getUser',
    tag: 'Users',
    summary: 'Read a user',
    description: 'The user, with the ETag that a change may be bound to.',
    scope: 'users:read',
    answers: { 200: shown },
  }),
  ...storeOperation({
    method: 'patch',
    path: '/users/{id}',
    id: 'updateUser',
    tag: 'Users',
    summary: 'Correct a user',
    description:
      'Changes what is sent and leaves the rest. Null removes what a user may lack. What changes nothing writes no event.',
    scope: 'users:write',
    headers: ['If-Match'],
    body: userChange,
    answers: { 200: shown },
    errors: ['email_taken'],
  }),
  ...storeOperation({
    method: 'delete',
    path: '/users/{id}',
    id: 'eraseUser',
    tag: 'Users',
    summary: 'Erase a user',
    description:
      'Deletes the person: the user and the accesses. The events stay, because they hold no personal data. The e-mail is free for a new user, who gets an id of their own; a repeated create with the old idempotency key is 404.',
    scope: 'users:erase',
    headers: ['If-Match'],
    answers: { 204: done },
  }),
  ...storeOperation({
    method: 'post',
    path: '/users/verify_password',
    id: 'verifyPassword',
    tag: 'Users',
    summary: 'Check the password of a user',
    description:
      'For a sign-in of your own. It takes about the same time whether the e-mail, the password or both are wrong. About 10 tries in 60 seconds are allowed per store and e-mail, right ones too; then 429.',
    scope: 'passwords:verify',
    body: passwordBody,
    answers: {
      200: answer('PasswordVerification', {
        description: 'Whether it is the password.',
        schema: verification,
        example: { verified: true, user: userExample },
      }),
    },
  }),
]
