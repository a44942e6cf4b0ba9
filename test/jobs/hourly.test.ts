/** How long events are kept. The hourly run looks at all stores' events: each test starts with none of others. */
import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { PURGE } from '../../src/limits.ts'
import { createV1, newStore, type TestStore, v1User } from '../support/api.ts'
import { runCron } from '../support/cron.ts'
import { eventsOf } from '../support/events.ts'
import { faultyD1, RETRYABLE } from '../support/faults.ts'
import { rowsOf } from '../support/rows.ts'

const DAY = 24 * 60 * 60 * 1000

/** When the runs of these tests take place. */
const now = Date.now()

let store: TestStore

beforeEach(async () => {
  store = await newStore()
  await rowsOf('update events set created_at = 0')
  await runCron(now)
})

/** Writes an event of the store for each age, in days; answers their ids. */
async function insertEvents(...ages: number[]): Promise<string[]> {
  const rows = await rowsOf(
    `insert into events (store_id, type, created_at)
      select ?1, 'user.created', ?2 - value * ${DAY} from json_each(?3) order by key returning id`,
    store.id,
    now,
    JSON.stringify(ages),
  )
  return rows.map(({ id }) => String(id))
}

/** So many events, all of one age. */
async function insertMany(count: number, age: number): Promise<void> {
  await rowsOf(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?3)
      insert into events (store_id, type, created_at) select ?1, 'user.created', ?2 from n`,
    store.id,
    now - age * DAY,
    count,
  )
}

async function idsOf(): Promise<string[]> {
  return (await eventsOf(store)).map(({ id }) => id)
}

describe('the hourly run', () => {
  it('deletes the events that are older than 90 days and keeps the younger', async () => {
    const ids = await insertEvents(100, 91, 90 + 1 / DAY, 90, 89, 0)
    const { log } = await runCron(now)
    expect(await idsOf()).toEqual(ids.slice(3))
    // With the one that was left, the newest of all until then.
    expect(log).toMatchObject([{ purged_events: 4 }])
  })

  it.each([
    ['7', 2],
    ['1', 3],
    ['365', 0],
  ])('keeps them for EVENT_RETENTION_DAYS, here %s', async (days, gone) => {
    const ids = await insertEvents(100, 8, 6, 0.5)
    await runCron(now, { EVENT_RETENTION_DAYS: days })
    expect((await idsOf()).filter((id) => ids.includes(id))).toEqual(ids.slice(gone))
  })

  it.each(['', 'ninety', '90 days', '-1', '0', 'NaN', 'Infinity', undefined])(
    'deletes no event, and fails, when EVENT_RETENTION_DAYS is %j',
    async (days) => {
      const ids = await insertEvents(100, 95, 0)
      await expect(runCron(now, { EVENT_RETENTION_DAYS: days })).rejects.toThrow('EVENT_RETENTION_DAYS')
      expect((await idsOf()).filter((id) => ids.includes(id))).toEqual(ids)
    },
  )

  it('never deletes the newest event of all, so that no id is given twice', async () => {
    const ids = await insertEvents(400, 300)
    for (let run = 0; run < 2; run++) {
      await runCron(now)
      expect(await idsOf()).toEqual(ids.slice(1))
    }
    await createV1(store, v1User())
    const [, created] = await idsOf()
    expect(Number(created)).toBeGreaterThan(Number(ids[1]))
    await runCron(now)
    expect(await idsOf()).toEqual([created])
  })

  it('ends at the first event that is young: what is kept is the end of the history, without a gap', async () => {
    const ids = await insertEvents(100, 91, 10, 100, 5)
    await runCron(now)
    expect(await idsOf()).toEqual(ids.slice(2))
  })

  it('leaves the cursor of a reader valid when its event is gone', async () => {
    const ids = await insertEvents(100, 95, 10, 5)
    await runCron(now)
    expect((await eventsOf(store, { after: ids[0] ?? '' })).map(({ id }) => id)).toEqual(ids.slice(2))
  })

  it('deletes in chunks, and stops after the first that is not full', async () => {
    await insertMany(2 * PURGE.chunk, 100)
    await insertEvents(1)
    const { roundTrips, log } = await runCron(now)
    // One for the claims, three for the chunks, one for the deliveries.
    expect(roundTrips).toBe(5)
    expect(log).toMatchObject([{ purged_events: 2 * PURGE.chunk + 1 }])
    expect(await idsOf()).toHaveLength(1)
  })

  it('ends at its bound, and the next run goes on; it reads a few rows for each that it deletes', async () => {
    const bound = PURGE.chunk * PURGE.maxChunks
    await insertMany(bound + 2, 100)
    await insertEvents(1)
    const { roundTrips, rowsRead, log } = await runCron(now)
    expect(roundTrips).toBe(PURGE.maxChunks + 2)
    expect(log).toMatchObject([{ purged_events: bound }])
    expect(rowsRead).toBeLessThan(5 * bound)
    expect(await idsOf()).toHaveLength(4)
    expect((await runCron(now)).log).toMatchObject([{ purged_events: 3 }])
  })

  it('reads no more however many young events there are', async () => {
    await insertEvents(1)
    await runCron(now)
    const { rowsRead } = await runCron(now)
    await insertMany(2000, 1)
    expect(await runCron(now)).toMatchObject({ rowsRead, log: [{ purged_events: 0 }] })
  })

  it('does no harm to another that takes place at once', async () => {
    await insertMany(PURGE.chunk + 10, 100)
    const [kept] = await insertEvents(1)
    const run = () =>
      worker.scheduled(createScheduledController({ scheduledTime: now, cron: '17 * * * *' }), { ...env })
    await Promise.all([run(), run(), run()])
    expect(await idsOf()).toEqual([kept])
  })

  it('deletes nothing of what is young while others write', async () => {
    await insertMany(PURGE.chunk, 100)
    const created = Array.from({ length: 20 }, () => createV1(store, v1User()))
    const [answers] = await Promise.all([Promise.all(created), runCron(now)])
    const told = (await eventsOf(store)).map(({ data }) => data.user_id)
    expect(told).toHaveLength(20)
    expect(new Set(told)).toEqual(new Set(answers.map(({ json }) => json.id)))
  })

  it('that failed between two chunks is finished by the next', async () => {
    await insertMany(2 * PURGE.chunk, 100)
    const [kept] = await insertEvents(1)
    const { DB } = faultyD1(env.DB, (n) => (n === 2 ? { message: RETRYABLE[0] ?? '', when: 'after' } : undefined))
    await expect(runCron(now, { DB })).rejects.toMatchObject({ code: 'service_unavailable' })
    await runCron(now)
    expect(await idsOf()).toEqual([kept])
  })

  it('deletes events alone: the accesses and their versions stay', async () => {
    const { json } = await createV1(store, v1User())
    await rowsOf('update events set created_at = 0 where store_id = ?', store.id)
    await runCron(now)
    expect(await rowsOf('select id from users where store_id = ?', store.id)).toEqual([{ id: Number(json.id) }])
  })
})
