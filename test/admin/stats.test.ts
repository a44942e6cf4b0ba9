import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { admin, call, createV1, newAccess, newStore, refused, summary, updateAccess, v1User } from '../support/api.ts'
import { measure, plansOf } from '../support/costs.ts'
import { idIn, insertEvents, rowsOf } from '../support/rows.ts'

const DAY = 24 * 60 * 60 * 1000
const NOTHING = { users_created: 0, accesses_granted: 0, accesses_updated: 0, accesses_expired: 0 }

const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
/** Returns noon of the day `days` days ago. */
const noonBefore = (days: number) => Date.parse(`${dayBefore(days)}T12:00:00Z`)

async function statsOf(store: { id: string }, query = ''): Promise<any> {
  return (await admin('GET', `/stores/${store.id}/stats${query}`)).json
}

/** Returns the days with at least one event. */
function busyDays({ days }: any): any[] {
  return days.filter((day: object) => Object.values(day).some((value) => Number(value) > 0))
}

/** Creates a store and moves its first events into the past, so that it is `days` days old. */
async function newStoreOf(days: number) {
  const store = await newStore()
  const first = await idIn(store, 1)
  await rowsOf('update events set created_at = ? where id in (?, ?)', noonBefore(days), first, first + 1)
  return store
}

/** Deletes the oldest events as the hourly job does. */
async function purge(store: { id: string; token: string }, count: number): Promise<void> {
  const first = await idIn(store, 1)
  await rowsOf('delete from events where id >= ? and id < ?', first, first + count)
}

describe('GET /admin/stores/:store_id/stats', () => {
  it('lists 30 days in UTC from the oldest to today, including days without events', async () => {
    const store = await newStore()
    const { json, status } = await admin('GET', `/stores/${store.id}/stats`)
    expect(status).toBe(200)
    expect(json.days).toEqual(Array.from({ length: 30 }, (_, i) => ({ day: dayBefore(29 - i), ...NOTHING })))
    expect(json.complete).toBe(true)
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

  it('counts the changes of today, without requests that change nothing', async () => {
    const store = await newStore()
    await createV1(store, v1User())
    const { id } = await newAccess(store)
    await updateAccess(store, id, { status: 'without_access' })
    await updateAccess(store, id, { status: 'without_access' })
    await admin('PATCH', `/stores/${store.id}/product_accesses/${id}`, { progress: 5 })
    const counts = { ...NOTHING, users_created: 2, accesses_granted: 1, accesses_updated: 1 }
    expect(await statsOf(store, '?days=1')).toEqual({ days: [{ day: dayBefore(0), ...counts }], complete: true })
  })

  it('counts each event on its day in UTC, from the first to the last millisecond', async () => {
    const store = await newStoreOf(20)
    const midnight = Date.parse(`${dayBefore(3)}T00:00:00Z`)
    await insertEvents(store, { type: 'user.created', count: 4, created_at: noonBefore(10) })
    await insertEvents(store, { type: 'product_access.granted', count: 3, created_at: midnight - 1 })
    await insertEvents(store, { type: 'product_access.updated', count: 2, created_at: midnight })
    await insertEvents(store, { type: 'product_access.expired', count: 1, created_at: midnight + DAY - 1 })
    await insertEvents(store, { type: 'product_access.expiring', count: 7, created_at: noonBefore(1) })
    const ofThirdDay = { day: dayBefore(3), ...NOTHING, accesses_updated: 2, accesses_expired: 1 }
    expect(busyDays(await statsOf(store, '?days=11'))).toEqual([
      { day: dayBefore(10), ...NOTHING, users_created: 4 },
      { day: dayBefore(4), ...NOTHING, accesses_granted: 3 },
      ofThirdDay,
    ])
    const stats = await statsOf(store, '?days=4')
    expect(busyDays(stats)).toEqual([ofThirdDay])
    expect(stats.complete).toBe(true)
  })

  it('counts every event when events were written in another order than their times', async () => {
    const store = await newStoreOf(20)
    const midnight = Date.parse(`${dayBefore(1)}T00:00:00Z`)
    for (let i = 0; i < 40; i++) {
      await insertEvents(store, { type: 'user.created', count: 1, created_at: midnight + 1 })
      await insertEvents(store, { type: 'user.created', count: 1, created_at: midnight - 1 })
    }
    const { days } = await statsOf(store, '?days=2')
    expect(days[0]).toEqual({ day: dayBefore(1), ...NOTHING, users_created: 40 })
  })

  it('finds the first day across a gap in the ids', async () => {
    const store = await newStoreOf(20)
    await insertEvents(store, { type: 'user.created', count: 5, created_at: noonBefore(12) })
    const gap = await idIn(store, 2 ** 24)
    await rowsOf(
      "insert into events (id, type, created_at, request_id, attempt, subject_id) values (?1, 'store.restored', ?2, 'r', 0, ?1)",
      gap,
      noonBefore(8),
    )
    await insertEvents(store, { type: 'user.created', count: 3, created_at: noonBefore(2) })
    expect(busyDays(await statsOf(store, '?days=13')).map((day) => day.users_created)).toEqual([5, 3])
    expect(busyDays(await statsOf(store, '?days=10')).map((day) => day.users_created)).toEqual([3])
  })

  it('returns complete false when the kept events begin after the first day', async () => {
    const store = await newStoreOf(80)
    await insertEvents(store, { type: 'user.created', count: 5, created_at: noonBefore(60) })
    await insertEvents(store, { type: 'user.created', count: 5, created_at: noonBefore(5) })
    expect((await statsOf(store, '?days=90')).complete).toBe(true)
    await purge(store, 4)
    expect((await statsOf(store, '?days=90')).complete).toBe(false)
    const stats = await statsOf(store, '?days=59')
    expect(stats.complete).toBe(true)
    expect(busyDays(stats)).toEqual([{ day: dayBefore(5), ...NOTHING, users_created: 5 }])
    await purge(store, 8)
    expect((await statsOf(store, '?days=6')).complete).toBe(false)
  })

  it('reads little more than the events it counts, in one round trip, and writes nothing', async () => {
    const store = await newStoreOf(40)
    await newStore()
    await insertEvents(store, { type: 'user.created', count: 30_000, created_at: noonBefore(35) })
    await insertEvents(store, { type: 'user.created', count: 50, created_at: noonBefore(3) })
    const send = (bindings: object) =>
      call('GET', `/admin/stores/${store.id}/stats`, { token: env.ADMIN_TOKEN, bindings })
    const { trips, read, written } = await measure(send)
    expect([trips, written]).toEqual([1, 0])
    expect(read).toBeLessThan(2 * 50 + 100)
    expect((await plansOf(send)).filter((step) => /^SCAN (events|stores)/.test(step))).toEqual([])
  })

  it('counts the newest 100,000 events of a longer history and returns complete false', async () => {
    const store = await newStoreOf(20)
    await insertEvents(store, { type: 'user.created', count: 60_000, created_at: noonBefore(9) })
    await insertEvents(store, { type: 'user.created', count: 60_000, created_at: noonBefore(2) })
    const { read } = await measure((bindings) =>
      call('GET', `/admin/stores/${store.id}/stats`, { token: env.ADMIN_TOKEN, bindings }),
    )
    expect(read).toBeLessThan(200_100)
    const stats = await statsOf(store)
    expect(stats.complete).toBe(false)
    expect(busyDays(stats).map((day) => day.users_created)).toEqual([40_000, 60_000])
    expect((await statsOf(store, '?days=5')).complete).toBe(true)
  })
})
