import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { AppEnv } from '../context.ts'
import { ApiError, ERRORS } from '../errors.ts'

/** Answers whatever was thrown, in the envelope of the path's version. */
export const onError: ErrorHandler<AppEnv> = (error, c) => answerError(c, toApiError(error))

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException && error.status === 400) return malformedBody()
  return new ApiError('internal_error')
}

export function malformedBody(): ApiError {
  return new ApiError('malformed_body', {
    details: { field: 'body', explanation: 'Send a JSON object in UTF-8, without a byte order mark.' },
  })
}

/** v3 has no `log_id`; the one 404 of v1, that of the update, has no `code` (spec.md, Errors). */
export function answerError(c: Context<AppEnv>, error: ApiError): Response {
  const { status, type } = ERRORS[error.code]
  const version = c.req.path.split('/', 2)[1]
  c.set('errorCode', error.code)
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  return c.json(
    {
      type,
      code: version === 'v1' && error.code === 'not_found' ? undefined : error.code,
      message: error.message,
      details: error.details,
      timestamp: new Date().toISOString(),
      request_id: c.get('requestId'),
      log_id: version === 'v3' ? undefined : c.get('logId'),
    },
    status,
  )
}
