/** Which accesses a bulk change matches, and what it makes of them. */
import { describe, expect, it } from 'vitest'
import { newStore, updateAccess } from '../../support/api.ts'
import { accessOf, type Campus, carryOut, newCampus, post, read, run } from '../../support/bulk.ts'
import { accessesOf, insertAccess, newProduct, rowsOf, storeNumber } from '../../support/rows.ts'
import { eventsOf } from '../../support/webhooks.ts'

const DAY = 86_400_000
const JANUARY = Date.UTC(2030, 0, 1)
const CLOSE = { status: 'without_access' }

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

/** Sets the due dates of the accesses, in their order. */
async function setDates({ store, accesses }: Campus, dates: (number | null)[]): Promise<void> {
  for (const [i, date] of dates.entries()) {
    const access_due_date = date === null ? null : iso(date)
    await updateAccess(store, accesses[i] ?? '', { access_due_date })
  }
}

/** Returns the accesses that have been closed, as positions. */
async function closed({ store }: Campus): Promise<number[]> {
  return (await accessesOf(store)).flatMap(({ status }, i) => (status === 'without_access' ? [i] : []))
}

describe('The filter of a bulk change', () => {
  it('selects a product, users, or both', async () => {
    const fields = { users: 3, products: 2 }
    const [one, two, three] = [await newCampus(fields), await newCampus(fields), await newCampus(fields)]
    await run(one, { filter: { product_id: one.products[1] }, change: CLOSE })
    expect(await closed(one)).toEqual([3, 4, 5])
    await run(two, { filter: { user_ids: [two.users[2], two.users[0], two.users[0]] }, change: CLOSE })
    expect(await closed(two)).toEqual([0, 2, 3, 5])
    const both = { product_id: three.products[1], user_ids: [three.users[0]] }
    expect(await run(three, { filter: both, change: CLOSE })).toMatchObject({ matched: 1, changed: 1 })
    expect(await closed(three)).toEqual([3])
  })

  it('compares due dates: due_after is inclusive, due_before exclusive, and no date matches neither', async () => {
    const dates = [JANUARY - 1, JANUARY, JANUARY + 1, null]
    const [one, two] = [await newCampus({ users: 4 }), await newCampus({ users: 4 })]
    for (const campus of [one, two]) await setDates(campus, dates)
    await run(one, { filter: { due_after: iso(JANUARY) }, change: CLOSE })
    expect(await closed(one)).toEqual([1, 2])
    await run(two, { filter: { due_before: iso(JANUARY) }, change: CLOSE })
    expect(await closed(two)).toEqual([0])
  })

  it('selects by status', async () => {
    const campus = await newCampus({ users: 3 })
    await updateAccess(campus.store, campus.accesses[1] ?? '', CLOSE)
    const { matched } = await run(campus, {
      filter: { status: 'without_access' },
      change: { access_due_date: iso(JANUARY) },
    })
    expect(matched).toBe(1)
    expect((await accessesOf(campus.store)).map((row) => row.access_due_date)).toEqual([null, JANUARY, null])
  })

  it('compares in_force with the time of the request, not of the processing', async () => {
    for (const [in_force, expected] of [
      [true, [0, 1, 3]],
      [false, [2, 4]],
    ] as const) {
      const campus = await newCampus({ users: 5 })
      const { id, created_at } = await post(campus, { filter: { in_force }, change: { extend_days: 1 } })
      const posted = Date.parse(created_at)
      await setDates(campus, [null, posted, posted - 1, JANUARY])
      await updateAccess(campus.store, campus.accesses[4] ?? '', CLOSE)
      const before = await accessesOf(campus.store)
      await carryOut(campus)
      expect(await read(campus, id)).toMatchObject({ matched: expected.length })
      const moved = (await accessesOf(campus.store)).flatMap((row, i) =>
        row.access_due_date === before[i].access_due_date ? [] : [i],
      )
      expect(moved).toEqual(expected.filter((i) => before[i].access_due_date !== null))
    }
  })

  it('reaches no access of another store', async () => {
    const [campus, other] = [await newCampus({ users: 1 }), await newCampus({ users: 1 })]
    await run(campus, { filter: {}, change: CLOSE })
    expect(await closed(other)).toEqual([])
  })

  it('does not reach an access that is granted after the request', async () => {
    const campus = await newCampus({ users: 1 })
    await post(campus, { filter: {}, change: CLOSE })
    const { id: product_id } = await newProduct(campus.store)
    await insertAccess(campus.store, { user_id: campus.users[0] ?? '', product_id })
    await carryOut(campus)
    expect(await closed(campus)).toEqual([0])
  })
})

