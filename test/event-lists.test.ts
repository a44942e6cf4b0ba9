/** The change feed, as the operator and as an integrator read it. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  type Answer,
  call,
  createV1,
  newAccess,
  newStore,
  newToken,
  summary,
  type TestStore,
  updateAccess,
  v1User,
} from './support/api.ts'
import { eventRowsOf, eventsOf } from './support/events.ts'
import { faultyD1, laggingReplica, RETRYABLE } from './support/faults.ts'

type Read = (store: TestStore, query?: string, bindings?: object) => Promise<Answer>

const asOperator: Read = (store, query = '', bindings = {}) =>
  call('GET', `/admin/stores/${store.id}/events?${query}`, { token: env.ADMIN_TOKEN, bindings })

const asIntegrator: Read = (store, query = '', bindings = {}) =>
  call('GET', `/v1/stores/${store.id}/events?${query}`, { token: store.token, bindings })

const READERS = [
  { path: '/admin/stores/{store_id}/events', read: asOperator },
  { path: '/v1/stores/{store_id}/events', read: asIntegrator },
]

/** A store with two accesses and some changes of each. */
let store: TestStore
let accesses: any[]
let all: any[]

beforeAll(async () => {
  store = await newStore()
  accesses = [await newAccess(store), await newAccess(store)]
  for (const { id } of accesses) {
    await updateAccess(store, id, { status: 'without_access' })
    await admin('PATCH', `/stores/${store.id}/product_accesses/${id}`, { progress: 50 })
  }
  all = await eventsOf(store)
})

const ids = (events: any[]) => events.map(({ id }) => id)

describe.each(READERS)('GET $path', ({ read }) => {
  it('answers 200 with all events of the store, in their order, and of no other', async () => {
    await newAccess(await newStore())
    const { status, json } = await read(store)
    expect(status).toBe(200)
    expect(json).toEqual({ data: all, next: null })
    expect(ids(all)).toEqual((await eventRowsOf(store)).map(({ id }) => String(id)))
    expect(all).toHaveLength(9)
  })

  it('answers pages', async () => {
    const pages: any[] = []
    for (let next: string | null = ''; next !== null;) {
      const { json } = await read(store, `limit=4${next && `&after=${next}`}`)
      pages.push(json.data)
      next = json.next
    }
    expect(pages).toEqual([all.slice(0, 4), all.slice(4, 8), all.slice(8)])
  })

  it('has no next page when the last one is full, and nothing after the last event', async () => {
    expect((await read(store, `limit=${all.length}`)).json.next).toBeNull()
    expect((await read(store, `after=${all.at(-1).id}`)).json).toEqual({ data: [], next: null })
  })

  it('takes the id of any event as a cursor, of another store too', async () => {
    for (const i of [0, 4, 7]) {
      expect((await read(store, `after=${all[i].id}`)).json.data).toEqual(all.slice(i + 1))
    }
    const other = await eventsOf(await newStore())
    expect((await read(store, `after=${other[0].id}`)).json.data).toEqual([])
  })

  it.each([
    'access_token.created',
    'user.created',
    'product_access.granted',
    'product_access.updated',
    'product_access.progressed',
    'access_token.revoked',
    'webhook_endpoint.disabled',
  ])('filters by the type %s', async (type) => {
    const { json } = await read(store, `type=${type}`)
    expect(json.data).toEqual(all.filter((event) => event.type === type))
    expect(json.data).toHaveLength(type === 'access_token.created' ? 1 : /webhook|revoked/.test(type) ? 0 : 2)
  })

  it('filters by the user and by the access', async () => {
    const [first, second] = accesses
    const ofUser = all.filter(({ data }) => data.user_id === first.user.id)
    expect(ofUser).toHaveLength(4)
    expect((await read(store, `user_id=${first.user.id}`)).json.data).toEqual(ofUser)
    const ofAccess = all.filter(({ data }) => data.product_access_id === second.id)
    expect(ofAccess).toHaveLength(3)
    expect((await read(store, `product_access_id=${second.id}`)).json.data).toEqual(ofAccess)
    expect((await read(store, `user_id=${first.user.id}&product_access_id=${second.id}`)).json.data).toEqual([])
  })

  it('filters and pages together', async () => {
    const { id } = accesses[1]
    const granted = await read(store, `product_access_id=${id}&limit=1`)
    expect(granted.json.data).toMatchObject([{ type: 'product_access.granted' }])
    const rest = await read(store, `product_access_id=${id}&limit=2&after=${granted.json.next}`)
    expect(rest.json.data).toMatchObject([{ type: 'product_access.updated' }, { type: 'product_access.progressed' }])
    expect(rest.json.next).toBeNull()
    const updates = await read(store, `type=product_access.updated&user_id=${accesses[0].user.id}`)
    expect(updates.json.data).toHaveLength(1)
  })

  it('answers an empty page for a user or an access of another store', async () => {
    const { id, user } = await newAccess(await newStore())
    expect((await read(store, `user_id=${user.id}`)).json).toEqual({ data: [], next: null })
    expect((await read(store, `product_access_id=${id}`)).json).toEqual({ data: [], next: null })
  })

  it.each([
    ['type=user.deleted', 'type'],
    ['type=', 'type'],
    ['type=user.created&type=user.created', 'type'],
    ['user_id=abc', 'user_id'],
    ['user_id=0', 'user_id'],
    ['user_id=', 'user_id'],
    ['product_access_id=01', 'product_access_id'],
    ['product_access_id=9007199254740992', 'product_access_id'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['after=0', 'after'],
    ['after=x', 'after'],
    ['after=', 'after'],
    ['after=x&limit=0&product_access_id=x&user_id=x&type=x', 'type, user_id, product_access_id, limit, after'],
  ])('answers 422 for %s', async (query, fields) => {
    expect(summary(await read(store, query))).toBe(`422 invalid_parameter: ${fields}`)
  })

  it('is read from the primary: a replica that lags behind hides no event', async () => {
    expect((await read(store, '', { DB: laggingReplica(env.DB) })).json).toEqual({ data: all, next: null })
  })

  it('gives a reader each event once and in order, however many write meanwhile', async () => {
    const busy = await newStore()
    const seen = ids((await read(busy)).json.data)
    const { id } = await newAccess(busy)
    let isWriting = true
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 8; i++) {
        await createV1(busy, v1User())
        await updateAccess(busy, id, { access_due_date: new Date(Date.UTC(2030, writer, i + 1)).toISOString() })
      }
    })
    const done = Promise.all(writers).then(() => (isWriting = false))
    for (let isLast = false; ; isLast = !isWriting) {
      const { json } = await read(busy, `limit=3&after=${seen.at(-1)}`)
      seen.push(...ids(json.data))
      if (isLast && json.next === null) break
    }
    await done
    expect(seen).toEqual((await eventRowsOf(busy)).map((row) => String(row.id)))
    expect(seen).toHaveLength(1 + 2 + 128)
  })
})

