/**
 * Everything that a caller must know about the service: paths, bodies, headers. The rest of the simulation sends
 * requests only through this file, so that a change of the contract changes this file and no other.
 */
import { SCOPES, STATUSES } from './world/openapi-document.ts'

/** The token of the root operator. */
export const ADMIN_TOKEN = 'operator-secret-of-the-simulation'

/** The clocks of two of them change: at one in the night, and at midnight, so that a day ends twice or begins late. */
export const TIME_ZONES = ['UTC', 'Asia/Kolkata', 'Europe/Lisbon', 'America/Santiago'] as const

/** The origin of the receivers of webhooks. */
export const HOOKS = 'https://hooks.example.com'

export interface ApiRequest {
  method: string
  path: string
  token: string
  body?: object
  headers?: Record<string, string>
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** How long an idempotency key is kept. */
export const CLAIM_MS = DAY_MS

export { SCOPES, STATUSES }

/** Written down again and not imported: an import would change together with a defect of the service. */
export const isOpen = (status: unknown) => status === 'with_access'

/** All personal data contains this text, so that the checks find personal data where it must not be. */
export const PERSONAL = 'pii~'
/** Personal data that names its store, so that the checks find it in responses for another store. */
export const personal = (store: string, text: string) => `${PERSONAL}${store}~ ${text}`
/** Every secret of the service begins like this. */
export const SECRETS = /rg[so]_\d+_\d+_|whsec_/

export interface NewUser {
  name: string
  last_name: string
  email: string
  external_id: string
  password?: string
  product_accesses?: { product_id: string; status?: string; access_due_date?: string | null }[]
}

export interface Access {
  status: string
  access_due_date: string | null
  progress: number
}

/** A request of an operator: of the root, unless another token is given. */
function operator(method: string, path: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method, path: `/admin${path}`, token: ADMIN_TOKEN, ...more }
}

const inStore = (store: string, method: string, path: string, more?: Partial<ApiRequest>) =>
  operator(method, `/stores/${store}${path}`, more)

function v1(store: string, token: string, method: string, path: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method, path: `/v1/stores/${store}${path}`, token, ...more }
}

const keyed = (key?: string): Partial<ApiRequest> =>
  key === undefined ? {} : { headers: { 'X-Idempotency-Key': key } }
const matching = (etag?: string): Partial<ApiRequest> => (etag === undefined ? {} : { headers: { 'If-Match': etag } })

export interface Place {
  place: 'shared' | 'own'
  jurisdiction?: 'eu'
}

/** What a store has besides its id and name. */
export interface NewStore extends Place {
  time_zone?: string
}

export const createStore = (id: string, place: NewStore, name = `Store ${id}`) =>
  operator('POST', '/stores', { body: { id, name, language: 'EN', ...place } })
export const readStore = (id: string) => operator('GET', `/stores/${id}`)
export const checkHealth = (): ApiRequest => ({ method: 'GET', path: '/health', token: ADMIN_TOKEN })
export const listStores = (after?: string) => operator('GET', paged('/stores', after))
export const suspendStore = (store: string, suspended: boolean) => inStore(store, 'PATCH', '', { body: { suspended } })
export const createProduct = (store: string, slug: string) =>
  inStore(store, 'POST', '/products', { body: { slug, name: slug, type: 'course' } })

export const putCustomField = (store: string, key: string) =>
  inStore(store, 'PUT', `/custom_fields/${key}`, { body: {} })

/** One with `stores` is limited to them. */
export const createOperator = (role: string, stores?: string[]) =>
  operator('POST', '/operators', { body: { name: 'simulated', role, ...(stores && { stores }) } })
export const revokeOperator = (id: string) => operator('DELETE', `/operators/${id}`)
export const readOwnOperator = (token: string) => operator('GET', '/operator', { token })
/** An update of the store that changes nothing. Whoever is no admin must get 403 for it. */
export const updateWithoutChange = (store: string, token: string) => inStore(store, 'PATCH', '', { token, body: {} })

export const createToken = (store: string) =>
  inStore(store, 'POST', '/tokens', { body: { name: 'simulated', scopes: SCOPES } })
export const revokeToken = (store: string, id: string) => inStore(store, 'DELETE', `/tokens/${id}`)
export const revokeAllTokens = (store: string) => inStore(store, 'POST', '/tokens/revoke_all')
export const rotateToken = (store: string, id: string, overlap_hours: number) =>
  inStore(store, 'POST', `/tokens/${id}/rotate`, { body: { overlap_hours } })
export const readToken = (token: string): ApiRequest => ({ method: 'GET', path: '/v1/token', token })

const ENDPOINTS = '/webhook_endpoints'
export const createEndpoint = (store: string, url: string, types?: string[]) =>
  inStore(store, 'POST', ENDPOINTS, { body: { url, ...(types && { types }) } })
