/** What the API accepts in each input of a user's form. */
import { MAX_LENGTH, OPTIONAL_FIELDS, REQUIRED_FIELDS } from '../../../../../src/modules/users/user-fields.ts'
import { LENGTH } from '../../../../../src/limits.ts'
import type { Schemas } from '../../api/client.ts'
import { atMost, type Check, emptyOr, filled, isAnything, isCountryCode, isEmail } from '../../forms/checks.ts'
import type { Fields } from '../../forms/form-errors.ts'
import { customPath, type Draft } from './draft.ts'

const CHECKS: Record<string, Check> = {
  ...Object.fromEntries(REQUIRED_FIELDS.map((field) => [field, filled(MAX_LENGTH[field])])),
  ...Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, atMost(MAX_LENGTH[field])])),
  email: isEmail,
  country: emptyOr(isCountryCode),
  language: isAnything,
  password: emptyOr(filled(LENGTH.password)),
}

/** `base` is the draft of a saved user: a value that was stored is not checked again. */
export function checksOf(draft: Draft, definitions: Schemas['CustomField'][], base: Draft = new Map()): Fields {
  const custom = definitions.map(({ key }) => [customPath(key), atMost(LENGTH.customFieldValue)] as const)
  return Object.fromEntries(
    [...Object.entries(CHECKS), ...custom].map(([field, check]) => {
      const text = draft.get(field) ?? ''
      return [field, [text, base.get(field) === text ? isAnything : check]]
    }),
  )
}
