/** The fields of a v1 user (spec.md, User v1), for the routes that create one, correct one or bring in many. */
import { isCountry } from '../domain/countries.ts'
import { LENGTH } from '../limits.ts'
import { once } from '../once.ts'
import { anyText, customFieldValues, emailAddress, filledText, optional, storeLanguage, textWhere } from './fields.ts'

const countryCode = once(() =>
  textWhere((value) => isCountry(asciiUpperCase(value)), 'must be an ISO 3166-1 alpha-2 code')
    .meta({ minLength: 2, maxLength: 2 })
    .transform(asciiUpperCase),
)

/** The required three come from the operation's text. */
export const newUserFields = once(() => ({
  name: filledText(LENGTH.name),
  last_name: filledText(LENGTH.name),
  email: emailAddress(),
  phone: optional(anyText(LENGTH.phone)),
  country: optional(countryCode()),
  language: optional(storeLanguage()),
  external_id: optional(anyText(LENGTH.externalId)),
  avatar: optional(anyText(LENGTH.avatar)),
  custom_fields: optional(customFieldValues()),
  password: optional(filledText(LENGTH.password)),
}))

/** What is left out keeps its value; null clears what a user may lack. */
export const changedUserFields = once(() => ({
  name: filledText(LENGTH.name).optional(),
  last_name: filledText(LENGTH.name).optional(),
  email: emailAddress().optional(),
  phone: anyText(LENGTH.phone).nullable().optional(),
  country: countryCode().nullable().optional(),
  language: storeLanguage().optional(),
  external_id: anyText(LENGTH.externalId).nullable().optional(),
  avatar: anyText(LENGTH.avatar).nullable().optional(),
  custom_fields: customFieldValues().nullable().optional(),
  password: filledText(LENGTH.password).optional(),
}))

/** Only ASCII: `ı`.toUpperCase() is `I`. */
function asciiUpperCase(value: string): string {
  return value.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}
