import { and, getTableColumns, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type User, users } from '../../db/schema/stores.ts'
import { params, statement, type ValuesOf } from '../../db/statement.ts'
import { isObject } from '../../lib/json.ts'
import { lazy } from '../../lib/lazy.ts'
import { contextParams, type RequestContext, rule } from '../../change/request.ts'
import { differencesOf, optionalFields, type RecordRequest } from '../../change/record-fields.ts'
import { updateOf, updateSubject } from '../../change/update-record.ts'
import {
  areTooLarge,
  customFieldParams,
  customFieldKeyValues,
  mergedCustomFields,
  unknownCustomFields,
  emailOwner,
  emailParams,
  emailTaken,
  isEmailOwner,
  foldedParams,
  foldedValues,
} from './user-writes.ts'
import { emailKeyOf } from '../../lib/emails.ts'
import { PLAIN_FIELDS, type ChangedPlainFields } from './user-fields.ts'

interface UserUpdate extends RecordRequest {
  fields: ChangedPlainFields
  /** Each key of an object is set; one with the value null is removed. Null removes all keys, undefined keeps them. */
  custom_fields: unknown
  hashPassword: (() => Promise<string>) | undefined
}

/** Throws `unknown_custom_fields`, `custom_fields_too_large`, `not_found`, `etag_mismatch` and `email_taken`. */
export function updateUser(db: Db, context: RequestContext, input: UserUpdate): Promise<User> {
  const { hashPassword } = input
  const values = { ...customFieldKeyValues({ user: withoutRemovals(input) }), ...updateValues(input) }
  return update(db, context, input, values, {
    compute: hashPassword && (async () => ({ password_hash: await hashPassword() })),
  })
}

const plain = optionalFields(users, PLAIN_FIELDS)

const updateParams = {
  ...customFieldParams,
  ...plain.params,
  ...emailParams,
  ...foldedParams,
  ...params('custom_fields', 'clears_custom_fields', 'sets_password', 'password_hash'),
}

function updateValues({ fields, custom_fields, hashPassword }: UserUpdate) {
  const email_key = fields.email == null ? null : emailKeyOf(fields.email)
  return {
    ...plain.valuesOf(fields),
    ...foldedValues({ ...fields, email_key }),
    email_key,
    custom_fields: JSON.stringify(isObject(custom_fields) ? custom_fields : {}),
    clears_custom_fields: custom_fields === null ? 1 : 0,
    sets_password: hashPassword ? 1 : 0,
    password_hash: null,
  }
}

/** The custom fields that are set. A field that is removed need not be defined in the store any more. */
function withoutRemovals({ custom_fields }: UserUpdate) {
  const entries = isObject(custom_fields) ? Object.entries(custom_fields) : []
  return { custom_fields: Object.fromEntries(entries.filter(([, value]) => value !== null)) }
}

const merged = lazy(() => mergedCustomFields(updateParams.custom_fields))

const newValues = lazy(() => ({
  ...plain.newValues(),
  custom_fields: sql<string | null>`iif(${updateParams.clears_custom_fields}, null,
    nullif(${merged()}, '{}'))`,
}))

/** Without custom fields in the request, the size is not computed: it costs a merge for each update. */
function customFieldsTooLarge() {
  return rule('custom_fields_too_large', and(ne(updateParams.custom_fields, sql`'{}'`), areTooLarge(merged())))
}

/** Writes every column that has no index, and these indexed ones. */
function updateWith(indexed: () => { readonly [Column in keyof User]?: SQL }) {
  return statement(updateParams, () => {
    const { email: _email, external_id: _external_id, ...unindexed } = newValues()
    return updateSubject(users, {
      ...unindexed,
      ...indexed(),
      name_folded: sql`coalesce(${updateParams.name_folded}, ${users.name_folded})`,
      last_name_folded: sql`coalesce(${updateParams.last_name_folded}, ${users.last_name_folded})`,
      phone_digits: sql`iif(${updateParams.sets_phone}, ${updateParams.phone_digits}, ${users.phone_digits})`,
      password_hash: sql`coalesce(${updateParams.password_hash}, ${users.password_hash})`,
      updated_at: contextParams.now,
    })
  })
}

function emailColumns() {
  const { email_key, email_folded } = updateParams
  return { email: newValues().email, email_key, email_folded }
}

function externalIdColumn() {
  return { external_id: newValues().external_id }
}

/**
 * An UPDATE rewrites the entries of an index, each a billed row, if it names a column of the index, whether or not the
 * value changes. So there is a statement for each combination of indexed columns, which names only those that were sent.
 */
const updates = {
  neither: updateWith(() => ({})),
  email: updateWith(emailColumns),
  external_id: updateWith(externalIdColumn),
  both: updateWith(() => ({ ...emailColumns(), ...externalIdColumn() })),
}

function updateSentColumns(values: ValuesOf<typeof updateParams>) {
  if (values.sets_email) return values.sets_external_id ? updates.both(values) : updates.email(values)
  return values.sets_external_id ? updates.external_id(values) : updates.neither(values)
}

const update = updateOf(
  updateParams,
  () => ({
    type: 'user.updated',
    table: users,
    // Another user who already has the email.
    joins: [[emailOwner, and(isEmailOwner(), ne(emailOwner.id, users.id))]],
    valueRules: [unknownCustomFields(), customFieldsTooLarge()],
    etag: users.event_id,
    rules: [emailTaken()],
    newValues: newValues(),
    // A password that is sent always counts as a change: whether it is the same one is not known before it is hashed.
    differences: [
      ...differencesOf(users, newValues()),
      { field: 'password', from: sql`0`, to: updateParams.sets_password },
    ],
    record: getTableColumns(users),
  }),
  { write: updateSentColumns },
)
