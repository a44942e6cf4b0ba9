import { ApiError } from '../wire/errors.ts'
import { RATE_LIMIT_PERIOD_SECONDS } from '../limits.ts'
import { log } from '../log.ts'

interface Quota {
  limiter: RateLimit
  /** Each key has a quota of its own. */
  key: string
  /** The name of the policy, and the quota that is configured for the binding. */
  policy: string
  quota: string
}

/**
 * Throws `rate_limited` once the key has used up its quota of this period. If the limiter fails, the request passes: a
 * limiter that is down must not take the service down. All Workers of an account share the limiter's namespace, hence
 * the prefix. Headers: draft-ietf-httpapi-ratelimit-headers.
 */
export async function consumeQuota({ limiter, key, policy, quota }: Quota): Promise<void> {
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
