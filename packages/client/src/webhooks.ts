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
 * `body` is what arrived, as text or bytes: other bytes have another signature.
 */
export function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
  secret: string,
): WebhookEvent {
  const text = typeof body === 'string' ? body : decode(body)
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  try {
    new Webhook(secret).verify(text, Object.fromEntries(entries.map(([name, value]) => [name, String(value)])))
  } catch (error) {
    throw error instanceof Rejected ? new WebhookVerificationError(error.message) : error
  }
  return JSON.parse(text)
}

function decode(body: Uint8Array | ArrayBuffer): string {
  // A framework that has parsed the body passes an object, whose text would be another one.
  if (!ArrayBuffer.isView(body) && !(body instanceof ArrayBuffer))
    throw new TypeError('the body must be the text or the bytes that arrived, before any JSON.parse')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new WebhookVerificationError('The body is not UTF-8')
  }
}

export interface SignOptions {
  /** The `webhook-id`. If it is omitted, it is the same for the same event. */
  id?: string
  /** When it is sent. If it is omitted, now. */
  at?: Date
}

/** What the service would send to an endpoint with this secret: for the tests of a receiver. */
export function signWebhook(
  event: WebhookEvent,
  secret: string,
  { id = `${event.store_id}_${event.id}`, at = new Date() }: SignOptions = {},
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(event)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  return { body, headers }
}
