import { ApiError, type ErrorOptions } from './api-error.ts'
import { ERRORS } from '../../error-codes.ts'
import { jsonErrorPosition } from './json-error.ts'

/** It is kept in the text, and JSON.parse rejects it. */
const BYTE_ORDER_MARK = '\uFEFF'
/** Stands for a body that is not UTF-8: neither JSON nor empty, and a lone surrogate, which no body in UTF-8 contains. */
export const NOT_UTF8 = '\uD800'

/** The failure of a request whose client has gone. Nobody reads its response, so its caller is not checked. */
export const CLIENT_DISCONNECTED = 'client_disconnected'

/** The error for a body that is not a JSON object. It says where the JSON is wrong, but never what is there. */
export function malformedBody(text: string, forLog: Pick<ErrorOptions, 'failure' | 'cause'> = {}): ApiError {
  const { field, explanation } = ERRORS.malformed_body
  return new ApiError('malformed_body', {
    details: { field, explanation: `${bodyProblem(text)} ${explanation}` },
    ...forLog,
  })
}

function bodyProblem(text: string): string {
  if (text === '') return 'The body is empty.'
  if (text === NOT_UTF8) return 'The body is not UTF-8.'
  if (text.startsWith(BYTE_ORDER_MARK)) return 'The body starts with a byte order mark.'
  const position = jsonErrorPosition(text)
  if (position === undefined) return 'The body is JSON, but not an object.'
  const { line, column, isAtEnd } = position
  return `The body is not JSON: ${isAtEnd ? 'it ends too early, at ' : ''}line ${line}, column ${column}${isAtEnd ? '' : ' is wrong'}.`
}
