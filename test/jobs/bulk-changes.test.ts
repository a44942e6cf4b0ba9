/** The consumer of bulk changes, and what the minutely job does for those that have stopped. */
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BULK } from '../../src/limits.ts'
import { call } from '../support/api.ts'
import { bulk, type Campus, carryOut, lostQueue, newCampus, post, read } from '../support/bulk.ts'
import { recordConsole } from '../support/console.ts'
import { faultyD1, loses } from '../support/faults.ts'
import { accessesOf, eventsOf, idIn, rowsOf, storeNumber } from '../support/rows.ts'
import { consume, newHook, sweep, until } from '../support/webhooks.ts'

const CLOSE = { filter: {}, change: { status: 'without_access' } }
const TRIP_MS = 10
const SECOND = 1000
const HOUR = 3600 * SECOND

afterEach(() => vi.restoreAllMocks())

/** Runs the minutely job, and returns whether it sent a message for the bulk change. */
async function isResumed({ store }: Campus, id: string, later: number): Promise<boolean> {
  const { WEBHOOKS, bulkMessages } = lostQueue()
  await sweep({ WEBHOOKS }, later)
  const bulk_change_id = await idIn(store, id)
  return bulkMessages().some((body) => body.bulk_change_id === bulk_change_id)
}

/** No other test's bulk change may be found by the minutely job, which would end it. */
async function endOthers(): Promise<void> {
  await rowsOf("update bulk_changes set finished_at = 1, state = 'canceled', event_id = null where finished_at is null")
}

interface Trip {
  began: number
  ended: number
}

/** Each trip with the one after it. */
function pairsOf(trips: Trip[]): [Trip, Trip][] {
  return trips.flatMap((trip, i) => {
    const next = trips[i + 1]
    return next ? [[trip, next]] : []
  })
}

/** D1 with a delay. `trips` has when each batch began and ended, in milliseconds. */
function slowD1() {
  const trips: Trip[] = []
  const batch = async (statements: D1PreparedStatement[]) => {
    const began = Date.now()
    await new Promise((resolve) => setTimeout(resolve, TRIP_MS))
    const results = await env.DB.batch(statements)
    trips.push({ began, ended: Date.now() })
    return results
  }
  return { DB: { prepare: (text: string) => env.DB.prepare(text), batch }, trips }
}

