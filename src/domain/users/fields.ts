/** The fields of a user that are stored as they are sent. The use cases take their parameters and columns from these. */

const REQUIRED_FIELDS = ['name', 'last_name', 'email'] as const

const OPTIONAL_FIELDS = ['phone', 'country', 'language', 'external_id', 'avatar'] as const

export const PLAIN_FIELDS = [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS] as const

export type PlainField = (typeof PLAIN_FIELDS)[number]

/** The fields of a new user. */
export type NewPlainFields = { readonly [Field in (typeof REQUIRED_FIELDS)[number]]: string } & {
  readonly [Field in (typeof OPTIONAL_FIELDS)[number]]?: string | undefined
}

/** The fields of an update. One that is undefined keeps its value; null clears it. */
export type ChangedPlainFields = { readonly [Field in PlainField]?: string | null | undefined }

type Values = Record<PlainField, string | null>

/** The value of each field of a new user; null for one that is omitted. */
export function plainValues(user: NewPlainFields): Values {
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- fromEntries forgets the names
  return Object.fromEntries(PLAIN_FIELDS.map((field) => [field, user[field] ?? null])) as Values
}
