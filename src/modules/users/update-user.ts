/**
 * Updates a user, as src/modules/accesses/update-access.ts updates an access. The user is written by a statement of its own
 * (`updateSentColumns`), because most updates leave the indexed columns alone.
 */
import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { events, type User, users } from '../../db/schema.ts'
import { orm, params, statement, type ValuesOf } from '../../db/statement.ts'
import { isObject } from '../../lib/json.ts'
import { lazy } from '../../lib/lazy.ts'
import { isEventOfThisAttempt } from '../../change/attempts.ts'
import { commit, preview, requireRecord } from '../../change/commit.ts'
import { contextParams, type RequestContext } from '../../change/context.ts'
import { optionalFields } from '../../change/optional-fields.ts'
import { differencesOf, recordParams, type RecordRequest, recordValues } from '../../change/differences.ts'
import { rule } from '../../change/rules.ts'
import { changeOfUpdate } from '../../change/update-record.ts'
import {
  areTooLarge,
  customFieldParams,
  customFieldKeyValues,
  mergedCustomFields,
  unknownCustomFields,
} from './custom-field-rules.ts'
import { emailOwner, emailParams, emailTaken, isEmailOwner } from './email-owner.ts'
import { emailKeyOf } from '../../lib/emails.ts'
import { PLAIN_FIELDS, type ChangedPlainFields } from './user-fields.ts'
import { foldedParams, foldedValues } from './folded-fields.ts'

interface UserUpdate extends RecordRequest {
  fields: ChangedPlainFields
  /** Each key of an object is set; one with the value null is removed. Null removes all keys, undefined keeps them. */
  custom_fields: unknown
  /** Hashes the new password, if one was sent. */
  hashPassword: (() => Promise<string>) | undefined
}

/**
 * Throws the errors of the authorization, `unknown_custom_fields`, `custom_fields_too_large`, `not_found`, `etag_mismatch`
 * and `email_taken`.
 */
export async function updateUser(db: Db, context: RequestContext, input: UserUpdate): Promise<User> {
  const update = updateValues(input)
  const values = { ...recordValues(input), ...customFieldKeyValues({ user: withoutRemovals(input) }), ...update }

  if (input.hashPassword) {
    // Hashing blocks the instance, so find out first whether the update is allowed.
    const earlier = await preview(db, context, change.selectResult(values))
    if (earlier) return requireRecord<User>(earlier)
  }
  const password_hash = (await input.hashPassword?.()) ?? null

  const result = await commit(db, context, {
    event: change.insertEvent(values),
    user: updateSentColumns({ ...update, password_hash }),
    result: change.selectResult(values),
  })
  return requireRecord<User>(result)
}

const plain = optionalFields(users, PLAIN_FIELDS)

const updateParams = {
  ...plain.params,
  ...emailParams,
  ...foldedParams,
  ...params('custom_fields', 'clears_custom_fields', 'sets_password'),
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
  }
}

/** The custom fields that are set. A field that is removed need not be defined in the store any more. */
function withoutRemovals({ custom_fields }: UserUpdate) {
  const entries = isObject(custom_fields) ? Object.entries(custom_fields) : []
  return { custom_fields: Object.fromEntries(entries.filter(([, value]) => value !== null)) }
}

const merged = lazy(() => mergedCustomFields(updateParams.custom_fields))

/** The values after the update. */
const after = lazy(() => ({
  ...plain.after(),
  custom_fields: sql<string | null>`iif(${updateParams.clears_custom_fields}, null,
    nullif(${merged()}, '{}'))`,
}))

/** Without custom fields in the request, the size is not computed: it costs a merge for each update. */
function customFieldsTooLarge() {
  return rule('custom_fields_too_large', and(ne(updateParams.custom_fields, sql`'{}'`), areTooLarge(merged())))
}

const requestParams = { ...recordParams, ...customFieldParams, ...updateParams }

const change = changeOfUpdate(requestParams, () => ({
  type: 'user.updated',
  table: users,
  // Another user who already has the email.
  joins: [[emailOwner, and(isEmailOwner(), ne(emailOwner.id, users.id))]],
  valueRules: [unknownCustomFields(), customFieldsTooLarge()],
  etag: users.event_id,
  rules: [emailTaken()],
  after: after(),
  // A password that is sent always counts as a change: whether it is the same one is not known before it is hashed.
  differences: [...differencesOf(users, after()), { field: 'password', from: sql`0`, to: updateParams.sets_password }],
  record: getTableColumns(users),
}))

const writeParams = { ...updateParams, ...params('password_hash') }

/** Writes every column that has no index, and these indexed ones. */
function updateWith(indexed: () => { readonly [Column in keyof User]?: SQL }) {
  return statement(writeParams, () => {
    const { email: _email, external_id: _external_id, ...unindexed } = after()
    return orm
      .update(users)
      .set({
        ...unindexed,
        ...indexed(),
        name_folded: sql`coalesce(${writeParams.name_folded}, ${users.name_folded})`,
        last_name_folded: sql`coalesce(${writeParams.last_name_folded}, ${users.last_name_folded})`,
        phone_digits: sql`iif(${writeParams.sets_phone}, ${writeParams.phone_digits}, ${users.phone_digits})`,
        password_hash: sql`coalesce(${writeParams.password_hash}, ${users.password_hash})`,
        updated_at: contextParams.now,
        event_id: events.id,
      })
      .from(events)
      .where(and(isEventOfThisAttempt, eq(users.id, events.subject_id)))
  })
}

function emailColumns() {
  const { email_key, email_folded } = updateParams
  return { email: after().email, email_key, email_folded }
}

function externalIdColumn() {
  return { external_id: after().external_id }
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

function updateSentColumns(values: ValuesOf<typeof writeParams>) {
  if (values.sets_email) return values.sets_external_id ? updates.both(values) : updates.email(values)
  return values.sets_external_id ? updates.external_id(values) : updates.neither(values)
}
