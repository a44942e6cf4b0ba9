/** The alarm of a store with its own database does what the crons do for the shared one. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { Unavailable } from '../../../src/db/database.ts'
import { HOUR_MS } from '../../../src/limits.ts'
import { OWN_STORE } from '../../../src/modules/store-directory/limits.ts'
import { admin, call, createV1, v1User } from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import { runMinutely } from '../../support/cron.ts'
import { NOT_RETRIED } from '../../support/d1-errors.ts'
import { faultyD1 } from '../../support/faults.ts'
import { alarmOf, entryOf, newOwnStore, nextRunAt, ring, ringDuringChange, rowsIn } from '../../support/places.ts'
import { sharedRowsOf, type TestStore } from '../../support/rows.ts'

const DAY_MS = 24 * HOUR_MS

/** Gives a new user access to a new product until this time. */
async function grantUntil(store: TestStore, time: number): Promise<string> {
  const path = `/stores/${store.id}`
  const { json: product } = await admin('POST', `${path}/products`, {
    name: 'P',
    slug: crypto.randomUUID(),
    type: 'course',
  })
  const { json: user } = await createV1(store, v1User())
  const grant = { user_id: user.id, product_id: product.id, access_due_date: new Date(time).toISOString() }
  return (await admin('POST', `${path}/product_accesses`, grant)).json.id
}

async function typesOf(store: TestStore): Promise<string[]> {
  const { json } = await call('GET', `/v1/stores/${store.id}/events?limit=100`, { token: store.token })
  return json.data.map((event: any) => event.type)
}

