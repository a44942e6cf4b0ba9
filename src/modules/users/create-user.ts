import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { storeIn, storeRowIdIn } from '../../db/ids.ts'
import { events, stores, type User, users } from '../../db/schema/stores.ts'
import { columnsOf, params } from '../../db/statement.ts'
import { isObject } from '../../lib/json.ts'
import { contextParams, type RequestContext } from '../../change/request.ts'
import { creationOf, newRecord } from '../../change/create-record.ts'
import type { Created, IdempotencyKey } from '../../change/idempotency-claims.ts'
import {
  customFieldParams,
  customFieldKeyValues,
  unknownCustomFields,
  emailOwner,
  emailParams,
  emailTaken,
  isEmailOwner,
  foldedParams,
  foldedValues,
} from './user-writes.ts'
import { emailKeyOf } from '../../lib/emails.ts'
import { type NewPlainFields, PLAIN_FIELDS, plainValues } from './user-fields.ts'

/** A user without `language` gets the language of the store. */
export type NewUser = NewPlainFields & {
  /** An object, if it is defined. */
  readonly custom_fields?: unknown
}

interface CreateUserInput {
  user: NewUser
  key: IdempotencyKey | undefined
  /** Custom fields that need not be defined in the store. */
  builtInFields: readonly string[]
  hashPassword: (() => Promise<string>) | undefined
}

/**
 * Throws `idempotency_key_reused`, `unknown_custom_fields`, `email_taken`, and
 * `not_found` if the user that the key stands for has been erased.
 */
export function createUser(db: Db, context: RequestContext, input: CreateUserInput): Promise<Created<User>> {
  const { user, key, hashPassword } = input
  const values = { ...customFieldKeyValues(input), ...userValues(user), password_hash: null }
  return create(db, context, values, {
    key,
    compute: hashPassword && (async () => ({ password_hash: await hashPassword() })),
  })
}

const userParams = { ...emailParams, ...foldedParams, ...params(...PLAIN_FIELDS, 'custom_fields', 'password_hash') }

function userValues({ custom_fields, ...user }: NewUser) {
  const email_key = emailKeyOf(user.email)
  return {
    ...plainValues(user),
    ...foldedValues({ ...user, email_key }),
    email_key,
    // An empty object is equivalent to omitting the field.
    custom_fields:
      isObject(custom_fields) && Object.keys(custom_fields).length > 0 ? JSON.stringify(custom_fields) : null,
  }
}

const create = creationOf({ ...customFieldParams, ...userParams }, () => ({
  type: 'user.created',
  table: users,
  isKeyed: true,
  joins: [[emailOwner, isEmailOwner()]],
  rules: [unknownCustomFields(), emailTaken()],
  columns: columnsOf(users, {
    ...userParams,
    ...newRecord(),
    role: 'student',
    language: sql`coalesce(${userParams.language}, ${stores.language})`,
    updated_at: contextParams.now,
  }),
  // The row of a store has the first id of the store's range.
  columnJoins: [[stores, eq(stores.id, storeRowIdIn(storeIn(events.id)))]],
  record: getTableColumns(users),
}))
