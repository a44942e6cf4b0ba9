import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { hashPassword } from '../domain/users/passwords.ts'
import { verificationKey } from '../domain/users/verify-password.ts'
import { consumeQuota } from './rate-limit.ts'
import { requestSecrets } from './respond-create.ts'
import { contextOf } from './request-context.ts'

/** Counts the password right before it is hashed: with scrypt, one caller could hold up all others. */
export async function hashWithinQuota(c: Context<AppEnv>, password: string): Promise<string> {
  await consumeQuota({
    limiter: c.env.PASSWORD_LIMITER,
    key: String(c.get('caller').id),
    policy: 'passwords',
    quota: c.env.PASSWORD_RATE_LIMIT,
  })
  return hashPassword(password, c.env)
}

/** Counts an attempt to verify the password of an email, successful or not, whoever the caller is. */
export async function consumeVerificationQuota(c: Context<AppEnv>, email: string): Promise<void> {
  const [secret = ''] = requestSecrets(c.env)
  await consumeQuota({
    limiter: c.env.VERIFY_LIMITER,
    key: verificationKey(secret, contextOf(c), email),
    policy: 'verify_password',
    quota: c.env.VERIFY_RATE_LIMIT,
  })
}
