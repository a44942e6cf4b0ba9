/**
 * The fields of a user that are stored as they are sent: the one list of them. Statements, the forms of the console and the
 * columns of the import follow from it. What says something about each field (a schema, a serializer, a translation) has a
 * type that names them all, so it does not compile until it says it about a new one.
 */
import { LENGTH } from '../../limits.ts'
import { namesOf, ofEach } from '../../lib/names.ts'

/** Each with its maximum length in characters, in the order in which errors and events name them. */
const REQUIRED = { name: LENGTH.name, last_name: LENGTH.name, email: LENGTH.email }

const OPTIONAL = { phone: 64, country: 2, language: 2, external_id: 255, avatar: 2048 }

export const MAX_LENGTH = { ...REQUIRED, ...OPTIONAL }

export const REQUIRED_FIELDS = namesOf(REQUIRED)

export const OPTIONAL_FIELDS = namesOf(OPTIONAL)

export const PLAIN_FIELDS = namesOf(MAX_LENGTH)

export type PlainField = (typeof PLAIN_FIELDS)[number]

/** All fields of a user that a request may set. */
export type UserField = PlainField | 'custom_fields' | 'password'

/** The fields of a new user. */
export type NewPlainFields = { readonly [Field in keyof typeof REQUIRED]: string } & {
  readonly [Field in keyof typeof OPTIONAL]?: string | undefined
}

/** The fields of an update. One that is undefined keeps its value; null clears it. */
export type ChangedPlainFields = { readonly [Field in PlainField]?: string | null | undefined }

/** The value of each field of a new user; null for one that is omitted. */
export function plainValues(user: NewPlainFields): Record<PlainField, string | null> {
  return ofEach(PLAIN_FIELDS, (field) => user[field] ?? null)
}
