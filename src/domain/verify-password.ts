import { createHmac } from 'node:crypto'
import type { Call } from './caller.ts'
import { emailKeyOf } from './emails.ts'

/** What tries are counted by: the store and the e-mail, which the limiter itself does not learn. */
export function verificationKey(secret: string, call: Call, email: string): string {
  return createHmac('sha256', secret)
    .update(`verify:${call.store_slug}:${emailKeyOf(email)}`)
    .digest('base64url')
}
