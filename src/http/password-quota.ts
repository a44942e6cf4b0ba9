/** Passwords are counted right before they are hashed. Hashing takes so long that one caller could delay all others. */
import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { storeOf } from '../db/ids.ts'
import { isOperator } from '../domain/change/context.ts'
import { hashPassword, isPasswordOf } from '../domain/users/passwords.ts'
import { verificationKey } from '../domain/users/verify-password.ts'
import { consumeQuota } from './rate-limit.ts'
import { requestSecrets } from '../domain/tokens/token-format.ts'
import { contextOf } from './request-context.ts'

/** Throws `rate_limited`, and `hashing_too_busy` if the password waited too long for its turn. */
export async function hashWithinQuota(c: Context<AppEnv>, password: string): Promise<string> {
  const caller = c.get('caller').id
  await consumeQuota(c.env, { limiter: 'PASSWORD', policy: 'passwords', key: String(caller) })
  await consumeStoreQuota(c)
  return hashPassword(c.env, { password, store: storeOf(caller) })
}

interface Attempt {
  email: string
  password: string
  /** The hash of the user who has the email; null if there is no such user, or if the user has no password. */
  hash: string | null
}

/**
 * True if the password is the user's. Each attempt is counted by email and by caller, whether it succeeds or not. The
 * email comes first: attempts on one email that is already blocked must not use up the caller's quota for all others.
 * Throws `rate_limited`, and `hashing_too_busy` if the attempt waited too long for its turn.
 */
export async function verifyWithinQuota(c: Context<AppEnv>, { email, password, hash }: Attempt): Promise<boolean> {
  const caller = c.get('caller').id
  const [secret = ''] = requestSecrets(c.env)
  const emailKey = verificationKey(secret, contextOf(c), email)
  await consumeQuota(c.env, { limiter: 'VERIFY', policy: 'verify_password', key: emailKey })
  await consumeQuota(c.env, { limiter: 'PASSWORD', policy: 'verify_password_token', key: String(caller) })
  await consumeStoreQuota(c)
  return isPasswordOf(c.env, { password, hash, store: storeOf(caller) })
}

/**
 * All hashes for the tokens of a store together: a store with many tokens must not get more of an instance than others.
 * Operators do not count: an import would otherwise block the sign-ins of the store.
 */
async function consumeStoreQuota(c: Context<AppEnv>): Promise<void> {
  const caller = c.get('caller').id
  if (isOperator(caller)) return
  await consumeQuota(c.env, { limiter: 'STORE_PASSWORD', policy: 'store_passwords', key: String(storeOf(caller)) })
}
