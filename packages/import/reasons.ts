/** Why a row of a file fails. */
import { REQUIRED_FIELDS } from '../../src/modules/users/user-fields.ts'
import { isObject } from '../../src/lib/json.ts'
import { textIn } from './text-in.ts'

export interface Reason {
  /** Is empty if the reason concerns no single column. */
  column: string
  explanation: string
  /** The code of the service's error, or one of the import itself. With the field it can be said in any language. */
  code?: string
  field?: string
  /** The part of the value that is meant, such as one of several products. */
  about?: string
  /** The number of another row that is meant. */
  row?: number
}

/** The `value` of the error is omitted: the file has it, and it may be personal data. */
export function reasonsOf(
  error: unknown,
  item: Record<string, unknown>,
  toReason: (field: string, explanation: string) => Reason,
): Reason[] {
  const details = isObject(error) ? error['details'] : undefined
  const message = textIn(error, 'message') ?? 'rejected without a reason'
  const code = textIn(error, 'code') ?? 'unreadable'
  const reason = (field: string, explanation: string) => ({ ...toReason(field, explanation), code, field })
  if (Array.isArray(details) && details.length > 0) {
    return details.map((detail) => reason(textIn(detail, 'field') ?? '', textIn(detail, 'explanation') ?? message))
  }
  // A 400 has only the first missing field in its details.
  const missing = code === 'missing_parameter' ? REQUIRED_FIELDS.filter((field) => item[field] == null) : []
  if (missing.length > 0) return missing.map((field) => reason(field, 'is missing'))
  const field = textIn(details, 'field')
  return [field === undefined ? { column: '', explanation: message, code } : reason(field, message)]
}