describe('GET /v1/stores/{store_id}/events', () => {
  it('needs the scope events:read and no other', async () => {
    const own = await newStore()
    const { token } = await newToken(own, { scopes: ['events:read'] })
    expect((await asIntegrator({ ...own, token })).status).toBe(200)
    const other = await newToken(own, { scopes: ['users:write', 'product_accesses:write'] })
    const answer = await asIntegrator({ ...own, token: other.token })
    expect(summary(answer)).toBe('403 insufficient_scope')
    expect(answer.headers.get('WWW-Authenticate')).toContain('events:read')
  })

  it('answers 401 to a token of another store, and where there is no such store', async () => {
    const other = await newStore()
    expect(summary(await asIntegrator({ ...store, token: other.token }))).toBe('401 invalid_token')
    expect(summary(await asIntegrator({ id: 'nobody', token: store.token }))).toBe('401 invalid_token')
  })

  it('answers 401 and 403 before 422', async () => {
    const own = await newStore()
    const { token } = await newToken(own, { scopes: ['users:write'] })
    expect(summary(await asIntegrator({ ...own, token }, 'limit=0'))).toBe('403 insufficient_scope')
    expect(summary(await asIntegrator({ ...store, token: 'x' }, 'limit=0'))).toBe('401 invalid_token')
  })

  it('is tried again when D1 fails', async () => {
    const { DB, roundTrips } = faultyD1(env.DB, (n) =>
      n === 0 ? { message: RETRYABLE[0] ?? '', when: 'after' } : undefined,
    )
    await asIntegrator(store)
    expect((await asIntegrator(store, '', { DB })).status).toBe(200)
    expect(roundTrips()).toBe(2)
  })
})

describe('GET /admin/stores/{store_id}/events', () => {
  it('answers 404 not_found where there is no such store, after 422', async () => {
    const nobody = { id: 'nobody', token: '' }
    expect(summary(await asOperator(nobody))).toBe('404 not_found')
    expect(summary(await asOperator(nobody, 'limit=0'))).toBe('422 invalid_parameter: limit')
  })
})
