import type { RequestContext } from '../../change/context.ts'
import { hmac } from '../../hmac.ts'
import { emailKeyOf } from '../emails.ts'

/** The key under which attempts to verify a password are counted. It shows the limiter neither the store nor the email. */
export function verificationKey(secret: string, context: RequestContext, email: string): string {
  return hmac(secret, `verify:${context.store_slug}:${emailKeyOf(email)}`)
}
