import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  createV1,
  newAccess,
  newStore,
  refused,
  summary,
  TIMESTAMP,
  updateAccess,
  v1User,
} from '../../support/api.ts'
import { useStillClock } from '../../support/clock.ts'
import { measure } from '../../support/costs.ts'
import { countAll, runMinutely } from '../../support/cron.ts'
import { idIn, insertAccess, insertEvents, numberOf, rowsOf, storeNumber, type TestStore } from '../../support/rows.ts'

useStillClock()

const DAY = 24 * 60 * 60 * 1000
const NOTHING = { users_created: 0, users_erased: 0, accesses_granted: 0, accesses_updated: 0, accesses_expired: 0 }

const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
/** Returns noon of the day `days` days ago. */
const noonBefore = (days: number) => Date.parse(`${dayBefore(days)}T12:00:00Z`)

/** Lets the job count, and returns the statistics of the store. */
async function statsOf(store: { id: string }, query = ''): Promise<any> {
  await countAll()
  return (await admin('GET', `/stores/${store.id}/stats${query}`)).json
}

/** Inserts products with the names P0, P1 and so on, and returns their ids. */
async function insertProducts(store: TestStore, count: number): Promise<number[]> {
  const ids = await insertEvents(store, { type: 'product.created', count })
  await rowsOf(
    `insert into products (id, store, slug, name, type, created_at, event_id)
      select id, id >> 32, 'p' || n, 'P' || n, 'course', 0, id
      from (select id, cast(id - ?1 as integer) as n from events where id between ?1 and ?2)`,
    ids[0],
    ids.at(-1),
  )
  return ids
}

/** Gives a user every product whose position in the list has a remainder of more than `least` when divided by 4. */
async function insertAccesses(store: TestStore, user: string, products: number[], least: number): Promise<void> {
  const count = products.filter((_, i) => i % 4 > least).length
  const [first] = await insertEvents(store, { type: 'product_access.granted', count })
  await rowsOf(
    `insert into product_accesses (id, store, user_id, product_id, status, progress, passed, created_at, event_id, changed_by)
      select n.id, store, ?2, product_id, 'with_access', 0, 0, 0, n.id, n.id
      from (select ?1 + row_number() over (order by id) - 1 as id, id as product_id, store from products
        where store = ?3 and (id - ?4) % 4 > ?5) n`,
    first,
    await idIn(store, user),
    await storeNumber(store),
    products[0],
    least,
  )
}

/** Returns the days with at least one event. */
function busyDays({ days }: any): any[] {
  return days.filter((day: object) => Object.values(day).some((value) => Number(value) > 0))
}

