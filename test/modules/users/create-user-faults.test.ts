/** Whatever fails between D1 and the service, a create makes one user and returns it, or makes none and says so. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  type CallOptions,
  createV1,
  createV3,
  newStore,
  newUsedStore,
  summary,
  v1User,
  v3User,
} from '../../support/api.ts'
import { NOT_RETRIED, RETRIED } from '../../support/d1-errors.ts'
import { faultyD1, loses, losesAnswer } from '../../support/faults.ts'
import {
  changeToken,
  claimsOf,
  eraseUserWith,
  eventsOf,
  insertEvents,
  revokeToken,
  suspendStore,
  usersOf,
  type TestStore,
} from '../../support/rows.ts'

const WITH_KEY = { 'X-Idempotency-Key': 'order-1' }

interface Create {
  name: string
  email: string
  /** Each call sends the same user. */
  send: (store: TestStore, options?: CallOptions) => ReturnType<typeof createV1>
  /** A password takes one round trip more, because a preview comes first. */
  trips: number
  hasKey: boolean
}

function newCreate(name: string, create: typeof createV1, user: any, hasKey: boolean): Create {
  return {
    name,
    email: user.email,
    send: (store, options) => create(store, user, { ...options, ...(hasKey && { headers: WITH_KEY }) }),
    trips: 'password' in user ? 2 : 1,
    hasKey,
  }
}

/** Both versions, with and without a key, and in one or two round trips. A v3 user always has a password. */
const CREATES = [
  newCreate('v1 create with a key', createV1, v1User(), true),
  newCreate('v1 create with a password', createV1, v1User({ password: 'horse' }), false),
  newCreate('v3 create with a key and a password', createV3, v3User(), true),
]

async function userEventsOf(store: TestStore): Promise<any[]> {
  return (await eventsOf(store)).filter(({ type }) => type.startsWith('user.'))
}

const TIMES = ['before', 'after'] as const

