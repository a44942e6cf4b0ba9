import { ApiError } from '../errors.ts'
import { RATE_LIMIT_PERIOD_SECONDS } from '../limits.ts'
import { log } from '../log.ts'

interface Quota {
  limiter: RateLimit
  /** What is counted apart from others. */
  key: string
  /** The policy's name, and the quota as configured beside the binding. */
  policy: string
  quota: string
}

/**
 * Throws `rate_limited` once the key's quota of this period is used up. A limiter that fails lets pass: it protects
 * the service, and must not be what takes it down. Its namespace is shared by the whole account, hence the prefix.
 * Headers: draft-ietf-httpapi-ratelimit-headers.
 */
export async function spend({ limiter, key, policy, quota }: Quota): Promise<void> {
  if (await isWithin(limiter, `registrar:${policy}:${key}`)) return
  throw new ApiError('rate_limited', {
    headers: {
      'Retry-After': String(RATE_LIMIT_PERIOD_SECONDS),
      'RateLimit-Policy': `"${policy}";q=${quota};w=${RATE_LIMIT_PERIOD_SECONDS}`,
    },
  })
}

async function isWithin(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success
  } catch {
    log('warning', { code: 'rate_limiter_failed' })
    return true
  }
}
