/** The job counts every store, and other files share the database, so each test reads only its own stores. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { countStats } from '../../../src/modules/statistics/count-statistics.ts'
import { STATS } from '../../../src/modules/statistics/limits.ts'
import { admin, newStore, updateAccess } from '../../support/api.ts'
import { announceAll, countAll } from '../../support/cron.ts'
import { sharedDb } from '../../support/db.ts'
import { faultyD1, losesAnswer } from '../../support/faults.ts'
import { idIn, insertEvents, newProduct, numberOf, rowsOf, storeNumber, type TestStore } from '../../support/rows.ts'

const MINUTE = 60_000
const DAY = 86_400_000

const at = (time: number) => new Date(time).toISOString()

/** Throws if a store could not be counted. */
async function run(now = Date.now(), d1 = env.DB) {
  const counted = await countStats(sharedDb(d1), { now, afterStore: 0 })
  if (counted.error !== undefined) throw counted.error
  return counted
}

/** Returns the totals, and those of each product in the order of their ids. */
async function statsOf(store: TestStore): Promise<any> {
  const { totals, products } = (await admin('GET', `/stores/${store.id}/stats`)).json
  return {
    ...totals,
    products: products
      .toSorted((a: any, b: any) => Number(a.id) - Number(b.id))
      .map(({ accesses, in_force }: any) => [accesses, in_force]),
  }
}

/** Counts the rows themselves, as the statistics must show them at this time. */
async function rowsNow(store: TestStore, now = Date.now()): Promise<any> {
  const number = await storeNumber(store)
  const inForce = `status = 'with_access' and (access_due_date is null or access_due_date >= ${now})`
  const [totals] = await rowsOf(
    `select (select count(*) from users where store = ?1) as users, count(*) as accesses,
        count(*) filter (where ${inForce}) as in_force,
        count(*) filter (where ${inForce} and access_due_date <= ${now + 7 * DAY}) as ending_in_7_days
      from product_accesses where store = ?1`,
    number,
  )
  const products = await rowsOf(
    `select (select count(*) from product_accesses where product_id = products.id) as accesses,
        (select count(*) from product_accesses where product_id = products.id and ${inForce}) as in_force
      from products where store = ? order by id`,
    number,
  )
  return { ...totals, products: products.map(({ accesses, in_force }) => [accesses, in_force]) }
}

/** Inserts users with an access each and their events, in the way of an import. The first id is returned. */
async function seed(store: TestStore, count: number, due: number | null = null): Promise<number> {
  const product = await newProduct(store)
  const users = await insertEvents(store, { type: 'user.created', count })
  const accesses = await insertEvents(store, { type: 'product_access.granted', count })
  const [number, product_id] = [await storeNumber(store), await idIn(store, product.id)]
  await rowsOf(
    `insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language, created_at, updated_at, event_id)
      select id, ?2, id || '', id || '', 'A', 'B', 'a', 'b', 'student', 'EN', 0, 0, id from events where id between ?1 and ?1 + ?3 - 1`,
    users[0],
    number,
    count,
  )
  await rowsOf(
    `insert into product_accesses (id, store, user_id, product_id, status, access_due_date, progress, passed,
        created_at, event_id, changed_by)
      select id, ?2, id - ?3, ?4, 'with_access', ?5, 0, 0, 0, id, id from events where id between ?1 and ?1 + ?3 - 1`,
    accesses[0],
    number,
    count,
    product_id,
    due,
  )
  return accesses[0] ?? 0
}

/** Stores of other files would use up the limit of a run, so they are counted, and left alone at every later time. */
beforeAll(async () => {
  await countAll()
  await rowsOf('update store_stats set counted_at = ?1', Date.now() + 10_000 * DAY)
})

/** Smaller chunks, so that a few records need several. */
function useChunks(rows: number): void {
  beforeAll(() => {
    const { rows: real } = STATS
    Object.assign(STATS, { rows })
    return () => void Object.assign(STATS, { rows: real })
  })
}

