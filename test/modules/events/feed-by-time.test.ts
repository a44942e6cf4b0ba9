/** `since`, `until` and `actor` in the feeds of a store and of the operators. */
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, ALL_SCOPES, call, createV1, newStore, newToken, summary, useStore, v1User } from '../../support/api.ts'
import { measure } from '../../support/costs.ts'
import { newOperator } from '../../support/operators.ts'
import { rowsOf, storeNumber, useToken } from '../../support/rows.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 1)
const at = (ms: number) => new Date(START + ms).toISOString()

const store = useStore()
let token: string
let base: number

const feed = (query: string, options: object = {}) =>
  call('GET', `/v1/stores/${store.id}/events?${query}`, { token, ...options })

const idsOf = ({ json }: any) => json.data.map(({ id }: any) => Number(id))

/** Replaces the events of the store by one for each time, in milliseconds after START. The ids begin with 1001. */
async function setEvents(times: number[]): Promise<void> {
  await rowsOf('delete from events where id > ? and id < ?', base, base + 2 ** 32 - 1)
  await rowsOf(
    `insert into events (id, type, created_at, request_id, attempt, subject_id)
      select ?1 + 1001 + key, 'product.created', ?2 + value, 'event-' || key, 0, ?1 + 1001 + key from json_each(?3)`,
    base,
    START,
    JSON.stringify(times),
  )
}

/** The ids of all pages in order. */
async function readAll(query: string): Promise<number[]> {
  const found: number[] = []
  for (let next: string | null = ''; next !== null;) {
    const answer = await feed(`${query}${next && `&after=${next}`}`)
    expect(answer.status).toBe(200)
    found.push(...idsOf(answer))
    next = answer.json.next
  }
  return found
}

beforeAll(async () => {
  // Stores before and after it in the table.
  await newStore()
  token = (await newToken(store, { scopes: ALL_SCOPES })).token
  base = (await storeNumber(store)) * 2 ** 32
})