describe('The consumer of bulk changes', () => {
  it('is reached by the queue', async () => {
    const campus = await newCampus({ users: 2 })
    const { token } = campus.store
    const { json } = await call('POST', `/v1/stores/${campus.store.id}/bulk_changes`, { token, body: CLOSE })
    await until(async () => (await read(campus, json.id)).state === 'done')
    expect((await accessesOf(campus.store)).map(({ status }) => status)).toEqual(Array(2).fill('without_access'))
  })

  it('notifies each webhook endpoint once for a chunk', async () => {
    const campus = await newCampus({ users: BULK.chunk + 1 })
    const hook = await newHook({ store: campus.store })
    const { id } = await post(campus, CLOSE)
    const { WEBHOOKS, bodies } = lostQueue()
    await carryOut(campus, id, { WEBHOOKS })
    expect(bodies()).toEqual([hook.endpoint_id, hook.endpoint_id].map((endpoint_id) => ({ endpoint_id })))
  })

  it('notifies none of a dry run', async () => {
    const campus = await newCampus({ users: 1 })
    await newHook({ store: campus.store })
    const { id } = await post(campus, { ...CLOSE, dry_run: true })
    const { WEBHOOKS, bodies } = lostQueue()
    await carryOut(campus, id, { WEBHOOKS })
    expect(bodies()).toEqual([])
  })

  it('changes each access once if its message is doubled', async () => {
    const campus = await newCampus({ users: 3 * BULK.chunk })
    const { id } = await post(campus, CLOSE)
    const message = { bulk_change_id: await idIn(campus.store, id) }
    // Whichever of the two stops, the other one carries it to its end.
    await consume([message, message], { WEBHOOKS: lostQueue().WEBHOOKS })
    expect(await read(campus, id)).toMatchObject({ state: 'done', changed: 3 * BULK.chunk })
    const events = (await eventsOf(campus.store)).filter(({ type }) => type === 'product_access.updated')
    expect(events).toHaveLength(3 * BULK.chunk)
  })

  it('ends after a while, and sends the bulk change on', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await post(campus, CLOSE)
    let now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => (now += 2 * BULK.invocationMs))
    const { WEBHOOKS, bodies } = lostQueue()
    await carryOut(campus, id, { WEBHOOKS })
    vi.restoreAllMocks()
    expect(bodies()).toEqual([{ bulk_change_id: await idIn(campus.store, id) }])
    expect(await read(campus, id)).toMatchObject({ state: 'queued' })
  })

  it('leaves the database to others for twice as long as each chunk has taken', async () => {
    const campus = await newCampus({ users: 2 * BULK.chunk + 1 })
    const { id } = await post(campus, CLOSE)
    const { DB, trips } = slowD1()
    await carryOut(campus, id, { DB })
    const [, ...chunks] = trips
    expect(chunks).toHaveLength(3)
    for (const [previous, { began }] of pairsOf(chunks)) {
      expect(began - previous.ended).toBeGreaterThanOrEqual(2 * (previous.ended - previous.began))
    }
  })

  it('processes one chunk of a store at a time, also of dry runs', async () => {
    const campus = await newCampus({ users: 1 })
    const dryRun = { ...CLOSE, dry_run: true }
    const ids = [await post(campus, dryRun), await post(campus, dryRun), await post(campus, dryRun)].map(({ id }) => id)
    const messages = await Promise.all(ids.map(async (id) => ({ bulk_change_id: await idIn(campus.store, id) })))
    const { DB, trips } = slowD1()
    await consume(messages, { ...lostQueue(), DB })
    const chunks = trips.slice(ids.length).toSorted((a, b) => a.began - b.began)
    expect(chunks).toHaveLength(ids.length)
    for (const [previous, { began }] of pairsOf(chunks)) expect(began).toBeGreaterThan(previous.ended)
    for (const id of ids) expect(await read(campus, id)).toMatchObject({ state: 'done', matched: 1 })
  })

  it('drops a message of a bulk change that is already waiting for its turn', async () => {
    const campus = await newCampus({ users: 1 })
    const ids = [await post(campus, CLOSE), await post(campus, { ...CLOSE, dry_run: true })].map(({ id }) => id)
    const [first, second] = await Promise.all(ids.map(async (id) => ({ bulk_change_id: await idIn(campus.store, id) })))
    const { DB, trips } = slowD1()
    await consume([first, second, second, second], { ...lostQueue(), DB })
    for (const id of ids) expect(await read(campus, id)).toMatchObject({ state: 'done' })
    // Each message reads its bulk change, and each bulk change has one chunk.
    expect(trips).toHaveLength(4 + 2)
  })

  it('logs that it has stopped when the database is down, and the minutely job resumes it', async () => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const { id } = await post(campus, CLOSE)
    const { DB } = faultyD1(env.DB, loses('before'))
    const lines = await recordConsole(() => carryOut(campus, id, { DB }))
    expect(lines.map((text) => JSON.parse(text))).toContainEqual(
      expect.objectContaining({ code: 'bulk_change_stopped', bulk_change_id: Number(id), store: expect.any(Number) }),
    )
    expect(await isResumed(campus, id, BULK.stoppedAfterMs)).toBe(true)
  })

  it('ignores a message for a bulk change that does not exist', async () => {
    const { WEBHOOKS, bodies } = lostQueue()
    await consume([{ bulk_change_id: 2 ** 52 }], { WEBHOOKS })
    expect(bodies()).toEqual([])
  })
})

