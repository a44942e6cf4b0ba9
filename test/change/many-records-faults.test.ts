/** A batch whose response from D1 is lost must apply nothing twice, and must return the result of each item. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/openapi.ts'
import { call, newEmail, newStore, newUser, summary, v1User } from '../support/api.ts'
import { summaries } from '../support/batches.ts'
import { type Fault, faultyD1, loses, losesAnswer } from '../support/faults.ts'
import {
  accessesOf,
  eraseUserWith,
  eventsOf,
  insertEvents,
  newProduct,
  revokeToken,
  usersOf,
  type TestStore,
} from '../support/rows.ts'

const send = (store: TestStore, body: object, fault: (trip: number) => Fault, path = 'users'): Promise<Answer> => {
  const { DB } = faultyD1(env.DB, fault)
  return call('POST', `/v1/stores/${store.id}/${path}/batch`, { token: store.token, body, bindings: { DB } })
}

/** Returns the result of each item with its id. */
const lines = (answer: Answer): string[] =>
  summaries(answer).map((line, n) => [line, answer.json.results[n].id].filter(Boolean).join(' '))

/** The store has a user, a product that the user has, and one that nobody has; the items cover all of these. */
async function newCase() {
  const store = await newStore()
  const [had, free] = [await newProduct(store), await newProduct(store)]
  const existing = await newUser(store)
  await call('POST', `/v1/stores/${store.id}/product_accesses`, {
    token: store.token,
    body: { user_id: existing.id, product_id: had.id },
  })
  const email = newEmail()
  const items = [
    v1User({ email, product_accesses: [{ slug: had.slug }, { slug: free.slug }] }),
    v1User({ email }),
    v1User({
      email: existing.email,
      name: 'Changed',
      product_accesses: [{ product_id: had.id, status: 'without_access' }, { product_id: free.id }],
    }),
    v1User({ custom_fields: { x: 1 } }),
    v1User(),
  ]
  return { store, existing, email, items, had, free }
}

const EVENTS = [
  'user.created', 'product_access.granted', 'product_access.granted', 'user.updated', 'product_access.updated',
  'product_access.granted', 'user.created',
] // prettier-ignore

const others: Record<string, (store: TestStore) => Promise<unknown>> = {
  'an equal batch': async () => {},
  'two hundred writes': (store) => insertEvents(store, { type: 'store.updated', count: 200 }),
}

describe('A batch of users that is sent again after a lost response', () => {
  it.each(Object.entries(others))('is applied once and returned with %s in between', async (name, other) => {
    const { store, items, existing } = await newCase()
    const body = { items, on_existing: 'update' }
    const before = (await eventsOf(store)).length
    const meanwhile = () => (name === 'an equal batch' ? send(store, body, () => undefined) : other(store))
    const answer = await send(store, body, losesAnswer(meanwhile))
    const users = await usersOf(store)
    const idOf = (n: number) => users.find(({ email }) => email === items[n]?.email).id % 2 ** 32
    expect(lines(answer)).toEqual([
      `201 ${idOf(0)}`,
      `422 email_taken: email ${idOf(0)}`,
      `200 ${existing.id}`,
      '422 invalid_parameter: custom_fields.x',
      `201 ${idOf(4)}`,
    ])
    const own = (await eventsOf(store)).slice(before).filter(({ request_id }) => request_id.includes('/'))
    expect(own.map(({ type }) => type)).toEqual(EVENTS)
    expect(await accessesOf(store)).toHaveLength(4)
  })

  it('does not create an erased user again, nor the one rejected for the same email', async () => {
    const { store, items, email } = await newCase()
    const answer = await send(
      store,
      { items },
      losesAnswer(() => eraseUserWith(store, email)),
    )
    const summaries = lines(answer).map((line) => line.replace(/ \d+$/, ''))
    expect(summaries.slice(0, 2)).toEqual(['404 not_found', '422 email_taken: email'])
    expect((await usersOf(store)).filter((user) => user.email === email)).toEqual([])
    expect(await accessesOf(store)).toHaveLength(1)
  })

  it('does not create a user later who was rejected the first time', async () => {
    const { store, existing } = await newCase()
    const items = [v1User(), v1User({ email: existing.email })]
    const answer = await send(
      store,
      { items },
      losesAnswer(() => eraseUserWith(store, existing.email)),
    )
    expect(lines(answer)[1]).toBe('422 email_taken: email')
    expect((await usersOf(store)).map(({ email }) => email)).toEqual([items[0]?.email])
  })

  it('does not undo a change by another request in between', async () => {
    const { store, existing } = await newCase()
    const path = `/v1/stores/${store.id}/users/${existing.id}`
    const other = () => call('PATCH', path, { token: store.token, body: { name: 'Later', phone: '2' } })
    const items = [v1User({ email: existing.email, name: 'Batch', avatar: 'z' }), v1User()]
    await send(store, { items, on_existing: 'update' }, losesAnswer(other))
    const user = (await usersOf(store)).find(({ email }) => email === existing.email)
    expect(user).toMatchObject({ name: 'Later', phone: '2', avatar: 'z' })
  })

  it('does not apply an update that changed nothing to a user who was changed in between', async () => {
    const { store, existing } = await newCase()
    const path = `/v1/stores/${store.id}/users/${existing.id}`
    const other = () => call('PATCH', path, { token: store.token, body: { name: 'Later' } })
    const items = [v1User({ email: existing.email }), v1User()]
    const answer = await send(store, { items, on_existing: 'update' }, losesAnswer(other))
    expect(lines(answer)[0]).toBe(`200 ${existing.id}`)
    expect((await usersOf(store)).find(({ email }) => email === existing.email).name).toBe('Later')
  })

  it('returns its results when the token was revoked in between', async () => {
    const { store, items } = await newCase()
    const answer = await send(
      store,
      { items },
      losesAnswer(() => revokeToken(store)),
    )
    expect(lines(answer)[0]).toMatch(/^201 /)
  })

  it('hashes and stores each password once, whichever round trip is lost', async () => {
    for (const trip of [0, 1]) {
      const { store } = await newCase()
      const items = [v1User({ password: 'x' }), v1User()]
      const answer = await send(store, { items }, (n) => (n === trip ? losesAnswer()(0) : undefined))
      expect(lines(answer).map((line) => line.slice(0, 3))).toEqual(['201', '201'])
      const created = (await eventsOf(store)).filter(({ type }) => type === 'user.created')
      expect(created).toHaveLength(3)
    }
  })

  it('returns 503 and writes nothing when D1 does not respond', async () => {
    const { store, items } = await newCase()
    const before = await eventsOf(store)
    expect(summary(await send(store, { items }, loses('before')))).toBe('503 service_unavailable')
    expect(await eventsOf(store)).toEqual(before)
  })

  it('can be sent again by the client without applying anything twice', async () => {
    const { store, items } = await newCase()
    await send(store, { items }, loses('after', 10))
    const users = await usersOf(store)
    const answer = await send(store, { items, on_existing: 'skip' }, () => undefined)
    expect(lines(answer).map((line) => line.slice(0, 3))).toEqual(['200', '422', '200', '422', '200'])
    expect(await usersOf(store)).toEqual(users)
  })
})

