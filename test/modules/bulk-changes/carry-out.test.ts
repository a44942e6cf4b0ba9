/** The object of bulk changes, and what the every-minute job does for those that have stopped. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listRunnable, processChunk } from '../../../src/modules/bulk-changes/process-chunk.ts'
import { carryOut as workOn } from '../../../src/modules/bulk-changes/carry-out.ts'
import { DATABASE } from '../../../src/limits.ts'
import { BULK } from '../../../src/modules/bulk-changes/limits.ts'
import { bulk, type Campus, carryOut, lostWakes, newCampus, post, read } from '../../support/bulk.ts'
import { recordConsole } from '../../support/console.ts'
import { sharedDb } from '../../support/db.ts'
import { faultyD1, loses } from '../../support/faults.ts'
import { accessesOf, eventsOf, idIn, rowsOf, storeNumber } from '../../support/rows.ts'
import { newHook, sweep, sweepAt } from '../../support/webhooks.ts'

const CLOSE = { filter: {}, change: { status: 'without_access' } }
const SECOND = 1000
const HOUR = 3600 * SECOND

afterEach(() => vi.restoreAllMocks())

/** Runs the every-minute job of this time, and returns whether it woke the object of the store. */
async function isWokenAt(time: number, { store }: Campus): Promise<boolean> {
  const { bindings, stores } = lostWakes()
  await sweepAt(time, bindings)
  return stores().includes(await storeNumber(store))
}

/** No other test's bulk change may be found by the every-minute job, which would end it. */
async function endOthers(): Promise<void> {
  await rowsOf("update bulk_changes set finished_at = 1, state = 'canceled', event_id = null where finished_at is null")
}

