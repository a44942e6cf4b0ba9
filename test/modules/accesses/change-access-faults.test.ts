/** Whatever fails between D1 and the service, a grant, an update or recorded progress is applied once and returned. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/openapi.ts'
import {
  type CallOptions,
  createV1,
  newAccess,
  newStore,
  newUsedStore,
  newUser,
  onFreshInstance,
  summary,
  updateAccess,
  v1User,
} from '../../support/api.ts'
import { INTEGRATOR } from '../../support/callers.ts'
import { measure } from '../../support/costs.ts'
import { NOT_RETRIED } from '../../support/d1-errors.ts'
import { faultyD1, loses, losesAnswer } from '../../support/faults.ts'
import {
  accessesOf,
  claimsOf,
  eraseUser,
  eventsOf,
  idIn,
  insertEvents,
  newProduct,
  revokeToken,
  rowsOf,
  storeNumber,
  suspendStore,
  type TestStore,
} from '../../support/rows.ts'

const KEY = { 'X-Idempotency-Key': 'order-1' }
const DUE = '2031-01-01T00:00:00.000Z'

interface Prepared {
  send: (options?: CallOptions) => Promise<Answer>
  user_id: string
}

interface Change {
  name: string
  success: string
  type: string
  /** The access has these values after the change. */
  made: object
  prepare: (store: TestStore) => Promise<Prepared>
  /** This is the response to the same request after it was applied. */
  again: string
}

async function toGrant(store: TestStore, headers = {}): Promise<Prepared> {
  const user_id = (await newUser(store)).id
  const body = { user_id, product_id: (await newProduct(store)).id, access_due_date: DUE }
  return {
    user_id,
    send: (options) => INTEGRATOR.send('POST', store, '/product_accesses', { body, headers, ...options }),
  }
}

async function toChange(store: TestStore, method: string, body: object): Promise<Prepared> {
  const { id, user } = await newAccess(store)
  const path = `/product_accesses/${id}`
  return { user_id: user.id, send: (options) => INTEGRATOR.send(method, store, path, { body, ...options }) }
}

const UPDATE = { status: 'without_access', access_due_date: DUE }
const PROGRESS = { progress: 40, grade: 'A', passed: true }

const CHANGES: Change[] = [
  {
    name: 'a grant',
    success: '201',
    type: 'product_access.granted',
    made: { status: 'with_access', access_due_date: Date.parse(DUE) },
    prepare: (store) => toGrant(store),
    again: '422 access_exists: product_id',
  },
  {
    name: 'a grant with a key',
    success: '201',
    type: 'product_access.granted',
    made: { status: 'with_access', access_due_date: Date.parse(DUE) },
    prepare: (store) => toGrant(store, KEY),
    again: '201',
  },
  {
    name: 'an update',
    success: '201',
    type: 'product_access.updated',
    made: { ...UPDATE, access_due_date: Date.parse(DUE) },
    prepare: (store) => toChange(store, 'PUT', UPDATE),
    again: '201',
  },
  {
    name: 'recorded progress',
    success: '200',
    type: 'product_access.progressed',
    made: { progress: 40, grade: '"A"', passed: 1 },
    prepare: (store) => toChange(store, 'PATCH', PROGRESS),
    again: '200',
  },
]

async function prepared({ prepare }: Change) {
  const store = await newUsedStore()
  return { store, ...(await prepare(store)) }
}

async function accessOf(store: TestStore, user_id: string): Promise<any> {
  const id = await idIn(store, user_id)
  const found = (await accessesOf(store)).filter((access) => access.user_id === id)
  expect(found.length).toBeLessThanOrEqual(1)
  return found[0]
}

/** Checks that the change was applied once and that its newest event is the one of the access. */
async function expectMade(store: TestStore, { type, made }: Change, user_id: string): Promise<void> {
  const access = await accessOf(store, user_id)
  expect(access).toMatchObject(made)
  const told = (await eventsOf(store)).filter((event) => event.type === type && event.subject_id === access.id)
  expect(told).toHaveLength(1)
  expect([access.event_id, access.changed_by]).toEqual([told[0].id, told[0].id])
}

/** Checks that the change left no trace. */
async function expectNotMade(store: TestStore, { type }: Change, user_id: string): Promise<void> {
  const access = await accessOf(store, user_id)
  const id = await idIn(store, user_id)
  const told = (await eventsOf(store)).filter((event) => event.type === type && event.user_id === id)
  expect(told).toEqual([])
  expect(access?.changed_by).toBe(access?.id)
  expect(await claimsOf(store)).toEqual([])
}

