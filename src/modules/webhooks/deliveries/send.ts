import { numberOf } from '../../../db/ids.ts'
import type { WebhookEndpoint } from '../../../db/schema/stores.ts'
import { WEBHOOK } from '../limits.ts'
import { log } from '../../../lib/log.ts'
import { signaturesOf } from '../secrets.ts'

export interface Message {
  store_id: string
  /** The number of the event. The ids of store and event make the webhook-id, by which a receiver drops duplicates. */
  event_id: string
  /** The number of the attempt to deliver the event, from 1; undefined for a test or a redelivery. Only the log uses it. */
  attempt?: number
  body: string
}

type SendFailure = 'timeout' | 'unreachable'

export interface AttemptResult {
  /** The HTTP status of the response; null if there was none. */
  status: number | null
  failure: SendFailure | null
  started_at: number
  duration_ms: number
}

/**
 * Posts the signed message, and logs the attempt. It never throws. It follows no redirect, which could lead to a host that
 * is not public (src/modules/webhooks/urls.ts), and does not read the body of the response, which could be endless.
 */
export async function send(endpoint: WebhookEndpoint, message: Message): Promise<AttemptResult> {
  const { store_id, event_id, attempt } = message
  const result = await post(endpoint, message)
  const { status, failure, duration_ms } = result
  log('attempt', {
    store_id,
    webhook_endpoint_id: numberOf(endpoint.id),
    event_id,
    attempt,
    status,
    failure: failure ?? undefined,
    duration_ms,
  })
  return result
}

async function post(endpoint: WebhookEndpoint, { store_id, event_id, body }: Message): Promise<AttemptResult> {
  const started_at = Date.now()
  const id = `${store_id}_${event_id}`
  const timestamp = String(Math.floor(started_at / 1000))
  let status: number | null = null
  let failure: SendFailure | null = null
  const controller = new AbortController()
  // With AbortSignal.timeout, the time would keep the object in memory after the response, and be billed.
  const timer = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), WEBHOOK.timeoutMs)
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: controller.signal,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Registrar-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signaturesOf(endpoint, `${id}.${timestamp}.${body}`, started_at),
      },
    })
    if (isMadeByCloudflare(response)) failure = 'unreachable'
    else status = response.status
    await response.body?.cancel()
  } catch (error) {
    // The request is always well formed, so every other error comes from the connection.
    if (status === null && failure === null)
      failure = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable'
  } finally {
    clearTimeout(timer)
  }
  return { status, failure, started_at, duration_ms: Date.now() - started_at }
}

/**
 * On Cloudflare, `fetch` of a host that cannot be reached does not throw: it returns a response of Cloudflare's own, with a
 * status that the receiver has never sent (docs/platform.md).
 */
function isMadeByCloudflare({ status, headers }: Response): boolean {
  return ((status >= 520 && status <= 527) || status === 530) && headers.get('server') === 'cloudflare'
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
