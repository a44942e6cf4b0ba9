import type { AppEnv } from '../app-env.ts'
import type { WebhookEndpoint } from '../db/schema.ts'
import { consumeQuota } from './rate-limit.ts'

/**
 * Counts a test or a redelivery right before it is sent. Without a limit, a token could have the service send as many
 * requests to any public host as it likes. Throws `rate_limited`.
 */
export function countSent(env: AppEnv['Bindings'], { id }: WebhookEndpoint): Promise<void> {
  return consumeQuota(env, { limiter: 'WEBHOOK', policy: 'webhooks', key: String(id) })
}
