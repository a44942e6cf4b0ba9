/** D1 failing in each way that it documents, before and after what was sent took effect. */
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  admin,
  type CallOptions,
  createV1,
  createV3,
  newAccess,
  newStore,
  newToken,
  summary,
  type TestStore,
  updateAccess,
  v1User,
  v3User,
} from './support/api.ts'
import { type Fault, faultyD1, laggingReplica, OVERLOADED, RETRYABLE } from './support/faults.ts'
import { claimsOf, introduce, usersOf } from './support/rows.ts'

const WITH_KEY = { 'X-Idempotency-Key': 'order-1' }

type Create = (store: TestStore, options?: CallOptions) => ReturnType<typeof createV1>

/** Each sends the same user however often it is called. */
function creates(): [string, Create][] {
  const [v1, v3] = [v1User(), v3User()]
  return [
    ['v1 create without a key', (store, options) => createV1(store, v1, options)],
    ['v1 create with a key', (store, options) => createV1(store, v1, { ...options, headers: WITH_KEY })],
    ['v3 create without a key', (store, options) => createV3(store, v3, options)],
    ['v3 create with a key', (store, options) => createV3(store, v3, { ...options, headers: WITH_KEY })],
  ]
}

/** Full jitter may draw no wait at all. */
beforeAll(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterAll(() => {
  vi.restoreAllMocks()
})

async function knownStore(): Promise<TestStore> {
  const store = await newStore()
  await introduce(store)
  return store
}

const TIMES = ['before', 'after'] as const
const RETRYABLE_FAULTS = RETRYABLE.flatMap((message) =>
  TIMES.map((when): [string, string, Fault] => [message, when, { message, when }]),
)

function first(times: number, fault: Fault) {
  return (roundTrip: number) => (roundTrip < times ? fault : undefined)
}

describe.each(creates())('a %s', (_, create) => {
  it.each(RETRYABLE_FAULTS)('answers 201 and makes one user when %j comes %s the commit', async (_, _when, fault) => {
    const store = await knownStore()
    const { DB, roundTrips } = faultyD1(env.DB, first(1, fault))
    const answer = await create(store, { bindings: { DB } })
    expect(summary(answer)).toBe('201')
    expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
    expect(roundTrips()).toBe(2)
    const users = await usersOf(store)
    expect(users).toHaveLength(1)
    expect(String(answer.json.id)).toBe(String(users[0].id))
  })

  it('answers 201 and makes one user when three tries fail, each after the commit', async () => {
    const store = await knownStore()
    const { DB, roundTrips } = faultyD1(env.DB, first(3, { message: RETRYABLE[0] ?? '', when: 'after' }))
    const answer = await create(store, { bindings: { DB } })
    expect(summary(answer)).toBe('201')
    expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
    expect(roundTrips()).toBe(4)
    expect(await usersOf(store)).toHaveLength(1)
  })

  it('answers 503 when four tries fail, and the next request of the caller works', async () => {
    const store = await knownStore()
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message: RETRYABLE[0] ?? '', when: 'before' }))
    const failed = await create(store, { bindings: { DB } })
    expect(summary(failed)).toBe('503 service_unavailable')
    expect(failed.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(roundTrips()).toBe(4)
    expect(await usersOf(store)).toEqual([])
    expect(summary(await create(store))).toBe('201')
    expect(await usersOf(store)).toHaveLength(1)
  })

  it.each(OVERLOADED)('answers 503 after one try when D1 says %j', async (message) => {
    const store = await knownStore()
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    const answer = await create(store, { bindings: { DB } })
    expect(summary(answer)).toBe('503 service_unavailable')
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(roundTrips()).toBe(1)
    expect(summary(await create(store))).toBe('201')
  })

  it.each(TIMES)(
    'answers 500 after one try, without a word of it, when an unknown error comes %s the commit',
    async (when) => {
      const store = await knownStore()
      const message = 'D1_ERROR: no such column: users.canary: SQLITE_ERROR'
      const { DB, roundTrips } = faultyD1(env.DB, () => ({ message, when }))
      const answer = await create(store, { bindings: { DB } })
      expect(summary(answer)).toBe('500 internal_error')
      expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/canary|D1_|SQLITE|column|users\.|\.ts|at /)
      expect(roundTrips()).toBe(1)
    },
  )
})

