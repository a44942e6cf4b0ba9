import { numberOf } from '../../db/ids.ts'
import type { WebhookEndpoint } from '../../db/schema.ts'
import { WEBHOOK } from '../../limits.ts'
import { log } from '../../log.ts'
import { signaturesOf } from './secrets.ts'

export interface Message {
  store_id: string
  /** The number of the event; with the store's id, what a receiver knows it by. */
  event_id: string
  /** Which attempt of this delivery it is, from 1; undefined for a test. */
  attempt?: number
  body: string
}

type SendFailure = 'timeout' | 'unreachable'

export interface Answered {
  /** Of the answer; null where none came. */
  status: number | null
  failure: SendFailure | null
  started_at: number
  duration_ms: number
}

/** Posts a message, signed, and logs how that went. Redirects are not followed, and what the answer holds is not read. */
export async function send(endpoint: WebhookEndpoint, message: Message): Promise<Answered> {
  const { store_id, event_id, attempt } = message
  const answered = await post(endpoint, message)
  const { status, failure, duration_ms } = answered
  log('attempt', {
    store_id,
    webhook_endpoint_id: numberOf(endpoint.id),
    event_id,
    attempt,
    status,
    failure: failure ?? undefined,
    duration_ms,
  })
  return answered
}

async function post(endpoint: WebhookEndpoint, { store_id, event_id, body }: Message): Promise<Answered> {
  const started_at = Date.now()
  const id = `${store_id}_${event_id}`
  const timestamp = String(Math.floor(started_at / 1000))
  let status: number | null = null
  let failure: SendFailure | null = null
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(WEBHOOK.timeoutMs),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Registrar-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signaturesOf(endpoint, `${id}.${timestamp}.${body}`, started_at),
      },
    })
    status = response.status
    await response.body?.cancel()
  } catch (error) {
    // Whatever else is thrown comes from the connection: the request itself is always well formed.
    if (status === null) failure = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable'
  }
  return { status, failure, started_at, duration_ms: Date.now() - started_at }
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
