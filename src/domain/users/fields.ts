/** The fields of a user that are set as they are sent. */
export const PLAIN_FIELDS = [
  'name',
  'last_name',
  'email',
  'phone',
  'country',
  'language',
  'external_id',
  'avatar',
] as const

export type PlainField = (typeof PLAIN_FIELDS)[number]