describe('A batch of accesses that is sent again after a lost response', () => {
  it.each(Object.entries(others))('is applied once and returned with %s in between', async (name, other) => {
    const { store, existing, had, free } = await newCase()
    const items = [
      { user_id: existing.id, product_id: free.id },
      { user_id: existing.id, product_id: free.id },
      { user_id: existing.id, product_id: had.id, status: 'without_access' },
    ]
    const body = { items, on_existing: 'update' }
    const before = (await eventsOf(store)).length
    const meanwhile = () =>
      name === 'an equal batch' ? send(store, body, () => undefined, 'product_accesses') : other(store)
    const answer = await send(store, body, losesAnswer(meanwhile), 'product_accesses')
    const [first, second] = (await accessesOf(store)).map(({ id }) => id % 2 ** 32)
    expect(lines(answer)).toEqual([`201 ${second}`, `422 access_exists: product_id ${second}`, `200 ${first}`])
    const own = (await eventsOf(store)).slice(before).filter(({ request_id }) => request_id.includes('/'))
    expect(own.map(({ type }) => type)).toEqual(['product_access.granted', 'product_access.updated'])
  })

  it('does not undo a change by another request in between', async () => {
    const { store, existing, had, free } = await newCase()
    const [access] = await accessesOf(store)
    const path = `/v1/stores/${store.id}/product_accesses/${access.id % 2 ** 32}`
    const later = { status: 'with_access', access_due_date: '2031-01-01T00:00:00.000Z' }
    const other = () => call('PUT', path, { token: store.token, body: later })
    const items = [
      { user_id: existing.id, product_id: had.id, status: 'without_access' },
      { user_id: existing.id, product_id: free.id },
    ]
    await send(store, { items, on_existing: 'update' }, losesAnswer(other), 'product_accesses')
    const [row] = await accessesOf(store)
    expect([row.status, row.access_due_date]).toEqual(['with_access', Date.UTC(2031, 0, 1)])
  })

  it('does not grant an access again when the user was erased in between', async () => {
    const { store, existing, free } = await newCase()
    const items = [{ user_id: existing.id, product_id: free.id }]
    const erase = () => eraseUserWith(store, existing.email)
    const answer = await send(store, { items }, losesAnswer(erase), 'product_accesses')
    expect(lines(answer)).toEqual(['404 not_found'])
    expect(await accessesOf(store)).toEqual([])
  })
})
