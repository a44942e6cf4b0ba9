/** The fields of a v1 user, in creates, updates and batches. */
import * as z from 'zod/mini'
import { isCountry } from './countries.ts'
import { MAX_LENGTH, type UserField } from './user-fields.ts'
import { LENGTH } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
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

/** The specification's text requires the first three, although its schema marks every field as optional. */
export const newUserFields = lazy(
  () =>
    ({
      name: filledText(MAX_LENGTH.name),
      last_name: filledText(MAX_LENGTH.last_name),
      email: emailAddress(),
      phone: optional(anyText(MAX_LENGTH.phone)),
      country: optional(countryCode()),
      language: optional(storeLanguage()),
      external_id: optional(anyText(MAX_LENGTH.external_id)),
      avatar: optional(anyText(MAX_LENGTH.avatar)),
      custom_fields: optional(customFieldValues()),
      password: optional(filledText(LENGTH.password)),
    }) satisfies Record<UserField, unknown>,
)

/** An omitted field keeps its value; null clears an optional one. */
export const changedUserFields = lazy(
  () =>
    ({
      name: z.optional(filledText(MAX_LENGTH.name)),
      last_name: z.optional(filledText(MAX_LENGTH.last_name)),
      email: z.optional(emailAddress()),
      phone: clearable(anyText(MAX_LENGTH.phone)),
      country: clearable(countryCode()),
      language: z.optional(storeLanguage()),
      external_id: clearable(anyText(MAX_LENGTH.external_id)),
      avatar: clearable(anyText(MAX_LENGTH.avatar)),
      custom_fields: clearable(customFieldValues()),
      password: z.optional(filledText(LENGTH.password)),
    }) satisfies Record<UserField, unknown>,
)

/** Changes ASCII letters only, because `ı`.toUpperCase() is `I`. */
function asciiUpperCase(value: string): string {
  return value.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}
