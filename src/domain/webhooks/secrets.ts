/** Secrets of endpoints, and what is signed with them, as https://www.standardwebhooks.com describes it. */
import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookEndpoint } from '../../db/schema.ts'
import { WEBHOOK } from '../../limits.ts'

/** 24 to 64 random bytes in base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(WEBHOOK.secretBytes).toString('base64')}`
}

type Secrets = Pick<WebhookEndpoint, 'secret' | 'older_secrets'>

/** One signature for each secret that is good at the time: a receiver that was not told of a rotation yet goes on. */
export function signaturesOf({ secret, older_secrets }: Secrets, content: string, now: number): string {
  const older: Record<string, number> = JSON.parse(older_secrets ?? '{}')
  const good = Object.keys(older).filter((each) => now < (older[each] ?? 0))
  return [secret, ...good].map((each) => sign(each, content)).join(' ')
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
