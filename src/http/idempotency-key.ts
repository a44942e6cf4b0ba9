import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../wire/api-error.ts'
import { ERRORS } from '../wire/errors.ts'
import { LENGTH } from '../limits.ts'
import { withRequirements } from './route-requirements.ts'

const { field, explanation } = ERRORS.invalid_header

/** Reads and validates the key. A header that is sent twice arrives as `a, b`, and a space is not allowed. */
export function idempotencyKey(): MiddlewareHandler<AppEnv> {
  return withRequirements({ header: field }, function idempotencyKey(c, next) {
    const key = c.req.header(field)
    if (key !== undefined && (!/^[!-~]+$/.test(key) || key.length > LENGTH.idempotencyKey)) {
      throw new ApiError('invalid_header', { details: { field, explanation } })
    }
    c.set('idempotencyKey', key)
    return next()
  })
}