/** Each message of D1, and more attempts, are tried with `batch` (test/db/batch.test.ts). */
describe.each(CHANGES)('After a fault, $name', (change) => {
  const { success, again } = change

  it('is applied once when more events were written before the retry than the first look-up reads', async () => {
    const { store, send, user_id } = await prepared(change)
    const others = () => insertEvents(store, { type: 'user.created', count: 25 })
    const { DB, roundTrips } = faultyD1(env.DB, losesAnswer(others))
    const answer = await send({ bindings: { DB } })
    expect(summary(answer)).toBe(success)
    expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
    expect(answer.headers.has('ETag')).toBe(true)
    expect(roundTrips()).toBe(2)
    await expectMade(store, change, user_id)
  })

  it('does not undo a change by another request in between, and returns the current access', async () => {
    const { store, send, user_id } = await prepared(change)
    const theirs = { status: 'without_access', access_due_date: '2032-01-01T00:00:00.000Z' }
    const others = async () => {
      const { id } = await accessOf(store, user_id)
      expect((await updateAccess(store, String(id % 2 ** 32), theirs)).status).toBe(201)
    }
    const { DB } = faultyD1(env.DB, losesAnswer(others))
    const answer = await send({ bindings: { DB } })
    expect(summary(answer)).toBe(success)
    expect(answer.json).toMatchObject(theirs)
    const access = await accessOf(store, user_id)
    expect(access).toMatchObject({ status: 'without_access', access_due_date: Date.parse(theirs.access_due_date) })
    const ofChange = (await eventsOf(store)).filter(
      ({ type, subject_id }) => type === change.type && subject_id === access.id,
    )
    expect(ofChange).toHaveLength(change.type === 'product_access.updated' ? 2 : 1)
  })

  it('returns 404 and is not applied again when the user is erased in between', async () => {
    const { store, send, user_id } = await prepared(change)
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => eraseUser(store, user_id)),
    )
    const answer = await send({ bindings: { DB } })
    expect(answer.status).toBe(404)
    expect(await accessOf(store, user_id)).toBeUndefined()
    const events = await eventsOf(store)
    expect(events.filter(({ type }) => type === change.type)).toHaveLength(1)
    expect(events.at(-1).type).toBe('user.erased')
  })

  it.each([
    ['revoked', revokeToken],
    ['rejected because the store is suspended', suspendStore],
  ])('returns success when the token is %s in between', async (_, others) => {
    const { store, send, user_id } = await prepared(change)
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => others(store)),
    )
    expect(summary(await send({ bindings: { DB } }))).toBe(success)
    await expectMade(store, change, user_id)
  })

  it('is not applied when the token is revoked before the retry and the first attempt was lost before the commit', async () => {
    const { store, send, user_id } = await prepared(change)
    const { DB } = faultyD1(env.DB, async (trip) => {
      if (trip === 0) await revokeToken(store)
      return loses('before', 1)(trip)
    })
    expect(summary(await send({ bindings: { DB } }))).toBe('401 invalid_token')
    await expectNotMade(store, change, user_id)
  })

  it.each(['before', 'after'] as const)(
    'returns 503 for an error %s the commit that is not retried, and succeeds when the client sends it again',
    async (when) => {
      const { store, send, user_id } = await prepared(change)
      const { DB } = faultyD1(env.DB, () => ({ message: NOT_RETRIED, when }))
      expect(summary(await send({ bindings: { DB } }))).toBe('503 service_unavailable')
      if (when === 'before') await expectNotMade(store, change, user_id)
      else await expectMade(store, change, user_id)
      expect(summary(await send())).toBe(when === 'before' ? success : again)
      await expectMade(store, change, user_id)
    },
  )
})

describe('Concurrent', () => {
  const atOnce = (n: number, send: (i: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: n }, (_, i) => send(i)))

  it('updates of one access have events whose values follow from one another', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    await atOnce(10, (i) => {
      const access_due_date = new Date(Date.UTC(2030, 0, 1 + i)).toISOString()
      return updateAccess(store, id, i % 2 ? { access_due_date } : { status: 'without_access', access_due_date })
    })
    const path = `/product_accesses/${id}/events?limit=100`
    const events = (await INTEGRATOR.send('GET', store, path)).json.data.toReversed().slice(1)
    const dates = events.map(({ data }: any) => data.changes.access_due_date)
    expect(dates).toHaveLength(10)
    expect(dates.map(({ from }: any) => from)).toEqual([null, ...dates.slice(0, -1).map(({ to }: any) => to)])
    expect((await updateAccess(store, id, {})).json.access_due_date).toBe(dates.at(-1).to)
    expect(events.filter(({ data }: any) => data.changes.status)).toHaveLength(1)
  })

  it.each(CHANGES)('requests that equal $name are applied once', async (change) => {
    const { store, send, user_id } = await prepared(change)
    const answers = await atOnce(10, () => send())
    expect(new Set(answers.map(summary))).toEqual(new Set([change.success, change.again]))
    await expectMade(store, change, user_id)
  })

  it('grants and erasures of one user leave no access without a user', async () => {
    for (let i = 0; i < 3; i++) {
      const store = await newStore()
      const { send, user_id } = await toGrant(store)
      const erase = () => INTEGRATOR.send('DELETE', store, `/users/${user_id}`)
      const answers = await Promise.all([send(), erase(), send()])
      expect(answers[1]?.status).toBe(204)
      expect(await accessesOf(store)).toEqual([])
      for (const answer of [answers[0], answers[2]]) {
        expect(['201', '422 access_exists: product_id', '422 invalid_parameter: user_id']).toContain(
          answer && summary(answer),
        )
      }
    }
  })
})

