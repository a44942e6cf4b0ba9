/** Who may send a request (contract, sections 2, 6 and 7). */
import { ADMIN_TOKEN, type ApiRequest } from '../contract.ts'
import { operationOf } from '../operations.ts'
import { toRow, toRows } from '../rows.ts'
import { fieldFilters } from './input.ts'
import { type Call, type Caller, type Operation, type Outcome, ROLES } from './operation.ts'
import type { State, Token } from './state.ts'

/** The operator whose token is a setting of the service. */
export const ROOT: Caller = { secret: ADMIN_TOKEN, actor: { type: 'operator', id: null }, role: 'root' }

const REALM = 'Bearer realm="registrar"'

const invalidToken: Outcome = {
  status: 401,
  code: 'invalid_token',
  headers: { 'WWW-Authenticate': `${REALM}, error="invalid_token"` },
}

/** The 401 of a request without a token. */
export function missingToken({ token, headers = {} }: ApiRequest): Outcome | undefined {
  const sent = headers['Authorization'] ?? `Bearer ${token}`
  if (/^Bearer [^ ]+$/i.test(sent)) return undefined
  return { status: 401, code: 'missing_token', headers: { 'WWW-Authenticate': REALM } }
}

/** Every caller whose token is valid now, with each of its valid secrets. */
export function liveCallers({ tokens }: State, now: number): Caller[] {
  return [...tokens.values()].flatMap((token) => secretsOf(token, now).map((secret) => callerOf(token, secret)))
}

/** A replaced secret is valid until its own end, unless the token ends before. */
function secretsOf({ json, secret, older }: Token, now: number): string[] {
  const expires = json['expires_at']
  if (json['revoked_at'] !== null || (typeof expires === 'string' && Date.parse(expires) <= now)) return []
  const replaced = older.filter(({ until }) => until > now).map((each) => each.secret)
  return [secret, ...replaced].filter((each) => each !== undefined)
}

function callerOf(token: Token, secret: string | undefined): Caller {
  return { secret, actor: { type: 'access_token', id: token.id, name: token.json['name'] }, token }
}

/** A token belongs to its store, and an operator's to /admin. */
export function authenticate(
  state: State,
  operators: readonly Caller[],
  { path, token }: ApiRequest,
  now: number,
): Caller | Outcome {
  const callers = path.startsWith('/v') ? liveCallers(state, now) : operators
  return callers.find(({ secret }) => secret === token) ?? invalidToken
}

/** A token needs the scope of the operation, and an operator the role. */
export function mayCall({ scope, role }: Operation, caller: Caller): boolean {
  if (caller.token) return scope === undefined || caller.token.scopes.includes(scope)
  return ROLES.indexOf(caller.role ?? 'viewer') >= ROLES.indexOf(role)
}

/** Suspension, then the scopes of a token or the role of an operator. */
export function authorize(state: State, operation: Operation, call: Call): Outcome | undefined {
  const { caller, request } = call
  const { token, stores } = caller
  if (token) {
    // A token gives itself a new secret with the current one only.
    if (operationOf(request) === 'POST /v1/token/rotate' && caller.secret !== token.secret) return invalidToken
    if (state.suspended) return { status: 403, code: 'store_suspended', headers: { 'WWW-Authenticate': null } }
    const second = secondScope(operation, call)
    const hasSecond = second === undefined || token.scopes.includes(second)
    if (mayCall(operation, caller) && hasSecond) return undefined
    // While other requests of the store wait, the scope of the operation is checked before the body is read.
    if (!mayCall(operation, caller) && second !== undefined) return { status: 403, code: 'insufficient_scope' }
    return lacks([operation.scope, second].filter((scope) => scope !== undefined).join(' '))
  }
  if (!mayCall(operation, caller)) return lacks(operation.role)
  return stores === undefined || isForLimited(operationOf(request) ?? '')
    ? undefined
    : { status: 403, code: 'insufficient_scope' }
}

/** An operator who is limited to stores may do nothing about the service itself, but read these two. */
export const isForLimited = (operation: string) => / \/admin\/stores\/|^GET \/admin\/(stores|operator)$/.test(operation)

/** A batch of users who have accesses requires a second scope, and so do accesses by what their users have. */
function secondScope({ scope, key }: Operation, { body, query }: Call): string | undefined {
  if (hasAccesses(body)) return 'product_accesses:write'
  if (key === 'bulk change' && toRow(body['filter'])['custom_field'] !== undefined) return 'users:read'
  return scope === 'product_accesses:read' && fieldFilters(query).length > 0 ? 'users:read' : undefined
}

/** An empty list has none. */
const hasAccesses = ({ items }: Call['body']) =>
  toRows(items).some(({ product_accesses: list }) => list != null && !(Array.isArray(list) && list.length === 0))

const lacks = (scope: string): Outcome => ({
  status: 403,
  code: 'insufficient_scope',
  headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
})

/** To an operator who is limited to other stores, the store does not exist. */
export function maySee({ slug }: State, { caller, request }: Call): boolean {
  return caller.stores === undefined || !request.path.includes('/stores/') || caller.stores.includes(slug)
}
