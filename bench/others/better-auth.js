/**
 * The same create and update on better-auth with D1: sign-up by e-mail, and a change of the signed-in user. Its
 * password hash is left out, as the service's is in this comparison; no session is opened at sign-up. One instance
 * per request: shared by simultaneous requests, it makes some wait for another's promise, which workerd cancels.
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
