import type { Context, MiddlewareHandler } from '../hono.ts'
import { ApiError } from '../errors/api-error.ts'
import { ERRORS } from '../../error-codes.ts'
import { LENGTH } from '../../limits.ts'
import { withRequirements } from '../route-requirements.ts'

const { field: NAME, explanation } = ERRORS.invalid_header
/** The name that most services use. */
const OTHER_NAME = 'Idempotency-Key'

/** Reads and validates the key. A header that is sent twice arrives as `a, b`; equal values count as one. */
export function idempotencyKey(): MiddlewareHandler {
  return withRequirements({ headers: [NAME] }, function idempotencyKey(c, next) {
    const sent = [c.req.header(NAME), c.req.header(OTHER_NAME)].flatMap((value) => value?.split(', ') ?? [])
    const [key, ...others] = new Set(sent)
    if (key !== undefined && (others.length > 0 || !/^[!-~]+$/.test(key) || key.length > LENGTH.idempotencyKey))
      throw new ApiError('invalid_header', { details: { field: idempotencyHeader(c), explanation } })
    c.set('idempotencyKey', key)
    return next()
  })
}

/** The name of the header that was sent. */
export function idempotencyHeader(c: Context): string {
  const isOther = c.req.header(NAME) === undefined && c.req.header(OTHER_NAME) !== undefined
  return isOther ? OTHER_NAME : NAME
}
