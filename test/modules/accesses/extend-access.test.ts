import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayAt, endOfDay, extend } from '../../../src/calendar.ts'
import {
  admin,
  call,
  type CallOptions,
  newStore,
  newToken,
  newUser,
  refused,
  summary,
  useStore,
} from '../../support/api.ts'
import { measure } from '../../support/costs.ts'
import { faultyD1, faultyKv, losesAnswer } from '../../support/faults.ts'
import { newOperator } from '../../support/operators.ts'
import { newOwnStore } from '../../support/places.ts'
import { claimsOf, eraseUser, eventsOf, type TestStore, useToken } from '../../support/rows.ts'
import { REQUEST_RUNS } from '../../support/runs.ts'

const LISBON_YEAR_END = '2027-12-31T23:59:59.999Z'

const shared = useStore({ isUsed: true })
let own: TestStore

beforeAll(async () => {
  own = await newOwnStore({ time_zone: 'Europe/Lisbon' })
  await admin('PATCH', `/stores/${shared.id}`, { time_zone: 'Europe/Lisbon' })
})

/** Returns a new access that ends then. */
async function newAccess(store: TestStore, access_due_date: string | null = LISBON_YEAR_END): Promise<any> {
  const user = await newUser(store)
  const slug = `p-${crypto.randomUUID()}`
  await admin('POST', `/stores/${store.id}/products`, { name: 'Course', slug, type: 'course' })
  const grant = { user_id: user.id, slug, access_due_date }
  return (await call('POST', `/v1/stores/${store.id}/product_accesses`, { token: store.token, body: grant })).json
}

function send(store: TestStore, id: string, body: unknown, options: CallOptions = {}) {
  return call('POST', `/v1/stores/${store.id}/product_accesses/${id}/extend`, { token: store.token, body, ...options })
}

const keyed = (key: string, options: CallOptions = {}): CallOptions => ({
  headers: { 'X-Idempotency-Key': key },
  ...options,
})

const newKey = () => `order-${crypto.randomUUID()}`

async function updatesOf(store: TestStore, id: string): Promise<any[]> {
  const events = await eventsOf(store)
  return events.filter(
    ({ type, subject_id }) => type === 'product_access.updated' && subject_id % 2 ** 32 === Number(id),
  )
}

