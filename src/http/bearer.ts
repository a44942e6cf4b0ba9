import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { numberOf, storeOf } from '../db/ids.ts'
import { type Caller, isOperator, ROOT } from '../domain/change/context.ts'
import { Refusal } from '../domain/errors.ts'
import type { Scope } from '../domain/tokens/scopes.ts'
import { isEqual, isTokenLike, readToken, usableKeys } from '../domain/tokens/token-format.ts'
import { ApiError } from '../errors.ts'
import { spend } from './rate-limit.ts'
import { MIN_SECRET_LENGTH } from '../limits.ts'

export const REALM = 'Bearer realm="registrar"'
/** RFC 6750, section 2.1: the scheme in any letter case, one space, and what a token consists of. */
const CREDENTIALS = /^Bearer (.+)$/i
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/

/**
 * Lets pass, within its quota, what reads like a token of ours: no trip is spent on a forgery. Whether the token is
 * still good is asked in the batch that does the work.
 */
export function bearer(kind: 'access_token' | 'operator'): MiddlewareHandler<AppEnv> {
  return async function bearer(c, next) {
    const caller = identify(c, kind)
    c.set('caller', caller)
    c.set('logged', namesOf(caller))
    await spend({
      limiter: c.env.TOKEN_LIMITER,
      key: String(caller.id),
      policy: kind === 'operator' ? 'operator' : 'token',
      quota: c.env.TOKEN_RATE_LIMIT,
    })
    await next()
  }
}

/** For the log. */
function namesOf({ id }: Caller): Record<string, number> {
  return isOperator(id) ? { operator_id: id } : { store: storeOf(id), token_id: numberOf(id) }
}

function identify(c: Context<AppEnv>, kind: 'access_token' | 'operator'): Caller {
  const token = CREDENTIALS.exec(c.req.header('Authorization') ?? '')?.[1]
  // The root's secret is what an operator has thought of: any printable ASCII, blanks inside it too.
  if (kind === 'operator' && token !== undefined && isEqual(token, c.env.ADMIN_TOKEN ?? '')) {
    return { id: ROOT, hash: '', needs: null }
  }
  if (token === undefined || !B64TOKEN.test(token)) {
    throw new ApiError('missing_token', { headers: { 'WWW-Authenticate': REALM } })
  }
  const keys = usableKeys(c.env)
  if (keys.length === 0 && isTokenLike(token)) throw new Refusal({ code: 'no_token_key' })
  const read = readToken(keys, token)
  if (!read || isOperator(read.id) !== (kind === 'operator')) throw new Refusal({ code: 'invalid_token' })
  // A viewer may read, and nothing else. Of a token, `needs` says what the operation asks for.
  const role = c.req.method === 'GET' || c.req.method === 'HEAD' ? 'viewer' : 'admin'
  return { ...read, needs: kind === 'operator' ? role : null }
}

/** The scope that the operation asks of a token; of operators a role is asked instead. */
export function needs(scope: Scope): MiddlewareHandler<AppEnv> {
  return async function needs(c, next) {
    const caller = c.get('caller')
    if (!isOperator(caller.id)) c.set('caller', { ...caller, needs: scope })
    await next()
  }
}

/** Of what the root alone may do. */
export function needsRoot(): MiddlewareHandler<AppEnv> {
  return async function needsRoot(c, next) {
    c.set('caller', { ...c.get('caller'), needs: 'root' })
    await next()
  }
}

/** Without a secret that is long enough there is no operator API: not even its 405s or 401s tell of it. */
export function hideAdminWithoutSecret(): MiddlewareHandler<AppEnv> {
  return async function hideAdminWithoutSecret(c, next) {
    if ((c.env.ADMIN_TOKEN ?? '').length < MIN_SECRET_LENGTH) throw new ApiError('route_not_found')
    await next()
  }
}

/** The key that new tokens are made with. */
export function tokenKey(env: AppEnv['Bindings']): string {
  const [key] = usableKeys(env)
  if (key === undefined) throw new Refusal({ code: 'no_token_key' })
  return key
}
