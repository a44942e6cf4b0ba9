/** What follows from the table of a user's fields: lists, in its order, and what a create and a change consist of. */
import { fieldsThatAre, type FieldThatIs, USER_FIELDS } from '../../db/schema/user-field-table.ts'
import { namesOf, ofEach } from '../../lib/names.ts'

export type PlainField = keyof typeof USER_FIELDS

type OptionalField = FieldThatIs<'optional' | 'defaulted'>

export const PLAIN_FIELDS = namesOf(USER_FIELDS)

export const REQUIRED_FIELDS = fieldsThatAre('required')

/** What a create may omit. */
export const OPTIONAL_FIELDS = fieldsThatAre('optional', 'defaulted')

/** What a user may be without. */
export const CLEARABLE_FIELDS = fieldsThatAre('optional')

export const MAX_LENGTH = ofEach(PLAIN_FIELDS, (field) => USER_FIELDS[field].max)

/**
 * In JSON and in files, whose order is a promise, these come first, and later fields of the table follow. In errors and
 * events they have the order of the table.
 */
const FIRST_SHOWN = ['country', 'phone', 'external_id', 'language', 'avatar'] as const satisfies OptionalField[]

export const SHOWN_FIELDS: readonly OptionalField[] = [...new Set([...FIRST_SHOWN, ...OPTIONAL_FIELDS])]

/** All fields of a user that a request may set. */
export type UserField = PlainField | 'custom_fields' | 'password'

/** The fields of a new user. */
export type NewPlainFields = { readonly [Field in FieldThatIs<'required'>]: string } & {
  readonly [Field in OptionalField]?: string | undefined
}

/** The fields of an update. One that is undefined keeps its value; null clears it. */
export type ChangedPlainFields = { readonly [Field in PlainField]?: string | null | undefined }

/** The value of each field of a new user; null for one that is omitted. */
export function plainValues(user: NewPlainFields): Record<PlainField, string | null> {
  return ofEach(PLAIN_FIELDS, (field) => user[field] ?? null)
}