describe('a create whose answers were all lost', () => {
  const lost = () => faultyD1(env.DB, () => ({ message: RETRYABLE[0] ?? '', when: 'after' })).DB

  it('is replayed to the retry with the same key', async () => {
    const store = await knownStore()
    const user = v1User()
    const failed = await createV1(store, user, { headers: WITH_KEY, bindings: { DB: lost() } })
    expect(failed.status).toBe(503)
    const answer = await createV1(store, user, { headers: WITH_KEY })
    expect(summary(answer)).toBe('201')
    expect(answer.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await usersOf(store)).toHaveLength(1)
  })

  it('is named by the 422 of the retry without a key', async () => {
    const store = await knownStore()
    const user = v1User()
    expect((await createV1(store, user, { bindings: { DB: lost() } })).status).toBe(503)
    const answer = await createV1(store, user)
    expect(summary(answer)).toBe('422 email_taken: email')
    const users = await usersOf(store)
    expect(users.map(({ id }) => String(id))).toEqual([answer.headers.get('X-Existing-Id')])
  })
})

describe('a create that meets a failure', () => {
  it("is still refused when the e-mail is another user's", async () => {
    const store = await knownStore()
    const user = v1User()
    const { json } = await createV1(store, user)
    for (const when of TIMES) {
      const { DB } = faultyD1(env.DB, first(1, { message: RETRYABLE[0] ?? '', when }))
      const answer = await createV1(store, { ...user, name: 'Other' }, { bindings: { DB } })
      expect(summary(answer)).toBe('422 email_taken: email')
      expect(answer.headers.get('X-Existing-Id')).toBe(json.id)
    }
  })

  it('is still a replay when the key was used before', async () => {
    const store = await knownStore()
    const user = v1User()
    const { text } = await createV1(store, user, { headers: WITH_KEY })
    for (const when of TIMES) {
      const { DB } = faultyD1(env.DB, first(1, { message: RETRYABLE[0] ?? '', when }))
      const answer = await createV1(store, user, { headers: WITH_KEY, bindings: { DB } })
      expect(answer.headers.get('Idempotent-Replayed')).toBe('true')
      expect(answer.text).toBe(text)
    }
    expect(await claimsOf(store)).toHaveLength(1)
  })

  it('is all or nothing: no claim without its user', async () => {
    const store = await knownStore()
    const { DB } = faultyD1(env.DB, () => ({ message: OVERLOADED[0] ?? '', when: 'before' }))
    await createV1(store, v1User(), { headers: WITH_KEY, bindings: { DB } })
    expect([await usersOf(store), await claimsOf(store)]).toEqual([[], []])
  })
})

describe('an update of an access', () => {
  it.each(RETRYABLE_FAULTS)('answers 201 with the new state when %j comes %s the commit', async (_, _when, fault) => {
    const store = await knownStore()
    const { id } = await newAccess(store)
    const { DB, roundTrips } = faultyD1(env.DB, first(1, fault))
    const change = { status: 'without_access', access_due_date: '2030-01-02T03:04:05.000Z' }
    const answer = await updateAccess(store, id, change, { bindings: { DB } })
    expect(summary(answer)).toBe('201')
    expect(answer.json).toMatchObject(change)
    expect(roundTrips()).toBe(2)
    expect((await updateAccess(store, id, {})).json).toEqual(answer.json)
  })

  it('answers 503 when four tries fail, and the next request of the caller works', async () => {
    const store = await knownStore()
    const { id } = await newAccess(store)
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message: RETRYABLE[0] ?? '', when: 'before' }))
    const failed = await updateAccess(store, id, { status: 'without_access' }, { bindings: { DB } })
    expect(summary(failed)).toBe('503 service_unavailable')
    expect(failed.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(roundTrips()).toBe(4)
    expect((await updateAccess(store, id, {})).json.status).toBe('with_access')
    expect((await updateAccess(store, id, { status: 'without_access' })).json.status).toBe('without_access')
  })

  it.each(OVERLOADED)('answers 503 after one try when D1 says %j', async (message) => {
    const store = await knownStore()
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    const answer = await updateAccess(store, '1', { status: 'with_access' }, { bindings: { DB } })
    expect(summary(answer)).toBe('503 service_unavailable')
    expect(roundTrips()).toBe(1)
  })

  it('answers 500 after one try when the error is unknown', async () => {
    const store = await knownStore()
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message: 'canary', when: 'before' }))
    const answer = await updateAccess(store, '1', {}, { bindings: { DB } })
    expect(summary(answer)).toBe('500 internal_error')
    expect(answer.text).not.toContain('canary')
    expect(roundTrips()).toBe(1)
  })
})

