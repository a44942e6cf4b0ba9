import { beforeAll, describe, expect, it } from 'vitest'
import { call, newAccess, newStore, newUsedStore, newUser, summary, updateAccess, useStore } from '../../support/api.ts'
import { CALLERS, INTEGRATOR } from '../../support/callers.ts'
import { measure } from '../../support/costs.ts'
import { announceAll } from '../../support/cron.ts'
import { feedOf } from '../../support/events.ts'
import { eraseUser, idIn, newProduct, rowsOf } from '../../support/rows.ts'

const store = useStore()
let access: any
let newest: any[]

beforeAll(async () => {
  access = await newAccess(store)
  await updateAccess(store, access.id, { status: 'without_access' })
  await INTEGRATOR.send('PATCH', store, `/users/${access.user.id}`, { body: { name: 'Augusta' } })
  await newAccess(store)
  await INTEGRATOR.send('PATCH', store, `/product_accesses/${access.id}`, { body: { progress: 5 } })
  await INTEGRATOR.send('PATCH', store, `/users/${access.user.id}`, { body: { phone: '1' } })
  await updateAccess(store, access.id, { status: 'with_access', access_due_date: '2000-01-01T00:00:00Z' })
  await announceAll()
  newest = (await feedOf(store)).toReversed()
})

const types = ({ json }: { json: any }) => json.data.map(({ type }: any) => type)

describe.each(CALLERS)('The history at $mount/{store_id}', ({ send }) => {
  const userPath = (query = '') => `/users/${access.user.id}/events?${query}`
  const accessPath = (query = '') => `/product_accesses/${access.id}/events?${query}`

  it('of an access contains all its events, including those of the service, and no others', async () => {
    const answer = await send('GET', store, accessPath())
    expect(types(answer)).toEqual([
      'product_access.expired',
      'product_access.updated',
      'product_access.progressed',
      'product_access.updated',
      'product_access.granted',
    ])
    const data = newest.filter((event) => event.data.product_access_id === access.id)
    expect(answer.json).toEqual({ data, next: null })
  })

  it('of a user contains only user.* events', async () => {
    const answer = await send('GET', store, userPath())
    expect(types(answer)).toEqual(['user.updated', 'user.updated', 'user.created'])
    const ofUser = newest.filter(({ type, data }) => type.startsWith('user.') && data.user_id === access.user.id)
    expect(answer.json).toEqual({ data: ofUser, next: null })
  })

  it.each([1, 2, 3])('is returned in pages of %i that next connects', async (limit) => {
    for (const path of [userPath, accessPath]) {
      const all = (await send('GET', store, path())).json.data
      const found: any[] = []
      for (let next: string | null = ''; next !== null;) {
        const { json } = await send('GET', store, path(`limit=${limit}${next && `&after=${next}`}`))
        expect(json.data.length).toBeLessThanOrEqual(limit)
        expect(json.next).toBe(found.length + limit < all.length ? json.data.at(-1).id : null)
        found.push(...json.data)
        next = json.next
      }
      expect(found).toEqual(all)
    }
  })

  it('is empty after a cursor of another record', async () => {
    const [other] = (await send('GET', store, accessPath())).json.data
    expect((await send('GET', store, userPath(`after=${other.id}`))).json).toEqual({ data: [], next: null })
    expect((await send('GET', store, accessPath('after=4294967295'))).json).toEqual({ data: [], next: null })
  })

  it('ends at the oldest kept event', async () => {
    const own = await newStore()
    const { id, user } = await newAccess(own)
    for (const status of ['without_access', 'with_access']) await updateAccess(own, id, { status })
    const path = `/product_accesses/${id}/events`
    const all = (await send('GET', own, path)).json.data
    const [last, middle] = all
    await rowsOf('delete from events where id > ? and id < ?', await idIn(own, 0), await idIn(own, middle.id))
    expect((await send('GET', own, path)).json).toEqual({ data: [last, middle], next: null })
    expect((await send('GET', own, `${path}?limit=2`)).json).toEqual({ data: [last, middle], next: null })
    expect((await send('GET', own, `${path}?after=${all[2].id}`)).json).toEqual({ data: [], next: null })
    expect((await send('GET', own, `/users/${user.id}/events`)).json).toEqual({ data: [], next: null })
  })

  it('returns 404 not_found for an unknown, erased or other record and for another store', async () => {
    const own = await newStore()
    const { id, user, product } = await newAccess(own)
    await eraseUser(own, user.id)
    for (const path of [
      `/users/${user.id}/events`,
      `/product_accesses/${id}/events`,
      `/users/${product.id}/events`,
      `/product_accesses/${product.id}/events`,
      '/users/4294967295/events',
      '/users/01/events',
      '/product_accesses/abc/events',
    ]) {
      expect(summary(await send('GET', own, path))).toBe('404 not_found')
    }
  })

  it.each(['limit=0', 'after=0', 'type=user.created'])('returns 422 for %s before 404', async (query) => {
    const [field] = query.split('=')
    for (const path of [userPath(query), `/product_accesses/4294967295/events?${query}`]) {
      expect(summary(await send('GET', store, path))).toBe(`422 invalid_parameter: ${field}`)
    }
  })
})

describe('The rows that a history reads', () => {
  const COUNT = 500
  /** Each event is read twice, with its actor, its store and the steps from one event to the next. */
  const ROWS_PER_EVENT = 8

  it('are proportional to the events that it returns, however many the store has', async () => {
    const big = await newUsedStore()
    const { id } = await newAccess(big)
    const measureHistory = (query: string) =>
      measure((bindings) =>
        call('GET', `/v1/stores/${big.id}/product_accesses/${id}/events?${query}`, { token: big.token, bindings }),
      )
    const change = async () => {
      for (let i = 0; i < 4; i++) {
        await updateAccess(big, id, { status: i % 2 ? 'with_access' : 'without_access' })
      }
    }
    await change()
    const before = await measureHistory('limit=3')
    await rowsOf(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT})
        insert into events (id, type, created_at, request_id, attempt, subject_id)
        select (select max(id) from events where id between ?1 and ?1 + 4294967295) + i, 'user.created', 0, 'r', 0, ?1 from n`,
      await idIn(big, 0),
    )
    await change()
    const after = await measureHistory('limit=3')
    expect(after).toMatchObject({ outcome: '200', trips: 1, written: 0, read: before.read })
    expect(after.read).toBeLessThan(50)
    const whole = await measureHistory('limit=9')
    expect(whole.read - after.read).toBeLessThanOrEqual(6 * ROWS_PER_EVENT)
  })
})

describe('The histories of records with equally many events', () => {
  it('contain only the events of their own record', async () => {
    const own = await newStore()
    const user = await newUser(own)
    const accesses: string[] = []
    for (let i = 0; i < 3; i++) {
      const body = { user_id: user.id, product_id: (await newProduct(own)).id }
      accesses.push((await INTEGRATOR.send('POST', own, '/product_accesses', { body })).json.id)
    }
    for (const progress of [1, 2]) {
      for (const id of accesses) {
        await INTEGRATOR.send('PATCH', own, `/product_accesses/${id}`, { body: { progress } })
      }
    }
    for (const id of accesses) {
      const answer = await INTEGRATOR.send('GET', own, `/product_accesses/${id}/events`)
      expect(types(answer)).toEqual([
        'product_access.progressed',
        'product_access.progressed',
        'product_access.granted',
      ])
      expect(new Set(answer.json.data.map(({ data }: any) => data.product_access_id))).toEqual(new Set([id]))
    }
  })
})