describe('The cost', () => {
  const due = Date.UTC(2030, 0, 1)
  const access = async (store: TestStore, grant: object = {}) => (await newAccess(store, {}, grant)).id

  it.each<[string, number, string, (store: TestStore) => Promise<[string, string, object?, object?]>]>([
    ['a grant', 4, '201', async (store) => ['POST', '/product_accesses', await idsOf(store)]],
    ['a grant with a key', 5, '201', async (store) => ['POST', '/product_accesses', await idsOf(store), KEY]],
    [
      'a grant with a due date, which adds an entry to two indexes',
      6,
      '201',
      async (store) => ['POST', '/product_accesses', { ...(await idsOf(store)), access_due_date: DUE }],
    ],
    ['a second grant', 0, '422 access_exists: product_id', async (store) => secondGrant(store)],
    ['recorded progress', 2, '200', async (s) => ['PATCH', `/product_accesses/${await access(s)}`, PROGRESS]],
    ['recorded progress of {}', 0, '200', async (s) => ['PATCH', `/product_accesses/${await access(s)}`, {}]],
    [
      'recorded progress of an access with a due date',
      2,
      '200',
      async (s) => ['PATCH', `/product_accesses/${await access(s, { access_due_date: due })}`, PROGRESS],
    ],
    [
      'an update of the status',
      2,
      '201',
      async (s) => ['PUT', `/product_accesses/${await access(s)}`, { status: 'without_access' }],
    ],
    [
      'an update that moves the due date',
      4,
      '201',
      async (s) => ['PUT', `/product_accesses/${await access(s, { access_due_date: due })}`, { access_due_date: DUE }],
    ],
    ['an update of {}', 0, '201', async (s) => ['PUT', `/product_accesses/${await access(s)}`, {}]],
    [
      'an update to the same value',
      0,
      '201',
      async (s) => ['PUT', `/product_accesses/${await access(s)}`, { status: 'with_access' }],
    ],
    [
      'an update with a stale ETag',
      0,
      '412 etag_mismatch',
      async (s) => [
        'PUT',
        `/product_accesses/${await access(s)}`,
        { status: 'without_access' },
        { 'If-Match': '"1-1"' },
      ],
    ],
  ])('of %s is one round trip and %i rows', async (_name, written, outcome, prepare) => {
    const store = await newUsedStore()
    const [method, path, body, headers = {}] = await prepare(store)
    const cost = await measure((bindings) =>
      INTEGRATOR.send(method, store, path, { body, headers: { ...headers }, bindings }),
    )
    expect(cost).toMatchObject({ outcome, trips: 1, written })
  })

  it('is the same on an instance that has not seen the token', async () => {
    const store = await newUsedStore()
    const body = await idsOf(store)
    const cost = await measure((bindings) =>
      onFreshInstance(() => INTEGRATOR.send('POST', store, '/product_accesses', { body, bindings })),
    )
    expect(cost).toMatchObject({ outcome: '201', trips: 1, written: 4 })
  })
})

async function idsOf(store: TestStore) {
  const user = await createV1(store, v1User())
  return { user_id: user.json.id, product_id: (await newProduct(store)).id }
}

async function secondGrant(store: TestStore): Promise<[string, string, object]> {
  const { user, product } = await newAccess(store)
  return ['POST', '/product_accesses', { user_id: user.id, product_id: product.id }]
}

it('A grant reads as many rows in a store of hundreds of users as in an empty one', async () => {
  const store = await newUsedStore()
  const read = async () => {
    const body = await idsOf(store)
    const sent = await measure((bindings) => INTEGRATOR.send('POST', store, '/product_accesses', { body, bindings }))
    return sent.read
  }
  // These events fill the look-up among the newest events; with fewer, the first grant would read less.
  await insertEvents(store, { type: 'user.created', count: 20 })
  const before = await read()
  await rowsOf(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
      insert into users
        (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language, created_at, updated_at, event_id)
      select ?1 + i, ?2, i || '', i || '', 'A', 'B', 'a', 'b', 'student', 'EN', 0, 0, ?1 + i from n`,
    await idIn(store, 100_000),
    await storeNumber(store),
  )
  expect(await read()).toBe(before)
})
