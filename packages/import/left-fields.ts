/** The values that a row has changed, exactly, so that they can be compared and put back. */
import { isObject } from '../../src/lib/json.ts'
import { CUSTOM_FIELD } from './fields.ts'

type Values = Record<string, unknown>

/** A value of a user before and after a row, as JSON, which keeps the digits of numbers; null without a value. */
export interface LeftField {
  field: string
  from: string | null
  to: string | null
}

/** A password cannot be read, so it is left out. */
export function leftFields(fields: string[], item: Values, user: Values): LeftField[] {
  return fields.flatMap((field) => {
    if (field === 'password') return []
    const value = valueIn(item, field)
    const left = field === 'country' && typeof value === 'string' ? value.toUpperCase() : value
    return [{ field, from: toJson(valueIn(user, field)), to: toJson(left) }]
  })
}

/** The value of a field, or of a custom field. */
export function valueIn(values: Values, field: string): unknown {
  if (!field.startsWith(CUSTOM_FIELD)) return values[field]
  const { custom_fields: custom } = values
  const key = field.slice(CUSTOM_FIELD.length)
  return isObject(custom) && Object.hasOwn(custom, key) ? custom[key] : undefined
}

export function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
