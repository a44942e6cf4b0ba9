import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { AppEnv } from '../app-env.ts'
import type { Context, MiddlewareHandler } from '../hono.ts'
import { ApiError, errorFields } from './api-error.ts'
import { type ErrorCode, ERRORS } from '../../error-codes.ts'
import { pause } from '../../lib/pause.ts'
import { describeKnownError, rejectUnauthorizedCaller } from './domain-errors.ts'
import { CLIENT_DISCONNECTED, malformedBody } from './malformed-body.ts'

/**
 * How long a 429 takes. Without a pause, a client with 20 connections that ignores `Retry-After` would keep an instance
 * busy with a thousand rejections a second.
 */
export const RATE_LIMITED_PAUSE_MS = 100

/**
 * Responds to whatever was thrown. What is wrong with a request is reported only to a caller whom the database accepts,
 * so the caller is checked first.
 */
export const respondToErrors: ErrorHandler<AppEnv> = async (error, c) => {
  try {
    if (error instanceof ApiError && error.code === 'rate_limited') await pause(RATE_LIMITED_PAUSE_MS)
    if (isAboutContent(error)) await rejectUnauthorizedCaller(c)
    return respondWithError(c, await toApiError(error, c))
  } catch (rejection) {
    return respondWithError(c, await toApiError(rejection, c))
  }
}

async function toApiError(error: unknown, c: Context): Promise<ApiError> {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException && error.status === 400) return malformedBody(await c.req.text())
  return (await describeKnownError(error, c)) ?? new ApiError('internal_error', { cause: error })
}

/** True if the header, the body or the query was rejected before the database was asked. */
function isAboutContent(error: Error): boolean {
  if (error instanceof ApiError && error.failure === CLIENT_DISCONNECTED) return false
  if (error instanceof HTTPException) return error.status === 400
  return error instanceof ApiError && (ERRORS[error.code].status === 400 || ERRORS[error.code].status === 422)
}

/** Omits a field from the body of errors: from all of them, or from those that `only` names. */
export function errorsWithout(
  field: 'code' | 'log_id',
  only: { method?: string; code?: ErrorCode } = {},
): MiddlewareHandler {
  return function errorsWithout(c, next) {
    if ((only.method ?? c.req.method) === c.req.method) c.set('leftOut', { field, of: only.code })
    return next()
  }
}

export function respondWithError(c: Context, error: ApiError): Response {
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
