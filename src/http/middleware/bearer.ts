import type { Bindings } from '../../bindings.ts'
import type { Context, MiddlewareHandler } from '../hono.ts'
import { numberOf, storeOf } from '../../db/ids.ts'
import { type Caller, isOperator, ROOT } from '../../change/request.ts'
import { DomainError } from '../../change/errors.ts'
import { OFFICE_SCOPES, type Role, type Scope } from '../../auth/scopes.ts'
import { rootToken } from '../../auth/secrets.ts'
import { isEqual, isTokenLike, readToken, usableKeys, MIN_SECRET_LENGTH } from '../../auth/token-format.ts'
import { ApiError } from '../errors/api-error.ts'
import { ERRORS } from '../../error-codes.ts'
import { consumeQuota } from '../rate-limit.ts'
import { withRequirements } from '../route-requirements.ts'

export const REALM = 'Bearer realm="registrar"'
/** RFC 6750, section 2.1: the scheme in any letter case, one space, and the token. */
const CREDENTIALS = /^Bearer (.+)$/i
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/

/**
 * Rejects a token that this service cannot have issued, and one over its rate limit, without a round trip. Whether the
 * token is still valid is checked in the batch that does the work.
 */
export function bearer(kind: 'access_token' | 'operator'): MiddlewareHandler {
  return withRequirements({ caller: kind }, async function bearer(c, next) {
    c.set('requiredScopes', kind === 'operator' ? [requiredRole(c.req.method)] : [])
    // An operator without a token was checked by signOn.
    if (c.get('signedOnEmail') !== undefined) return next()
    const caller = identify(c, kind)
    c.set('caller', caller)
    c.set('logged', loggedCaller(caller))
    const policy = kind === 'operator' ? 'operator' : 'token'
    await consumeQuota(c.env, { limiter: 'TOKEN', policy, key: quotaKey(caller) })
    await next()
  })
}

/**
 * Requests are counted before it is known whether the secret is still valid, so each secret has a quota of its own:
 * otherwise whoever holds a revoked or rotated one could use up the quota of the current one. 64 bits of its hash are
 * enough to tell the secrets of one caller apart.
 */
function quotaKey({ id, hash }: Caller): string {
  return id === ROOT ? String(id) : `${id}:${hash.slice(0, 16)}`
}

/** For the log. */
export function loggedCaller({ id }: Caller): Record<string, number> {
  return isOperator(id) ? { operator_id: id } : { store: storeOf(id), token_id: numberOf(id) }
}

function identify(c: Context, kind: 'access_token' | 'operator'): Caller {
  const token = CREDENTIALS.exec(c.req.header('Authorization') ?? '')?.[1]
  // An operator chooses the root's secret, so it may contain any printable ASCII, spaces inside it included.
  if (kind === 'operator' && token !== undefined && isEqual(token, rootToken(c.env))) return { id: ROOT, hash: '' }
  if (token === undefined || !B64TOKEN.test(token)) {
    const problem = credentialsProblem(c.req.header('Authorization'))
    const message = problem && `${problem} ${ERRORS.missing_token.message}`
    throw new ApiError('missing_token', { ...(message && { message }), headers: { 'WWW-Authenticate': REALM } })
  }
  const keys = usableKeys(c.env)
  if (keys.length === 0 && isTokenLike(token)) throw new DomainError('token_key_missing_or_too_short', {})
  const caller = readToken(keys, token)
  if (!caller || isOperator(caller.id) !== (kind === 'operator')) throw new DomainError('invalid_token', {})
  return caller
}

/** What is wrong with the form of the header. It must not repeat any part of it, which may be a secret. */
function credentialsProblem(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (header === '') return 'The header Authorization is empty.'
  const [scheme = '', token] = header.split(/ (.*)/s)
  if (isTokenLike(scheme)) return 'The header Authorization has a token without the word Bearer before it.'
  if (scheme.toLowerCase() !== 'bearer')
    return 'The header Authorization does not begin with the word Bearer and one space.'
  if (token === undefined) return 'The header Authorization has no token after Bearer.'
  if (/^\s/.test(token)) return 'The header Authorization has more than one space after Bearer.'
  if (/^["'<]|["'>]$/.test(token)) return 'The token in the header Authorization is in quotes or brackets.'
  return 'The token in the header Authorization contains a character that no token has.'
}

/** The minimum role that may call an operation, which requires the scope of a token if tokens may call it, too. */
export function requiredRole(method: string, scope?: Scope): Role {
  if (method === 'GET' || method === 'HEAD') return 'viewer'
  return scope !== undefined && OFFICE_SCOPES.includes(scope) ? 'office' : 'admin'
}

/** The scope that the operation requires of a token. Operators need a role instead. */
export function requireScope(scope: Scope): MiddlewareHandler {
  return withRequirements({ scope }, function requireScope(c, next) {
    c.set('requiredScopes', [isOperator(c.get('caller').id) ? requiredRole(c.req.method, scope) : scope])
    return next()
  })
}

/** For an operation that an older secret of the token must not call, although it is still valid. */
export function requireCurrentSecret(): MiddlewareHandler {
  return function requireCurrentSecret(c, next) {
    c.set('requiresCurrentSecret', true)
    return next()
  }
}

/** For operations that only the root may call. No operator has this role. */
export function requireRoot(): MiddlewareHandler {
  return withRequirements({ isRootOnly: true }, function requireRoot(c, next) {
    c.set('requiredScopes', ['root'])
    return next()
  })
}

/** For operations about the operator alone: they require no role, and an operator limited to stores may call them. */
export function allowAnyOperator(): MiddlewareHandler {
  return withRequirements({ isForAnyOperator: true }, function allowAnyOperator(c, next) {
    c.set('requiredScopes', [])
    return next()
  })
}

/** Without an ADMIN_TOKEN that is long enough there is no operator API, and no 405 or 401 reveals it. */
export function hideAdminWithoutSecret(): MiddlewareHandler {
  return function hideAdminWithoutSecret(c, next) {
    if (rootToken(c.env).length < MIN_SECRET_LENGTH) throw new ApiError('route_not_found')
    return next()
  }
}

/** The key that signs new tokens. */
export function tokenKey(env: Bindings): string {
  const [key] = usableKeys(env)
  if (key === undefined) throw new DomainError('token_key_missing_or_too_short', {})
  return key
}
