/** Whatever fails and whoever comes at once: no change without its event, no event without its change. */
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  admin,
  type Answer,
  call,
  createV1,
  createV3,
  newAccess,
  newEmail,
  newStore,
  newToken,
  summary,
  type TestStore,
  updateAccess,
  v1User,
  v3User,
} from './support/api.ts'
import { changesOf, eventsOf, recordEvents, toldChangesOf } from './support/events.ts'
import { faultyD1, OVERLOADED, RETRYABLE } from './support/faults.ts'
import { introduce } from './support/rows.ts'

/** Full jitter may draw no wait at all. */
beforeAll(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterAll(() => {
  vi.restoreAllMocks()
})

type Send = (bindings?: object) => Promise<Answer>

interface Change {
  name: string
  /** Prepares the store and says what to send. */
  prepare: (store: TestStore) => Promise<Send>
  success: string
  /** The answer to the same request once it has taken effect. */
  again: string
}

const asOperator = (method: string, path: string, body?: unknown): Send => {
  return (bindings = {}) => call(method, `/admin${path}`, { token: env.ADMIN_TOKEN, body, bindings })
}

/** Sent again by the service itself, and safe to be. */
const RETRIED: Change[] = [
  {
    name: 'a v1 create',
    async prepare(store) {
      const body = v1User()
      return (bindings = {}) => createV1(store, body, { bindings })
    },
    success: '201',
    again: '422 email_taken: email',
  },
  {
    name: 'a v1 create with a key',
    async prepare(store) {
      const body = v1User()
      return (bindings = {}) => createV1(store, body, { bindings, headers: { 'X-Idempotency-Key': 'order-1' } })
    },
    success: '201',
    again: '201',
  },
  {
    name: 'a v3 create',
    async prepare(store) {
      const body = v3User()
      return (bindings = {}) => createV3(store, body, { bindings })
    },
    success: '201',
    again: '422 email_taken: email',
  },
  {
    name: 'an update',
    async prepare(store) {
      const { id } = await newAccess(store)
      return (bindings = {}) => updateAccess(store, id, { status: 'without_access' }, { bindings })
    },
    success: '201',
    again: '201',
  },
  {
    name: 'recorded progress',
    async prepare(store) {
      const { id } = await newAccess(store)
      return asOperator('PATCH', `/stores/${store.id}/product_accesses/${id}`, { progress: 40, grade: 'A' })
    },
    success: '200',
    again: '200',
  },
]

/** Sent once; the caller learns that it may have failed. */
const SENT_ONCE: Change[] = [
  {
    name: 'a grant',
    async prepare(store) {
      const user = await createV1(store, v1User())
      const product = { name: 'P', slug: `p-${crypto.randomUUID()}`, type: 'course' }
      const { json } = await admin('POST', `/stores/${store.id}/products`, product)
      const ids = { user_id: user.json.id, product_id: json.id }
      return asOperator('POST', `/stores/${store.id}/product_accesses`, ids)
    },
    success: '201',
    again: '422 access_exists: product_id',
  },
  {
    name: 'a new token',
    prepare: async (store) => asOperator('POST', `/stores/${store.id}/tokens`, { name: 'New' }),
    success: '201',
    again: '201',
  },
  {
    name: 'a revocation',
    async prepare(store) {
      const { id } = await newToken(store)
      return asOperator('DELETE', `/stores/${store.id}/tokens/${id}`)
    },
    success: '204',
    again: '404 not_found',
  },
]

async function prepared({ prepare }: Change) {
  const store = await newStore()
  const send = await prepare(store)
  await introduce(store)
  return { store, send }
}

/** Fails unless the events tell what the tables hold, no more and no less. */
async function expectAllTold(store: TestStore): Promise<void> {
  expect(await toldChangesOf(store)).toEqual(await changesOf(store))
}

const TIMES = ['before', 'after'] as const

const LOST = RETRYABLE[0] ?? ''

/** An operator's request takes up to four round trips; an access token's takes one. */
const FAILURES = [0, 1, 2, 3].flatMap((nth) => TIMES.map((when) => ({ nth, when })))

/** A D1 that fails so many of the batches that write an event. */
function failingChanges(times: number, fault: { message: string; when: 'before' | 'after' }) {
  let tries = 0
  const { DB, statements } = faultyD1(env.DB, () => {
    const isChange = statements().some(({ sql }) => sql.startsWith('insert into "events"'))
    return isChange && tries++ < times ? fault : undefined
  })
  return { DB, tries: () => tries }
}

describe.each(RETRIED)('$name', (change) => {
  it.each([1, 3].flatMap((times) => TIMES.map((when) => ({ times, when }))))(
    'writes one event when $times tries fail $when the commit',
    async ({ times, when }) => {
      const { store, send } = await prepared(change)
      const { DB, tries } = failingChanges(times, { message: LOST, when })
      const events = await recordEvents(store, async () => expect(summary(await send({ DB }))).toBe(change.success))
      expect(tries()).toBe(times + 1)
      expect(events).toHaveLength(1)
      await expectAllTold(store)
    },
  )
})

describe.each([...RETRIED, ...SENT_ONCE])('$name that fails for good', (change) => {
  const { again, success } = change

  it.each(FAILURES)('at round trip $nth, $when the commit, has its event or neither', async ({ nth, when }) => {
    for (const message of [LOST, OVERLOADED[0] ?? '']) {
      const { store, send } = await prepared(change)
      const { DB, roundTrips } = faultyD1(env.DB, (n) => (n >= nth ? { message, when } : undefined))
      const failed = summary(await send({ DB }))
      expect(failed).toBe(roundTrips() > nth ? '503 service_unavailable' : success)
      await expectAllTold(store)
      // The caller sends it again: it takes effect now, or has done so before.
      expect([success, again]).toContain(summary(await send()))
      await expectAllTold(store)
    }
  })
})

describe('simultaneous', () => {
  const atOnce = (n: number, send: (i: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: n }, (_, i) => send(i)))

  it('creates of 50 users write the event of each, with its id', async () => {
    const store = await newStore()
    let answers: Answer[] = []
    const events = await recordEvents(store, async () => {
      answers = await atOnce(50, (i) => (i % 2 ? createV1(store, v1User()) : createV3(store, v3User())))
    })
    const told = new Map(events.map(({ request_id, data }) => [request_id, data.user_id]))
    expect(told).toEqual(new Map(answers.map(({ headers, json }) => [headers.get('X-Request-Id'), String(json.id)])))
    await expectAllTold(store)
  })

  it('creates in two stores write the events of each', async () => {
    const stores = [await newStore(), await newStore()] as const
    await atOnce(50, (i) => createV1(stores[i % 2 ? 0 : 1], v1User()))
    for (const store of stores) {
      expect((await changesOf(store))['users']).toHaveLength(25)
      await expectAllTold(store)
    }
  })

  it.each<[string, (store: TestStore) => (i: number) => Promise<Answer>]>([
    [
      'creates with one e-mail',
      (store) => {
        const email = newEmail()
        return () => createV1(store, v1User({ email }))
      },
    ],
    [
      'creates with one key',
      (store) => {
        const body = v1User()
        return () => createV1(store, body, { headers: { 'X-Idempotency-Key': 'race' } })
      },
    ],
    [
      'creates with one key and other e-mails',
      (store) => () => createV1(store, v1User(), { headers: { 'X-Idempotency-Key': 'race' } }),
    ],
  ])('%s, 50 of them, write one event', async (_, prepare) => {
    const store = await newStore()
    const send = prepare(store)
    let answers: Answer[] = []
    const events = await recordEvents(store, async () => (answers = await atOnce(50, send)))
    const first = answers.find(({ status, headers }) => status === 201 && !headers.has('Idempotent-Replayed'))
    expect(events.map(({ request_id }) => request_id)).toEqual([first?.headers.get('X-Request-Id')])
    expect(events.map(({ data }) => data)).toEqual([{ user_id: first?.json.id }])
    await expectAllTold(store)
  })

  it('updates of one access follow on from one another in its events', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    await atOnce(30, (i) => {
      const access_due_date = new Date(Date.UTC(2030, 0, 1 + i)).toISOString()
      return updateAccess(store, id, i % 2 ? { access_due_date } : { status: 'without_access', access_due_date })
    })
    const events = await eventsOf(store, { product_access_id: id, type: 'product_access.updated' })
    const dates = events.map(({ data }) => data.changes.access_due_date)
    expect(dates).toHaveLength(30)
    expect(dates.map(({ from }) => from)).toEqual([null, ...dates.slice(0, -1).map(({ to }) => to)])
    expect((await updateAccess(store, id, {})).json.access_due_date).toBe(dates.at(-1).to)
    expect(events.filter(({ data }) => data.changes.status)).toHaveLength(1)
    await expectAllTold(store)
  })

  it('updates to one state write one event', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    await atOnce(30, () => updateAccess(store, id, { status: 'without_access' }))
    expect(await eventsOf(store, { product_access_id: id, type: 'product_access.updated' })).toHaveLength(1)
    await expectAllTold(store)
  })

  it.each(SENT_ONCE.filter(({ again }) => again !== '201'))('requests for $name write one event', async (change) => {
    const { store, send } = await prepared(change)
    const events = await recordEvents(store, () => atOnce(20, () => send()))
    expect(events).toHaveLength(1)
    await expectAllTold(store)
  })
})