describe('A run of the job that counts', () => {
  it('counts grants, changes, erasures and expiries', async () => {
    const store = await newStore()
    const now = Date.now()
    const first = await seed(store, 5)
    await seed(store, 3, now + 3 * DAY)
    await run(now)
    expect(await statsOf(store)).toEqual({
      users: 8,
      accesses: 8,
      in_force: 8,
      ending_in_7_days: 3,
      products: [
        [5, 5],
        [3, 3],
      ],
    })
    const n = (i: number) => String(numberOf(first) + i)
    await updateAccess(store, n(0), { status: 'without_access' })
    await updateAccess(store, n(1), { access_due_date: at(now + DAY) })
    await updateAccess(store, n(2), { access_due_date: '2020-01-01T00:00:00Z' })
    await admin('DELETE', `/stores/${store.id}/users/${numberOf(first) - 5 + 3}`)
    expect(await statsOf(store)).toMatchObject({ users: 8, accesses: 8 })
    await run(now + MINUTE)
    const counted = { users: 7, accesses: 7, in_force: 5, ending_in_7_days: 4 }
    expect(await statsOf(store)).toEqual({
      ...counted,
      products: [
        [4, 2],
        [3, 3],
      ],
    })
    await announceAll(now + 4 * DAY)
    await run(now + 4 * DAY)
    expect(await statsOf(store)).toEqual(await rowsNow(store, now + 4 * DAY))
    expect(await statsOf(store)).toMatchObject({ in_force: 1, ending_in_7_days: 0 })
  })

  it('counts accesses that come within seven days of their end and that end, though nothing happens to them', async () => {
    const store = await newStore()
    const now = Date.now()
    await seed(store, 5, now + 10 * DAY)
    await seed(store, 4, now + 10 * DAY + 1)
    await run(now)
    expect(await statsOf(store)).toMatchObject({ in_force: 9, ending_in_7_days: 0 })
    await run(now + 3 * DAY - 1)
    expect(await statsOf(store)).toMatchObject({ ending_in_7_days: 0 })
    await run(now + 3 * DAY)
    expect(await statsOf(store)).toMatchObject({ in_force: 9, ending_in_7_days: 5 })
    await run(now + 3 * DAY + MINUTE)
    expect(await statsOf(store)).toMatchObject({ ending_in_7_days: 9 })
    await run(now + 10 * DAY)
    expect(await statsOf(store)).toMatchObject({ in_force: 9 })
    await run(now + 10 * DAY + MINUTE)
    expect(await statsOf(store)).toMatchObject({
      in_force: 0,
      ending_in_7_days: 0,
      products: [
        [5, 0],
        [4, 0],
      ],
    })
  })

  it('counts a store in several batches, and a large store does not keep another one waiting', async () => {
    const [large, small] = [await newStore(), await newStore()]
    await seed(large, 2 * STATS.events)
    await seed(small, 2)
    // The first turn is a round trip that plans, one that counts and one that writes.
    const { DB } = faultyD1(env.DB, (n) => (n > 2 ? { when: 'before', message: 'killed' } : undefined))
    await expect(run(Date.now(), DB)).rejects.toThrow('killed')
    expect(await statsOf(small)).toMatchObject({ users: 2, accesses: 2 })
    await countAll()
    expect(await statsOf(large)).toEqual(await rowsNow(large))
  })

  it('reads a few rows a minute of a store in which nothing has happened', async () => {
    const store = await newStore()
    await seed(store, 300, Date.now() + 100 * DAY)
    await countAll()
    const idle = faultyD1(env.DB)
    await run(Date.now() + DAY, idle.DB)
    const [{ stores }] = await rowsOf('select count(*) as stores from stores')
    expect(idle.rowsRead()).toBeLessThan(20 * stores)
    expect(idle.rowsWritten()).toBe(0)
  })

  it('counts a store again after a hundred times the time that the last count took, and then everything', async () => {
    const store = await newStore()
    const now = Date.now()
    await seed(store, 2)
    await run(now)
    await rowsOf('update store_stats set count_ms = 3000 where id = ?', await idIn(store, 1))
    await seed(store, 3)
    await run(now + 300_000 - 1)
    expect(await statsOf(store)).toMatchObject({ users: 2 })
    await run(now + 300_000)
    expect(await statsOf(store)).toEqual(await rowsNow(store))
  })

  it('leaves out only the store that cannot be counted', async () => {
    await countAll()
    const [poisoned, other] = [await newStore(), await newStore()]
    for (const store of [poisoned, other]) await insertEvents(store, { type: 'user.created', count: 1 })
    const number = await storeNumber(poisoned)
    await rowsOf(
      `create trigger poison before insert on day_stats when new.id >> 32 = ${number}
        begin select raise(abort, 'poison'); end`,
    )
    await expect(run()).rejects.toThrow('poison')
    await rowsOf('drop trigger poison')
    const daysOf = async (store: TestStore) => {
      const { days } = (await admin('GET', `/stores/${store.id}/stats`)).json
      return days.reduce((sum: number, { users_created }: any) => sum + users_created, 0)
    }
    expect([await daysOf(poisoned), await daysOf(other)]).toEqual([0, 1])
    await countAll()
    expect(await daysOf(poisoned)).toBe(1)
  })

  it('counts everything once when three runs overlap', async () => {
    const store = await newStore()
    await seed(store, 300, Date.now() + 2 * DAY)
    await Promise.all([run(), run(), run()])
    await countAll()
    expect(await statsOf(store)).toEqual(await rowsNow(store))
    const [day] = (await admin('GET', `/stores/${store.id}/stats?days=1`)).json.days
    expect(day).toMatchObject({ users_created: 300, accesses_granted: 300 })
  })

  it('never goes back in time when a late run follows a newer one', async () => {
    const store = await newStore()
    const now = Date.now()
    await seed(store, 3, now + 7 * DAY + 60_000)
    await run(now)
    await run(now + 120_000)
    expect(await statsOf(store)).toMatchObject({ in_force: 3, ending_in_7_days: 3 })
    await insertEvents(store, { type: 'user.created', count: 1 })
    await run(now)
    expect(await statsOf(store)).toMatchObject({ in_force: 3, ending_in_7_days: 3 })
  })
})

