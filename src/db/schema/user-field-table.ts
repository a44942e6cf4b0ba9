/**
 * The fields of a user that are stored as they are sent: one entry each, in the order in which errors and events name them.
 * The column, the schemas and the JSON of v1, the columns of files, the document, docs/import.md, the inputs of the console
 * and the values of the tests follow from it. packages/import/field-names.ts has their names in each language.
 */
import { prose } from '#prose'
import { LENGTH } from '../../limits.ts'
import { namesOf } from '../../lib/names.ts'

export interface FieldDocs {
  /** About a value that is shown. If it is omitted, `As sent.` */
  shows?: string
  /** About a value that is sent. If it is omitted, `Any text.` The document adds whether it may be blank or null. */
  asks?: string
  example: string
}

/**
 * `required`: a create must have it, and it must not be blank. `defaulted`: a create may omit it, but each user has it. If it
 * is neither, a create may omit it, and null clears it.
 */
type Presence = 'required' | 'defaulted' | 'optional'

interface FieldOfUser {
  max: number
  presence?: Presence
  docs: FieldDocs | undefined
}

export const USER_FIELDS = {
  name: {
    max: LENGTH.name,
    presence: 'required',
    docs: prose({ shows: 'The first name.', asks: 'The first name.', example: 'Ada' }),
  },
  last_name: {
    max: LENGTH.name,
    presence: 'required',
    docs: prose({ shows: 'The last name.', asks: 'The last name.', example: 'Lovelace' }),
  },
  email: {
    max: LENGTH.email,
    presence: 'required',
    docs: prose({
      shows: 'The email as sent. Emails that differ only in letter case are the same.',
      asks: 'Unique within the store, whatever the letter case. If it is taken, the response is 422 `email_taken`.',
      example: 'ada@example.com',
    }),
  },
  phone: { max: 64, docs: prose({ example: '+44 20 7946 0000' }) },
  country: {
    max: 2,
    docs: prose({
      shows: 'ISO 3166-1 alpha-2, in upper case. A user created on v3 may have other letters.',
      asks: 'A real ISO 3166-1 alpha-2 code, in upper or lower case.',
      example: 'GB',
    }),
  },
  language: {
    max: 2,
    presence: 'defaulted',
    docs: prose({
      shows: '`ES`, `PT` or `EN`. A user created on v3 may have another language.',
      asks: "If it is omitted, the store's language.",
      example: 'EN',
    }),
  },
  external_id: {
    max: 255,
    docs: prose({
      shows: "The user's id in your own system. It need not be unique.",
      asks: "The user's id in your own system. You can find users by it. It need not be unique.",
      example: 'crm-1815',
    }),
  },
  avatar: {
    max: 2048,
    docs: prose({
      shows: 'As sent, usually the URL of a picture.',
      asks: 'Any text, usually the URL of a picture.',
      example: 'https://example.com/ada.png',
    }),
  },
} as const satisfies Record<string, FieldOfUser>

type Table = typeof USER_FIELDS

type PlainField = keyof Table

type PresenceOf<Field extends PlainField> = Table[Field] extends { presence: infer Known } ? Known : 'optional'

export type FieldThatIs<Wanted extends Presence> = {
  [Field in PlainField]: PresenceOf<Field> extends Wanted ? Field : never
}[PlainField]

/** The fields of these kinds, in the order of the table. */
export function fieldsThatAre<const Wanted extends Presence>(...wanted: Wanted[]): readonly FieldThatIs<Wanted>[] {
  const kinds: readonly Presence[] = wanted
  const table: Readonly<Record<PlainField, FieldOfUser>> = USER_FIELDS
  const isWanted = (field: PlainField): field is FieldThatIs<Wanted> =>
    kinds.includes(table[field].presence ?? 'optional')
  return namesOf(USER_FIELDS).filter(isWanted)
}
