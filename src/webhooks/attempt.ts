/** One attempt at one delivery, as https://www.standardwebhooks.com describes it. */
import { createHmac } from 'node:crypto'
import type { WebhookEndpoint } from '../db/schema.ts'
import type { Attempt } from '../domain/webhook-attempts.ts'
import type { Outcome } from '../domain/webhook-outcomes.ts'
import { WEBHOOK } from '../limits.ts'
import { toEvent } from '../wire/events.ts'

/** Posts the event and logs how that went; no answer in time, or none at all, is the status null. */
export async function attempt(endpoint: WebhookEndpoint, { event, number }: Attempt): Promise<Outcome> {
  const startedAt = Date.now()
  const body = JSON.stringify(toEvent(event))
  const timestamp = String(Math.floor(startedAt / 1000))
  let status: number | null = null
  let failure: string | undefined
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(WEBHOOK.timeoutMs),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Registrar-Webhooks',
        'webhook-id': String(event.id),
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures(endpoint, `${event.id}.${timestamp}.${body}`, startedAt),
      },
    })
    status = response.status
    await response.body?.cancel()
  } catch (error) {
    failure = error instanceof Error ? error.name : 'unknown'
  }
  console.log(
    JSON.stringify({
      webhook_endpoint_id: endpoint.id,
      store_id: endpoint.store_id,
      event_id: event.id,
      attempt: number,
      status,
      failure,
      duration_ms: Date.now() - startedAt,
    }),
  )
  return { event_id: event.id, number, status }
}

/** With each secret that is valid: after a rotation with the old one, too. */
function signatures(endpoint: WebhookEndpoint, content: string, now: number): string {
  const { secret, previous_secret, previous_secret_expires_at } = endpoint
  const isRotating = previous_secret !== null && now < (previous_secret_expires_at ?? 0)
  return [secret, ...(isRotating ? [previous_secret] : [])].map((each) => sign(each, content)).join(' ')
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
