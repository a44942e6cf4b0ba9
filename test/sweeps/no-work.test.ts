/**
 * Whoever may not call an operation causes no work: such a request reads a few rows, however large the store is, and as
 * many whether or not what it asks for exists. Otherwise its duration would tell what the store holds, and a revoked token
 * could keep the database busy. It waits for no turn either.
 */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { waitForTurn } from '../../src/http/turn-queue.ts'
import { ALL_SCOPES, BASE, call, newStore, newToken, useStore, v1User, v3User, WITHOUT_QUOTA } from '../support/api.ts'
import { faultyD1 } from '../support/faults.ts'
import { requestOf } from '../support/intruders.ts'
import { newOperator } from '../support/operators.ts'
import { isAdmin, isPublic, type Route, routesWhere, scopeOf, takesBody } from '../support/routes.ts'
import { changeToken, newProduct, revokeToken, rowsOf, storeNumber } from '../support/rows.ts'

const MAX_ROWS = 60

const USERS = 10_000

const OF_A_STORE = ({ path }: Route) => path.startsWith('/v') || path.includes(':store_id')

/** Any operator may call these. */
const OPEN = new Set(['GET /admin/stores', 'GET /admin/operator'])

const store = useStore()
/** Tokens of callers who are rejected, by the reason. */
const callers = { access_token: { revoked: '', scopeless: '' }, operator: { revoked: '', viewer: '', foreign: '' } }
let productId = ''

/** The numbers of the n-th user and of the user's access. */
const userId = (n: number) => 1000 + n
const accessId = (n: number) => 20_000 + n
const emailOf = (n: number) => `ada-${n}@example.com`

