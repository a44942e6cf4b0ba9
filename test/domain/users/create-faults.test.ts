/** Creating a user while D1 fails: before and after the commit, and with others at work before the retry. */
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type CallOptions,
  createV1,
  createV3,
  newStore,
  summary,
  type TestStore,
  v1User,
  v3User,
} from '../../support/api.ts'
import { RETRYABLE, UNAVAILABLE } from '../../support/d1-errors.ts'
import { type Fault, faultyD1, loses, losesAnswer } from '../../support/faults.ts'
import {
  changeToken,
  claimsOf,
  eraseUserWith,
  eventsOf,
  revokeToken,
  suspendStore,
  usersOf,
  useToken,
} from '../../support/rows.ts'

const WITH_KEY = { 'X-Idempotency-Key': 'order-1' }

interface Create {
  name: string
  email: string
  /** The same user however often it is called. */
  send: (store: TestStore, options?: CallOptions) => ReturnType<typeof createV1>
  /** What it takes when nothing fails: with a password D1 is asked first. */
  trips: number
  hasKey: boolean
}

const CREATES = [
  { version: 'v1', create: createV1, body: v1User },
  { version: 'v3', create: createV3, body: v3User },
].flatMap(({ version, create, body }) =>
  [false, true].flatMap((hasKey) =>
    // A v3 user has a password.
    (version === 'v1' ? [false, true] : [true]).map((hasPassword): Create => {
      const user = body(hasPassword ? { password: 'horse' } : {})
      return {
        name: `${version} create with${hasKey ? '' : 'out'} a key and with${hasPassword ? '' : 'out'} a password`,
        email: user.email,
        send: (store, options) => create(store, user, { ...options, ...(hasKey && { headers: WITH_KEY }) }),
        trips: hasPassword ? 2 : 1,
        hasKey,
      }
    }),
  ),
)