describe('A count in chunks', () => {
  useChunks(7)

  it('has every record of every store once, whatever the chunks divide', async () => {
    const stores = await Promise.all([1, 2, 3].map(() => newStore()))
    for (const [i, store] of stores.entries()) {
      await seed(store, 5 + 9 * i, Date.now() + (i + 5) * DAY)
      await seed(store, 2 * i)
      await newProduct(store)
    }
    await countAll()
    for (const store of stores) expect(await statsOf(store)).toEqual(await rowsNow(store))
  })

  it('repairs wrong numbers, and sets products without accesses to zero', async () => {
    const store = await newStore()
    const first = await seed(store, 8)
    await newProduct(store)
    await countAll()
    await rowsOf('update store_stats set users = 7, accesses = -3, in_force = 900 where id = ?', await idIn(store, 1))
    await rowsOf('update products set accesses = 5, in_force = 50 where store = ?', await storeNumber(store))
    await rowsOf('delete from product_accesses where id >= ?1 and id < ?1 + 8', first)
    await insertEvents(store, { type: 'user.updated', count: 1 })
    await countAll()
    expect(await statsOf(store)).toEqual(await rowsNow(store))
    expect(await statsOf(store)).toMatchObject({
      products: [
        [0, 0],
        [0, 0],
      ],
    })
  })

  it('is right after the next count when users are created and erased and accesses change on the way', async () => {
    const store = await newStore()
    const first = await seed(store, 40)
    const n = (i: number) => String(numberOf(first) + i)
    let changes = 0
    const { DB } = faultyD1(env.DB, async () => {
      if (++changes > 4) return undefined
      await updateAccess(store, n(changes), { status: 'without_access' })
      await admin('DELETE', `/stores/${store.id}/users/${Number(n(changes + 10)) - 40}`)
      await seed(store, 3)
      return undefined
    })
    await run(Date.now(), DB)
    await countAll()
    expect(await statsOf(store)).toEqual(await rowsNow(store))
  })
})

describe('A run of the job that counts, while D1 fails', () => {
  it.each([0, 1, 2])('counts everything once when the response of round trip %i is lost', async (trip) => {
    const store = await newStore()
    await seed(store, STATS.events, Date.now() + DAY)
    const { DB } = faultyD1(env.DB, (n) => (n === trip ? losesAnswer()(0) : undefined))
    await run(Date.now(), DB)
    await countAll()
    expect(await statsOf(store)).toEqual(await rowsNow(store))
  })

  it.each([1, 2, 3])('is completed by the next run when it was killed after round trip %i', async (trips) => {
    const store = await newStore()
    await seed(store, STATS.events, Date.now() + DAY)
    const { DB } = faultyD1(env.DB, (n) => (n >= trips ? { when: 'before', message: 'killed' } : undefined))
    await expect(run(Date.now(), DB)).rejects.toThrow('killed')
    await countAll()
    expect(await statsOf(store)).toEqual(await rowsNow(store))
  })
})
