/** How long events are kept. The hourly run looks at all stores' events: each test starts with none of others. */
import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { PURGE } from '../../src/limits.ts'
import { admin, call, createV1, newStore, summary, type TestStore, v1User } from '../support/api.ts'
import { HOURLY, purgeAll, runCron } from '../support/cron.ts'
import { faultyD1, loses } from '../support/faults.ts'
import { eventsOf, insertEvents, numberOf, rowsOf, storeNumber, usersOf } from '../support/rows.ts'

const DAY = 24 * 60 * 60 * 1000

/** When the runs of these tests take place. */
const now = Date.now()

let store: TestStore

beforeEach(async () => {
  store = await newStore()
  await rowsOf('update events set created_at = 0')
  await purgeAll(now)
})

/** Writes an event of the store for each age, in days; answers their ids. */
async function insertAged(...ages: number[]): Promise<number[]> {
  const ids: number[] = []
  for (const age of ages) ids.push(...(await insertMany(1, age)))
  return ids
}

/** So many events, all of one age. */
function insertMany(count: number, age: number, owner = store): Promise<number[]> {
  return insertEvents(owner, { type: 'user.created', count, created_at: now - age * DAY })
}

async function idsOf(owner = store): Promise<number[]> {
  return (await eventsOf(owner)).map(({ id }) => id)
}