/** Full jitter may draw no wait at all. */
beforeAll(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterAll(() => {
  vi.restoreAllMocks()
})

async function usedStore(): Promise<TestStore> {
  const store = await newStore()
  await useToken(store)
  return store
}

/** The events of the store's users. */
async function userEventsOf(store: TestStore): Promise<any[]> {
  return (await eventsOf(store)).filter(({ type }) => type.startsWith('user.'))
}

const TIMES = ['before', 'after'] as const
const RETRYABLE_FAULTS = RETRYABLE.flatMap((message) =>
  TIMES.map((when): [string, string, Fault] => [message, when, { message, when }]),
)

describe.each(CREATES)('a $name', ({ send, trips, email, hasKey }) => {
  it.each(RETRYABLE_FAULTS)('answers 201 and makes one user when %j comes %s the commit', async (_, _when, fault) => {
    for (let failing = 0; failing < trips; failing++) {
      const store = await usedStore()
      const { DB, roundTrips } = faultyD1(env.DB, (trip) => (trip === failing ? fault : undefined))
      const answer = await send(store, { bindings: { DB } })
      expect(summary(answer)).toBe('201')
      expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
      expect(roundTrips()).toBe(trips + 1)
      const users = await usersOf(store)
      expect(users.map(({ id }) => String(id % 2 ** 32))).toEqual([String(answer.json.id)])
      expect((await userEventsOf(store)).map(({ id, type }) => [id, type])).toEqual([[users[0].id, 'user.created']])
      expect(await claimsOf(store)).toHaveLength(hasKey ? 1 : 0)
    }
  })

  it('answers 201 and makes one user when three tries fail, each after the commit', async () => {
    const store = await usedStore()
    const { DB, roundTrips } = faultyD1(env.DB, (trip) =>
      trip < trips - 1 ? undefined : loses('after', trips + 2)(trip),
    )
    const answer = await send(store, { bindings: { DB } })
    expect(summary(answer)).toBe('201')
    expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
    expect(roundTrips()).toBe(trips + 3)
    expect(await usersOf(store)).toHaveLength(1)
    expect(await userEventsOf(store)).toHaveLength(1)
  })

  it('answers 503 when four tries fail, and the next request of the caller works', async () => {
    const store = await usedStore()
    const { DB, roundTrips } = faultyD1(env.DB, loses('before'))
    const failed = await send(store, { bindings: { DB } })
    expect(summary(failed)).toBe('503 service_unavailable')
    expect(failed.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(roundTrips()).toBe(4)
    expect(await usersOf(store)).toEqual([])
    expect(summary(await send(store))).toBe('201')
    expect(await usersOf(store)).toHaveLength(1)
  })

  it.each(UNAVAILABLE)('answers 503 after one try when D1 says %j', async (message) => {
    const store = await usedStore()
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    const answer = await send(store, { bindings: { DB } })
    expect(summary(answer)).toBe('503 service_unavailable')
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(roundTrips()).toBe(1)
    expect([await usersOf(store), await claimsOf(store), await userEventsOf(store)]).toEqual([[], [], []])
    expect(summary(await send(store))).toBe('201')
  })

  it.each(TIMES)(
    'answers 500 after one try, without a word of it, when an unknown error comes %s the commit',
    async (when) => {
      const store = await usedStore()
      const message = 'D1_ERROR: no such column: users.canary: SQLITE_ERROR'
      const { DB, roundTrips } = faultyD1(env.DB, () => ({ message, when }))
      const answer = await send(store, { bindings: { DB } })
      expect(summary(answer)).toBe('500 internal_error')
      expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/canary|D1_|SQLITE|column|users\.|\.ts|at /)
      expect(roundTrips()).toBe(1)
    },
  )

  /** Sends the create, whose answer is lost after the commit, and lets others do something before it is sent again. */
  async function sendAgainAfter(meanwhile: (store: TestStore) => Promise<unknown>) {
    const store = await usedStore()
    const lost = losesAnswer(() => meanwhile(store))
    const { DB, roundTrips } = faultyD1(env.DB, (trip) => lost(trip - (trips - 1)))
    const answer = await send(store, { bindings: { DB } })
    expect(roundTrips()).toBe(trips + 1)
    expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
    return { store, answer }
  }

  it('is made once and answered as made when it is sent again, with another writer in between', async () => {
    const { store, answer } = await sendAgainAfter(async (own) => {
      for (let i = 0; i < 25; i++) await createV1(own, v1User())
    })
    expect(summary(answer)).toBe('201')
    const made = (await usersOf(store)).filter((user) => user.email === email)
    expect(made.map(({ id }) => String(id % 2 ** 32))).toEqual([String(answer.json.id)])
    expect(await userEventsOf(store)).toHaveLength(26)
    expect(await claimsOf(store)).toHaveLength(hasKey ? 1 : 0)
  })

  it('is not made again when it is sent again after its user was erased: 404', async () => {
    const { store, answer } = await sendAgainAfter((own) => eraseUserWith(own, email))
    expect(answer.status).toBe(404)
    expect(answer.json.code).toBe('not_found')
    expect(await usersOf(store)).toEqual([])
    expect((await userEventsOf(store)).map(({ type }) => type)).toEqual(['user.created', 'user.erased'])
  })

  it('is not made again when it is sent again after another user got the e-mail of the erased one', async () => {
    const { store, answer } = await sendAgainAfter(async (own) => {
      await eraseUserWith(own, email)
      await createV1(own, v1User({ email, name: 'Other' }))
    })
    expect(summary(answer)).toBe('404 not_found')
    expect((await usersOf(store)).map(({ name }) => name)).toEqual(['Other'])
  })

  it.each<[string, (store: TestStore) => Promise<void>]>([
    ['the token was revoked', revokeToken],
    ['the token lost its scope', (own) => changeToken(own, { scopes: 'users:read' })],
    ['the store was suspended', suspendStore],
  ])('is answered as made when it is sent again after %s', async (_, meanwhile) => {
    const { store, answer } = await sendAgainAfter(meanwhile)
    expect(summary(answer)).toBe('201')
    expect((await usersOf(store)).map(({ id }) => String(id % 2 ** 32))).toEqual([String(answer.json.id)])
    expect(await userEventsOf(store)).toHaveLength(1)
    expect((await send(store)).status).toBeGreaterThanOrEqual(401)
  })
})

describe('a create whose first batch was lost before the commit', () => {
  const WITHOUT_PASSWORD = CREATES.filter(({ trips }) => trips === 1)

  it.each(WITHOUT_PASSWORD)('is refused when the token is revoked before it is sent again: $name', async ({ send }) => {
    const store = await usedStore()
    const { DB } = faultyD1(env.DB, async (trip) => {
      if (trip > 0) return undefined
      await revokeToken(store)
      return loses('before')(0)
    })
    expect(summary(await send(store, { bindings: { DB } }))).toBe('401 invalid_token')
    expect(await usersOf(store)).toEqual([])
  })

  it.each(WITHOUT_PASSWORD)(
    'is refused when another takes the e-mail before it is sent again: $name',
    async ({ send, email }) => {
      const store = await usedStore()
      const { DB } = faultyD1(env.DB, async (trip) => {
        if (trip > 0) return undefined
        await createV1(store, v1User({ email, name: 'Other' }))
        return loses('before')(0)
      })
      expect(summary(await send(store, { bindings: { DB } }))).toBe('422 email_taken: email')
      expect((await usersOf(store)).map(({ name }) => name)).toEqual(['Other'])
    },
  )
})

describe('a create whose answers were all lost', () => {
  it('is replayed to the retry with the same key', async () => {
    const store = await usedStore()
    const user = v1User()
    const { DB } = faultyD1(env.DB, loses('after'))
    expect((await createV1(store, user, { headers: WITH_KEY, bindings: { DB } })).status).toBe(503)
    const answer = await createV1(store, user, { headers: WITH_KEY })
    expect(summary(answer)).toBe('201')
    expect(answer.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await usersOf(store)).toHaveLength(1)
  })

  it('is named by the 422 of the retry without a key', async () => {
    const store = await usedStore()
    const user = v1User()
    const { DB } = faultyD1(env.DB, loses('after'))
    expect((await createV1(store, user, { bindings: { DB } })).status).toBe(503)
    const answer = await createV1(store, user)
    expect(summary(answer)).toBe('422 email_taken: email')
    const users = await usersOf(store)
    expect(users.map(({ id }) => String(id % 2 ** 32))).toEqual([answer.headers.get('X-Existing-Id')])
  })
})

describe('a create that meets a failure', () => {
  it.each(TIMES)("is still refused when the e-mail is another user's, lost %s", async (when) => {
    const store = await usedStore()
    const user = v1User()
    const { json } = await createV1(store, user)
    const { DB } = faultyD1(env.DB, loses(when, 1))
    const answer = await createV1(store, { ...user, name: 'Other' }, { bindings: { DB } })
    expect(summary(answer)).toBe('422 email_taken: email')
    expect(answer.headers.get('X-Existing-Id')).toBe(json.id)
  })

  it.each(TIMES)('is still a replay when the key was used before, lost %s', async (when) => {
    const store = await usedStore()
    const user = v1User()
    const { text } = await createV1(store, user, { headers: WITH_KEY })
    const { DB } = faultyD1(env.DB, loses(when, 1))
    const answer = await createV1(store, user, { headers: WITH_KEY, bindings: { DB } })
    expect(answer.headers.get('Idempotent-Replayed')).toBe('true')
    expect(answer.text).toBe(text)
    expect(await claimsOf(store)).toHaveLength(1)
  })

  it('answers 503 and never 401 while D1 cannot say whether the token is good', async () => {
    const store = await newStore()
    const { DB } = faultyD1(env.DB, loses('before'))
    for (const body of [v1User(), {}, v1User({ email: 'nobody' }), '{']) {
      const answer = await createV1(store, body, { bindings: { DB } })
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(answer.headers.has('WWW-Authenticate')).toBe(false)
    }
  })
})
