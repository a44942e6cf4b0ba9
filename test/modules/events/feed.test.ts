import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../../src/change/event-types.ts'
import type { Answer } from '../../support/openapi.ts'
import {
  call,
  createV1,
  newAccess,
  newStore,
  newToken,
  summary,
  updateAccess,
  useStore,
  v1User,
  WITHOUT_QUOTA,
} from '../../support/api.ts'
import { INTEGRATOR, OPERATOR } from '../../support/callers.ts'
import { measure } from '../../support/costs.ts'
import { faultyD1, loses } from '../../support/faults.ts'
import { newOperator } from '../../support/operators.ts'
import { eventsOf, idIn, newProduct, numberOf, rowsOf } from '../../support/rows.ts'

/** The store has two accesses, and each of them was changed. */
const store = useStore()
let accesses: any[]
let all: any[]

beforeAll(async () => {
  accesses = [await newAccess(store), await newAccess(store)]
  for (const { id } of accesses) {
    await updateAccess(store, id, { status: 'without_access' })
    await INTEGRATOR.send('PATCH', store, `/product_accesses/${id}`, { body: { progress: 50 } })
  }
  all = (await INTEGRATOR.send('GET', store, '/events')).json.data
})

const ids = (events: any[]) => events.map(({ id }) => id)