describe('POST /v1/stores/{store_id}/product_accesses/{id}/extend', () => {
  it.each([
    ['the end of a day by days', LISBON_YEAR_END, { days: 91 }, '2028-03-31T22:59:59.999Z'],
    ['the end of a month by a month', '2028-01-31T23:59:59.000Z', { months: 1 }, '2028-02-29T23:59:59.000Z'],
    [
      'a time of day over a change of the clocks',
      '2027-03-01T12:00:00.000Z',
      { months: 1 },
      '2027-04-01T11:00:00.000Z',
    ],
    ['a time that the new day skips', '2027-03-27T01:30:00.000Z', { days: 1 }, '2027-03-28T01:30:00.000Z'],
    ['a time that comes twice', '2027-10-30T00:30:00.000Z', { days: 1 }, '2027-10-31T01:30:00.000Z'],
    ['a time of day into summer time in 2129', '2128-12-31T12:00:00.000Z', { months: 3 }, '2129-03-31T11:00:00.000Z'],
    ['one in a century without a leap day', '2199-12-31T12:00:00.000Z', { months: 9 }, '2200-09-30T11:00:00.000Z'],
    ['the end of a day in 2400', '2399-12-31T23:59:59.999Z', { months: 6 }, '2400-06-30T22:59:59.999Z'],
    ['a day in the last year', '9999-02-28T12:00:00.000Z', { days: 300 }, '9999-12-25T12:00:00.000Z'],
    ['no limit', null, { days: 1 }, null],
    ['a date that would leave the year 9999', '9999-12-31T00:00:00.000Z', { days: 1 }, '9999-12-31T00:00:00.000Z'],
    ['a date that would leave it by months', '9999-12-01T00:00:00.000Z', { months: 1 }, '9999-12-01T00:00:00.000Z'],
  ])('returns 200 with the new date: %s', async (_, from, body, to) => {
    const access = await newAccess(shared, from)
    const { status, json, headers } = await send(shared, access.id, body)
    expect(status).toBe(200)
    expect(json).toEqual({ ...access, access_due_date: to })
    const stored = await call('GET', `/v1/stores/${shared.id}/product_accesses/${access.id}`, { token: shared.token })
    expect([stored.json, stored.headers.get('ETag')]).toEqual([json, headers.get('ETag')])
    const changes = { access_due_date: { from: from && Date.parse(from), to: to && Date.parse(to) } }
    const events = await updatesOf(shared, access.id)
    expect(events.map(({ data }) => JSON.parse(data))).toEqual(from === to ? [] : [{ changes }])
  })

  it('keeps a date in the year 9999 in UTC whose day is after it in the zone of the store', async () => {
    const store = await newStore()
    await admin('PATCH', `/stores/${store.id}`, { time_zone: 'Pacific/Kiritimati' })
    await useToken(store)
    for (const [from, months, to] of [
      ['9999-11-30T12:00:00.000Z', 1, '9999-12-31T12:00:00.000Z'],
      ['9998-12-31T12:00:00.000Z', 12, '9999-12-31T12:00:00.000Z'],
      ['9999-11-30T12:00:00.000Z', 2, '9999-11-30T12:00:00.000Z'],
    ] as const) {
      const { json } = await send(store, (await newAccess(store, from)).id, { months })
      expect(json.access_due_date).toBe(to)
    }
  })

  it('counts from now if the date has passed, and keeps the status', async () => {
    const access = await newAccess(shared, '2026-02-01T00:00:00Z')
    await call('PUT', `/v1/stores/${shared.id}/product_accesses/${access.id}`, {
      token: shared.token,
      body: { status: 'without_access' },
    })
    const before = Date.now()
    const { json } = await send(shared, access.id, { days: 30 })
    expect(json.status).toBe('without_access')
    const days = [extend(before, { days: 30 }, 'Europe/Lisbon'), extend(Date.now(), { days: 30 }, 'Europe/Lisbon')]
    expect(Date.parse(json.access_due_date)).toBeGreaterThanOrEqual(days[0] ?? Infinity)
    expect(Date.parse(json.access_due_date)).toBeLessThanOrEqual(days[1] ?? 0)
  })

  it.each([
    ['400 missing_parameter: days', {}],
    ['400 missing_parameter: days', { days: null, months: null }],
    ['422 invalid_parameter: months', { days: 1, months: 1 }],
    ['422 invalid_parameter: days', { days: 0 }],
    ['422 invalid_parameter: days', { days: 3651 }],
    ['422 invalid_parameter: days', { days: '30' }],
    ['422 invalid_parameter: months', { months: 121 }],
    ['422 invalid_parameter: months', { months: 1.5 }],
    ['422 invalid_parameter: weeks', { days: 1, weeks: 1 }],
    ['400 malformed_body: body', undefined],
  ])('returns %s', async (expected, body) => {
    const { id } = await newAccess(shared)
    const { status, json } = await send(shared, id, body)
    expect(summary({ status, json: { ...json, details: [json.details].flat() } })).toBe(expected)
  })

  it('returns 404 for an unknown access, and 412 for another state', async () => {
    const { id } = await newAccess(shared)
    expect(summary(await send(shared, '999999', { days: 1 }))).toBe('404 not_found')
    expect(summary(await send(shared, id, { days: 1 }, { headers: { 'If-Match': '"1-1"' } }))).toBe('412 etag_mismatch')
    expect(await updatesOf(shared, id)).toEqual([])
  })

  it('needs product_accesses:write', async () => {
    const { id } = await newAccess(shared)
    const { token } = await newToken(shared, { scopes: ['product_accesses:read', 'users:write'] })
    expect(summary(await send(shared, id, { days: 1 }, { token }))).toBe('403 insufficient_scope')
  })

  it.each([
    ['viewer', '403 insufficient_scope'],
    ['office', '200'],
  ] as const)('is for operators too: %s', async (role, expected) => {
    const { id } = await newAccess(shared)
    const { token } = await newOperator(role)
    const path = `/admin/stores/${shared.id}/product_accesses/${id}/extend`
    expect(summary(await call('POST', path, { token, body: { months: 1 } }))).toBe(expected)
  })

  it('costs one round trip and four rows, one more with a key, and none if nothing changes', async () => {
    const { id } = await newAccess(shared)
    const cost = async (body: object, options: CallOptions = {}) => {
      const { trips, written } = await measure((bindings) => send(shared, id, body, { bindings, ...options }))
      return { trips, written }
    }
    expect(await cost({ days: 1 })).toEqual({ trips: 1, written: 4 })
    expect(await cost({ days: 1 }, keyed(newKey()))).toEqual({ trips: 1, written: 5 })
    const { id: unlimited } = await newAccess(shared, null)
    expect(await measure((bindings) => send(shared, unlimited, { days: 1 }, { bindings }))).toMatchObject({
      trips: 1,
      written: 0,
    })
  })
})

