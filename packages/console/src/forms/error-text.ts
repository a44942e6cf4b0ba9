/** What a failure says, in the operator's language: by its code, and by the field of each detail. */
import type { Detail, RegistrarError } from 'registrar-client'
import { MAX_LENGTH, REQUIRED_FIELDS } from '../../../../src/modules/users/user-fields.ts'
import type { Words } from '../words/words.ts'
import { isBlank } from './checks.ts'

/** Fields that must not be blank. */
const REQUIRED = new Set<string>([
  ...REQUIRED_FIELDS,
  'id',
  'slug',
  'type',
  'key',
  'url',
  'product',
  'product_id',
  'progress',
  'expiry_notice_days',
])

/** A code that this version of the console does not know has the text of its status, or at last of any failure. */
export function failureText({ code, status }: Pick<RegistrarError, 'code' | 'status'>, { errors }: Words): string {
  const { no_response, internal_error, unreadable } = errors.codes
  return textOf(errors.codes, code) ?? (status === 0 ? no_response : status >= 500 ? internal_error : unreadable)
}

/** What is wrong with one field. `code` is the code of the error that the field belongs to. */
export function detailText(code: string, { field, value }: Pick<Detail, 'field' | 'value'>, { errors }: Words): string {
  if (code === 'missing_parameter') return errors.required
  const name = nameOf(field)
  if (code === 'already_exists') return textOf(errors.taken, name) ?? errors.codes.already_exists
  if (code !== 'invalid_parameter') return textOf(errors.codes, code) ?? errors.otherField
  if (value !== undefined && isBlank(value) && REQUIRED.has(name)) return errors.required
  return textOf(errors.fields, name) ?? lengthText(name, errors) ?? errors.otherField
}

/** Of a text of a user, only the length can be wrong. */
function lengthText(field: string, { atMost }: Words['errors']): string | undefined {
  const max = Object.entries(MAX_LENGTH).find(([name]) => name === field)?.[1]
  return max === undefined ? undefined : atMost(max)
}

/** The name under which the words have a field: `product` for `product_accesses.0.slug`, for example. */
function nameOf(field: string): string {
  if (field.startsWith('custom_fields.')) return 'custom_field'
  const [, item] = /^product_accesses\.\d+\.(\w+)$/.exec(field) ?? []
  if (item === undefined) return field.replace(/^(?:filter|change)\./, '')
  return item === 'slug' || item === 'product_id' ? 'product' : item
}

function textOf(texts: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
