/** The fields of a v1 user, in creates, updates and batches. */
import * as z from 'zod/mini'
import { isCountry } from './countries.ts'
import {
  CLEARABLE_FIELDS,
  MAX_LENGTH,
  OPTIONAL_FIELDS,
  PLAIN_FIELDS,
  type PlainField,
  REQUIRED_FIELDS,
  type UserField,
} from './user-fields.ts'
import { LENGTH } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { ofEach } from '../../lib/names.ts'
import {
  anyText,
  clearable,
  emailAddress,
  filledText,
  optional,
  readAs,
  storeLanguage,
  textWhere,
} from '../../formats/values.ts'
import { customFieldValues } from '../../formats/custom-field-values.ts'

const countryCode = lazy(() =>
  readAs(
    textWhere((value) => isCountry(asciiUpperCase(value)), 'must be an ISO 3166-1 alpha-2 code').check(
      z.meta({ minLength: 2, maxLength: 2 }),
    ),
    asciiUpperCase,
  ),
)

/** What is more than a text. */
const special = lazy((): Partial<Record<PlainField, z.ZodMiniType<string, string>>> => ({
  email: emailAddress(),
  country: countryCode(),
  language: storeLanguage(),
}))

const valueOf = (field: PlainField) => special()[field] ?? anyText(MAX_LENGTH[field])

const filledValueOf = (field: PlainField) => special()[field] ?? filledText(MAX_LENGTH[field])

/** The specification's text requires the first three, although its schema marks every field as optional. */
export const newUserFields = lazy(
  () =>
    ({
      ...ofEach(REQUIRED_FIELDS, filledValueOf),
      ...ofEach(OPTIONAL_FIELDS, (field) => optional(valueOf(field))),
      custom_fields: optional(customFieldValues()),
      password: optional(filledText(LENGTH.password)),
    }) satisfies Record<UserField, unknown>,
)

/** An omitted field keeps its value; null clears an optional one. */
export const changedUserFields = lazy(
  () =>
    ({
      ...ofEach(PLAIN_FIELDS, (field) => z.optional(filledValueOf(field))),
      ...ofEach(CLEARABLE_FIELDS, (field) => clearable(valueOf(field))),
      custom_fields: clearable(customFieldValues()),
      password: z.optional(filledText(LENGTH.password)),
    }) satisfies Record<UserField, unknown>,
)

/** Changes ASCII letters only, because `ı`.toUpperCase() is `I`. */
function asciiUpperCase(value: string): string {
  return value.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}
