/**
 * Whether a caller may write is decided in the batch that writes. A write that does not check the caller itself is open to
 * everyone whose token was valid once, even if the response is a 401. So these tests count the rows that a request
 * writes. They also remove the check from each write in turn: if nobody noticed that, the count would prove nothing.
 */
import { describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../support/api.ts'
import { intrude, type Intruder, newIntruder, requestOf, sendAs, updateToken } from '../support/intruders.ts'
import { newOperator } from '../support/operators.ts'
import { IS_OWN } from '../support/places.ts'
import { isAdmin, isPublic, type Route, routesWhere, scopeOf } from '../support/routes.ts'
import { rowsOf, suspendStore } from '../support/rows.ts'

const GUARDED = routesWhere((route) => !isPublic(route))
const WRITING = GUARDED.filter(([, { method }]) => method !== 'GET')
const ROOT_ONLY = WRITING.filter(([, { middleware }]) => middleware.includes('requireRoot'))

it('Every route that is not a GET has a request here, or the tests below would send one that changes nothing', () => {
  expect(WRITING.filter(([, route]) => requestOf(route) === undefined).map(([name]) => name)).toEqual([])
})

interface Rejection {
  reason: string
  /** Makes a caller who may send the request one who may not. */
  reject: (intruder: Intruder, route: Route) => Promise<unknown>
  isRejected?: (route: Route) => boolean
}

const REJECTIONS: Rejection[] = [
  { reason: 'whose token is revoked', reject: ({ caller }) => updateToken(caller, 'revoked_at', 1) },
  { reason: 'whose token has expired', reject: ({ caller }) => updateToken(caller, 'expires_at', 1) },
  { reason: 'whose token has another secret', reject: ({ caller }) => updateToken(caller, 'hash', 'other') },
  {
    reason: 'whose token is gone',
    reject: ({ caller }) => rowsOf('delete from access_tokens where id = ?', caller),
  },
  {
    reason: 'who lacks the scope',
    reject: ({ caller }, route) =>
      updateToken(caller, 'scopes', ALL_SCOPES.filter((scope) => scope !== scopeOf(route)).join(' ')),
    isRejected: (route) => !isAdmin(route) && scopeOf(route) !== undefined,
  },
  {
    reason: 'who may only read',
    reject: ({ caller }) => updateToken(caller, 'scopes', 'viewer'),
    isRejected: (route) => isAdmin(route) && route.method !== 'GET',
  },
  {
    reason: 'whose store is suspended',
    reject: ({ store }) => suspendStore(store),
    isRejected: (route) => !isAdmin(route),
  },
  {
    reason: 'of another store',
    reject: async (intruder) => (intruder.store = (await newIntruder(ofAnotherStore)).store),
    isRejected: (route) => !isAdmin(route) && route.path.includes(':store_id'),
  },
]

/** Only its store is used. */
const ofAnotherStore: Route = { method: 'GET', path: '/v1/token', middleware: [] }

/** All changes have the same authorization, so one of each shape is tried with every reason. */
const SHAPES = new Set([
  'POST /v1/stores/:store_id/users',
  'PUT /v1/stores/:store_id/product_accesses/:id',
  'DELETE /v1/stores/:store_id/users/:id',
  'POST /v1/stores/:store_id/users/batch',
  'POST /v1/stores/:store_id/bulk_changes',
  'POST /v3/public/users',
  'POST /admin/stores/:store_id/users',
  'PATCH /admin/stores/:store_id/products/:id',
  'DELETE /admin/stores/:store_id/tokens/:id',
  'POST /admin/operators',
])

/** On every route: the reason of the first kind, and what the route itself says about its callers. */
const ON_ALL = ['whose token is revoked', 'who lacks the scope', 'who may only read']

const rejected = GUARDED.flatMap(([name, route]) =>
  REJECTIONS.filter(({ reason }) => (route.method === 'GET' ? reason === ON_ALL[0] : isTried(name, reason)))
    .filter(({ isRejected }) => isRejected?.(route) ?? true)
    .map(({ reason, reject }) => [`${name} of a caller ${reason}`, route, reject] as const),
)

function isTried(name: string, reason: string): boolean {
  return SHAPES.has(name) || ON_ALL.includes(reason)
}

async function expectNothingWritten(intruder: Intruder, route: Route): Promise<void> {
  const { answer, written, elsewhere } = await sendAs(intruder, route)
  expect([401, 403]).toContain(answer.status)
  expect(written.filter((rows) => rows > 0)).toEqual([])
  expect(elsewhere).toBe(0)
}

describe('Nothing is written by', () => {
  it.each(rejected)('%s', async (_, route, reject) => {
    const intruder = await newIntruder(route)
    await reject(intruder, route)
    await expectNothingWritten(intruder, route)
  })

  it.each(ROOT_ONLY)('%s of an operator, because only the root may send it', async (_, route) => {
    await expectNothingWritten({ ...(await newIntruder(route)), token: (await newOperator('admin')).token }, route)
  })
})

const ONLY_READS = /\/(test|redeliver|verify_password)$/

/** After the attempt, its result is recorded even if the operator has been revoked meanwhile. */
const ATTEMPTS = /\/(test|redeliver)$/

/** The shared database is asked first where an operator's store lives. */
const lookUps = (route: Route) => (isAdmin(route) && route.path.includes(':store_id') ? 1 : 0)

/**
 * After that look-up, an operator who is revoked is still served by a database of the store's own. A new store is decided by
 * its row in the directory: whoever comes next completes it.
 */
const isAuthorizedOnce = (route: Route) => IS_OWN && (lookUps(route) > 0 || route.path === '/admin/stores')

describe('No write trusts an earlier check in', () => {
  it.each(WRITING)('%s: each checks the caller itself, and this test would see if it did not', async (name, route) => {
    let checked = 0
    for (let trip = 0; ; trip++) {
      const { answer, trips, writes, isChanged } = await intrude(route, trip)
      if (trips <= trip || (trip > 0 && isAuthorizedOnce(route))) break
      if (trip > lookUps(route) && ATTEMPTS.test(name)) break
      expect(answer.status).toBe(401)
      expect(isChanged).toBe(false)
      for (const write of writes) expect((await intrude(route, trip, write)).isChanged).toBe(true)
      checked += writes.length
    }
    expect(checked > 0).toBe(!ONLY_READS.test(name) && !(IS_OWN && lookUps(route) > 0))
  })
})
