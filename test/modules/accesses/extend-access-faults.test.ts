/**
 * A paid renewal that is sent with its order as the key extends the access once, whatever fails on the way: lost responses,
 * instances and objects that die, and batches that arrive late, in either place.
 */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, call, type CallOptions, createV1, newStore, summary, v1User } from '../../support/api.ts'
import { NOT_RETRIED, RETRIED } from '../../support/d1-errors.ts'
import { faultyD1, loses, losesAnswer, losesConnection } from '../../support/faults.ts'
import { entryOf, newOwnStore } from '../../support/places.ts'
import { claimsOf, eraseUser, eventsOf, insertEvents, type TestStore, useToken } from '../../support/rows.ts'

const DUE = '2027-01-31T23:59:59.999Z'
const ONCE = '2027-02-28T23:59:59.999Z'

const stores: Record<string, TestStore> = {}

beforeAll(async () => {
  stores['shared'] = await newStore()
  stores['own'] = await newOwnStore()
  for (const store of Object.values(stores)) await useToken(store)
})

describe.each(['shared', 'own'] as const)('An extension with a key in a %s place', (place) => {
  const store = () => {
    const found = stores[place]
    if (!found) throw new Error('there is no store')
    return found
  }
  const pathOf = (id: string) => `/v1/stores/${store().id}/product_accesses/${id}`

  interface Order {
    id: string
    user: string
    send: (options?: CallOptions) => ReturnType<typeof call>
  }

  /** A new access, and the request that extends it by a month. */
  async function newOrder(): Promise<Order> {
    const user = (await createV1(store(), v1User())).json
    const slug = `p-${crypto.randomUUID()}`
    await admin('POST', `/stores/${store().id}/products`, { name: 'Course', slug, type: 'course' })
    const body = { user_id: user.id, slug, access_due_date: DUE }
    const { json } = await call('POST', `/v1/stores/${store().id}/product_accesses`, { token: store().token, body })
    const headers = { 'X-Idempotency-Key': `order-${crypto.randomUUID()}` }
    const send = (options: CallOptions = {}) =>
      call('POST', `${pathOf(json.id)}/extend`, { token: store().token, body: { months: 1 }, headers, ...options })
    return { id: json.id, user: user.id, send }
  }

  const updatesOf = async (id: string) =>
    (await eventsOf(store())).filter(
      ({ type, subject_id }) => type === 'product_access.updated' && subject_id % 2 ** 32 === Number(id),
    )

  /** The access has these changes, and the key makes no other one. */
  async function expectReplay({ id, send }: Order, changes: number): Promise<Awaited<ReturnType<typeof call>>> {
    expect(await updatesOf(id)).toHaveLength(changes)
    const again = await send()
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true'])
    expect(await updatesOf(id)).toHaveLength(changes)
    return again
  }

  /** Nothing but the extension has changed the access. */
  async function expectOnce(order: Order): Promise<void> {
    const again = await expectReplay(order, 1)
    const { json, headers } = await call('GET', pathOf(order.id), { token: store().token })
    expect(json.access_due_date).toBe(ONCE)
    expect([again.json, again.headers.get('ETag')]).toEqual([json, headers.get('ETag')])
  }

  it.each([
    ['nothing', async () => {}],
    ['a hundred writes', () => insertEvents(store(), { type: 'user.created', count: 100 })],
    ['the same request', (order: Order) => order.send()],
  ])('is made once when the response of the database is lost, with %s in between', async (_, meanwhile) => {
    const order = await newOrder()
    const { DB, roundTrips } = faultyD1(
      env.DB,
      losesAnswer(() => meanwhile(order)),
    )
    const answer = await order.send({ bindings: { DB } })
    expect([summary(answer), answer.json.access_due_date]).toEqual(['200', ONCE])
    expect(roundTrips()).toBe(2)
    await expectOnce(order)
  })

  it('does not undo what another writer has set in between', async () => {
    const order = await newOrder()
    const theirs = { status: 'without_access', access_due_date: '2032-01-01T00:00:00.000Z' }
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => call('PUT', pathOf(order.id), { token: store().token, body: theirs })),
    )
    const answer = await order.send({ bindings: { DB } })
    expect(summary(answer)).toBe('200')
    expect(answer.json).toMatchObject(theirs)
    await expectReplay(order, 2)
  })

  it('is 404 when the user is erased in between, and brings nobody back', async () => {
    const order = await newOrder()
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => eraseUser(store(), order.user)),
    )
    expect(summary(await order.send({ bindings: { DB } }))).toBe('404 not_found')
    expect(summary(await order.send())).toBe('404 not_found')
    expect(await updatesOf(order.id)).toHaveLength(1)
  })

  it('is made once by the next request when no attempt of the first one got a response', async () => {
    const order = await newOrder()
    const { DB, roundTrips } = faultyD1(env.DB, loses('after'))
    expect(summary(await order.send({ bindings: { DB } }))).toBe('503 service_unavailable')
    expect(roundTrips()).toBe(4)
    await expectOnce(order)
  })

  it.each(['before', 'after'] as const)('is made once when its instance dies %s the commit', async (when) => {
    const order = await newOrder()
    const { promise: died, resolve } = Promise.withResolvers<void>()
    const dies = async () => {
      resolve()
      await new Promise(() => {})
    }
    const { DB } = faultyD1(env.DB, async () => {
      if (when === 'before') await dies()
      return { when: 'after', message: RETRIED, meanwhile: dies }
    })
    // Nobody gets a response of this one.
    void order.send({ bindings: { DB } })
    await died
    const answer = await order.send()
    expect([summary(answer), answer.json.access_due_date]).toEqual(['200', ONCE])
    expect(answer.headers.get('Idempotent-Replayed')).toBe(when === 'after' ? 'true' : null)
    await expectOnce(order)
  })

  it('is made once when its batch arrives after the one that took its place', async () => {
    const retried = await newOrder()
    const first = faultyD1(env.DB, losesConnection)
    expect(summary(await retried.send({ bindings: { DB: first.DB } }))).toBe('200')
    await first.arrive()
    await expectOnce(retried)
    const repeated = await newOrder()
    const second = faultyD1(env.DB, () => ({ when: 'late', message: NOT_RETRIED }))
    expect(summary(await repeated.send({ bindings: { DB: second.DB } }))).toBe('503 service_unavailable')
    expect(summary(await repeated.send())).toBe('200')
    await second.arrive()
    await expectOnce(repeated)
  })

  it('is made once when ten run at the same time, and each loses a response', async () => {
    const order = await newOrder()
    const claims = (await claimsOf(store())).length
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        order.send({ bindings: { DB: faultyD1(env.DB, loses(i % 2 === 0 ? 'before' : 'after', 1)).DB } }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await claimsOf(store())).toHaveLength(claims + 1)
    await expectOnce(order)
  })

  it.runIf(place === 'own')('is made once when the object of the store dies after the commit', async () => {
    const order = await newOrder()
    const object = env.STORES.getByName(String((await entryOf(store())).number))
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => runInDurableObject(object, (_, state) => state.abort('killed')).catch(() => {})),
    )
    expect(summary(await order.send({ bindings: { DB } }))).toBe('200')
    await expectOnce(order)
  })
})
