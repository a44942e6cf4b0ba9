/** Passwords are counted right before they are hashed. Hashing takes so long that one caller could delay all others. */
import type { Context } from '../../../http/hono.ts'
import { storeOf } from '../../../db/ids.ts'
import { isOperator } from '../../../change/request.ts'
import { hmac } from '../../../lib/hmac.ts'
import { emailKeyOf } from '../../../lib/emails.ts'
import { hashPassword, isPasswordOf } from './passwords.ts'
import { consumeQuota, type Quota } from '../../../http/rate-limit.ts'
import { requestSecrets } from '../../../auth/token-format.ts'

/** Throws `rate_limited`, and `hashing_too_busy` if the password waited too long for its turn. */
export async function hashWithinQuota(c: Context, password: string): Promise<string> {
  const caller = c.get('caller').id
  await consumeQuota(c.env, { limiter: 'PASSWORD', policy: 'passwords', key: String(caller) })
  await consumeStoreQuota(c, { limiter: 'STORE_PASSWORD', policy: 'store_passwords' })
  return hashPassword(c.env, { password, store: storeOf(caller) })
}

interface Credentials {
  email: string
  password: string
  /** The hash of the user who has the email; null if there is no such user, or if the user has no password. */
  hash: string | null
}

/**
 * True if the password is the user's. Each attempt is counted by email, by caller and by store, whether it succeeds or not,
 * and apart from the passwords of creates, which must not end sign-ins. The email comes first: attempts on one email that is
 * already blocked must not use up the quotas for all others.
 * Throws `rate_limited`, and `hashing_too_busy` if the attempt waited too long for its turn.
 */
export async function verifyWithinQuota(c: Context, { email, password, hash }: Credentials): Promise<boolean> {
  const caller = c.get('caller').id
  const [secret = ''] = requestSecrets(c.env)
  // The limiter learns neither the store nor the email.
  const emailKey = hmac(secret, `verify:${c.req.param('store_id')}:${emailKeyOf(email)}`)
  await consumeQuota(c.env, { limiter: 'VERIFY', policy: 'verify_password', key: emailKey })
  await consumeQuota(c.env, { limiter: 'TOKEN_VERIFY', policy: 'verify_password_token', key: String(caller) })
  await consumeStoreQuota(c, { limiter: 'STORE_VERIFY', policy: 'verify_password_store' })
  return isPasswordOf(c.env, { password, hash, store: storeOf(caller) })
}

/**
 * Counts for all tokens of a store together: a store with many tokens must not get more of an instance than others.
 * Operators do not count: an import would otherwise block the store.
 */
async function consumeStoreQuota(c: Context, quota: Omit<Quota, 'key'>): Promise<void> {
  const caller = c.get('caller').id
  if (!isOperator(caller)) await consumeQuota(c.env, { ...quota, key: String(storeOf(caller)) })
}
