import { MAX_DETAILS, withCommas } from '../../limits.ts'
import { ERROR_TYPES, type ErrorCode, ERRORS } from '../../error-codes.ts'

/** One invalid field. `value` is always a string (`echo` in src/http/echo.ts). */
export interface Detail {
  field: string
  value: string
  explanation: string
}

export interface ErrorOptions {
  /** Replaces the message of the table. */
  message?: string
  /** An object on 400 and 410, a list on 422. */
  details?: Omit<Detail, 'value'> | Detail[]
  headers?: Record<string, string>
  /** A code for the reason. Only the log has it. */
  failure?: string
  /** Only the log has it. */
  cause?: unknown
}

/**
 * An error of the table. `onError` adds the envelope of the version in the path. At most 100 details are kept, and the
 * message says how many more fields are invalid.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorOptions['details']
  readonly headers: Record<string, string>
  readonly failure: string | undefined

  constructor(code: ErrorCode, { message, details, headers = {}, failure, cause }: ErrorOptions = {}) {
    const hidden = Array.isArray(details) ? Math.max(0, details.length - MAX_DETAILS) : 0
    super(withHidden(message ?? ERRORS[code].message, hidden), { cause })
    this.code = code
    this.details = hidden > 0 && Array.isArray(details) ? details.slice(0, MAX_DETAILS) : details
    this.headers = headers
    this.failure = failure
  }
}

function withHidden(message: string, count: number): string {
  if (count === 0) return message
  return `${message} ${withCommas(count)} more ${count === 1 ? 'field is' : 'fields are'} invalid.`
}

/** The fields of an error that every version and every item of a batch has. */
export function errorFields({ code, message, details }: ApiError) {
  return { type: ERROR_TYPES[ERRORS[code].status], code, message, details }
}