describe('The alarm of a store', () => {
  it('rings within a minute of a change', async () => {
    const store = await newOwnStore()
    await ring(store)
    await createV1(store, v1User())
    expect(await alarmOf(store)).toBeLessThanOrEqual(Date.now() + OWN_STORE.soonMs)
  })

  it('rings after at most an hour without a change', async () => {
    const store = await newOwnStore()
    const before = Date.now()
    await ring(store)
    const alarm = (await alarmOf(store)) ?? 0
    expect(alarm).toBeGreaterThan(before + OWN_STORE.soonMs)
    expect(alarm).toBeLessThanOrEqual(Date.now() + HOUR_MS)
  })

  it('is left alone by a read', async () => {
    const store = await newOwnStore()
    const read = () => call('GET', `/v1/stores/${store.id}/users`, { token: store.token })
    // The first use of a token on a day is a change.
    await read()
    await ring(store)
    const alarm = await alarmOf(store)
    expect((await read()).status).toBe(200)
    expect(await alarmOf(store)).toBe(alarm)
  })

  it('counts the statistics, which are then right until the next alarm', async () => {
    const store = await newOwnStore()
    await createV1(store, v1User())
    await ring(store)
    const { json } = await admin('GET', `/stores/${store.id}/stats`)
    expect(json.totals.users).toBe(1)
    expect(Date.now() - Date.parse(json.as_of)).toBeLessThan(5 * 60_000)
  })

  it('announces the end of an access, and rings when the next one ends', async () => {
    const store = await newOwnStore()
    const due = Date.now() + 30 * 60_000
    const passed = await grantUntil(store, Date.now() + 40 * DAY_MS)
    await grantUntil(store, due)
    await rowsIn(
      store,
      'update product_accesses set access_due_date = ? where id & 4294967295 = ?',
      Date.now() - 1,
      Number(passed),
    )
    await ring(store)
    expect((await typesOf(store)).filter((type) => type.startsWith('product_access.exp')).toSorted()).toEqual([
      'product_access.expired',
      'product_access.expiring',
    ])
    expect(await alarmOf(store)).toBe(due)
  })

  it('rings when the notice of an access is due', async () => {
    const store = await newOwnStore()
    const notice = Date.now() + 20 * 60_000
    await grantUntil(store, notice + 7 * DAY_MS)
    await ring(store)
    expect(await typesOf(store)).not.toContain('product_access.expiring')
    expect(await alarmOf(store)).toBe(notice)
  })

  it('rings at the end of an access, and again soon after if that has not passed by then', async () => {
    const store = await newOwnStore()
    const access = await grantUntil(store, Date.now() + 40 * DAY_MS)
    const due = Date.now() + 20 * 60_000
    await rowsIn(
      store,
      'update product_accesses set access_due_date = ? where id & 4294967295 = ?',
      due,
      Number(access),
    )
    await ring(store)
    expect(await alarmOf(store)).toBe(due)
    expect(await nextRunAt(store, due)).toBe(due + OWN_STORE.minPauseMs)
  })

  it('rings soon, and not at once, if a run has left something that is due', async () => {
    const store = await newOwnStore()
    await grantUntil(store, Date.now() + 40 * DAY_MS)
    await ring(store)
    await rowsIn(store, 'update product_accesses set access_due_date = 1')
    const now = Date.now()
    expect(await nextRunAt(store, now)).toBe(now + OWN_STORE.soonMs)
  })

  it('does not ring for an endpoint that has caught up, and rings a minute after its next attempt', async () => {
    const store = await newOwnStore()
    await admin('POST', `/stores/${store.id}/webhook_endpoints`, { url: 'https://hooks.example.com/over' })
    await ring(store)
    await rowsIn(store, 'update webhook_endpoints set cursor = (select max(id) from events)')
    const now = Date.now()
    expect(await nextRunAt(store, now)).toBeGreaterThan(now + OWN_STORE.soonMs)
    await rowsIn(store, 'update webhook_endpoints set next_attempt_at = ?', now + 100_000)
    expect(await nextRunAt(store, now)).toBe(now + 160_000)
  })

  it('rings within a minute of a change that came while it worked', async () => {
    const store = await newOwnStore()
    await ringDuringChange(store)
    expect(await alarmOf(store)).toBeLessThanOrEqual(Date.now() + OWN_STORE.soonMs)
  })

  it('deletes what is too old, once an hour', async () => {
    const store = await newOwnStore()
    await createV1(store, v1User(), { headers: { 'X-Idempotency-Key': 'a' } })
    await rowsIn(store, 'update idempotency_keys set created_at = 0')
    await rowsIn(store, "update jobs set last_run_at = ? where name = 'hourly'", Date.now() - HOUR_MS)
    await ring(store)
    expect(await rowsIn(store, 'select * from idempotency_keys')).toEqual([])
  })

  it('reports what lists of stores and the status show', async () => {
    const store = await newOwnStore()
    await admin('PATCH', `/stores/${store.id}`, { name: 'Renamed', suspended: true })
    await ring(store)
    const entry = await entryOf(store)
    expect(entry).toMatchObject({ name: 'Renamed', alarm_at: await alarmOf(store) })
    expect(entry.suspended_at).not.toBeNull()
    expect(entry.bytes).toBeGreaterThan(0)
    const { objects, stores } = (await admin('GET', '/status')).json
    expect(objects.bytes).toBeGreaterThanOrEqual(entry.bytes)
    expect(objects.largest.length).toBeLessThanOrEqual(5)
    expect(objects.total).toBeGreaterThan(0)
    expect(stores.suspended).toBeGreaterThan(0)
  })

  it('puts back the row of the directory if that was lost', async () => {
    const store = await newOwnStore()
    const { number, ...entry } = await entryOf(store)
    await sharedRowsOf('delete from directory where number = ?', number)
    await runDurableObjectAlarm(env.STORES.getByName(String(number)))
    expect(await entryOf(store)).toMatchObject({ number, slug: store.id, created_at: entry.created_at })
    expect((await admin('GET', `/stores/${store.id}`)).status).toBe(200)
  })

  it('reports nothing if another store has got its number or its slug since the directory was restored', async () => {
    const store = await newOwnStore()
    const { number } = await entryOf(store)
    const stub = env.STORES.getByName(String(number))
    await sharedRowsOf("update directory set created_at = 1, name = 'Another' where number = ?", number)
    const lines = await recordConsole(() => runDurableObjectAlarm(stub))
    expect(await entryOf(store)).toMatchObject({ number, name: 'Another' })
    await sharedRowsOf('update directory set number = ?2 where number = ?1', number, number + 200_000)
    await createV1(store, v1User())
    lines.push(...(await recordConsole(() => runDurableObjectAlarm(stub))))
    expect(await entryOf(store)).toMatchObject({ number: number + 200_000, name: 'Another' })
    expect(lines.join('\n')).not.toContain('store_work_failed')
    await sharedRowsOf('delete from directory where number = ?', number + 200_000)
  })

  it('does not claim statistics that a failed run has not counted', async () => {
    const store = await newOwnStore()
    await ring(store)
    await rowsIn(store, 'update jobs set last_run_at = 5, counts_until = 5')
    await rowsIn(store, 'alter table webhook_endpoints rename to hidden')
    await createV1(store, v1User())
    await recordConsole(() => ring(store))
    expect(await rowsIn(store, "select counts_until from jobs where name = 'minutely'")).toEqual([{ counts_until: 5 }])
  })

  it('is set before the work, and does the rest if a part fails', async () => {
    const store = await newOwnStore()
    await createV1(store, v1User())
    await rowsIn(store, 'alter table webhook_endpoints rename to hidden')
    const before = Date.now()
    const lines = await recordConsole(() => ring(store))
    expect(lines.join('\n')).toContain('store_work_failed')
    const alarm = (await alarmOf(store)) ?? 0
    expect(alarm).toBeGreaterThan(before)
    expect(alarm).toBeLessThanOrEqual(Date.now() + OWN_STORE.soonMs)
  })
})

describe('The every-minute job', () => {
  it('wakes a store whose alarm is ten minutes late', async () => {
    const store = await newOwnStore()
    await createV1(store, v1User())
    const { number } = await entryOf(store)
    await sharedRowsOf('update directory set alarm_at = ? where number = ?', Date.now() - OWN_STORE.lateMs - 1, number)
    await runMinutely()
    await vi.waitFor(async () => expect((await entryOf(store)).alarm_at).toBeGreaterThan(Date.now()), 20_000)
  })

  it('wakes it although its own work fails', async () => {
    const store = await newOwnStore()
    const { number } = await entryOf(store)
    await sharedRowsOf('update directory set alarm_at = ? where number = ?', Date.now() - OWN_STORE.lateMs - 1, number)
    const { DB } = faultyD1(env.DB, (trip) => (trip === 0 ? { when: 'before', message: NOT_RETRIED } : undefined))
    await expect(runMinutely(Date.now(), { DB })).rejects.toThrow(Unavailable)
    await vi.waitFor(async () => expect((await entryOf(store)).alarm_at).toBeGreaterThan(Date.now()), 20_000)
  })

  it('leaves alone the number of an object without a store', async () => {
    const stub = env.STORES.getByName('1500000')
    await stub.wake()
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).toBeNull()
    expect(await sharedRowsOf('select * from directory where number = 1500000')).toEqual([])
  })
})