describe('GET …/events?since=&until=', () => {
  const TIMES = [0, 10, 20, 20, 30].map((minutes) => minutes * MINUTE)

  beforeAll(() => setEvents(TIMES))

  it.each<[string, number[]]>([
    [`since=${at(0)}`, [1001, 1002, 1003, 1004, 1005]],
    [`since=${at(1)}`, [1002, 1003, 1004, 1005]],
    [`since=${at(20 * MINUTE)}`, [1003, 1004, 1005]],
    [`since=${at(30 * MINUTE + 1)}`, []],
    [`until=${at(20 * MINUTE)}`, [1001, 1002]],
    [`until=${at(20 * MINUTE + 1)}`, [1001, 1002, 1003, 1004]],
    [`until=${at(0)}`, []],
    [`since=${at(10 * MINUTE)}&until=${at(20 * MINUTE)}`, [1002]],
    [`since=${at(20 * MINUTE)}&until=${at(10 * MINUTE)}`, []],
    ['since=0000-01-01T00:00:00Z&until=9999-12-31T23:59:59Z', [1001, 1002, 1003, 1004, 1005]],
    [`since=${at(20 * MINUTE).replace('Z', '%2B00:00')}`, [1003, 1004, 1005]],
  ])('finds what happened, in both orders and in pages of one: %s', async (query, found) => {
    expect(await readAll(query)).toEqual(found)
    expect(await readAll(`${query}&order=desc`)).toEqual(found.toReversed())
    expect(await readAll(`${query}&limit=1`)).toEqual(found)
    expect(await readAll(`${query}&limit=1&order=desc`)).toEqual(found.toReversed())
    expect(await readAll(`${query}&type=user.created`)).toEqual([])
  })

  it('misses none whose time is some minutes before that of the event before it', async () => {
    await setEvents([0, 10, 6, 20, 16, 18, 30].map((minutes) => minutes * MINUTE))
    const found = async (query: string) => [await readAll(query), (await readAll(`${query}&order=desc`)).toReversed()]
    for (const [query, ids] of [
      [`since=${at(10 * MINUTE)}`, [1002, 1004, 1005, 1006, 1007]],
      [`since=${at(17 * MINUTE)}`, [1004, 1006, 1007]],
      [`until=${at(7 * MINUTE)}`, [1001, 1003]],
      [`until=${at(19 * MINUTE)}`, [1001, 1002, 1003, 1005, 1006]],
    ] as const)
      expect(await found(query)).toEqual([ids, ids])
    await setEvents(TIMES)
  })

  it('has a cursor that goes on, at the end too, and next null once every later event is newer', async () => {
    const first = await feed(`since=${at(10 * MINUTE)}&limit=1`)
    expect(first.json).toMatchObject({ next: '1002', cursor: '1002' })
    const until = (await feed(`until=${at(10 * MINUTE)}`)).json
    // The event of 20 minutes is newer, and the disorder is less than that.
    expect(until).toMatchObject({ next: null, cursor: '1001' })
    expect((await feed(`until=${at(10 * MINUTE)}&after=${until.cursor}`)).json).toEqual({ ...until, data: [] })
    expect((await feed(`until=${at(10 * MINUTE)}&after=1004`)).json).toMatchObject({
      data: [],
      next: null,
      cursor: '1004',
    })
    const future = (await feed('since=2090-01-01T00:00:00Z')).json
    expect(future).toEqual({ data: [], next: null, cursor: '1005' })
    expect((await feed(`since=${at(0)}`)).headers.get('X-Newest-Id')).toBe('1005')
    expect((await feed('until=2000-01-01T00:00:00Z')).json).toEqual({ data: [], next: null, cursor: '1000' })
  })

  it('has a cursor from which a later until goes on', async () => {
    await setEvents([0, 10, 11, 11, 12, 13, 14].map((minutes) => minutes * MINUTE))
    const read: number[] = []
    let after = ''
    for (const minutes of [11, 12, 13, 90]) {
      for (let next: string | null = after; next !== null;) {
        const answer = await feed(`until=${at(minutes * MINUTE)}&limit=2${next && `&after=${next}`}`)
        read.push(...idsOf(answer))
        ;({ next, cursor: after } = answer.json)
      }
    }
    expect(read).toEqual([1001, 1002, 1003, 1004, 1005, 1006, 1007])
    await setEvents(TIMES)
  })

  it('is never 410 without after, and 410 with a cursor that has expired', async () => {
    expect((await feed('since=2000-01-01T00:00:00Z')).status).toBe(200)
    expect(summary(await feed('since=2000-01-01T00:00:00Z&after=5'))).toBe('410 cursor_expired: after')
    expect(summary(await feed('since=2000-01-01T00:00:00Z&after=1006'))).toBe('422 invalid_parameter: after')
  })

  it('finds its place beside the gap that a restore leaves', async () => {
    await rowsOf(
      'update events set id = id + 100000, subject_id = subject_id + 100000 where id > ?1 + 1003 and id < ?1 + 1006',
      base,
    )
    expect(await readAll(`since=${at(20 * MINUTE)}`)).toEqual([1003, 101004, 101005])
    expect(await readAll(`since=${at(25 * MINUTE)}&order=desc`)).toEqual([101005])
    expect(await readAll(`until=${at(20 * MINUTE)}`)).toEqual([1001, 1002])
    await setEvents(TIMES)
  })

  it.each([
    ['since=2026-01-01', 'since'],
    ['until=yesterday', 'until'],
    ['since=2026-01-01T00:00:00', 'since'],
    ['actor=ada', 'actor'],
    ['actor=operator:', 'actor'],
    ['actor=operator:x', 'actor'],
    ['actor=access_token:0', 'actor'],
    ['actor=root:1', 'actor'],
    ['until=x&since=x&actor=x&type=x&limit=0', 'type, actor, since, until, limit'],
    ['since=2026-01-01T00:00:00Z&since=2026-01-01T00:00:00Z', 'since'],
  ])('returns 422 for %s', async (query, fields) => {
    expect(summary(await feed(query))).toBe(`422 invalid_parameter: ${fields}`)
    expect(summary(await admin('GET', `/events?${query}`))).toBe(`422 invalid_parameter: ${fields}`)
  })

  it('costs nothing for what is older or newer, however much that is, in one trip', async () => {
    await useToken({ ...store, token })
    await setEvents(Array.from({ length: 20_000 }, (_, i) => i * MINUTE))
    const last = 1001 + 19_999
    for (const [query, found] of [
      [`since=${at(19_990 * MINUTE)}`, last - 9],
      [`since=${at(10_000 * MINUTE)}&limit=1`, 11_001],
      [`since=${at(10_000 * MINUTE)}&until=${at(10_002 * MINUTE)}`, 11_001],
      [`until=${at(10 * MINUTE)}&order=desc&limit=1`, 1010],
      [`until=${at(10 * MINUTE)}&limit=1`, 1001],
      [`since=${at(19_990 * MINUTE)}&order=desc&limit=1`, last],
      ['since=2090-01-01T00:00:00Z', undefined],
      ['until=2000-01-01T00:00:00Z', undefined],
    ] as const) {
      let answer: any
      const { read, trips, written } = await measure(async (bindings) => (answer = await feed(query, { bindings })))
      expect([trips, written]).toEqual([1, 0])
      expect(read).toBeLessThan(300)
      expect(idsOf(answer)[0]).toBe(found)
    }
    const readBy = async (query: string) => (await measure((bindings) => feed(query, { bindings }))).read
    expect(await readBy(`since=${at(0)}&type=user.created`)).toBeLessThan(5700)
    // In a busy store, thousands of events are near the time.
    await setEvents(Array.from({ length: 12_000 }, (_, i) => i * 50))
    expect(await readBy(`until=${at(5 * MINUTE)}`)).toBeLessThan(300)
    expect(await readBy(`until=${at(5 * MINUTE)}&after=6000&type=user.erased`)).toBeLessThan(5700)
  })
})

