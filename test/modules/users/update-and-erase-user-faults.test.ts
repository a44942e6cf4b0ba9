/** A change of a user whose response from D1 is lost must be applied once and returned. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, createV1, newStore, newUser, summary, useStore, v1User } from '../../support/api.ts'
import { faultyD1, loses, losesAnswer } from '../../support/faults.ts'
import { eraseUser, eventsOf, insertEvents, revokeToken } from '../../support/rows.ts'

const store = useStore()

const path = (id: string) => `/v1/stores/${store.id}/users/${id}`

async function send(method: string, id: string, meanwhile?: () => Promise<unknown>, more: object = {}) {
  const { DB } = faultyD1(env.DB, losesAnswer(meanwhile))
  return call(method, path(id), { token: store.token, bindings: { DB }, ...more })
}

/** Returns the types of the events of a user. */
async function historyOf(id: string): Promise<string[]> {
  const events = await eventsOf(store)
  return events.filter((event) => event.subject_id % 2 ** 32 === Number(id)).map(({ type }) => type)
}

const others: Record<string, () => Promise<unknown>> = {
  nothing: async () => {},
  'a hundred writes': async () => insertEvents(store, { type: 'user.created', count: 100 }),
}

describe('PATCH of a user that is sent again after a lost response', () => {
  it.each(Object.entries(others))('is applied once and returned with %s in between', async (_, meanwhile) => {
    const user = await newUser(store)
    const answer = await send('PATCH', user.id, meanwhile, { body: { name: 'Once' } })
    expect([summary(answer), answer.json.name]).toEqual(['200', 'Once'])
    expect(await historyOf(user.id)).toEqual(['user.created', 'user.updated'])
  })

  it('does not undo a change by another request in between', async () => {
    const user = await newUser(store)
    const other = () => call('PATCH', path(user.id), { token: store.token, body: { name: 'Later' } })
    const answer = await send('PATCH', user.id, other, { body: { name: 'Once', phone: '1' } })
    expect(answer.json).toMatchObject({ name: 'Later', phone: '1' })
    expect(await historyOf(user.id)).toEqual(['user.created', 'user.updated', 'user.updated'])
  })

  it('returns 200 although its own first attempt changed the ETag', async () => {
    const created = await createV1(store, v1User())
    const headers = { 'If-Match': created.headers.get('ETag') ?? '' }
    expect(summary(await send('PATCH', created.json.id, undefined, { headers, body: { name: 'Once' } }))).toBe('200')
  })

  it('returns 404 when the user was erased in between', async () => {
    const user = await newUser(store)
    const answer = await send('PATCH', user.id, () => eraseUser(store, user.id), { body: { name: 'Once' } })
    expect(summary(answer)).toBe('404 not_found')
    expect(await historyOf(user.id)).toEqual(['user.created', 'user.updated', 'user.erased'])
  })

  it('returns 200 when the token was revoked in between', async () => {
    const own = await newStore()
    const { json } = await createV1(own, v1User())
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => revokeToken(own)),
    )
    const options = { token: own.token, body: { name: 'Once' }, bindings: { DB } }
    expect(summary(await call('PATCH', `/v1/stores/${own.id}/users/${json.id}`, options))).toBe('200')
  })

  it('hashes and stores one password, whichever of its two round trips is lost', async () => {
    for (const trip of [0, 1]) {
      const user = await newUser(store)
      const { DB } = faultyD1(env.DB, (n) => (n === trip ? losesAnswer()(0) : undefined))
      const options = { token: store.token, body: { password: 'correct horse' }, bindings: { DB } }
      expect(summary(await call('PATCH', path(user.id), options))).toBe('200')
      expect(await historyOf(user.id)).toEqual(['user.created', 'user.updated'])
    }
  })
})

describe('DELETE of a user that is sent again after a lost response', () => {
  it.each(Object.entries(others))('is applied once and returns 204 with %s in between', async (_, meanwhile) => {
    const user = await newUser(store)
    expect(summary(await send('DELETE', user.id, meanwhile))).toBe('204')
    expect(await historyOf(user.id)).toEqual(['user.created', 'user.erased'])
  })

  it('does not erase a new user with the same email', async () => {
    const user = await newUser(store)
    let later: any
    const meanwhile = async () => (later = await newUser(store, { email: user.email }))
    expect(summary(await send('DELETE', user.id, meanwhile))).toBe('204')
    expect((await call('GET', path(later.id), { token: store.token })).json).toEqual(later)
  })

  it('returns 204 when the token was revoked in between', async () => {
    const own = await newStore()
    const { json } = await createV1(own, v1User())
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => revokeToken(own)),
    )
    const answer = await call('DELETE', `/v1/stores/${own.id}/users/${json.id}`, { token: own.token, bindings: { DB } })
    expect(summary(answer)).toBe('204')
  })

  it('returns 503 and changes nothing when D1 does not respond, as PATCH does', async () => {
    const user = await newUser(store)
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { name: 'X' }],
    ] as const) {
      const { DB } = faultyD1(env.DB, loses('before'))
      const answer = await call(method, path(user.id), { token: store.token, body, bindings: { DB } })
      expect(summary(answer)).toBe('503 service_unavailable')
    }
    expect(await historyOf(user.id)).toEqual(['user.created'])
  })
})
