import { Webhook, WebhookVerificationError as Rejected } from 'standardwebhooks'
import type { Schemas } from './types.ts'

export type StoreEvent = Schemas['StoreEvent']
/** What a webhook endpoint receives. */
export type WebhookEvent = StoreEvent | Schemas['WebhookEndpointTestEvent']

/** Those of `fetch`, of Node, or of a framework. */
type ReceivedHeaders = Headers | Record<string, string | string[] | undefined>

/** The library has the same class, but its types compile only together with those of Node. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

/**
 * Returns the event. Throws WebhookVerificationError if the signature is not that of the secret, or is older than five minutes.
 * `body` is the text as it arrived: other bytes have another signature.
 */
export function verifyWebhook(body: string, headers: ReceivedHeaders, secret: string): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  try {
    new Webhook(secret).verify(body, Object.fromEntries(entries.map(([name, value]) => [name, String(value)])))
  } catch (error) {
    throw error instanceof Rejected ? new WebhookVerificationError(error.message) : error
  }
  return JSON.parse(body)
}
