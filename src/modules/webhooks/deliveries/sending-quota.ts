import type { Bindings } from '../../../bindings.ts'
import { storeOf } from '../../../db/ids.ts'
import type { WebhookEndpoint } from '../../../db/schema.ts'
import { type AttemptResult, type Message, send } from './send.ts'
import { consumeQuota } from '../../../http/rate-limit.ts'

/**
 * Sends a test or a redelivery, which counts, for its endpoint and for its store. Without a limit, a token could have the
 * service send as many requests to any public host as it likes, and with one for endpoints alone, by creating new ones.
 * Throws `rate_limited`.
 */
export async function sendWithinQuota(
  env: Bindings,
  endpoint: WebhookEndpoint,
  message: Message,
): Promise<AttemptResult> {
  await consumeQuota(env, { limiter: 'WEBHOOK', policy: 'webhooks', key: String(endpoint.id) })
  await consumeQuota(env, { limiter: 'STORE_WEBHOOK', policy: 'store_webhooks', key: String(storeOf(endpoint.id)) })
  return send(endpoint, message)
}
