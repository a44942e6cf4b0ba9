/** Each expensive operation takes a turn: of two requests at once, the second begins when the first has ended. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import type { TestStore } from '../support/rows.ts'
import { BASE, newStore, v1User, WITHOUT_QUOTA } from '../support/api.ts'
import { IS_OWN } from '../support/places.ts'

interface Sent {
  method?: string
  path: string
  body?: unknown
  isOperator?: boolean
  /** How many round trips of each request are cheap, come first and take no turn. */
  cheapTrips?: number
}

const EXPENSIVE: [name: string, request: (store: TestStore) => Sent][] = Object.entries({
  'a search': ({ id }: TestStore) => ({ path: `/v1/stores/${id}/users?q=ada` }),
  'a search of an operator': ({ id }: TestStore) => ({ path: `/admin/stores/${id}/users?q=ada`, isOperator: true }),
  'a page of users': ({ id }: TestStore) => ({ path: `/v1/stores/${id}/users` }),
  'users with one external id': ({ id }: TestStore) => ({ path: `/v1/stores/${id}/users?external_id=ada` }),
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
  'a file of users': ({ id }: TestStore) => ({
    path: `/admin/stores/${id}/users.csv`,
    isOperator: true,
    cheapTrips: 1,
  }),
  'a file of accesses': ({ id }: TestStore) => ({ path: `/admin/stores/${id}/product_accesses.csv`, isOperator: true }),
})

const TRIP_MS = 20

/** Sends the request twice at once to one instance, and returns how many round trips were under way at the same time. */
async function parallelTrips(store: TestStore, sent: () => Sent): Promise<number> {
  const requests = [sent(), sent()]
  let cheap = requests.reduce((sum, { cheapTrips = 0 }) => sum + cheapTrips, 0)
  let underWay = 0
  let most = 0
  const batch = async (statements: D1PreparedStatement[]) => {
    if (cheap-- > 0) return env.DB.batch(statements)
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setTimeout(resolve, TRIP_MS))
    const results = await env.DB.batch(statements)
    underWay--
    return results
  }
  const prepare = (sql: string) => env.DB.prepare(sql)
  const instance = { ...env, ...WITHOUT_QUOTA, DB: { prepare, batch } }
  const statuses = await Promise.all(requests.map(send))
  expect(statuses).toEqual([200, 200])
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

  it('the user with an email are served at the same time', async () => {
    const store = await newStore()
    expect(await parallelTrips(store, () => ({ path: `/v1/stores/${store.id}/users?email=ada@example.com` }))).toBe(2)
  })
})
