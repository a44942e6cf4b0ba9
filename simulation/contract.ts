/**
 * What a caller must know of the service: paths, bodies, headers. Everything else in here asks through these, so that
 * a change of the contract is a change of this file.
 */
import { ADMIN_TOKEN } from './instances.ts'

export interface Ask {
  method: string
  path: string
  token: string
  body?: object
  headers?: Record<string, string>
}

/** What this version of the service has: what it lacks is not asked. */
export const OFFERS = {
  /** Tokens are rotated, and refused everywhere at once when they are revoked or rotated without overlap. */
  liveTokens: false,
  /** Users are changed and erased by integrators. */
  changeableUsers: false,
  /** Many users in one request. */
  batches: false,
  /** The ids of a store's events follow each other without a gap. */
  gaplessEvents: false,
}

/** Of a token: the old version has no more. */
const SCOPES = [
  'users:write',
  'product_accesses:write',
  'events:read',
  ...(OFFERS.changeableUsers ? ['users:read', 'users:erase'] : []),
]

/** Mishaps that this version answers 500, which is known. */
export const KNOWN_TO_FAIL: ReadonlySet<string> = new Set(['an internal error after the commit', 'is being exported'])

/** In whatever a person wrote about themselves: where it must not be, it is found. */
export const PERSONAL = 'pii~'
/** In whatever of these belongs to one store. */
export const personal = (store: string, text: string) => `${PERSONAL}${store}~ ${text}`

export interface NewUser {
  name: string
  last_name: string
  email: string
  external_id: string
}

export interface Access {
  status: string
  access_due_date: string | null
  progress: number
}

const operator = (method: string, path: string, body?: object): Ask => ({
  method,
  path: `/admin${path}`,
  token: ADMIN_TOKEN,
  ...(body && { body }),
})

export const createStore = (id: string) => operator('POST', '/stores', { id, name: `Store ${id}`, language: 'EN' })
export const createToken = (store: string) =>
  operator('POST', `/stores/${store}/tokens`, {
    name: 'simulated',
    scopes: SCOPES,
  })
export const revokeToken = (store: string, id: string) => operator('DELETE', `/stores/${store}/tokens/${id}`)
export const rotateToken = (store: string, id: string) =>
  operator('POST', `/stores/${store}/tokens/${id}/rotate`, { overlap_hours: 0 })
export const createProduct = (store: string, slug: string) =>
  operator('POST', `/stores/${store}/products`, { slug, name: slug, type: 'course' })
export const createEndpoint = (store: string, url: string) =>
  operator('POST', `/stores/${store}/webhook_endpoints`, { url })
/** After a 410, or three days of failures, an endpoint is disabled until an operator says otherwise. */
export const enableEndpoint = (store: string, id: string) =>
  operator('POST', `/stores/${store}/webhook_endpoints/${id}/enable`)
export const grant = (store: string, user_id: string, product_id: string) =>
  operator('POST', `/stores/${store}/product_accesses`, { user_id, product_id })
export const readAccess = (store: string, id: string) => operator('GET', `/stores/${store}/product_accesses/${id}`)
export const setProgress = (store: string, id: string, progress: number) =>
  operator('PATCH', `/stores/${store}/product_accesses/${id}`, { progress })
export const listUsers = (store: string, after?: string) => operator('GET', paged(`/stores/${store}/users`, 100, after))
export const listAccesses = (store: string, after?: string) =>
  operator('GET', paged(`/stores/${store}/product_accesses`, 100, after))
export const listEvents = (store: string, after?: string) =>
  operator('GET', paged(`/stores/${store}/events`, 100, after))

export function followEvents(store: string, token: string, limit: number, after?: string): Ask {
  return { method: 'GET', path: paged(`/v1/stores/${store}/events`, limit, after), token }
}

function paged(path: string, limit: number, after?: string): string {
  return `${path}?limit=${limit}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`
}

export function createUser(store: string, token: string, user: NewUser, key?: string): Ask {
  const headers = key === undefined ? {} : { 'X-Idempotency-Key': key }
  return { method: 'POST', path: `/v1/stores/${store}/users`, token, body: user, headers }
}

export function createUserV3(token: string, user: NewUser): Ask {
  const more = {
    phone: '+1 202 555 0100',
    avatar: '',
    country: 'US',
    language: 'EN',
    password: `${PERSONAL}correct horse`,
  }
  return {
    method: 'POST',
    path: '/v3/public/users',
    token,
    body: { ...user, ...more, custom_fields: { field1: user.name } },
  }
}

export function updateAccess(store: string, token: string, id: string, set: Partial<Access>, etag?: string): Ask {
  const headers = etag === undefined ? {} : { 'If-Match': etag }
  return { method: 'PUT', path: `/v1/stores/${store}/product_accesses/${id}`, token, body: set, headers }
}

const user = (method: string, store: string, token: string, id: string): Ask => ({
  method,
  path: `/v1/stores/${store}/users/${id}`,
  token,
})

export const readUser = (store: string, token: string, id: string) => user('GET', store, token, id)
export const eraseUser = (store: string, token: string, id: string) => user('DELETE', store, token, id)

export function changeUser(store: string, token: string, id: string, phone: string | null, etag?: string): Ask {
  const headers = etag === undefined ? {} : { 'If-Match': etag }
  return { ...user('PATCH', store, token, id), body: { phone }, headers }
}

export function createUsers(store: string, token: string, items: NewUser[]): Ask {
  return { method: 'POST', path: `/v1/stores/${store}/users/batch`, token, body: { items } }
}