describe('GET /v1/stores/{store_id}/events', () => {
  const read = (query = '', of = store) => INTEGRATOR.send('GET', of, `/events?${query}`)

  it('returns 200 with all events of the store in order, and with no event of another store', async () => {
    await newAccess(await newStore())
    const { status, json } = await read()
    expect(status).toBe(200)
    expect(json).toEqual({ data: all, next: null, cursor: all.at(-1).id })
    expect(ids(all)).toEqual((await eventsOf(store)).map(({ id }) => String(numberOf(id))))
  })

  it('returns event ids that start at 1 and have no gap', () => {
    expect(ids(all)).toEqual(all.map((_, i) => String(i + 1)))
  })

  it('returns pages of at most `limit` events, with the cursor of each page', async () => {
    const pages: any[] = []
    const cursors: string[] = []
    for (let next: string | null = ''; next !== null;) {
      const { json } = await read(`limit=5${next && `&after=${next}`}`)
      pages.push(json.data)
      cursors.push(json.cursor)
      next = json.next
    }
    expect(pages).toEqual([all.slice(0, 5), all.slice(5, 10), all.slice(10)])
    expect(cursors).toEqual(['5', '10', all.at(-1).id])
  })

  it('returns next null when the last page is full, and no events after the newest one', async () => {
    const cursor = all.at(-1).id
    expect((await read(`limit=${all.length}`)).json).toEqual({ data: all, next: null, cursor })
    expect((await read(`after=${cursor}`)).json).toEqual({ data: [], next: null, cursor })
  })

  it('returns the id of the newest event in X-Newest-Id, whatever the page or filter', async () => {
    for (const query of ['limit=1', `after=${all.at(-1).id}`, 'type=store.updated&limit=1']) {
      expect((await read(query)).headers.get('X-Newest-Id')).toBe(all.at(-1).id)
    }
  })

  it('returns the newest events first with order=desc, without a cursor, until the oldest event', async () => {
    const reversed = all.toReversed()
    expect((await read('order=desc')).json).toEqual({ data: reversed, next: null })
    expect((await read('order=asc')).json).toEqual({ data: all, next: null, cursor: all.at(-1).id })
    const found: any[] = []
    for (let next: string | null = ''; next !== null;) {
      const answer = await read(`order=desc&limit=4${next && `&after=${next}`}`)
      expect(answer.headers.get('X-Newest-Id')).toBe(all.at(-1).id)
      found.push(...answer.json.data)
      next = answer.json.next
    }
    expect(found).toEqual(reversed)
    expect((await read(`order=desc&limit=${all.length}`)).json.next).toBeNull()
    expect((await read('order=desc&after=1')).json).toEqual({ data: [], next: null })
    expect((await read('order=desc&type=user.created')).json.data).toEqual(
      reversed.filter(({ type }) => type === 'user.created'),
    )
    expect(summary(await read(`order=desc&after=${Number(all.at(-1).id) + 1}`))).toBe('422 invalid_parameter: after')
    expect(summary(await read('order=newest'))).toBe('422 invalid_parameter: order')
  })

  it('accepts the id of any event as a cursor', async () => {
    for (const i of [0, 4, 7]) {
      expect((await read(`after=${all[i].id}`)).json.data).toEqual(all.slice(i + 1))
    }
  })

  it('returns only the events of a type when the query filters by it', async () => {
    for (const type of EVENT_TYPES) {
      const { json } = await read(`type=${type}`)
      expect([type, json.data]).toEqual([type, all.filter((event) => event.type === type)])
      expect(json).toMatchObject({ next: null, cursor: all.at(-1).id })
    }
  })

  it('filters by the user and by the access', async () => {
    const [first, second] = accesses
    const ofUser = all.filter(({ data }) => data.user_id === first.user.id)
    expect(ofUser.map(({ type }) => type)).toEqual([
      'user.created',
      'product_access.granted',
      'product_access.updated',
      'product_access.progressed',
    ])
    expect((await read(`user_id=${first.user.id}`)).json.data).toEqual(ofUser)
    const ofAccess = all.filter(({ data }) => data.product_access_id === second.id)
    expect(ofAccess).toHaveLength(3)
    expect((await read(`product_access_id=${second.id}`)).json.data).toEqual(ofAccess)
    expect((await read(`user_id=${first.user.id}&product_access_id=${second.id}`)).json.data).toEqual([])
    expect((await read(`user_id=${first.user.id}&product_access_id=${first.id}`)).json.data).toHaveLength(3)
  })

  it('returns no events when user_id is not a user or product_access_id is not an access', async () => {
    const [{ id, user, product }] = accesses
    expect((await read(`user_id=${id}`)).json.data).toEqual([])
    expect((await read(`user_id=${product.id}`)).json.data).toEqual([])
    expect((await read(`product_access_id=${user.id}`)).json.data).toEqual([])
    expect((await read(`product_access_id=${product.id}`)).json.data).toEqual([])
  })

  it('keeps the filter on the next page', async () => {
    const { id } = accesses[1]
    const granted = await read(`product_access_id=${id}&limit=1`)
    expect(granted.json.data).toMatchObject([{ type: 'product_access.granted' }])
    expect(granted.json.next).toBe(granted.json.cursor)
    const rest = await read(`product_access_id=${id}&limit=2&after=${granted.json.next}`)
    expect(rest.json.data).toMatchObject([{ type: 'product_access.updated' }, { type: 'product_access.progressed' }])
    expect(rest.json.next).toBeNull()
  })

  it.each([
    ['type=user.deleted', 'type'],
    ['type=user.created&type=user.created', 'type'],
    ['user_id=abc', 'user_id'],
    ['product_access_id=01', 'product_access_id'],
    ['limit=0', 'limit'],
    ['limit=ten', 'limit'],
    ['after=x', 'after'],
    ['types=user.created', 'types'],
    ['x=1&after=x&limit=0&product_access_id=x&user_id=x&type=x', 'type, user_id, product_access_id, limit, after, x'],
  ])('returns 422 for %s', async (query, fields) => {
    expect(summary(await read(query))).toBe(`422 invalid_parameter: ${fields}`)
  })

  it.each([() => Number(all.at(-1).id) + 1, () => 4_294_967_295, () => 9_007_199_254_740_991])(
    'returns 422 for a cursor beyond the newest event',
    async (after) => {
      expect(summary(await read(`after=${after()}`))).toBe('422 invalid_parameter: after')
    },
  )

  it('returns 410 cursor_expired with the oldest kept id when the event after the cursor was deleted', async () => {
    const own = await newStore()
    for (let i = 0; i < 4; i++) await createV1(own, v1User())
    await rowsOf('delete from events where id > ? and id <= ?', await idIn(own, 0), await idIn(own, 4))
    for (const after of ['1', '3']) {
      const answer = await read(`after=${after}`, own)
      expect(summary(answer)).toBe('410 cursor_expired: after')
      expect(answer.json).toMatchObject({ type: 'gone', details: { field: 'after', explanation: expect.any(String) } })
      expect(answer.json.message).toContain(' 5.')
    }
    expect(ids((await read('after=4', own)).json.data)).toEqual(['5', '6'])
    expect(ids((await read('', own)).json.data)).toEqual(['5', '6'])
  })

  it('returns no 410 with order=desc: next is null at the oldest event that is kept', async () => {
    const own = await newStore()
    for (let i = 0; i < 4; i++) await createV1(own, v1User())
    await rowsOf('delete from events where id > ? and id < ?', await idIn(own, 0), await idIn(own, 4))
    const newest = (await read('order=desc', own)).json.data[0].id
    expect((await read('order=desc&limit=2', own)).json.next).toBe('5')
    expect(ids((await read('order=desc&after=5', own)).json.data)).toEqual(['4'])
    expect((await read('order=desc&after=5', own)).json.next).toBeNull()
    for (const after of ['4', '3', '1']) {
      expect((await read(`order=desc&after=${after}`, own)).json).toEqual({ data: [], next: null })
    }
    expect((await read(`order=desc&after=${newest}`, own)).json.next).toBeNull()
  })

  it('returns each event once and in order while others write', async () => {
    const busy = await newStore()
    const { id } = await newAccess(busy)
    const first = (await read('', busy)).json
    const seen = ids(first.data)
    let isWriting = true
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let i = 0; i < 4; i++) {
        await createV1(busy, v1User())
        await updateAccess(busy, id, { access_due_date: new Date(Date.UTC(2030, writer, i + 1)).toISOString() })
      }
    })
    const done = Promise.all(writers).then(() => (isWriting = false))
    let cursor = first.cursor
    for (let isLast = false; ; isLast = !isWriting) {
      const { json } = await read(`limit=3&after=${cursor}`, busy)
      seen.push(...ids(json.data))
      cursor = json.cursor
      if (isLast && json.next === null) break
    }
    await done
    expect(seen).toEqual((await eventsOf(busy)).map((row) => String(numberOf(row.id))))
    expect(seen).toHaveLength(first.data.length + 48)
  })

  it('requires the scope events:read and no other', async () => {
    const own = await newStore()
    const access = await newAccess(own)
    const { token } = await newToken(own, { scopes: ['events:read'] })
    const other = await newToken(own, { scopes: ['users:read', 'product_accesses:read'] })
    for (const path of ['/events', `/users/${access.user.id}/events`, `/product_accesses/${access.id}/events`]) {
      expect((await INTEGRATOR.send('GET', { ...own, token }, path)).status).toBe(200)
      const answer = await INTEGRATOR.send('GET', { ...own, token: other.token }, path)
      expect(summary(answer)).toBe('403 insufficient_scope')
      expect(answer.headers.get('WWW-Authenticate')).toContain('events:read')
    }
  })

  it('shows an operator by id, without the name that operators see', async () => {
    const own = await newStore()
    const access = await newAccess(own)
    const { id, name, token } = await newOperator('admin')
    const send = (path: string, body: object) =>
      call('PATCH', `/admin/stores/${own.id}${path}`, { token, body, bindings: WITHOUT_QUOTA })
    await send(`/users/${access.user.id}`, { name: 'Other' })
    await send(`/product_accesses/${access.id}`, { progress: 50 })
    for (const path of ['/events', `/users/${access.user.id}/events`, `/product_accesses/${access.id}/events`]) {
      const [seen, all] = [await INTEGRATOR.send('GET', own, path), await OPERATOR.send('GET', own, path)]
      const ofOperator = ({ json }: Answer) =>
        json.data.find(({ actor }: any) => actor.type === 'operator' && actor.id === id).actor
      expect(ofOperator(seen)).toEqual({ type: 'operator', id })
      expect(ofOperator(all)).toEqual({ type: 'operator', id, name })
      expect(seen.text).not.toContain(name)
    }
  })

  it('shows the root without an id, and under the name root', async () => {
    const own = await newStore()
    const { json } = await INTEGRATOR.send('GET', own, '/events?type=store.created')
    expect(json.data).toMatchObject([{ actor: { type: 'operator', id: null, name: 'root' } }])
  })

  it('returns 401 and 403 before 422 and 410', async () => {
    const own = await newStore()
    const { token } = await newToken(own, { scopes: ['users:write'] })
    for (const path of ['/events?limit=0', '/events?after=999']) {
      const answer = await INTEGRATOR.send('GET', { ...own, token }, path)
      expect(summary(answer)).toBe('403 insufficient_scope')
      const nobody = await INTEGRATOR.send('GET', { ...own, token: 'x' }, path)
      expect(summary(nobody)).toBe('401 invalid_token')
    }
  })

  it('sends the query again when the response of D1 is lost', async () => {
    const { DB, roundTrips } = faultyD1(env.DB, loses('after', 1))
    expect((await INTEGRATOR.send('GET', store, '/events', { bindings: { DB } })).status).toBe(200)
    expect(roundTrips()).toBe(2)
  })
})