describe('GET …/events?actor=', () => {
  it('finds what a token, an operator, the root and the service have done, and nothing for anybody else', async () => {
    const own = await newStore()
    const operator = await newOperator('admin')
    const [first, second] = [await newToken(own, { scopes: ALL_SCOPES }), await newToken(own, { scopes: ALL_SCOPES })]
    const users: string[] = []
    for (const caller of [first.token, second.token])
      users.push((await createV1(own, v1User(), { token: caller })).json.id)
    const byOperator = await call('POST', `/admin/stores/${own.id}/users`, { token: operator.token, body: v1User() })
    const number = await storeNumber(own)
    await rowsOf(
      `insert into events (id, type, created_at, request_id, attempt, subject_id)
        select max(id) + 1, 'store.restored', 0, 'job', 0, ? * 4294967296 + 1 from events where id < (?1 + 1) << 32`,
      number,
    )
    const types = async (actor: string) => {
      const { json } = await call('GET', `/v1/stores/${own.id}/events?actor=${actor}`, { token: first.token })
      return json.data.map(({ type, data }: any) => [type, data.user_id])
    }
    expect(await types(`access_token:${first.id}`)).toEqual([['user.created', users[0]]])
    expect(await types(`access_token:${second.id}`)).toEqual([['user.created', users[1]]])
    expect(await types(`operator:${operator.id}`)).toEqual([['user.created', byOperator.json.id]])
    expect((await types('root')).map(([type]: any) => type)).toContain('store.created')
    expect(await types('system')).toEqual([['store.restored', undefined]])
    for (const nobody of ['operator:4000000000', 'access_token:99999999999', `operator:${operator.id}0`])
      expect(await types(nobody)).toEqual([])
  })

  it('takes the same filters for the events of operators, in which no token has done anything', async () => {
    const operator = await newOperator('viewer')
    await admin('PATCH', `/operators/${operator.id}`, { name: 'Grace' })
    const found = async (query: string) => (await admin('GET', `/events?order=desc&limit=2&${query}`)).json.data
    const [newest] = await found('actor=root')
    expect(newest).toMatchObject({ type: 'operator.updated', data: { operator_id: operator.id } })
    for (const query of [`actor=access_token:${operator.id}`, `actor=operator:${operator.id}`, 'actor=system'])
      expect(await found(query)).toEqual([])
    expect(await found(`since=${newest.timestamp}`)).toContainEqual(newest)
    expect(await found(`until=${newest.timestamp}`)).not.toContainEqual(newest)
    expect(await found('since=2090-01-01T00:00:00Z')).toEqual([])
  })

  it('reads few rows for a caller who is rejected', async () => {
    const own = await newStore()
    const { token: scopeless } = await newToken(own, { scopes: ['users:read'] })
    const query = 'since=2020-01-01T00:00:00Z&until=2090-01-01T00:00:00Z&actor=root'
    const { outcome, read } = await measure((bindings) =>
      call('GET', `/v1/stores/${own.id}/events?${query}`, { token: scopeless, bindings }),
    )
    expect(outcome).toBe('403 insufficient_scope')
    expect(read).toBeLessThan(60)
  })
})
