import type { Bindings } from '../bindings.ts'
import { RATE_LIMIT_PERIOD_SECONDS } from '../limits.ts'
import { log } from '../lib/log.ts'
import { ApiError } from './errors/api-error.ts'

export interface Quota {
  /** Selects the binding that counts and the variable that announces its limit: `TOKEN_LIMITER`, `TOKEN_RATE_LIMIT`. */
  limiter:
    | 'TOKEN'
    | 'PASSWORD'
    | 'STORE_PASSWORD'
    | 'VERIFY'
    | 'TOKEN_VERIFY'
    | 'STORE_VERIFY'
    | 'WEBHOOK'
    | 'STORE_WEBHOOK'
  /** The name of the policy, for the caller. */
  policy: string
  /** Each key has a quota of its own: an id, which no other caller, store or endpoint has, or a keyed hash. */
  key: string
}

/**
 * Throws `rate_limited` once the key has used up its quota of this period. If the limiter fails, the request passes: a
 * limiter that is down must not take the service down. All Workers of an account share the limiter's namespace, so the
 * Worker's name is part of the key: otherwise two deployments of this service would use up each other's quotas. Headers:
 * draft-ietf-httpapi-ratelimit-headers.
 */
export async function consumeQuota(env: Bindings, { limiter, policy, key }: Quota): Promise<void> {
  if (await isWithin(env[`${limiter}_LIMITER`], `${env.WORKER_NAME}:${key}`)) return
  const quota = env[`${limiter}_RATE_LIMIT`]
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