describe('The change of a bulk change', () => {
  it('extends the due date, or the time of the request if that is later; no date stays', async () => {
    const campus = await newCampus({ users: 3 })
    await setDates(campus, [JANUARY, Date.UTC(2020, 0, 1), null])
    const { created_at, changed, unchanged } = await run(campus, { filter: {}, change: { extend_days: 30 } })
    const dates = (await accessesOf(campus.store)).map((row) => row.access_due_date)
    expect(dates).toEqual([JANUARY + 30 * DAY, Date.parse(created_at) + 30 * DAY, null])
    expect([changed, unchanged]).toEqual([2, 1])
  })

  it('does not move a date beyond the year 9999', async () => {
    const campus = await newCampus({ users: 2 })
    const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
    await setDates(campus, [last - DAY, last - DAY + 1])
    expect(await run(campus, { filter: {}, change: { extend_days: 1 } })).toMatchObject({ changed: 1, unchanged: 1 })
    expect((await accessesOf(campus.store)).map((row) => row.access_due_date)).toEqual([last, last - DAY + 1])
  })

  it('sets a date, removes it, and sets the status together with it', async () => {
    const campus = await newCampus({ users: 1 })
    await run(campus, { filter: {}, change: { access_due_date: '2030-01-01T00:00:00Z', ...CLOSE } })
    const [id = ''] = campus.accesses
    expect(await accessOf(campus, id)).toMatchObject({ access_due_date: iso(JANUARY), status: 'without_access' })
    await run(campus, { filter: {}, change: { access_due_date: null } })
    expect(await accessOf(campus, id)).toMatchObject({ access_due_date: null, status: 'without_access' })
    const [, event] = (await eventsOf(campus.store)).slice(-3)
    expect(event.data.changes).toEqual({ access_due_date: { from: iso(JANUARY), to: null } })
  })

  it('leaves the access as the update does: its ETag, and when its expiry is announced', async () => {
    const change = { access_due_date: iso(JANUARY), status: 'with_access' }
    const rows: any[] = []
    for (const isBulk of [false, true]) {
      const campus = await newCampus({ users: 2 })
      const ids = campus.accesses
      await rowsOf(
        `update product_accesses set notified_at = 5, expired_at = 6, status = 'without_access', access_due_date = 4
          where store = ?`,
        await storeNumber(campus.store),
      )
      await rowsOf('update product_accesses set access_due_date = ? where id & 4294967295 = ?', JANUARY, ids[1])
      if (isBulk) await run(campus, { filter: {}, change })
      else for (const id of ids) await updateAccess(campus.store, id, change)
      const accesses = await accessesOf(campus.store)
      for (const row of accesses) expect(row.changed_by).toBe(row.event_id)
      rows.push(
        accesses.map(({ notified_at, expired_at, status, access_due_date, event_id, id }) => ({
          notified_at,
          expired_at,
          status,
          access_due_date,
          isChanged: event_id > id,
        })),
      )
    }
    expect(rows[1]).toEqual(rows[0])
    expect(rows[1]).toMatchObject([{ notified_at: null, expired_at: null }, { expired_at: null }])
  })

  it('is checked when the access is reached: what others have changed meanwhile counts', async () => {
    const campus = await newCampus({ users: 2 })
    const { id } = await post(campus, { filter: { status: 'with_access' }, change: { access_due_date: iso(JANUARY) } })
    await updateAccess(campus.store, campus.accesses[0] ?? '', CLOSE)
    await carryOut(campus)
    expect(await read(campus, id)).toMatchObject({ matched: 1, changed: 1 })
  })

  it('works in a store that has no access', async () => {
    expect(await run({ store: await newStore() }, { filter: {}, change: CLOSE })).toMatchObject({
      state: 'done',
      progress: 100,
      matched: 0,
    })
  })
})
