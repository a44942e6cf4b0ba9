/**
 * The same create and update on better-auth with D1: sign-up by email, and a change of the signed-in user. It hashes no
 * password, as the service does not in this comparison, and a sign-up opens no session. Each request has its own
 * instance: if concurrent requests share one, some wait for a promise of another, which workerd cancels.
 */
import { betterAuth } from 'better-auth'
import { probe } from '../workers/probe.ts'

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default probe((request, env) => {
  const auth = betterAuth({
    baseURL: 'http://bench.invalid',
    trustedOrigins: ['*'],
    secret: 'a-secret-of-the-bench-that-is-long-enough',
    database: env.DB,
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      password: { hash: (password) => `unhashed:${password}`, verify: () => true },
    },
    rateLimit: { enabled: false },
    advanced: { disableCSRFCheck: true },
    telemetry: { enabled: false },
    logger: { disabled: true },
  })
  return auth.handler(request)
})