describe('The object of bulk changes', () => {
  it('carries out what its store has, and has no alarm afterwards', async () => {
    const campus = await newCampus({ users: 2 })
    const number = await storeNumber(campus.store)
    const [first, second] = [await post(campus, CLOSE), await post(campus, { ...CLOSE, dry_run: true })]
    const stub = env.BULK_CHANGES.getByName(String(number))
    await runInDurableObject(stub, async (object, { storage }) => {
      await object.wake(number)
      expect(await storage.getAlarm()).not.toBeNull()
      await object.alarm()
      expect(await storage.getAlarm()).toBeNull()
    })
    for (const { id } of [first, second]) expect((await read(campus, id)).state).toBe('done')
    expect((await accessesOf(campus.store)).map(({ status }) => status)).toEqual(Array(2).fill('without_access'))
  })

  it('goes on at its alarm if it dies while it works', async () => {
    const campus = await newCampus({ users: 1 })
    const number = await storeNumber(campus.store)
    const { id } = await post(campus, CLOSE)
    const { DB } = faultyD1(env.DB, loses('before'))
    await runInDurableObject(env.BULK_CHANGES.getByName(String(number)), async (object, { storage }) => {
      await object.wake(number)
      Object.assign(object, { env: { ...env, DB } })
      const lines = await recordConsole(() => object.alarm())
      Object.assign(object, { env })
      expect(lines.join()).toContain('bulk_change_stopped')
      expect(await storage.getAlarm()).toBeGreaterThan(Date.now())
      await object.alarm()
      expect(await storage.getAlarm()).toBeNull()
    })
    expect((await read(campus, id)).state).toBe('done')
  })

  it('goes on if it is woken while it looks for the last time', async () => {
    const campus = await newCampus({ users: 1 })
    const number = await storeNumber(campus.store)
    let id = ''
    await runInDurableObject(env.BULK_CHANGES.getByName(String(number)), async (object, { storage }) => {
      const DB = {
        prepare: (text: string) => env.DB.prepare(text),
        async batch(statements: D1PreparedStatement[]) {
          const rows = await env.DB.batch(statements)
          // What was read does not have this one.
          id = (await post(campus, CLOSE)).id
          await object.wake(number)
          return rows
        },
      }
      await object.wake(number)
      // Only this test has it ring.
      await storage.deleteAlarm()
      Object.assign(object, { env: { ...env, DB } })
      await object.alarm()
      Object.assign(object, { env })
      expect(await storage.getAlarm()).toBeLessThanOrEqual(Date.now())
      await object.alarm()
      expect(await storage.getAlarm()).toBeNull()
    })
    expect((await read(campus, id)).state).toBe('done')
  })

  it('leaves the rest to another invocation after a number of chunks, which is that of their statements', async () => {
    const campus = await newCampus({ users: BULK.chunk + 1 })
    const { id } = await post(campus, CLOSE)
    const number = await storeNumber(campus.store)
    const settings = { ...env, ...lostWakes().bindings }
    const { invocationChunks } = BULK
    Object.assign(BULK, { invocationChunks: 1 })
    try {
      expect(await workOn(number, settings, () => false)).toBe('more')
      expect(await read(campus, id)).toMatchObject({ state: 'running', changed: BULK.chunk })
      expect(await workOn(number, settings, () => false)).toBe('done')
    } finally {
      Object.assign(BULK, { invocationChunks })
    }
    expect((await read(campus, id)).state).toBe('done')
  })

  it('wakes each webhook endpoint once for a chunk, and none for a dry run', async () => {
    const campus = await newCampus({ users: BULK.chunk + 1 })
    const hook = await newHook({ store: campus.store })
    const { bindings, endpoints } = lostWakes()
    await post(campus, { ...CLOSE, dry_run: true })
    await carryOut(campus, bindings)
    expect(endpoints()).toEqual([])
    await post(campus, CLOSE)
    await carryOut(campus, bindings)
    expect(endpoints()).toEqual([hook.endpoint_id, hook.endpoint_id])
  })

  it('rests after each chunk for twice as long as the chunk took, and ends an invocation after a while', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await post(campus, { ...CLOSE, dry_run: true })
    await post(campus, CLOSE)
    let now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => (now += 7))
    const rests: unknown[] = []
    const { setTimeout } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms) => {
      rests.push(ms)
      // The deadline of a batch never comes here.
      if (ms !== DATABASE.deadlineMs) queueMicrotask(run)
      return setTimeout(() => {}, 0)
    })
    const work = (isLate: boolean) => {
      if (isLate) vi.spyOn(Date, 'now').mockImplementation(() => (now += BULK.invocationMs))
      return storeNumber(campus.store).then((number) =>
        workOn(number, { ...env, ...lostWakes().bindings }, () => false),
      )
    }
    expect(await work(true)).toBe('more')
    vi.spyOn(Date, 'now').mockImplementation(() => (now += 7))
    expect(await work(false)).toBe('done')
    expect(rests.filter((ms) => ms === 14)).toHaveLength(2)
    vi.restoreAllMocks()
    expect(await read(campus, id)).toMatchObject({ state: 'done' })
  })

  it('has nothing to do for a store without bulk changes', async () => {
    const campus = await newCampus({ users: 1 })
    expect(await workOn(await storeNumber(campus.store), env, () => false)).toBe('done')
  })
})

/** Carries out this bulk change and no other. */
async function carryFirst({ store }: Campus, id: string): Promise<void> {
  const db = sharedDb()
  let [status] = await listRunnable(db, await storeNumber(store))
  expect(status?.id).toBe(await idIn(store, id))
  while (status && status.finished_at === null)
    status = await processChunk(db, status, { run_id: 'run', now: Date.now() })
}

