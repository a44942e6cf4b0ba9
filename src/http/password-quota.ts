import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { hashPassword } from '../domain/users/passwords.ts'
import { verificationKey } from '../domain/users/verify-password.ts'
import { spend } from './rate-limit.ts'
import { requestSecrets } from './respond-create.ts'
import { callOf } from './request-context.ts'

/** Counts the password where it is about to be hashed: scrypt is what one caller can hold up all others with. */
export async function hashWithinQuota(c: Context<AppEnv>, password: string): Promise<string> {
  await spend({
    limiter: c.env.PASSWORD_LIMITER,
    key: String(c.get('caller').id),
    policy: 'passwords',
    quota: c.env.PASSWORD_RATE_LIMIT,
  })
  return hashPassword(password, c.env)
}

/** Counts a try at the password of an e-mail, right or wrong, whoever asks. */
export async function spendVerification(c: Context<AppEnv>, email: string): Promise<void> {
  const [secret = ''] = requestSecrets(c.env)
  await spend({
    limiter: c.env.VERIFY_LIMITER,
    key: verificationKey(secret, callOf(c), email),
    policy: 'verify_password',
    quota: c.env.VERIFY_RATE_LIMIT,
  })
}
