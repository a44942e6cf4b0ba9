import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv, Principal, Scope } from '../context.ts'
import { ApiError } from '../errors.ts'
import { spend } from './rate-limit.ts'

const REALM = 'Bearer realm="registrar"'
/** RFC 6750, section 2.1: the scheme in any letter case, one space, a b64token. */
const CREDENTIALS = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i

interface BearerOptions {
  /** The principal of a token that may call this path, else undefined. Not called for what is no token. */
  findPrincipal: (c: Context<AppEnv>, token: string) => Promise<Principal | undefined>
  scope: Scope | undefined
}

/** Lets a good token of the right scope pass, within its rate: 401, 403, 429, in this order. */
export function bearer({ findPrincipal, scope }: BearerOptions): MiddlewareHandler<AppEnv> {
  return async function bearer(c, next) {
    const token = await readToken(c)
    const principal = await findPrincipal(c, token)
    if (!principal) throw await refusal(c)
    c.set('token', token)
    c.set('principal', principal)
    if (scope !== undefined && !principal.scopes.includes(scope)) {
      throw new ApiError('insufficient_scope', {
        headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
      })
    }
    await spend({
      limiter: c.env.TOKEN_LIMITER,
      key: String(principal.token_id),
      policy: 'token',
      quota: c.env.TOKEN_RATE_LIMIT,
    })
    await next()
  }
}

/** Lets the operator's token pass; `isOperator` must compare in constant time. */
export function operatorBearer(isOperator: (c: Context<AppEnv>, token: string) => boolean): MiddlewareHandler<AppEnv> {
  return async function operatorBearer(c, next) {
    if (!isOperator(c, await readToken(c))) throw await refusal(c)
    await next()
  }
}

async function readToken(c: Context<AppEnv>): Promise<string> {
  const token = CREDENTIALS.exec(c.req.header('Authorization') ?? '')?.[1]
  if (token !== undefined) return token
  await countFailure(c)
  throw new ApiError('missing_token', { headers: { 'WWW-Authenticate': REALM } })
}

async function refusal(c: Context<AppEnv>): Promise<ApiError> {
  await countFailure(c)
  return new ApiError('invalid_token', { headers: { 'WWW-Authenticate': `${REALM}, error="invalid_token"` } })
}

function countFailure(c: Context<AppEnv>): Promise<void> {
  return spend({
    limiter: c.env.FAILED_AUTH_LIMITER,
    key: c.req.header('CF-Connecting-IP') ?? 'unknown',
    policy: 'failed-authentication',
    quota: c.env.FAILED_AUTH_RATE_LIMIT,
  })
}
