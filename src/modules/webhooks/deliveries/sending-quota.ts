import type { Bindings } from '../../../bindings.ts'
import { storeOf } from '../../../db/ids.ts'
import type { WebhookEndpoint } from '../../../db/schema/stores.ts'
import { callEndpoint } from '../../../db/places.ts'
import { WEBHOOK } from '../limits.ts'
import type { AttemptResult, Message } from './send.ts'
import { consumeQuota } from '../../../http/rate-limit.ts'

/**
 * Has the endpoint's object send a test or a redelivery, which counts, for its endpoint and for its store. Without a limit, a token could have the
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
  return callEndpoint(env, endpoint.id, (object) => object.sendNow(endpoint, message), WEBHOOK.timeoutMs)
}
