import type { MiddlewareHandler } from '../hono.ts'
import { ApiError } from '../errors/api-error.ts'
import { HSTS_SECONDS } from '../../limits.ts'
import { isPlainElsewhere } from '../../lib/loopback.ts'

/**
 * In production, plain HTTP would send tokens in clear text. It is rejected, and browsers are told to use HTTPS (RFC 6797).
 */
export function requireHttps(): MiddlewareHandler {
  return function requireHttps(c, next) {
    if (c.env.ENVIRONMENT !== 'production') return next()
    if (isPlainElsewhere(c.req.url)) throw new ApiError('https_required')
    c.header('Strict-Transport-Security', `max-age=${HSTS_SECONDS}`)
    return next()
  }
}
