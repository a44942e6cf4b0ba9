import type { Bindings } from '../../../bindings.ts'
import type { WebhookEndpoint } from '../../../db/schema.ts'
import { type AttemptResult, type Message, send } from './send.ts'
import { consumeQuota } from '../../../http/rate-limit.ts'

/**
 * Sends a test or a redelivery, which counts. Without a limit, a token could have the service send as many requests to any
 * public host as it likes. Throws `rate_limited`.
 */
export async function sendWithinQuota(
  env: Bindings,
  endpoint: WebhookEndpoint,
  message: Message,
): Promise<AttemptResult> {
  await consumeQuota(env, { limiter: 'WEBHOOK', policy: 'webhooks', key: String(endpoint.id) })
  return send(endpoint, message)
}