describe('the hourly run', () => {
  it('deletes the events that are older than 90 days and keeps the younger', async () => {
    const ids = await insertAged(100, 91, 90 + 1 / DAY, 90, 89, 0)
    const { log } = await runCron(now)
    expect(await idsOf()).toEqual(ids.slice(3))
    // With the one that was left, the newest of the store until then, and what other tests have left.
    expect(log).toHaveLength(1)
    expect(log[0].purged_events).toBeGreaterThanOrEqual(4)
  })

  it.each([
    ['7', 2],
    ['10', 1],
    ['365', 0],
  ])('keeps them for EVENT_RETENTION_DAYS, here %s', async (days, gone) => {
    const ids = await insertAged(100, 8, 6, 0.5)
    await runCron(now, { EVENT_RETENTION_DAYS: days })
    expect((await idsOf()).filter((id) => ids.includes(id))).toEqual(ids.slice(gone))
  })

  it.each(['', 'ninety', '90 days', '-1', '0', '1', '6', '6.9', '06', 'NaN', 'Infinity', undefined])(
    'deletes no event, and fails, when EVENT_RETENTION_DAYS is %j',
    async (days) => {
      const ids = await insertAged(100, 95, 0)
      const { DB, roundTrips } = faultyD1(env.DB)
      await expect(runCron(now, { DB, EVENT_RETENTION_DAYS: days })).rejects.toThrow('EVENT_RETENTION_DAYS')
      expect((await idsOf()).filter((id) => ids.includes(id))).toEqual(ids)
      expect(roundTrips()).toBe(0)
    },
  )

  it('never deletes the newest event of a store, so that no id is given twice', async () => {
    const quiet = await newStore()
    await insertMany(3, 500, quiet)
    const ids = await insertAged(400, 300)
    for (let run = 0; run < 2; run++) {
      await runCron(now)
      expect(await idsOf()).toEqual(ids.slice(1))
    }
    expect(await idsOf(quiet)).toHaveLength(5)
    await rowsOf('update events set created_at = 0 where id >> 32 = ?', await storeNumber(quiet))
    await runCron(now)
    expect((await idsOf(quiet)).map(numberOf)).toEqual([5])
    const { json } = await createV1(store, v1User())
    expect(Number(json.id)).toBe(numberOf(ids[1] ?? 0) + 1)
  })

  it('looks at each store by itself: what is old in one does not wait for what is young in another', async () => {
    const [young, old] = [await newStore(), await newStore()]
    await insertMany(2, 1, young)
    await rowsOf('update events set created_at = 1 where id >> 32 = ?', await storeNumber(old))
    const last = await insertMany(2, 100, old)
    await runCron(now)
    expect(await idsOf(young)).toHaveLength(4)
    expect(await idsOf(old)).toEqual(last.slice(1))
  })

  it('deletes the old events of operators, too', async () => {
    for (const name of ['A', 'B']) await admin('POST', '/operators', { name, role: 'viewer' })
    await rowsOf('update events set created_at = 0 where id >> 32 = 0')
    await runCron(now)
    expect(await rowsOf('select count(*) as n from events where id >> 32 = 0')).toEqual([{ n: 1 }])
  })

  it('ends at the first event that is young: what is kept is the end of the history, without a gap', async () => {
    const ids = await insertAged(100, 91, 10, 100, 5)
    await runCron(now)
    expect(await idsOf()).toEqual(ids.slice(2))
  })

  it('leaves a reader to find out: the cursor before the oldest that is kept goes on, one before that is 410', async () => {
    const ids = (await insertAged(100, 95, 10, 5)).map(numberOf)
    await runCron(now)
    const read = (after = 0) => call('GET', `/v1/stores/${store.id}/events?after=${after}`, { token: store.token })
    const { json } = await read(ids[1])
    expect(json.data.map(({ id }: any) => Number(id))).toEqual(ids.slice(2))
    expect(summary(await read(ids[0]))).toBe('410 cursor_expired: after')
  })

  it('deletes in chunks, and stops after the first that is not full', async () => {
    await insertMany(2 * PURGE.chunk, 100)
    await insertAged(1)
    const { roundTrips, log } = await runCron(now)
    // One for the claims, one for the fencing tokens, three for the chunks, one for the deliveries.
    expect(roundTrips).toBe(6)
    expect(log).toMatchObject([{ purged_events: 2 * PURGE.chunk + 1 }])
    expect(await idsOf()).toHaveLength(1)
  })

  it('ends at its bound, and the next run goes on; it reads a few rows for each that it deletes', async () => {
    const bound = PURGE.chunk * PURGE.maxChunks
    // A chunk looks into every store, those that other files have left, too.
    const { rowsRead: rowsOfStores } = await runCron(now)
    await insertMany(bound + 2, 100)
    await insertAged(1)
    const { roundTrips, rowsRead, log } = await runCron(now)
    expect(roundTrips).toBe(PURGE.maxChunks + 3)
    expect(log).toMatchObject([{ purged_events: bound }])
    expect(rowsRead - PURGE.maxChunks * rowsOfStores).toBeLessThan(8 * bound)
    expect(await idsOf()).toHaveLength(4)
    expect((await runCron(now)).log).toMatchObject([{ purged_events: 3 }])
  })

  it('reads no more however many young events there are', async () => {
    await insertAged(1)
    await runCron(now)
    const { rowsRead } = await runCron(now)
    await insertMany(2000, 1)
    expect(await runCron(now)).toMatchObject({ rowsRead, log: [{ purged_events: 0 }] })
  })

  it('does no harm to another that takes place at once', async () => {
    await insertMany(PURGE.chunk + 10, 100)
    const [kept] = await insertAged(1)
    const run = () => worker.scheduled(createScheduledController({ scheduledTime: now, cron: HOURLY }), { ...env })
    await Promise.all([run(), run(), run()])
    expect(await idsOf()).toEqual([kept])
  })

  it('deletes nothing of what is young while others write', async () => {
    await insertMany(PURGE.chunk, 100)
    const created = Array.from({ length: 20 }, () => createV1(store, v1User()))
    const [answers] = await Promise.all([Promise.all(created), runCron(now)])
    const told = (await idsOf()).map(numberOf)
    for (const { json } of answers) expect(told).toContain(Number(json.id))
  })

  it('that failed between two chunks is finished by the next', async () => {
    await insertMany(2 * PURGE.chunk, 100)
    const [kept] = await insertAged(1)
    const { DB } = faultyD1(env.DB, (n) => (n === 2 ? loses('after')(0) : undefined))
    await expect(runCron(now, { DB })).rejects.toMatchObject({ failure: 'd1_connection_lost' })
    await runCron(now)
    expect(await idsOf()).toEqual([kept])
  })

  it('deletes events alone: the users stay', async () => {
    const { json } = await createV1(store, v1User())
    await rowsOf('update events set created_at = 0 where id >> 32 = ?', await storeNumber(store))
    await runCron(now)
    expect((await usersOf(store)).map(({ id }) => numberOf(id))).toEqual([Number(json.id)])
  })
})