describe('the look-up of a token', () => {
  it.each(OVERLOADED)('answers 503 and never 401 when D1 says %j', async (message) => {
    const store = await newStore()
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    const answer = await createV1(store, v1User(), { bindings: { DB } })
    expect(summary(answer)).toBe('503 service_unavailable')
    expect(answer.headers.has('WWW-Authenticate')).toBe(false)
    expect(roundTrips()).toBe(1)
    expect(summary(await createV1(store, v1User()))).toBe('201')
  })

  it('answers 503 and never 401 when four tries fail', async () => {
    const store = await newStore()
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message: RETRYABLE[0] ?? '', when: 'before' }))
    const answer = await updateAccess(store, '1', {}, { bindings: { DB } })
    expect(summary(answer)).toBe('503 service_unavailable')
    expect(roundTrips()).toBe(4)
  })

  it.each(RETRYABLE)('is tried again when D1 says %j', async (message) => {
    const store = await newStore()
    const { DB, roundTrips } = faultyD1(env.DB, first(1, { message, when: 'before' }))
    expect(summary(await createV1(store, v1User(), { bindings: { DB } }))).toBe('201')
    expect(roundTrips()).toBe(3)
  })

  it('answers 500 and never 401 when the error is unknown', async () => {
    const store = await newStore()
    const { DB } = faultyD1(env.DB, () => ({ message: 'D1_ERROR: canary', when: 'before' }))
    const answer = await createV1(store, v1User(), { bindings: { DB } })
    expect(summary(answer)).toBe('500 internal_error')
    expect(answer.text).not.toContain('canary')
  })

  it('asks the primary before it believes a replica that a token does not exist', async () => {
    const store = await newStore()
    const { DB, roundTrips } = faultyD1(laggingReplica(env.DB))
    expect(summary(await createV1(store, v1User(), { bindings: { DB } }))).toBe('201')
    expect(roundTrips()).toBe(3)
  })

  it('answers 503 and never 401 when the replica has no such token and the primary is unavailable', async () => {
    const store = await newStore()
    const message = OVERLOADED[0] ?? ''
    const { DB } = faultyD1(laggingReplica(env.DB), (n) => (n === 1 ? { message, when: 'before' } : undefined))
    expect(summary(await createV1(store, v1User(), { bindings: { DB } }))).toBe('503 service_unavailable')
  })

  it('answers 401 when the primary has no such token either', async () => {
    const store = await newStore()
    const { id, token } = await newToken(store)
    await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    const { DB, roundTrips } = faultyD1(env.DB)
    expect(summary(await createV1(store, v1User(), { token, bindings: { DB } }))).toBe('401 invalid_token')
    expect(roundTrips()).toBe(2)
  })
})

describe('the look-up of a custom field that the instance does not know', () => {
  it.each([
    ['answers 503 and never 422', OVERLOADED[0] ?? '', '503 service_unavailable'],
    ['is tried again', RETRYABLE[0] ?? '', '201'],
  ])('%s when D1 says %j', async (_, message, outcome) => {
    const store = await knownStore()
    await admin('PUT', `/stores/${store.id}/custom_fields/late`, {})
    const { DB } = faultyD1(env.DB, first(1, { message, when: 'before' }))
    const answer = await createV1(store, v1User({ custom_fields: { late: 1 } }), { bindings: { DB } })
    expect(summary(answer)).toBe(outcome)
  })

  it('takes a field that was defined after the token became known', async () => {
    const store = await knownStore()
    await admin('PUT', `/stores/${store.id}/custom_fields/late`, {})
    const answer = await createV1(store, v1User({ custom_fields: { late: 1 } }))
    expect(answer.json.custom_fields).toEqual({ late: 1 })
  })
})
