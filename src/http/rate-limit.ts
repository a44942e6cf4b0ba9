import { ApiError } from '../errors.ts'
import { RATE_LIMIT_PERIOD_SECONDS } from '../limits.ts'

interface Quota {
  limiter: RateLimit
  /** What is counted apart from others. */
  key: string
  /** The policy's name, and the quota as configured beside the binding. */
  policy: string
  quota: string
}

/** Throws `rate_limited` once the key's quota of this period is used up. Headers: draft-ietf-httpapi-ratelimit-headers. */
export async function spend({ limiter, key, policy, quota }: Quota): Promise<void> {
  const { success } = await limiter.limit({ key })
  if (success) return
  throw new ApiError('rate_limited', {
    headers: {
      'Retry-After': String(RATE_LIMIT_PERIOD_SECONDS),
      'RateLimit-Policy': `"${policy}";q=${quota};w=${RATE_LIMIT_PERIOD_SECONDS}`,
    },
  })
}
