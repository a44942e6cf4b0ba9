import type { Context, ErrorHandler, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { AppEnv } from '../context.ts'
import { ApiError, type ErrorCode, ERRORS } from '../errors.ts'

interface ErrorRules {
  /** What an error that is not ours means; undefined: a defect. */
  translate: (error: Error, c: Context<AppEnv>) => Promise<ApiError | undefined>
  /** Throws what speaks against the caller. */
  confirmCallerOf: (c: Context<AppEnv>) => Promise<void>
}

/**
 * Answers whatever was thrown. What is wrong with a request is told only to a caller whom the database knows, and so
 * the caller comes first.
 */
export function answerErrors({ translate, confirmCallerOf }: ErrorRules): ErrorHandler<AppEnv> {
  async function toApiError(error: unknown, c: Context<AppEnv>): Promise<ApiError> {
    if (error instanceof ApiError) return error
    if (error instanceof HTTPException && error.status === 400) return malformedBody()
    const known = error instanceof Error ? await translate(error, c) : undefined
    return known ?? new ApiError('internal_error', { cause: error })
  }

  return async function answerErrors(error, c) {
    try {
      if (isAboutContent(error)) await confirmCallerOf(c)
      return answerError(c, await toApiError(error, c))
    } catch (refused) {
      return answerError(c, await toApiError(refused, c))
    }
  }
}

/** Whether the header, the body or the query was found wrong before the database was asked for anything. */
function isAboutContent(error: Error): boolean {
  if (error instanceof HTTPException) return error.status === 400
  return error instanceof ApiError && (ERRORS[error.code].status === 400 || ERRORS[error.code].status === 422)
}

export function malformedBody(): ApiError {
  return new ApiError('malformed_body', {
    details: { field: 'body', explanation: 'Send a JSON object in UTF-8, without a byte order mark.' },
  })
}

/** Leaves a field out of the body of errors: of every one, or of those that `only` names. */
export function errorsWithout(
  field: 'code' | 'log_id',
  only: { method?: string; code?: ErrorCode } = {},
): MiddlewareHandler<AppEnv> {
  return async function errorsWithout(c, next) {
    if ((only.method ?? c.req.method) === c.req.method) c.set('leftOut', { field, of: only.code })
    await next()
  }
}

/** What is told of an error in every version, and of an item of a batch. */
export function errorFields({ code, message, details }: ApiError) {
  return { type: ERRORS[code].type, code, message, details }
}

export function answerError(c: Context<AppEnv>, error: ApiError): Response {
  const { status } = ERRORS[error.code]
  const { type, code, message, details } = errorFields(error)
  const leftOut = c.get('leftOut')
  const has = (field: 'code' | 'log_id') => leftOut?.field !== field || (leftOut.of ?? code) !== code
  c.set('errorCode', error.code)
  c.set('failure', error.failure)
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  return c.json(
    {
      type,
      code: has('code') ? code : undefined,
      message,
      details,
      timestamp: new Date().toISOString(),
      request_id: c.get('requestId'),
      log_id: has('log_id') ? c.get('logId') : undefined,
    },
    status,
  )
}