describe.each(CREATES)('A $name', ({ send, trips, email, hasKey }) => {
  it.each(TIMES)('returns 201 and creates one user when a connection is lost %s the commit', async (when) => {
    for (let failing = 0; failing < trips; failing++) {
      const store = await newUsedStore()
      const { DB, roundTrips } = faultyD1(env.DB, (trip) => (trip === failing ? { message: RETRIED, when } : undefined))
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

  it('returns 201 and creates one user when three attempts fail after the commit', async () => {
    const store = await newUsedStore()
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

  it('returns 503 when four attempts fail, and the next request of the client succeeds', async () => {
    const store = await newUsedStore()
    const { DB, roundTrips } = faultyD1(env.DB, loses('before'))
    const failed = await send(store, { bindings: { DB } })
    expect(summary(failed)).toBe('503 service_unavailable')
    expect(failed.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(roundTrips()).toBe(4)
    expect(await usersOf(store)).toEqual([])
    expect(summary(await send(store))).toBe('201')
    expect(await usersOf(store)).toHaveLength(1)
  })

  it('returns 503 after one attempt when D1 is overloaded', async () => {
    const store = await newUsedStore()
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message: NOT_RETRIED, when: 'before' }))
    const answer = await send(store, { bindings: { DB } })
    expect(summary(answer)).toBe('503 service_unavailable')
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(roundTrips()).toBe(1)
    expect([await usersOf(store), await claimsOf(store), await userEventsOf(store)]).toEqual([[], [], []])
    expect(summary(await send(store))).toBe('201')
  })

  it.each(TIMES)(
    'returns 500 after one attempt and reveals nothing when an unknown error comes %s the commit',
    async (when) => {
      const store = await newUsedStore()
      const message = 'D1_ERROR: no such column: users.canary: SQLITE_ERROR'
      const { DB, roundTrips } = faultyD1(env.DB, () => ({ message, when }))
      const answer = await send(store, { bindings: { DB } })
      expect(summary(answer)).toBe('500 internal_error')
      expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/canary|D1_|SQLITE|column|users\.|\.ts|at /)
      expect(roundTrips()).toBe(1)
    },
  )

  /** Sends the create, loses its response after the commit, and runs `meanwhile` before the retry. */
  async function sendAgainAfter(meanwhile: (store: TestStore) => Promise<unknown>) {
    const store = await newUsedStore()
    const lost = losesAnswer(() => meanwhile(store))
    const { DB, roundTrips } = faultyD1(env.DB, (trip) => lost(trip - (trips - 1)))
    const answer = await send(store, { bindings: { DB } })
    expect(roundTrips()).toBe(trips + 1)
    expect(answer.headers.has('Idempotent-Replayed')).toBe(false)
    return { store, answer }
  }

  it('is applied once and returned when others write before the retry', async () => {
    const { store, answer } = await sendAgainAfter((own) => insertEvents(own, { type: 'user.created', count: 25 }))
    expect(summary(answer)).toBe('201')
    expect((await usersOf(store)).map(({ id }) => String(id % 2 ** 32))).toEqual([String(answer.json.id)])
    expect(await userEventsOf(store)).toHaveLength(26)
    expect(await claimsOf(store)).toHaveLength(hasKey ? 1 : 0)
  })

  it('returns 404 when its user was erased before the retry', async () => {
    const { store, answer } = await sendAgainAfter((own) => eraseUserWith(own, email))
    expect(answer.status).toBe(404)
    expect(answer.json.code).toBe('not_found')
    expect(await usersOf(store)).toEqual([])
    expect((await userEventsOf(store)).map(({ type }) => type)).toEqual(['user.created', 'user.erased'])
  })

  it('returns 404 when another user got the email of the erased one before the retry', async () => {
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
  ])('returns 201 when the retry comes after %s', async (_, meanwhile) => {
    const { store, answer } = await sendAgainAfter(meanwhile)
    expect(summary(answer)).toBe('201')
    expect((await usersOf(store)).map(({ id }) => String(id % 2 ** 32))).toEqual([String(answer.json.id)])
    expect(await userEventsOf(store)).toHaveLength(1)
    expect((await send(store)).status).toBeGreaterThanOrEqual(401)
  })
})

describe('A create whose first attempt was lost before the commit', () => {
  const WITHOUT_PASSWORD = CREATES.filter(({ trips }) => trips === 1)

  it.each(WITHOUT_PASSWORD)('returns 401 when the token is revoked before the retry: $name', async ({ send }) => {
    const store = await newUsedStore()
    const { DB } = faultyD1(env.DB, async (trip) => {
      if (trip > 0) return undefined
      await revokeToken(store)
      return loses('before')(0)
    })
    expect(summary(await send(store, { bindings: { DB } }))).toBe('401 invalid_token')
    expect(await usersOf(store)).toEqual([])
  })

  it.each(WITHOUT_PASSWORD)(
    'returns 422 email_taken when another request takes the email before the retry: $name',
    async ({ send, email }) => {
      const store = await newUsedStore()
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

describe('A create whose responses were all lost', () => {
  it('is replayed when the client sends it again with the same key', async () => {
    const store = await newUsedStore()
    const user = v1User()
    const { DB } = faultyD1(env.DB, loses('after'))
    expect((await createV1(store, user, { headers: WITH_KEY, bindings: { DB } })).status).toBe(503)
    const answer = await createV1(store, user, { headers: WITH_KEY })
    expect(summary(answer)).toBe('201')
    expect(answer.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await usersOf(store)).toHaveLength(1)
  })

  it('returns 422 with the id of its user when the client sends it again without a key', async () => {
    const store = await newUsedStore()
    const user = v1User()
    const { DB } = faultyD1(env.DB, loses('after'))
    expect((await createV1(store, user, { bindings: { DB } })).status).toBe(503)
    const answer = await createV1(store, user)
    expect(summary(answer)).toBe('422 email_taken: email')
    const users = await usersOf(store)
    expect(users.map(({ id }) => String(id % 2 ** 32))).toEqual([answer.headers.get('X-Existing-Id')])
  })
})

describe('A create with a lost attempt', () => {
  it.each(TIMES)('still returns 422 email_taken when it was lost %s the commit', async (when) => {
    const store = await newUsedStore()
    const user = v1User()
    const { json } = await createV1(store, user)
    const { DB } = faultyD1(env.DB, loses(when, 1))
    const answer = await createV1(store, { ...user, name: 'Other' }, { bindings: { DB } })
    expect(summary(answer)).toBe('422 email_taken: email')
    expect(answer.headers.get('X-Existing-Id')).toBe(json.id)
  })

  it.each(TIMES)('is still a replay when it was lost %s the commit', async (when) => {
    const store = await newUsedStore()
    const user = v1User()
    const { text } = await createV1(store, user, { headers: WITH_KEY })
    const { DB } = faultyD1(env.DB, loses(when, 1))
    const answer = await createV1(store, user, { headers: WITH_KEY, bindings: { DB } })
    expect(answer.headers.get('Idempotent-Replayed')).toBe('true')
    expect(answer.text).toBe(text)
    expect(await claimsOf(store)).toHaveLength(1)
  })

  it('returns 503 and never 401 while D1 cannot check the token', async () => {
    const store = await newStore()
    const { DB } = faultyD1(env.DB, loses('before'))
    for (const body of [v1User(), {}, v1User({ email: 'nobody' }), '{']) {
      const answer = await createV1(store, body, { bindings: { DB } })
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(answer.headers.has('WWW-Authenticate')).toBe(false)
    }
  })
})
