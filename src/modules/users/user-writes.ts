/**
 * What all writes of users have in common: no two users of a store have the same email, the store defines the custom fields
 * of its users, and a text that a search compares is stored in its folded form, too, because SQLite can fold ASCII only.
 */
import { and, eq, isNotNull, ne, not, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { numberIn } from '../../db/ids.ts'
import { users } from '../../db/schema/stores.ts'
import { params, type ValuesOf } from '../../db/statement.ts'
import { isObject } from '../../lib/json.ts'
import { lazy } from '../../lib/lazy.ts'
import { CUSTOM_FIELDS } from '../../limits.ts'
import { permittedStore } from '../../change/event.ts'
import { rule, storeOfRequest } from '../../change/request.ts'
import { isDefinedField } from '../custom-fields/field-filter.ts'
import { digitsOf, foldEmail, foldName } from './folding.ts'

export const emailParams = params('email_key')

/** The user of the store who already has the email, to be joined to the request. */
export const emailOwner = alias(users, 'emailOwner')

export const isEmailOwner = lazy(() =>
  and(eq(emailOwner.store, permittedStore), eq(emailOwner.email_key, emailParams.email_key)),
)

export const emailTaken = lazy(() =>
  rule('email_taken', isNotNull(emailOwner.id), { existing: numberIn(emailOwner.id) }),
)

/** `custom_field_keys` is a JSON list. */
export const customFieldParams = params('custom_field_keys')

interface GivenKeys {
  user: { custom_fields?: unknown }
  /** Custom fields that need not be defined in the store. */
  builtInFields?: readonly string[]
}

export function customFieldKeyValues({ user, builtInFields = [] }: GivenKeys) {
  const keys = isObject(user.custom_fields) ? Object.keys(user.custom_fields) : []
  return { custom_field_keys: JSON.stringify(keys.filter((key) => !builtInFields.includes(key))) }
}

/** A JSON list: the keys that a query selects and that are not custom fields of the store. */
export function unknownKeys(key: SQL, query: SQL, store: SQLWrapper): SQL<string> {
  return sql<string>`(select json_group_array(${key}) from ${query} where ${not(isDefinedField(store, key))})`
}

export const unknownCustomFields = lazy(() => {
  const unknown = unknownKeys(sql`value`, sql`json_each(${customFieldParams.custom_field_keys})`, storeOfRequest)
  return rule('unknown_custom_fields', ne(unknown, '[]'), { keys: sql`json(${unknown})` })
})

/**
 * A user's custom fields after `given` is merged into them: a key that is null is removed. `json_patch` (RFC 7396) keeps
 * every digit of a number.
 */
export function mergedCustomFields(given: SQLWrapper): SQL<string> {
  return sql<string>`json_patch(coalesce(${users.custom_fields}, '{}'), ${given})`
}

/** The same for an item of a batch, of which a null counts as omitted: merging into an empty object drops it. */
export function mergedCustomFieldsOf(item: SQLWrapper): SQL<string> {
  return mergedCustomFields(sql`json_patch('{}', coalesce(${item} -> 'custom_fields', '{}'))`)
}

/** True if custom fields are too large to be stored. A request is limited, but requests could add up. */
export function areTooLarge(fields: SQLWrapper): SQL<0 | 1> {
  return sql<0 | 1>`(octet_length(${fields}) > ${CUSTOM_FIELDS.bytes})`
}

export const foldedParams = params('name_folded', 'last_name_folded', 'email_folded', 'phone_digits')

interface FoldedTexts {
  name?: string | null | undefined
  last_name?: string | null | undefined
  email?: string | null | undefined
  /** The key of the email; null if there is no email. */
  email_key: string | null
  phone?: string | null | undefined
}

/** Null for a name or a phone that is not given, and for an email whose folded form is its key, as it is for every one in ASCII. */
export function foldedValues({ name, last_name, email, email_key, phone }: FoldedTexts): ValuesOf<typeof foldedParams> {
  const email_folded = email == null ? null : foldEmail(email)
  return {
    name_folded: name == null ? null : foldName(name),
    last_name_folded: last_name == null ? null : foldName(last_name),
    email_folded: email_folded === email_key ? null : email_folded,
    phone_digits: phone == null ? null : digitsOf(phone),
  }
}