describe('The minutely job', () => {
  it('resumes a bulk change that has made no progress for a minute, and no other', async () => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const [first, second] = [await post(campus, CLOSE), await post(campus, CLOSE)]
    const dry = await post(campus, { ...CLOSE, dry_run: true })
    const resumed = async (later: number) => [
      await isResumed(campus, first.id, later),
      await isResumed(campus, second.id, later),
      await isResumed(campus, dry.id, later),
    ]
    expect(await resumed(BULK.stoppedAfterMs - 30 * SECOND)).toEqual([false, false, false])
    expect(await resumed(BULK.stoppedAfterMs)).toEqual([true, false, true])
    await carryOut(campus, first.id)
    await carryOut(campus, dry.id)
    expect(await resumed(BULK.stoppedAfterMs)).toEqual([false, true, false])
  })

  it('ends a bulk change after an hour without progress, with an event, and the next one begins', async () => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const hook = await newHook({ store: campus.store })
    const [first, second] = [await post(campus, CLOSE), await post(campus, CLOSE)]
    const { WEBHOOKS, bodies } = lostQueue()
    const lines = await recordConsole(() => sweep({ WEBHOOKS }, HOUR))
    const line = lines.map((text) => JSON.parse(text)).find(({ job }) => job === 'minutely')
    expect(line).toMatchObject({ failed_bulk_changes: 1, resumed_bulk_changes: 1 })
    const failed = await read(campus, first.id)
    expect(failed).toMatchObject({ state: 'failed', progress: 0 })
    expect(failed.finished_at).not.toBeNull()
    expect(bodies()).toContainEqual({ bulk_change_id: await idIn(campus.store, second.id) })
    expect(bodies()).toContainEqual({ endpoint_id: hook.endpoint_id })
    const events = (await eventsOf(campus.store)).filter(({ type }) => type === 'bulk_change.finished')
    expect(events.map(({ subject_id }) => subject_id % 2 ** 32)).toEqual([Number(first.id)])
    await carryOut(campus, first.id)
    expect(await read(campus, first.id)).toEqual(failed)
    expect((await bulk(campus, 'POST', `/${first.id}/revert`)).status).toBe(202)
  })

  it('resumes a bulk change although that of another store cannot be ended', async () => {
    await endOthers()
    const [poisoned, campus] = [await newCampus({ users: 1 }), await newCampus({ users: 1 })]
    const { id: failing } = await post(poisoned, CLOSE)
    await rowsOf('update bulk_changes set progressed_at = 1 where id = ?', await idIn(poisoned.store, failing))
    const { id } = await post(campus, CLOSE)
    await rowsOf(
      "create trigger poison before update on bulk_changes when new.state = 'failed' begin select raise(abort, 'poison'); end",
    )
    const { WEBHOOKS, bulkMessages } = lostQueue()
    await expect(sweep({ WEBHOOKS }, BULK.stoppedAfterMs)).rejects.toThrow('poison')
    await rowsOf('drop trigger poison')
    expect(bulkMessages()).toEqual([{ bulk_change_id: await idIn(campus.store, id) }])
    await endOthers()
  })

  it('does not end a bulk change that has waited for others, nor one that makes progress', async () => {
    await endOthers()
    const campus = await newCampus({ users: BULK.chunk + 1 })
    const [first, second] = [await post(campus, CLOSE), await post(campus, CLOSE)]
    const age = (milliseconds: number, id: string, column: string) =>
      rowsOf(`update bulk_changes set ${column} = ${column} - ${milliseconds} where id & 4294967295 = ${id}`)
    await age(2 * HOUR, second.id, 'progressed_at')
    await sweep({ WEBHOOKS: lostQueue().WEBHOOKS }, HOUR - 30 * SECOND)
    await carryOut(campus, first.id)
    await sweep({ WEBHOOKS: lostQueue().WEBHOOKS }, HOUR - 30 * SECOND)
    expect(await read(campus, second.id)).toMatchObject({ state: 'queued' })
    await sweep({ WEBHOOKS: lostQueue().WEBHOOKS }, HOUR + SECOND)
    expect(await read(campus, second.id)).toMatchObject({ state: 'failed' })
    expect(await read(campus, first.id)).toMatchObject({ state: 'done' })
  })

  it.each([
    ['a dry run', { dry_run: true }],
    ['a later bulk change that is canceled', {}],
  ])('ends a bulk change after an hour, although %s has ended meanwhile', async (_, fields) => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const [stuck, other] = [await post(campus, CLOSE), await post(campus, { ...CLOSE, ...fields })]
    await rowsOf(
      `update bulk_changes set progressed_at = progressed_at - ${HOUR} where id & 4294967295 = ${stuck.id} and store = ${await storeNumber(campus.store)}`,
    )
    await bulk(campus, 'POST', `/${other.id}/cancel`)
    expect(await read(campus, other.id)).toMatchObject({ state: 'canceled' })
    await sweep({ WEBHOOKS: lostQueue().WEBHOOKS }, SECOND)
    expect(await read(campus, stuck.id)).toMatchObject({ state: 'failed' })
  })

  it('ends a dry run without an event', async () => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const { id } = await post(campus, { ...CLOSE, dry_run: true })
    const before = await eventsOf(campus.store)
    await sweep({ WEBHOOKS: lostQueue().WEBHOOKS }, HOUR)
    expect(await read(campus, id)).toMatchObject({ state: 'failed' })
    expect(await eventsOf(campus.store)).toEqual(before)
  })
})