describe('GET /admin/stores/{store_id}/events', () => {
  it('returns 404 not_found when the store does not exist, but 422 first', async () => {
    const nobody = { id: 'nobody', token: '' }
    expect(summary(await OPERATOR.send('GET', nobody, '/events'))).toBe('404 not_found')
    expect(summary(await OPERATOR.send('GET', nobody, '/events?limit=0'))).toBe('422 invalid_parameter: limit')
  })
})

describe('The rows that a page of events reads', () => {
  const COUNT = 6000
  /** A page may read this many rows in addition to the events that it searches: each range checks the authorization. */
  const BESIDE = 45

  const big = useStore({ isUsed: true })
  /** The first and the last update of the store belong to this access. */
  let access: any

  beforeAll(async () => {
    access = await newAccess(big)
    const count = await countEvents()
    await rowsOf(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT})
        insert into events (id, type, created_at, request_id, attempt, subject_id)
        select ?1 + i, 'user.created', 0, 'r' || i, 0, ?1 + i from n`,
      await idIn(big, count),
    )
    await updateAccess(big, access.id, { status: 'without_access' })
  })

  const countEvents = async () => (await eventsOf(big)).length

  const measureFeed = async (query: string) => {
    let json: any
    const cost = await measure(async (bindings) => {
      const answer = await call('GET', `/v1/stores/${big.id}/events?${query}`, { token: big.token, bindings })
      json = answer.json
      return answer
    })
    return { json, ...cost }
  }

  it.each([
    'limit=20',
    'limit=20&after=3000',
    'limit=20&type=user.created',
    `limit=20&after=${COUNT}`,
    'limit=20&order=desc',
    'limit=20&order=desc&after=3000',
  ])('are proportional to the events that it returns for %s', async (query) => {
    const { read, trips, written, json } = await measureFeed(query)
    expect(read).toBeLessThan(4 * json.data.length + BESIDE)
    expect({ trips, written }).toEqual({ trips: 1, written: 0 })
  })

  it.each([
    ['type=product_access.updated', () => ''],
    ['type=custom_field.deleted', () => ''],
    ['user_id=', () => access.user.id],
    ['product_access_id=', () => access.id],
    ['product_access_id=', () => '999999'],
  ])('are at most those of 5,000 events for %s…, and next leads to the end', async (filter, value) => {
    const found: any[] = []
    let json: any = { next: '' }
    let pages = 0
    for (; json.next !== null; pages++) {
      const page = await measureFeed(filter + value() + (json.next && `&after=${json.next}`))
      expect(page.read).toBeLessThan(5000 + BESIDE)
      json = page.json
      found.push(...json.data)
      expect(json.cursor).toBe(json.next ?? String(await countEvents()))
    }
    expect(pages).toBe(Math.ceil((await countEvents()) / 5000))
    expect(found.length > 0).toBe(!filter.includes('deleted') && value() !== '999999')
  })

  it('continue after the gap in the ids that a restore leaves', async () => {
    const own = await newStore()
    const last = (await eventsOf(own)).at(-1).id
    await rowsOf(
      `insert into events (id, type, created_at, request_id, attempt, subject_id) values (?, 'store.restored', 0, 'r', 0, ?)`,
      last + 1_000_000,
      await idIn(own, 1),
    )
    await newProduct(own)
    const { json } = await INTEGRATOR.send('GET', own, `/events?after=${numberOf(last)}&type=product.created`)
    expect(json.data).toHaveLength(1)
    expect(json.next).toBeNull()
    const [first] = (await INTEGRATOR.send('GET', own, `/events?after=${numberOf(last)}&limit=1`)).json.data
    expect(first).toMatchObject({ type: 'store.restored', id: String(numberOf(last) + 1_000_000) })
  })
})
