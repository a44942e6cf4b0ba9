/** The hourly job covers the events of all stores, so each test first deletes the old ones that other tests have left. */
import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import worker from '../../../src/index.ts'
import { PURGE } from '../../../src/jobs/limits.ts'
import { admin, call, createV1, newStore, summary, v1User } from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import { HOURLY, purgeAll, runCron } from '../../support/cron.ts'
import { faultyD1, loses } from '../../support/faults.ts'
import { eventsOf, idIn, insertEvents, numberOf, rowsOf, usersOf, type TestStore } from '../../support/rows.ts'

const DAY = 24 * 60 * 60 * 1000

const now = Date.now()

let store: TestStore

beforeEach(async () => {
  store = await newStore()
  await makeOld(store)
  await purgeAll(now)
})

/** Makes all events of the store old. */
async function makeOld(owner: TestStore): Promise<void> {
  const first = await idIn(owner, 0)
  await rowsOf('update events set created_at = 0 where id > ? and id < ?', first, first + 2 ** 32)
}

/** Writes an event for each age in days, and returns their ids. */
async function insertAged(...ages: number[]): Promise<number[]> {
  const ids: number[] = []
  for (const age of ages) ids.push(...(await insertMany(1, age)))
  return ids
}

/** Writes `count` events of the same age. */
function insertMany(count: number, age: number, owner = store): Promise<number[]> {
  return insertEvents(owner, { type: 'user.created', count, created_at: now - age * DAY })
}

async function idsOf(owner = store): Promise<number[]> {
  return (await eventsOf(owner)).map(({ id }) => id)
}

