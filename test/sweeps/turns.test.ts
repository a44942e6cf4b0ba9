/** Each expensive operation takes a turn: of two requests at once, the second begins when the first has ended. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import type { TestStore } from '../support/rows.ts'
import { BASE, createV1, newStore, v1User, WITHOUT_QUOTA } from '../support/api.ts'
import { IS_OWN } from '../support/places.ts'

interface Sent {
  method?: string
  path: string
  body?: unknown
  isOperator?: boolean
}

const EXPENSIVE: [name: string, request: (store: TestStore) => Sent][] = Object.entries({
  'a search': ({ id }: TestStore) => ({ path: `/v1/stores/${id}/users?q=ada` }),
  'a search of an operator': ({ id }: TestStore) => ({ path: `/admin/stores/${id}/users?q=ada`, isOperator: true }),
  'a page of users': ({ id }: TestStore) => ({ path: `/v1/stores/${id}/users` }),
  'users with one external id': ({ id }: TestStore) => ({ path: `/v1/stores/${id}/users?external_id=ada` }),
  ...Object.fromEntries(
    ['status=with_access', 'in_force=true', 'due_after=2030-01-01T00:00:00Z', 'due_before=2030-01-01T00:00:00Z'].map(
      (filter) => [
        `accesses with ${filter}`,
        ({ id }: TestStore) => ({ path: `/v1/stores/${id}/product_accesses?product_id=1&${filter}` }),
      ],
    ),
  ),
  'accesses of several users': ({ id }: TestStore) => ({ path: `/v1/stores/${id}/product_accesses?user_ids=1,2` }),
  'accesses with a filter, for an operator': ({ id }: TestStore) => ({
    path: `/admin/stores/${id}/product_accesses?status=with_access`,
    isOperator: true,
  }),
  ...Object.fromEntries(
    [
      'type=user.created',
      'user_id=1',
      'product_access_id=1&order=desc',
      'actor=system',
      'since=2020-01-01T00:00:00Z',
    ].map((filter) => [
      `events with ${filter}`,
      ({ id }: TestStore) => ({ path: `/v1/stores/${id}/events?${filter}` }),
    ]),
  ),
  'events with a filter, for an operator': ({ id }: TestStore) => ({
    path: `/admin/stores/${id}/events?type=user.created`,
    isOperator: true,
  }),
  'bulk changes': ({ id }: TestStore) => ({ path: `/v1/stores/${id}/bulk_changes` }),
  'operators, whose stores have names': () => ({ path: '/admin/operators', isOperator: true }),
  'the state of the service': () => ({ path: '/admin/status', isOperator: true }),
  'a batch of users': ({ id }: TestStore) => ({
    method: 'POST',
    path: `/v1/stores/${id}/users/batch`,
    body: { items: [v1User()] },
  }),
  'a batch of accesses': ({ id }: TestStore) => ({
    method: 'POST',
    path: `/v1/stores/${id}/product_accesses/batch`,
    body: { items: [{ user_id: '1', product_id: '1' }] },
  }),
  statistics: ({ id }: TestStore) => ({ path: `/admin/stores/${id}/stats`, isOperator: true }),
  'a file of users': ({ id }: TestStore) => ({ path: `/admin/stores/${id}/users.csv`, isOperator: true }),
  'a file of accesses': ({ id }: TestStore) => ({ path: `/admin/stores/${id}/product_accesses.csv`, isOperator: true }),
})

const TRIP_MS = 20

/** What is expensive uses one of these tables. The check of the caller, before a request waits, uses none of them. */
const EXPENSIVE_TABLES =
  /\b(?:from|join|into|update) (?:users|product_accesses|store_stats|events|bulk_changes|webhook_endpoints)\b|store_slugs/

/** What an expensive round trip takes before D1 has its statements. `underWay` is how many there are, with this one. */
type Trip = (underWay: number) => Promise<void>

const shortTrip: Trip = () => new Promise((resolve) => setTimeout(resolve, TRIP_MS))

/** Lasts until there are two, so that a busy machine cannot keep them apart. */
function meeting(): Trip {
  const { promise, resolve } = Promise.withResolvers<void>()
  return (underWay) => {
    if (underWay === 2) resolve()
    return promise
  }
}

/** Sends two requests at once to one instance, and returns how many of their expensive round trips overlapped. */
async function parallelTrips(store: TestStore, sent: () => Sent, trip = shortTrip): Promise<number> {
  const expensive = new WeakSet<D1PreparedStatement>()
  let underWay = 0
  let most = 0
  const batch = async (statements: D1PreparedStatement[]) => {
    if (!statements.some((statement) => expensive.has(statement))) return env.DB.batch(statements)
    most = Math.max(most, ++underWay)
    await trip(underWay)
    const results = await env.DB.batch(statements)
    underWay--
    return results
  }
  const prepare = (sql: string) => ({
    bind: (...values: unknown[]) => {
      const statement = env.DB.prepare(sql).bind(...values)
      if (EXPENSIVE_TABLES.test(sql)) expensive.add(statement)
      return statement
    },
  })
  const instance = { ...env, ...WITHOUT_QUOTA, DB: { prepare, batch } }
  const statuses = await Promise.all([send(sent()), send(sent())])
  expect(statuses.filter((status) => status >= 300)).toEqual([])
  return most

  async function send({ method = 'GET', path, body, isOperator = false }: Sent): Promise<number> {
    const request = new Request<unknown, IncomingRequestCfProperties>(BASE + path, {
      method,
      headers: {
        Authorization: `Bearer ${isOperator ? env.ADMIN_TOKEN : store.token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const ctx = createExecutionContext()
    const response = await worker.fetch(request, instance, ctx)
    await response.text()
    await waitOnExecutionContext(ctx)
    return response.status
  }
}

describe.skipIf(IS_OWN)('Two requests at once for', () => {
  it.each(EXPENSIVE)('%s are served one after the other', async (_, request) => {
    const store = await newStore()
    expect(await parallelTrips(store, () => request(store))).toBe(1)
  })

  it('erasures, which examine all bulk changes, are served one after the other, and so are dry runs for lists of users', async () => {
    const store = await newStore()
    const ids = [await createV1(store, v1User()), await createV1(store, v1User())].map(({ json }) => json.id)
    const body = { filter: { user_ids: [...ids] }, change: { status: 'with_access' }, dry_run: true }
    const dryRun = () => ({ method: 'POST', path: `/v1/stores/${store.id}/bulk_changes`, body })
    expect(await parallelTrips(store, dryRun)).toBe(1)
    const erasure = () => ({ method: 'DELETE', path: `/v1/stores/${store.id}/users/${ids.pop()}` })
    expect(await parallelTrips(store, erasure)).toBe(1)
  })

  it.each(['users?email=ada@example.com', 'product_accesses?product_id=1', 'product_accesses?user_id=1', 'events'])(
    '%s, which an index finds, are served at the same time',
    async (path) => {
      const store = await newStore()
      expect(await parallelTrips(store, () => ({ path: `/v1/stores/${store.id}/${path}` }), meeting())).toBe(2)
    },
  )
})