beforeAll(async () => {
  productId = (await newProduct(store)).id
  const number = await storeNumber(store)
  const each = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${USERS}), id(id) as (select ? * 4294967296)`
  await rowsOf(
    `${each} insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language,
       external_id, created_at, updated_at, event_id)
     select id + 1000 + i, id >> 32, 'ada-' || i || '@example.com', 'ada-' || i || '@example.com', 'Ada', 'Byron', 'ada',
       'byron', 'student', 'EN', 'crm-7', 0, 0, id + 1000 + i from n, id`,
    number,
  )
  await rowsOf(
    `${each} insert into product_accesses (id, store, user_id, product_id, status, progress, passed,
       created_at, event_id, changed_by)
     select id + 20000 + i, id >> 32, id + 1000 + i, id + ${Number(productId)}, 'with_access', 0, 0, 0, id + 20000 + i,
       id + 20000 + i from n, id`,
    number,
  )
  await rowsOf(
    `${each} insert into events (id, type, created_at, request_id, attempt, subject_id, user_id)
     select id + 40000 + i, 'product_access.updated', 0, 'batch/' || i, 0, id + 20000 + i, id + 1000 + i from n, id`,
    number,
  )
  const other = await newStore()
  const scopeless = await newToken(store, { scopes: ['products:read'] })
  callers.access_token = { revoked: store.token, scopeless: scopeless.token }
  await changeToken({ ...store, token: scopeless.token }, { scopes: '' })
  await revokeToken(store)
  const revoked = await newOperator('admin')
  await rowsOf('update access_tokens set revoked_at = 1 where id = ?', Number(revoked.id))
  callers.operator = {
    revoked: revoked.token,
    viewer: (await newOperator('viewer')).token,
    foreign: (await newOperator('admin', { stores: [other.id] })).token,
  }
})

interface Sent {
  path: string
  body?: object | undefined
}

/** Two requests: for what the store has, and for what it does not have. */
function requestsFor(route: Route): Sent[] {
  return [true, false].map((exists) => {
    const record = exists ? recordIn(route) : '4294967294'
    const path = route.path
      .replace(':store_id', store.id)
      .replace(/:(id|key)/, record)
      .replaceAll(/:\w+/g, record)
    return { path: path + queryFor(route, exists), body: bodyFor(route, exists) }
  })
}

function recordIn({ path }: Route): string {
  if (path.includes('/product_accesses/')) return String(accessId(1))
  return path.includes('/products/') ? productId : String(userId(1))
}

function queryFor({ method, path }: Route, exists: boolean): string {
  if (method !== 'GET') return ''
  if (/\/users(\.csv)?$/.test(path)) return exists ? '?q=byr' : '?q=zzz'
  return /\/product_accesses(\.csv)?$/.test(path) ? `?status=${exists ? 'with' : 'without'}_access` : ''
}

function bodyFor(route: Route, exists: boolean): object | undefined {
  if (!takesBody(route)) return undefined
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => (exists ? n + 1 : USERS + n + 1))
  const users = (count: number) => numbers(count).map((n) => v1User({ email: emailOf(n), custom_fields: { none: n } }))
  const { method, path } = route
  if (path.endsWith('/users/batch')) return { items: users(100), on_existing: 'update' }
  if (path.endsWith('/product_accesses/batch'))
    return { items: numbers(100).map((n) => ({ user_id: String(userId(n)), product_id: productId })), dry_run: true }
  if (path.endsWith('/bulk_changes'))
    return { filter: { user_ids: numbers(1000).map((n) => String(userId(n))) }, change: { extend_days: 1 } }
  if (path.endsWith('/verify_password')) return { email: emailOf(exists ? 1 : 0), password: 'horse' }
  if (path.startsWith('/v3')) return v3User({ email: emailOf(exists ? 1 : 0) })
  if (method === 'POST' && path.endsWith('/users')) return users(1)[0]
  if (method === 'PATCH' && path.includes('/users/')) return { email: emailOf(exists ? 2 : 0) }
  if (path === '/admin/operators') return { name: 'Ada', role: 'viewer', stores: exists ? [store.id] : ['none'] }
  return requestOf(route)?.body ?? {}
}

/** The rejected callers of a route: their tokens with the status of the response. */
function rejectedFrom(name: string, route: Route): [token: string, status: number][] {
  const { access_token, operator } = callers
  if (!isAdmin(route)) {
    const isScopeless = route.path !== '/v1/token' && scopeOf(route) !== undefined
    const revoked: [string, number] = [access_token.revoked, 401]
    return isScopeless ? [revoked, [access_token.scopeless, 403]] : [revoked]
  }
  const rejected: [string, number][] = [[operator.revoked, 401]]
  if (route.method !== 'GET') rejected.push([operator.viewer, 403])
  if (OF_A_STORE(route)) rejected.push([operator.foreign, route.middleware.includes('requireRoot') ? 403 : 404])
  else if (!OPEN.has(name)) rejected.push([operator.foreign, 403])
  return rejected
}

describe.each(routesWhere((route) => !isPublic(route)))('%s', (name, route) => {
  it(`reads at most ${MAX_ROWS} rows for a caller who is rejected, and as many whatever the store has`, async () => {
    for (const [token, status] of rejectedFrom(name, route)) {
      const read: number[] = []
      for (const { path, body } of requestsFor(route)) {
        const { DB, rowsRead } = faultyD1(env.DB)
        const headers = { 'X-Idempotency-Key': 'order-1' }
        const bindings = { ...WITHOUT_QUOTA, DB }
        const answer = await call(route.method, path, { token, body, headers, bindings })
        expect(answer.status).toBe(status)
        read.push(rowsRead())
      }
      expect(read[0]).toBeLessThanOrEqual(MAX_ROWS)
      expect(read[1]).toBe(read[0])
    }
  })

  it('does not wait for the turn of the store for such a caller', async () => {
    const settings = { ...env, ...WITHOUT_QUOTA }
    for (const key of [`store ${await storeNumber(store)}`, `operators of ${store.id}`]) {
      await waitForTurn(settings, key, { until: Date.now() })
    }
    for (const [token, status] of rejectedFrom(name, route)) {
      const [{ path, body } = { path: '' }] = requestsFor(route)
      const init = {
        method: route.method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      const response = await app.request(BASE + path, init, settings, createExecutionContext())
      expect(response.status).toBe(status)
    }
  })
})

it('A caller who is not rejected reads what the store has', async () => {
  const { token } = await newToken(store, { scopes: ALL_SCOPES })
  const { DB, rowsRead } = faultyD1(env.DB)
  const path = `/v1/stores/${store.id}/users?q=zzz`
  expect((await call('GET', path, { token, bindings: { DB } })).status).toBe(200)
  expect(rowsRead()).toBeGreaterThan(USERS)
})
