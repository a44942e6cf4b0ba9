import { beforeAll, describe, expect, it } from 'vitest'
import { offsetAt } from '../../../src/calendar.ts'
import { admin, call, newStore } from '../../support/api.ts'
import { runCron } from '../../support/cron.ts'
import { alarmOf, entryOf, newOwnStore, ring, rowsIn } from '../../support/places.ts'
import { sharedRowsOf, type TestStore } from '../../support/rows.ts'

const MAX_BYTES = 6144

let [shared, own]: TestStore[] = []

beforeAll(async () => {
  shared = await newStore()
  own = await newOwnStore()
})

const setZone = (store: TestStore | undefined, time_zone: string) =>
  admin('PATCH', `/stores/${store?.id}`, { time_zone })

async function changesIn(rows: Promise<any[]>): Promise<[number, number][] | undefined> {
  const [row] = await rows
  return row && JSON.parse(row.changes)
}

const sharedChanges = (zone: string) => changesIn(sharedRowsOf('select changes from time_zones where name = ?', zone))
const ownChanges = (zone: string) =>
  own && changesIn(rowsIn(own, 'select changes from time_zones where name = ?', zone))

describe('The row of a time zone', () => {
  it('has every change of the clocks from 2026 to 2128, in less than 6 KB', async () => {
    await setZone(shared, 'Europe/Lisbon')
    const changes = (await sharedChanges('Europe/Lisbon')) ?? []
    expect(changes).toHaveLength(207)
    expect(changes[0]).toEqual([Date.UTC(2026, 0, 1), 0])
    expect(changes[1]).toEqual([Date.UTC(2026, 2, 29, 1), 3_600_000])
    expect(JSON.stringify(changes).length).toBeLessThan(MAX_BYTES)
    for (const [instant, offset] of changes) expect(offsetAt(instant, 'Europe/Lisbon')).toBe(offset)
  })

  it('is in the database of the store, wherever that is', async () => {
    expect((await setZone(own, 'Africa/Cairo')).status).toBe(200)
    expect(await ownChanges('Africa/Cairo')).toBeDefined()
  })

  it('is written with a store that is created', async () => {
    const created = await newOwnStore({ time_zone: 'Africa/Casablanca' })
    expect(await rowsIn(created, 'select name from time_zones')).toEqual([{ name: 'Africa/Casablanca' }])
    await admin('POST', '/stores', { name: 'Store', language: 'EN', time_zone: 'Pacific/Kiritimati', place: 'shared' })
    expect(await sharedChanges('Pacific/Kiritimati')).toEqual([[Date.UTC(2026, 0, 1), 14 * 3_600_000]])
  })

  it('is not written for UTC', async () => {
    await setZone(shared, 'UTC')
    expect(await sharedChanges('UTC')).toBeUndefined()
  })

  it('is not written by a request that is rejected', async () => {
    const path = `/admin/stores/${shared?.id}`
    const { status } = await call('PATCH', path, { token: 'x'.repeat(40), body: { time_zone: 'Asia/Kathmandu' } })
    expect(status).toBe(401)
    expect(await sharedChanges('Asia/Kathmandu')).toBeUndefined()
  })

  it('is renewed by the hourly job when the runtime has other rules', async () => {
    await setZone(shared, 'Asia/Tokyo')
    await sharedRowsOf("update time_zones set changes = '[[0,0]]' where name = 'Asia/Tokyo'")
    expect((await runCron()).log[0].renewed_time_zones).toBe(1)
    expect(await sharedChanges('Asia/Tokyo')).toEqual([[Date.UTC(2026, 0, 1), 9 * 3_600_000]])
    expect((await runCron()).log[0].renewed_time_zones).toBe(0)
  })

  it('of a zone that the runtime no longer knows stays as it is', async () => {
    await sharedRowsOf("insert into time_zones values ('Mars/Base', '[[0,1]]')")
    await runCron()
    expect(await sharedChanges('Mars/Base')).toEqual([[0, 1]])
  })

  it('is renewed by the alarm of a store with its own database', async () => {
    if (own === undefined) throw new Error('no store')
    await rowsIn(own, "update time_zones set changes = '[[0,0]]'")
    await rowsIn(own, "delete from jobs where name = 'hourly'")
    await ring(own)
    expect((await ownChanges('Africa/Cairo'))?.length).toBeGreaterThan(1)
    expect(await alarmOf(own)).not.toBeNull()
  })

  it('is reported to the directory, which the list of stores shows', async () => {
    if (own === undefined) throw new Error('no store')
    await ring(own)
    expect((await entryOf(own)).time_zone).toBe('Africa/Cairo')
  })
})
