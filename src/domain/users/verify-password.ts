import type { Call } from '../change/context.ts'
import { emailKeyOf } from './emails.ts'
import { hmac } from '../hmac.ts'

/** What tries are counted by: the store and the e-mail, which the limiter itself does not learn. */
export function verificationKey(secret: string, call: Call, email: string): string {
  return hmac(secret, `verify:${call.store_slug}:${emailKeyOf(email)}`)
}
