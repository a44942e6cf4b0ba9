/** The requests that warm an instance: most operations of integrators, some of operators, and some that are rejected. */
import { SCOPES } from '../../src/auth/scopes.ts'
import { type caller, firstIdIn, textOf } from '../demo.ts'

export interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: object
  /** The client disconnects after a few milliseconds, if it has no response by then. */
  isGivenUp?: boolean
}

export interface Store {
  id: string
  /** Each secret has a rate limit of its own. */
  tokens: string[]
  user: string
  access: string
}

const BATCH = 100

interface NewStore {
  id: string
  tokens: number
  users: number
}

/** Creates a store with users, each with an access. */
export async function createStore(root: ReturnType<typeof caller>, { id, tokens, users }: NewStore): Promise<Store> {
  const path = `/admin/stores/${id}`
  await root('POST', '/admin/stores', { id, name: id, language: 'EN' })
  const created = await Promise.all(
    Array.from({ length: tokens }, () => root('POST', `${path}/tokens`, { name: 'Warm', scopes: SCOPES })),
  )
  await root('POST', `${path}/products`, { name: 'Course', slug: 'course', type: 'course', expiration_days: 30 })
  for (let sent = 0; sent < users; sent += BATCH) {
    const items = Array.from({ length: BATCH }, (_, i) => ({
      ...user(`${id}-${sent + i}`),
      product_accesses: [{ slug: 'course' }],
    }))
    await root('POST', `${path}/users/batch`, { items })
  }
  return {
    id,
    tokens: created.map((token) => textOf(token, 'token')),
    user: firstIdIn(await root('GET', `${path}/users?limit=1`)),
    access: firstIdIn(await root('GET', `${path}/product_accesses?limit=1`)),
  }
}

/** It finds nobody, so it examines every user, and whatever else is asked of the database waits meanwhile. */
export function search({ id, tokens }: Store, i: number): Sent {
  return { method: 'GET', path: `/v1/stores/${id}/users?q=nobody${i}`, headers: bearer(tokens[0]) }
}

/** Request number `i`. The same number always is the same kind of request. */
export function mixedRequest(stores: readonly Store[], i: number, adminToken: string): Sent {
  const store = stores[i % stores.length]
  if (store === undefined) throw new Error('There is no store')
  const round = Math.floor(i / stores.length)
  const token = store.tokens[round % store.tokens.length]
  const make = KINDS[round % KINDS.length]
  const { headers, ...sent } = make?.(store, i) ?? { method: 'GET', path: '/health' }
  const isOperator = sent.path.startsWith('/admin')
  return { ...sent, headers: { ...bearer(isOperator ? adminToken : token), ...headers } }
}

type Kind = (store: Store, i: number) => Sent

const get = (path: string): Sent => ({ method: 'GET', path })

const CHEAP: Kind[] = [
  () => get('/health'),
  ({ id }, i) => ({ method: 'POST', path: `/v1/stores/${id}/users`, body: user(`new-${i}`) }),
  ({ id, access }) => ({ method: 'PUT', path: `/v1/stores/${id}/product_accesses/${access}`, body: {} }),
  ({ id, user: known }, i) => ({
    method: 'PATCH',
    path: `/v1/stores/${id}/users/${known}`,
    body: { phone: String(i) },
  }),
  (_, i) => ({
    method: 'POST',
    path: '/v3/public/users',
    body: { ...user(`v3-${i}`), country: 'ES', language: 'ES', custom_fields: { field1: 'x' } },
  }),
  () => get('/nowhere'),
  ({ id }) => ({ ...get(`/v1/stores/${id}/users`), headers: bearer('rgs_forged') }),
  ({ id, user: known }, i) => ({
    method: 'POST',
    path: `/v1/stores/${id}/product_accesses`,
    headers: { 'idempotency-key': `key-${i % 40}` },
    body: { user_id: known, slug: i % 2 === 0 ? 'course' : 'unknown' },
  }),
  ({ id }) => ({ method: 'HEAD', path: `/v1/stores/${id}/events` }),
  ({ id }) => ({ method: 'POST', path: `/v1/stores/${id}/users`, body: { name: '' } }),
]

/** They take the turn of their store. */
const EXPENSIVE: Kind[] = [
  ({ id }) => get(`/v1/stores/${id}/users?limit=10`),
  ({ id }, i) => get(`/v1/stores/${id}/users?q=ada${i % 9}`),
  ({ id }, i) => ({ ...get(`/v1/stores/${id}/users?q=love${i}`), isGivenUp: true }),
  ({ id }) => get(`/v1/stores/${id}/product_accesses?due_after=9000-01-01T00:00:00Z`),
  ({ id }) => get(`/v1/stores/${id}/events?type=user.erased`),
  ({ id }, i) => ({
    method: 'POST',
    path: `/v1/stores/${id}/users/batch`,
    body: { items: Array.from({ length: 10 }, (_, k) => user(`batch-${i}-${k}`)) },
  }),
  ({ id }) => get(`/admin/stores/${id}/stats`),
  ({ id }) => get(`/admin/stores/${id}/users.csv?email=nobody@example.com`),
]

const KINDS = [...CHEAP, ...CHEAP, ...CHEAP, ...CHEAP, ...EXPENSIVE]

function bearer(token = ''): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

function user(name: string) {
  return { name: 'Ada', last_name: 'Lovelace', email: `${name}@example.com` }
}
