/** The secrets of endpoints and the signatures made with them, as in https://www.standardwebhooks.com. */
import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookEndpoint } from '../../db/schema/stores.ts'
import { WEBHOOK } from './limits.ts'

/** Standard Webhooks: 24 to 64 random bytes, in base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(WEBHOOK.secretBytes).toString('base64')}`
}

type Secrets = Pick<WebhookEndpoint, 'secret' | 'older_secrets'>

/**
 * One signature for each secret that is valid at the time. Without those of older secrets, a receiver that does not know
 * the new secret yet would reject every message after a rotation.
 */
export function signaturesOf({ secret, older_secrets }: Secrets, content: string, now: number): string {
  const older: Record<string, number> = JSON.parse(older_secrets ?? '{}')
  const stillValid = Object.keys(older).filter((each) => now < (older[each] ?? 0))
  return [secret, ...stillValid].map((each) => sign(each, content)).join(' ')
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