describe.each(['shared', 'own'] as const)('A repeated extend in a %s place', (place) => {
  const store = () => (place === 'own' ? own : shared)

  it('extends once with its key, and returns the same response again', async () => {
    const [{ id }, key] = [await newAccess(store()), newKey()]
    const first = await send(store(), id, { months: 1 }, keyed(key))
    await send(store(), id, { months: 1 }, keyed(newKey()))
    const again = await send(store(), id, { months: 1 }, keyed(key))
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'))
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(first.json.access_due_date).toBe('2028-01-31T23:59:59.999Z')
    expect(await updatesOf(store(), id)).toHaveLength(2)
  })

  it('extends again without a key', async () => {
    const { id } = await newAccess(store())
    await send(store(), id, { months: 1 })
    expect((await send(store(), id, { months: 1 })).json.access_due_date).toBe('2028-02-29T23:59:59.999Z')
  })

  it('with equal bodies and two keys has a response of its own for each', async () => {
    const { id } = await newAccess(store())
    const keys = [newKey(), newKey()]
    const sent = []
    for (const key of keys) sent.push((await send(store(), id, { days: 1 }, keyed(key))).text)
    const again = await Promise.all(keys.map((key) => send(store(), id, { days: 1 }, keyed(key))))
    expect(new Set(sent).size).toBe(2)
    expect(again.map(({ text }) => text)).toEqual(sent)
  })

  it('rebuilds the response from the record without KV', async () => {
    const [{ id }, key] = [await newAccess(store()), newKey()]
    const { REPLAYS } = faultyKv(env.REPLAYS, () => 'fails')
    const first = await send(store(), id, { days: 1 }, keyed(key, { bindings: { REPLAYS } }))
    const again = await send(store(), id, { days: 1 }, keyed(key, { bindings: { REPLAYS } }))
    expect([again.status, again.text]).toEqual([200, first.text])
  })

  it('is 422 for another access or another body, and 404 once the user is erased', async () => {
    const [{ id, user }, other, key] = [await newAccess(store()), await newAccess(store()), newKey()]
    await send(store(), id, { days: 1 }, keyed(key))
    const answers = [
      await send(store(), other.id, { days: 1 }, keyed(key)),
      await send(store(), id, { days: 2 }, keyed(key)),
    ]
    for (const answer of answers) expect(summary(answer)).toContain('422 idempotency_key_reused')
    expect(await updatesOf(store(), other.id)).toEqual([])
    await eraseUser(store(), user.id)
    expect(summary(await send(store(), id, { days: 1 }, keyed(key)))).toBe('404 not_found')
  })

  it('uses up no key if it changes nothing', async () => {
    const [{ id }, key] = [await newAccess(store(), null), newKey()]
    const count = (await claimsOf(store())).length
    const first = await send(store(), id, { days: 1 }, keyed(key))
    expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([200, null])
    expect(await claimsOf(store())).toHaveLength(count)
    const { id: other } = await newAccess(store())
    expect((await send(store(), other, { days: 2 }, keyed(key))).json.access_due_date).not.toBe(LISBON_YEAR_END)
  })

  it('extends once when ten run at the same time', async () => {
    const [{ id }, key] = [await newAccess(store()), newKey()]
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(store(), id, { months: 1 }, keyed(key))))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await updatesOf(store(), id)).toHaveLength(1)
  })
})

it('extends once when the response of the database is lost, whoever writes in between', async () => {
  const [{ id }, key] = [await newAccess(shared), newKey()]
  const { DB } = faultyD1(
    env.DB,
    losesAnswer(async () => void (await send(shared, id, { days: 1 }, keyed(newKey())))),
  )
  const answer = await send(shared, id, { months: 1 }, keyed(key, { bindings: { DB } }))
  expect(summary(answer)).toBe('200')
  expect(await updatesOf(shared, id)).toHaveLength(2)
  const again = await send(shared, id, { months: 1 }, keyed(key))
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.text).toBe(answer.text)
  expect(await updatesOf(shared, id)).toHaveLength(2)
})

it('lands in SQL where the calendar lands', async () => {
  const zones = ['America/Santiago', 'Africa/Cairo', 'America/Nuuk', 'Asia/Gaza', 'Australia/Lord_Howe', 'UTC']
  const stores = new Map<string, { store: TestStore; id: string }>()
  for (const time_zone of zones) {
    const store = await newStore()
    await admin('PATCH', `/stores/${store.id}`, { time_zone })
    stores.set(time_zone, { store, id: (await newAccess(store)).id })
  }
  const near = fc.integer({ min: Date.UTC(2027, 0, 1), max: Date.UTC(2070, 0, 1) })
  // The clock of a zone ends in 2129, and repeats.
  const instants = fc.oneof(near, fc.integer({ min: Date.UTC(2115, 0, 1), max: Date.UTC(9985, 0, 1) }))
  const spans = fc.oneof(
    fc.record({ days: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ months: fc.integer({ min: 1, max: 120 }) }),
  )
  const property = fc.asyncProperty(
    fc.constantFrom(...zones),
    instants,
    spans,
    fc.boolean(),
    async (zone, instant, span, isEnd) => {
      const { store, id } = stores.get(zone) ?? { store: shared, id: '' }
      const due = isEnd ? endOfDay(dayAt(instant, zone), zone) : instant
      const body = { access_due_date: new Date(due).toISOString() }
      await call('PUT', `/v1/stores/${store.id}/product_accesses/${id}`, { token: store.token, body })
      const { json } = await send(store, id, span)
      expect(Date.parse(json.access_due_date)).toBe(extend(due, span, zone))
    },
  )
  await fc.assert(property, { numRuns: REQUEST_RUNS })
})

it('rejects unknown fields of the path and the body like any other operation', async () => {
  const { id } = await newAccess(shared)
  const answer = await call('POST', `/v1/stores/${shared.id}/product_accesses/${id}/extend?x=1`, {
    token: shared.token,
    body: { days: 1 },
  })
  expect(refused(answer)).toEqual({ x: '1' })
})
