import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../errors.ts'
import { LENGTH } from '../limits.ts'

const FIELD = 'X-Idempotency-Key'

/** Reads the key; one sent twice arrives as `a, b`, whose space is not allowed. */
export function idempotencyKey(): MiddlewareHandler<AppEnv> {
  return async function idempotencyKey(c, next) {
    const key = c.req.header(FIELD)
    if (key !== undefined && (!/^[!-~]+$/.test(key) || key.length > LENGTH.idempotencyKey)) {
      throw new ApiError('invalid_header', {
        details: {
          field: FIELD,
          explanation: `Send it once, with 1 to ${LENGTH.idempotencyKey} characters from ! to ~.`,
        },
      })
    }
    c.set('idempotencyKey', key)
    await next()
  }
}