describe('The every-minute job', () => {
  it('wakes the object of a bulk change that has made no progress for a minute, also of one that was waiting', async () => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const { created_at } = await post(campus, CLOSE)
    await post(campus, { ...CLOSE, dry_run: true })
    const stoppedAt = Date.parse(created_at) + BULK.stoppedAfterMs
    expect(await isWokenAt(stoppedAt - 1, campus)).toBe(false)
    expect(await isWokenAt(stoppedAt, campus)).toBe(true)
    await carryOut(campus)
    expect(await isWokenAt(Date.now() + BULK.stoppedAfterMs, campus)).toBe(false)
  })

  it('ends a bulk change after an hour without progress, with an event, and the next one begins', async () => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const hook = await newHook({ store: campus.store })
    const [first, second] = [await post(campus, CLOSE), await post(campus, CLOSE)]
    // It has caught up, so that it is woken only for the end.
    await rowsOf('update webhook_endpoints set cursor = id + 1000 where id = ?', hook.endpoint_id)
    const { bindings, stores, endpoints } = lostWakes()
    const lines = await recordConsole(() => sweep(bindings, HOUR))
    const line = lines.map((text) => JSON.parse(text)).find(({ job }) => job === 'minutely')
    expect(line).toMatchObject({ failed_bulk_changes: 1, stores_with_stopped_bulk_changes: 1 })
    const failed = await read(campus, first.id)
    expect(failed).toMatchObject({ state: 'failed', progress: 0 })
    expect(failed.finished_at).not.toBeNull()
    expect(stores()).toEqual([await storeNumber(campus.store)])
    expect(endpoints()).toContain(hook.endpoint_id)
    const events = (await eventsOf(campus.store)).filter(({ type }) => type === 'bulk_change.finished')
    expect(events.map(({ subject_id }) => subject_id % 2 ** 32)).toEqual([Number(first.id)])
    await carryOut(campus)
    expect(await read(campus, first.id)).toEqual(failed)
    expect((await read(campus, second.id)).state).toBe('done')
    expect((await bulk(campus, 'POST', `/${first.id}/revert`)).status).toBe(202)
  })

  it('resumes a bulk change although that of another store cannot be ended', async () => {
    await endOthers()
    const [poisoned, campus] = [await newCampus({ users: 1 }), await newCampus({ users: 1 })]
    const { id: failing } = await post(poisoned, CLOSE)
    await rowsOf('update bulk_changes set progressed_at = 1 where id = ?', await idIn(poisoned.store, failing))
    await post(campus, CLOSE)
    await rowsOf(
      "create trigger poison before update on bulk_changes when new.state = 'failed' begin select raise(abort, 'poison'); end",
    )
    const { bindings, stores } = lostWakes()
    await expect(sweep(bindings, BULK.stoppedAfterMs)).rejects.toThrow('poison')
    await rowsOf('drop trigger poison')
    expect(stores()).toContain(await storeNumber(campus.store))
    await endOthers()
  })

  it('does not end a bulk change that has waited for others, nor one that makes progress', async () => {
    await endOthers()
    const campus = await newCampus({ users: BULK.chunk + 1 })
    const [first, second] = [await post(campus, CLOSE), await post(campus, CLOSE)]
    const age = (milliseconds: number, id: string, column: string) =>
      rowsOf(`update bulk_changes set ${column} = ${column} - ${milliseconds} where id & 4294967295 = ${id}`)
    await age(2 * HOUR, second.id, 'progressed_at')
    await sweepAt(Date.parse(first.created_at) + HOUR - 1, lostWakes().bindings)
    await carryFirst(campus, first.id)
    const failsAt = Date.parse((await read(campus, first.id)).finished_at) + HOUR
    await sweepAt(failsAt - 1, lostWakes().bindings)
    expect(await read(campus, second.id)).toMatchObject({ state: 'queued' })
    await sweepAt(failsAt, lostWakes().bindings)
    expect(await read(campus, second.id)).toMatchObject({ state: 'failed' })
    expect(await read(campus, first.id)).toMatchObject({ state: 'done' })
  })

  it.each([
    ['an earlier dry run', { dry_run: true }, 1],
    ['a later dry run', { dry_run: true }, 0],
    ['a later bulk change that is canceled', {}, 0],
  ])('ends a bulk change after an hour, although %s has ended meanwhile', async (_, fields, position) => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const created: any[] = []
    for (const each of [0, 1]) created.push(await post(campus, { ...CLOSE, ...(each !== position && fields) }))
    const [stuck, other] = position === 0 ? created : created.toReversed()
    await rowsOf(
      `update bulk_changes set progressed_at = progressed_at - ${HOUR} where id & 4294967295 = ${stuck.id} and store = ${await storeNumber(campus.store)}`,
    )
    await bulk(campus, 'POST', `/${other.id}/cancel`)
    expect(await read(campus, other.id)).toMatchObject({ state: 'canceled' })
    await sweep(lostWakes().bindings, SECOND)
    expect(await read(campus, stuck.id)).toMatchObject({ state: 'failed' })
  })

  it('ends a dry run without an event', async () => {
    await endOthers()
    const campus = await newCampus({ users: 1 })
    const { id } = await post(campus, { ...CLOSE, dry_run: true })
    const before = await eventsOf(campus.store)
    await sweep(lostWakes().bindings, HOUR)
    expect(await read(campus, id)).toMatchObject({ state: 'failed' })
    expect(await eventsOf(campus.store)).toEqual(before)
  })
})