describe('GET /admin/stores/:store_id/stats', () => {
  it('returns zeros for a store in which nothing has happened, before and after the job has counted it', async () => {
    const store = await newStore()
    const expected = {
      totals: { users: 0, accesses: 0, in_force: 0, ending_in_7_days: 0 },
      products: [],
      days: Array.from({ length: 30 }, (_, i) => ({ day: dayBefore(29 - i), ...NOTHING })),
      as_of: expect.stringMatching(TIMESTAMP),
    }
    const { json, status } = await admin('GET', `/stores/${store.id}/stats`)
    expect(status).toBe(200)
    expect(json).toEqual(expected)
    expect(await statsOf(store)).toEqual(expected)
  })

  it.each([1, 2, 90])('lists as many days as requested: %i', async (days) => {
    const store = await newStore()
    const stats = await statsOf(store, `?days=${days}`)
    expect(stats.days).toHaveLength(days)
    expect(stats.days[0].day).toBe(dayBefore(days - 1))
    expect(stats.days.at(-1).day).toBe(dayBefore(0))
  })

  it.each(['0', '91', '-1', '1.5', '', 'ten', '1e1'])('returns 422 for the days %j', async (days) => {
    const answer = await admin('GET', `/stores/nobody/stats?days=${days}`)
    expect(summary(answer)).toBe('422 invalid_parameter: days')
    expect(refused(answer)).toEqual({ days })
  })

  it('returns 404 for an unknown store and 422 for a repeated parameter', async () => {
    expect(summary(await admin('GET', '/stores/nobody/stats'))).toBe('404 not_found')
    expect(summary(await admin('GET', '/stores/nobody/stats?days=1&days=2'))).toBe('422 invalid_parameter: days')
  })

  it('counts the users, the accesses and what happened today, without requests that change nothing', async () => {
    const store = await newStore()
    const { json: erased } = await createV1(store, v1User())
    await createV1(store, v1User())
    const { id, product } = await newAccess(store, { name: 'Algebra' })
    await updateAccess(store, id, { status: 'without_access' })
    await updateAccess(store, id, { status: 'without_access' })
    await admin('PATCH', `/stores/${store.id}/product_accesses/${id}`, { progress: 5 })
    await admin('DELETE', `/stores/${store.id}/users/${erased.id}`)
    const counts = { ...NOTHING, users_created: 3, users_erased: 1, accesses_granted: 1, accesses_updated: 1 }
    expect(await statsOf(store, '?days=1')).toEqual({
      totals: { users: 2, accesses: 1, in_force: 0, ending_in_7_days: 0 },
      products: [{ id: product.id, name: 'Algebra', accesses: 1, in_force: 0 }],
      days: [{ day: dayBefore(0), ...counts }],
      as_of: expect.stringMatching(TIMESTAMP),
    })
  })

  it('counts each event on its day in UTC, from the first to the last millisecond, and keeps the counts when the events are purged', async () => {
    const store = await newStore()
    const midnight = Date.parse(`${dayBefore(3)}T00:00:00Z`)
    await insertEvents(store, { type: 'user.created', count: 4, created_at: noonBefore(10) })
    await insertEvents(store, { type: 'product_access.granted', count: 3, created_at: midnight - 1 })
    await insertEvents(store, { type: 'product_access.updated', count: 2, created_at: midnight })
    await insertEvents(store, { type: 'product_access.expired', count: 1, created_at: midnight + DAY - 1 })
    await insertEvents(store, { type: 'product_access.expiring', count: 7, created_at: noonBefore(1) })
    const ofThirdDay = { day: dayBefore(3), ...NOTHING, accesses_updated: 2, accesses_expired: 1 }
    const expected = [
      { day: dayBefore(10), ...NOTHING, users_created: 4 },
      { day: dayBefore(4), ...NOTHING, accesses_granted: 3 },
      ofThirdDay,
    ]
    expect(busyDays(await statsOf(store, '?days=11'))).toEqual(expected)
    await rowsOf('delete from events where id >= ? and id < ?', await idIn(store, 1), await idIn(store, 15))
    expect(busyDays(await statsOf(store, '?days=11'))).toEqual(expected)
    expect(busyDays(await statsOf(store, '?days=4'))).toEqual([ofThirdDay])
  })

  it('lists the 20 products with the most accesses, and reads at most 200 rows in one trip after the look-up of the store', async () => {
    const store = await newStore()
    const products = await insertProducts(store, 45)
    const { json: users } = await admin('POST', `/stores/${store.id}/users/batch`, {
      items: [1, 2, 3].map(() => v1User()),
    })
    for (const [least, { id }] of users.results.entries()) await insertAccesses(store, id, products, least)
    const [first] = await insertEvents(store, { type: 'user.created', count: 90 })
    await rowsOf(
      `update events set created_at = ?2 - (id - ?1) * ${DAY} where id >= ?1 and id < ?1 + 90`,
      first,
      noonBefore(0),
    )
    const stats = await statsOf(store, '?days=90')
    expect(stats.products.map(({ accesses }: any) => accesses)).toEqual([
      ...Array.from({ length: 11 }, () => 3),
      ...Array.from({ length: 9 }, () => 2),
    ])
    expect(stats.products[0]).toEqual({ id: String(numberOf(products[3] ?? 0)), name: 'P3', accesses: 3, in_force: 3 })
    expect(busyDays(stats)).toHaveLength(90)
    const send = (bindings: object) =>
      call('GET', `/admin/stores/${store.id}/stats?days=90`, { token: env.ADMIN_TOKEN, bindings })
    const { trips, read, written } = await measure(send)
    expect([trips, written]).toEqual([2, 0])
    expect(read).toBeLessThanOrEqual(200)
  })

  it('lists the products without accesses after the others, by their ids', async () => {
    const store = await newStore()
    const products = (await insertProducts(store, 22)).map((id) => String(numberOf(id)))
    const { json: user } = await createV1(store, v1User())
    await insertAccess(store, { user_id: user.id, product_id: products[21] ?? '' })
    const listed = (await statsOf(store)).products.map(({ id }: any) => id)
    expect(listed).toEqual([products[21], ...products.slice(0, 19)])
  })

  it('shows as_of: the first event that is not counted, and otherwise the last run', async () => {
    const store = await newStore()
    const asOf = async () => Date.parse((await admin('GET', `/stores/${store.id}/stats`)).json.as_of)
    const [{ created_at: created }] = await rowsOf('select created_at from events where id = ?', await idIn(store, 1))
    expect(await asOf()).toBeLessThanOrEqual(created)
    const now = Date.now()
    await countAll(now)
    await runMinutely(now)
    expect(await asOf()).toBe(now)
    await insertEvents(store, { type: 'user.created', count: 1, created_at: now - 1000 })
    expect(await asOf()).toBe(now - 1000)
  })
})
