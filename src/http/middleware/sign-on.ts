/**
 * Single sign-on by Cloudflare Access. Access stands in front of the service, signs people in, and adds an assertion with
 * their email to each request. Nothing about the assertion is trusted without its signature: whoever reaches the service
 * past Access could send any header.
 */
import { decode, verifyWithJwks } from 'hono/jwt'
import type { HonoJsonWebKey } from 'hono/utils/jwt/jws'
import type { Context, MiddlewareHandler } from '../hono.ts'
import type { Db } from '../../db/batch.ts'
import type { Caller } from '../../change/request.ts'
import { hmac } from '../../lib/hmac.ts'
import { emailKey } from '../../lib/emails.ts'
import { isObject } from '../../lib/json.ts'
import { ApiError } from '../errors/api-error.ts'
import { findKey } from './cloudflare-access-keys.ts'
import { loggedCaller, REALM, requiredRole } from './bearer.ts'
import { consumeQuota } from '../rate-limit.ts'
import { requestSecrets } from '../../auth/token-format.ts'

const ALGORITHMS = ['RS256', 'ES256'] as const

/**
 * Checks the assertion of a request without a token, and its rate limit, before the database is asked. The email is
 * counted as an HMAC, because the limiter needs to tell operators apart and not to know them.
 */
export function signOn(): MiddlewareHandler {
  return async function signOn(c, next) {
    const assertion = c.req.header('Cf-Access-Jwt-Assertion')
    const { ACCESS_TEAM_DOMAIN, ACCESS_AUD } = c.env
    if (!ACCESS_TEAM_DOMAIN || !ACCESS_AUD) return next()
    if (assertion === undefined || c.req.header('Authorization') !== undefined) return next()
    rejectOtherSites(c)
    const issuer = issuerOf(ACCESS_TEAM_DOMAIN, c.env.ENVIRONMENT)
    const email = await verifiedEmail(c, assertion, { issuer, audience: ACCESS_AUD })
    c.set('signedOnEmail', email)
    const [secret = ''] = requestSecrets(c.env)
    await consumeQuota(c.env, { limiter: 'TOKEN', policy: 'operator', key: hmac(secret, `sign-on:${email}`) })
    return next()
  }
}

type GetCaller = (db: Db, email: string) => Promise<Caller>

/** Finds the operator who signed on, in one round trip. Throws `invalid_token` if no operator has the email. */
export function findSignedOnOperator(getCallerByEmail: GetCaller): MiddlewareHandler {
  return async function findSignedOnOperator(c, next) {
    const email = c.get('signedOnEmail')
    if (email !== undefined) {
      const caller = await getCallerByEmail(c.get('db'), email)
      c.set('caller', caller)
      c.set('logged', loggedCaller(caller))
    }
    await next()
  }
}

/**
 * A browser sends the cookie of Access with the requests of any site, and Access turns it into an assertion. Without this
 * check, another site could make changes in the name of an operator who visits it.
 */
function rejectOtherSites(c: Context): void {
  if (requiredRole(c.req.method) === 'viewer') return
  const site = c.req.header('Sec-Fetch-Site') ?? 'same-origin'
  const own = new URL(c.req.url).origin
  // Older browsers send only an Origin.
  const origin = c.req.header('Origin') ?? own
  if (site !== 'same-origin' || origin !== own) throw new ApiError('cross_site')
}

/** In development, the setting may be the URL of a local server. In production the keys must come over HTTPS. */
function issuerOf(domain: string, environment: string): string {
  const isUrl = domain.startsWith('https://') || (environment !== 'production' && domain.startsWith('http://'))
  return (isUrl ? domain : `https://${domain}`).replace(/\/$/, '')
}

interface Expected {
  issuer: string
  audience: string
}

/** The email in the form in which emails are compared. Throws `invalid_token`, and `service_unavailable` without keys. */
async function verifiedEmail(c: Context, assertion: string, expected: Expected): Promise<string> {
  const key = await findKey({
    issuer: expected.issuer,
    keyId: keyIdOf(assertion),
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  })
  if (key === undefined) throw rejected('unknown_key')
  const { exp, email } = await verify(assertion, key, expected)
  // An assertion without an end passes the library.
  if (exp === undefined) throw rejected('no_expiry')
  const compared = typeof email === 'string' ? emailKey(email) : undefined
  if (compared === undefined) throw rejected('no_email')
  return compared
}

/** The id of the key in the header. What can never be valid is rejected here, so that it fetches no keys. */
function keyIdOf(assertion: string): string {
  const { alg, kid } = headerOf(assertion)
  if (!ALGORITHMS.some((name) => name === alg)) throw rejected('algorithm')
  if (typeof kid !== 'string') throw rejected('no_key_id')
  return kid
}

function headerOf(assertion: string): { alg?: unknown; kid?: unknown } {
  try {
    const header: unknown = decode(assertion).header
    return isObject(header) ? header : {}
  } catch (cause) {
    throw rejected('malformed', cause)
  }
}

async function verify(assertion: string, key: HonoJsonWebKey, { issuer, audience }: Expected) {
  try {
    return await verifyWithJwks(assertion, {
      keys: [key],
      allowedAlgorithms: ALGORITHMS,
      // `iat` says nothing that `nbf` does not, and would fail whenever the two clocks differ.
      verification: { iss: issuer, aud: audience, iat: false },
    })
  } catch (cause) {
    // Whatever the library throws, the assertion is not verified: it also throws what a strange payload or key causes.
    throw rejected(cause instanceof Error ? cause.name : 'unknown', cause)
  }
}

/** The log has the check that failed: whoever sets up Access can see what is wrong, and the caller cannot. */
function rejected(check: string, cause?: unknown): ApiError {
  const headers = { 'WWW-Authenticate': `${REALM}, error="invalid_token"` }
  return new ApiError('invalid_token', { headers, failure: `assertion_${check}`, cause })
}