export const deleteEndpoint = (store: string, id: string) => inStore(store, 'DELETE', `${ENDPOINTS}/${id}`)
export const rotateSecret = (store: string, id: string, overlap_hours: number) =>
  inStore(store, 'POST', `${ENDPOINTS}/${id}/rotate_secret`, {
    body: { overlap_hours },
  })
/** After a 410, or three days of failures, an endpoint is disabled until an operator enables it. */
export const enableEndpoint = (store: string, id: string) => inStore(store, 'POST', `${ENDPOINTS}/${id}/enable`)
export const testEndpoint = (store: string, id: string) => inStore(store, 'POST', `${ENDPOINTS}/${id}/test`)
export const redeliver = (store: string, id: string, event: string) =>
  inStore(store, 'POST', `${ENDPOINTS}/${id}/deliveries/${event}/redeliver`)

export type List = (store: string, after?: string) => ApiRequest
export const listUsers: List = (store, after) => inStore(store, 'GET', paged('/users', after))
export const listAccesses: List = (store, after) => inStore(store, 'GET', paged('/product_accesses', after))
export const listEvents: List = (store, after) => inStore(store, 'GET', paged('/events', after))

export const listBulkChanges: List = (store, after) => inStore(store, 'GET', paged('/bulk_changes', after))

const BULK_CHANGES = '/bulk_changes'
/** It has one event for itself and one for each access. */
export const createBulkChange = (store: string, token: string, body: object, key?: string) =>
  v1(store, token, 'POST', BULK_CHANGES, { body, ...keyed(key) })
export const cancelBulkChange = (store: string, id: string) => inStore(store, 'POST', `${BULK_CHANGES}/${id}/cancel`)
export const revertBulkChange = (store: string, token: string, id: string, key?: string) =>
  v1(store, token, 'POST', `${BULK_CHANGES}/${id}/revert`, keyed(key))

function paged(path: string, after?: string): string {
  return `${path}?limit=100${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`
}

export interface EventsQuery {
  limit: number
  after?: string | undefined
  type?: string | undefined
}

export function followEvents(store: string, token: string, { limit, after, type }: EventsQuery): ApiRequest {
  const query = { limit: String(limit), ...(after !== undefined && { after }), ...(type !== undefined && { type }) }
  return v1(store, token, 'GET', `/events?${String(new URLSearchParams(query))}`)
}

export const createUser = (store: string, token: string, body: NewUser, key?: string) =>
  v1(store, token, 'POST', '/users', { body, ...keyed(key) })

export function createUserV3(token: string, user: NewUser, key?: string): ApiRequest {
  const more = { phone: '+1 202 555 0100', avatar: '', country: 'US', language: 'EN', password: passwordOf(0) }
  const body = { ...user, ...more, custom_fields: { field1: user.name } }
  return { method: 'POST', path: '/v3/public/users', token, body, ...keyed(key) }
}

/** The passwords differ at their ends, and have characters of more than one byte. */
export const passwordOf = (n: number) => `${PERSONAL}contraseña correcta ${n}`

export const readUser = (store: string, token: string, id: string) => v1(store, token, 'GET', `/users/${id}`)
export const eraseUser = (store: string, token: string, id: string) => v1(store, token, 'DELETE', `/users/${id}`)
export const changeUser = (store: string, token: string, id: string, body: object, etag?: string) =>
  v1(store, token, 'PATCH', `/users/${id}`, { body, ...matching(etag) })
export const verifyPassword = (store: string, token: string, email: string, password: string) =>
  v1(store, token, 'POST', '/users/verify_password', { body: { email, password } })
export const createUsers = (store: string, token: string, items: NewUser[], on_existing: string, dry_run = false) =>
  v1(store, token, 'POST', '/users/batch', { body: { items, on_existing, dry_run } })

export interface Grant {
  user_id: string
  product_id: string
  status?: string
  access_due_date?: string | null
}

/** Grants with the token of an integrator, or without a token as an operator. */
export function grant(store: string, body: Grant, token?: string, key?: string): ApiRequest {
  const more = { body, ...keyed(key) }
  return token === undefined
    ? inStore(store, 'POST', '/product_accesses', more)
    : v1(store, token, 'POST', '/product_accesses', more)
}

export const grantAccesses = (store: string, token: string, items: Grant[], on_existing: string) =>
  v1(store, token, 'POST', '/product_accesses/batch', { body: { items, on_existing } })
export const readAccess = (store: string, token: string, id: string) =>
  v1(store, token, 'GET', `/product_accesses/${id}`)
export const extendAccess = (store: string, token: string, id: string, body: object, key?: string) =>
  v1(store, token, 'POST', `/product_accesses/${id}/extend`, { body, ...keyed(key) })
export const setProgress = (store: string, token: string, id: string, progress: number) =>
  v1(store, token, 'PATCH', `/product_accesses/${id}`, { body: { progress } })
export const updateAccess = (store: string, token: string, id: string, body: Partial<Access>, etag?: string) =>
  v1(store, token, 'PUT', `/product_accesses/${id}`, { body, ...matching(etag) })