describe('The hourly job', () => {
  it('deletes events that are older than 90 days and keeps newer ones', async () => {
    const ids = await insertAged(100, 91, 90 + 1 / DAY, 90, 89, 0)
    const { log } = await runCron(now)
    expect(await idsOf()).toEqual(ids.slice(3))
    // The first events of the store and those of other tests are deleted too, so the count is a minimum.
    expect(log).toHaveLength(1)
    expect(log[0].purged_events).toBeGreaterThanOrEqual(4)
  })

  it.each([
    ['7', 2],
    ['10', 1],
    ['365', 0],
  ])('keeps events for EVENT_RETENTION_DAYS, which is %s here', async (days, gone) => {
    const ids = await insertAged(100, 8, 6, 0.5)
    await runCron(now, { EVENT_RETENTION_DAYS: days })
    expect((await idsOf()).filter((id) => ids.includes(id))).toEqual(ids.slice(gone))
  })

  it.each(['', 'ninety', '90 days', '-1', '0', '1', '6', '6.9', '06', 'NaN', 'Infinity', undefined])(
    'deletes no event when EVENT_RETENTION_DAYS is %j, and fails once the other purges have run',
    async (days) => {
      const ids = await insertAged(100, 95, 0)
      const controller = createScheduledController({ scheduledTime: now, cron: HOURLY })
      const setting: object = { EVENT_RETENTION_DAYS: days }
      const lines = await recordConsole(async () => {
        const run = worker.scheduled(controller, { ...env, ...setting })
        await expect(run).rejects.toThrow('EVENT_RETENTION_DAYS')
      })
      expect((await idsOf()).filter((id) => ids.includes(id))).toEqual(ids)
      const [job, ...others] = lines.map((line) => JSON.parse(line)).filter((line) => line.job === 'hourly')
      expect([job, others]).toEqual([expect.objectContaining({ purged_claims: 0, purged_fencing_tokens: 0 }), []])
      expect(job).not.toHaveProperty('purged_events')
    },
  )

  it('never deletes the newest event of a store, so that no id is used twice', async () => {
    const quiet = await newStore()
    await insertMany(3, 500, quiet)
    const ids = await insertAged(400, 300)
    for (let run = 0; run < 2; run++) {
      await runCron(now)
      expect(await idsOf()).toEqual(ids.slice(1))
    }
    expect(await idsOf(quiet)).toHaveLength(5)
    await makeOld(quiet)
    await runCron(now)
    expect((await idsOf(quiet)).map(numberOf)).toEqual([5])
    const { json } = await createV1(store, v1User())
    expect(Number(json.id)).toBe(numberOf(ids[1] ?? 0) + 1)
  })

  it('checks each store separately, so that new events of one store do not keep old ones of another', async () => {
    const [young, old] = [await newStore(), await newStore()]
    await insertMany(2, 1, young)
    await makeOld(old)
    const last = await insertMany(2, 100, old)
    await runCron(now)
    expect(await idsOf(young)).toHaveLength(4)
    expect(await idsOf(old)).toEqual(last.slice(1))
  })

  const countOfOperators = async () =>
    Number((await rowsOf('select count(*) as n from events where id < 4294967296'))[0]?.['n'])

  it('deletes old events of operators', async () => {
    for (const name of ['A', 'B']) await admin('POST', '/operators', { name, role: 'viewer' })
    await rowsOf('update events set created_at = 0 where id < 4294967296')
    // A run may have to do with what other files have left, and then the next one goes on.
    for (let run = 0; run < 20 && (await countOfOperators()) > 1; run++) await runCron(now)
    expect(await countOfOperators()).toBe(1)
  })

  it('stops at the first new event, so that the kept events have no gap', async () => {
    const ids = await insertAged(100, 91, 10, 100, 5)
    await runCron(now)
    expect(await idsOf()).toEqual(ids.slice(2))
  })

  it('leaves cursors valid from the last deleted event on, and earlier cursors return 410', async () => {
    const ids = (await insertAged(100, 95, 10, 5)).map(numberOf)
    await runCron(now)
    const read = (after = 0) => call('GET', `/v1/stores/${store.id}/events?after=${after}`, { token: store.token })
    const { json } = await read(ids[1])
    expect(json.data.map(({ id }: any) => Number(id))).toEqual(ids.slice(2))
    expect(summary(await read(ids[0]))).toBe('410 cursor_expired: after')
  })

  it('deletes in chunks and stops after the first chunk that is not full', async () => {
    await insertMany(2 * PURGE.chunk, 100)
    await insertAged(1)
    const { roundTrips, log } = await runCron(now)
    // Three chunks of events, one each of the other two kinds, and two for the row of the job.
    expect(roundTrips).toBe(3 + 2 + 2 + 1)
    expect(log).toMatchObject([{ purged_events: 2 * PURGE.chunk + 1 }])
    expect(await idsOf()).toHaveLength(1)
  })

  it('reads a few rows per deleted event, and continues in the store in which the last chunk ended', async () => {
    const count = 20 * PURGE.chunk
    const other = await newStore()
    const { rowsRead: idle } = await runCron(now)
    await insertMany(count, 100)
    await makeOld(other)
    await insertMany(3, 100, other)
    await insertAged(1)
    const { rowsRead, log } = await runCron(now)
    expect(log).toMatchObject([{ purged_events: count + 1 + 4 }])
    expect(rowsRead - 20 * idle).toBeLessThan(8 * count)
    expect(await idsOf()).toHaveLength(1)
    expect(await idsOf(other)).toHaveLength(1)
  })

  it('reads equally many rows for any number of new events', async () => {
    await insertAged(1)
    await runCron(now)
    const { rowsRead } = await runCron(now)
    await insertMany(300, 1)
    expect(await runCron(now)).toMatchObject({ rowsRead, log: [{ purged_events: 0 }] })
  })

  it('deletes the right events when three runs overlap', async () => {
    await insertMany(PURGE.chunk + 10, 100)
    const [kept] = await insertAged(1)
    const run = () => worker.scheduled(createScheduledController({ scheduledTime: now, cron: HOURLY }), { ...env })
    await Promise.all([run(), run(), run()])
    expect(await idsOf()).toEqual([kept])
  })

  it('deletes no new event while others write', async () => {
    await insertMany(PURGE.chunk, 100)
    const created = Array.from({ length: 20 }, () => createV1(store, v1User()))
    const [answers] = await Promise.all([Promise.all(created), runCron(now)])
    const told = (await idsOf()).map(numberOf)
    for (const { json } of answers) expect(told).toContain(Number(json.id))
  })

  it('is completed by the next run when it failed between two chunks', async () => {
    await insertMany(2 * PURGE.chunk, 100)
    const [kept] = await insertAged(1)
    // Round trip 0 reads where to continue. Then each of the four purges deletes a chunk, the events as the third.
    const { DB } = faultyD1(env.DB, (n) => (n === 5 ? loses('after')(0) : undefined))
    await expect(runCron(now, { DB })).rejects.toMatchObject({ failure: 'd1_connection_lost' })
    await runCron(now)
    expect(await idsOf()).toEqual([kept])
  })

  it('deletes only events and no users', async () => {
    const { json } = await createV1(store, v1User())
    await makeOld(store)
    await runCron(now)
    expect((await usersOf(store)).map(({ id }) => numberOf(id))).toEqual([Number(json.id)])
  })
})
