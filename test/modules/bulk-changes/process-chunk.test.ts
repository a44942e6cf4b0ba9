/**
 * These tests lose, repeat and delay the batches of a bulk change, and let others act in between. An access that is
 * changed twice or not at all, an event without its change, or a wrong count fails here.
 */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { batch } from '../../../src/db/batch.ts'
import { processChunk } from '../../../src/modules/bulk-changes/process-chunk.ts'
import { type BulkChangeStatus, selectStatus } from '../../../src/modules/bulk-changes/runnable.ts'
import { BULK } from '../../../src/modules/bulk-changes/limits.ts'
import { updateAccess } from '../../support/api.ts'
import { bulk, type Campus, carryOut, newCampus, post, read, revert } from '../../support/bulk.ts'
import { sharedDb } from '../../support/db.ts'
import { faultyD1, losesAnswer, losesConnection } from '../../support/faults.ts'
import { accessesOf, eraseUser, eventsOf, idIn } from '../../support/rows.ts'

const REST = 3
/** The accesses of a campus are reached in two chunks, of which the second has three. */
const TWO_CHUNKS = { users: BULK.chunk + REST, due: Date.UTC(2030, 0, 1) }
const DAY = 86_400_000
const EXTEND = { filter: {}, change: { extend_days: 1 } }

async function find({ store }: Campus, id: string): Promise<BulkChangeStatus> {
  const bulk_change_id = await idIn(store, id)
  const { rows } = await batch(sharedDb(), { rows: selectStatus({ bulk_change_id }) })
  const [found] = rows
  if (!found) throw new Error('there is no such bulk change')
  return found
}

/** Processes a chunk as an object does that has read the bulk change as `seen`. */
const process = (seen: BulkChangeStatus, { run_id = 'run', DB = env.DB } = {}) =>
  processChunk(sharedDb(DB), seen, { run_id, now: Date.now() })

/** Expects that each access was extended once, and has one event of the bulk change. */
async function expectOnce(campus: Campus, id: string, expected = TWO_CHUNKS.users): Promise<void> {
  const accesses = await accessesOf(campus.store)
  expect(new Set(accesses.map((row) => row.access_due_date))).toEqual(new Set([TWO_CHUNKS.due + DAY]))
  expect(accesses).toHaveLength(expected)
  const events = (await eventsOf(campus.store)).filter(({ type }) => type === 'product_access.updated')
  expect(events.map(({ subject_id }) => subject_id).toSorted((a, b) => a - b)).toEqual(accesses.map((row) => row.id))
  expect(accesses.map((row) => row.event_id)).toEqual(events.map((event) => event.id))
  expect(await read(campus, id)).toMatchObject({ state: 'done', progress: 100, matched: expected, changed: expected })
  const ends = (await eventsOf(campus.store)).filter(({ type }) => type === 'bulk_change.finished')
  expect(ends).toHaveLength(1)
}

async function newBulkChange(body: object = EXTEND) {
  const campus = await newCampus(TWO_CHUNKS)
  const { id } = await post(campus, body)
  return { campus, id, seen: await find(campus, id) }
}

describe('A chunk', () => {
  it('has a number of accesses, and the progress is that of their ids', async () => {
    const { campus, id, seen } = await newBulkChange()
    const next = await process(seen)
    expect(next).toMatchObject({ state: 'running', matched: BULK.chunk, changed: BULK.chunk, run_id: 'run' })
    const { progress, started_at } = await read(campus, id)
    expect(progress).toBe(Math.floor((100 * BULK.chunk) / TWO_CHUNKS.users))
    expect(started_at).not.toBeNull()
    await process(next)
    await expectOnce(campus, id)
  })

  it('is processed once by two consumers, of which one learns that the other has it', async () => {
    const { campus, id, seen } = await newBulkChange()
    const [one, two] = await Promise.all([process(seen, { run_id: 'one' }), process(seen, { run_id: 'two' })])
    expect(one.cursor).toBe(two.cursor)
    expect(one.run_id).toBe(two.run_id)
    await process(one)
    await process(two)
    await expectOnce(campus, id)
  })

  it.each([0, 1])('is processed once if the response of chunk %i is lost and others act', async (lost) => {
    const { campus, id, seen } = await newBulkChange()
    const first = lost === 0 ? seen : await process(seen)
    const [a = ''] = campus.accesses.slice(lost === 0 ? 0 : -1)
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => updateAccess(campus.store, a, { access_due_date: null })),
    )
    const next = await process(first, { DB })
    expect(next.cursor).toBeGreaterThan(first.cursor)
    if (lost === 0) await process(next)
    const row = (await accessesOf(campus.store)).find(({ id: each }) => each % 2 ** 32 === Number(a))
    expect(row.access_due_date).toBeNull()
    expect(await read(campus, id)).toMatchObject({ state: 'done', changed: TWO_CHUNKS.users })
    const events = await eventsOf(campus.store)
    expect(events.filter(({ type }) => type === 'bulk_change.finished')).toHaveLength(1)
    expect(events.filter(({ subject_id }) => subject_id === row.id)).toHaveLength(3)
  })

  it('does nothing if it arrives late, after its retry or after the end', async () => {
    const { campus, id, seen } = await newBulkChange()
    const d1 = faultyD1(env.DB, losesConnection)
    const next = await process(seen, { DB: d1.DB })
    await process(next)
    await d1.arrive()
    await expectOnce(campus, id)
  })

  it('does nothing after a cancel, also if it was sent before', async () => {
    const { campus, id, seen } = await newBulkChange()
    const next = await process(seen)
    const d1 = faultyD1(env.DB, (trip) =>
      trip === 0 ? { when: 'late', message: 'Too many requests queued' } : undefined,
    )
    await expect(process(next, { DB: d1.DB })).rejects.toThrow('d1_overloaded')
    const { json } = await bulk(campus, 'POST', `/${id}/cancel`)
    expect(json).toMatchObject({ state: 'canceled', changed: BULK.chunk })
    await d1.arrive()
    expect(await process(next)).toMatchObject({ state: 'canceled' })
    expect(await read(campus, id)).toEqual(json)
    expect((await eventsOf(campus.store)).at(-1).type).toBe('bulk_change.canceled')
    expect(await revert(campus, id)).toMatchObject({ matched: BULK.chunk, changed: BULK.chunk })
    const dates = (await accessesOf(campus.store)).map((row) => row.access_due_date)
    expect(new Set(dates)).toEqual(new Set([TWO_CHUNKS.due]))
  })

  it('of a dry run does nothing after a cancel either, although a dry run waits for no turn', async () => {
    const { campus, id, seen } = await newBulkChange({ ...EXTEND, dry_run: true })
    const next = await process(seen)
    const { json } = await bulk(campus, 'POST', `/${id}/cancel`)
    expect(json).toMatchObject({ state: 'canceled', matched: BULK.dryRunChunk })
    expect(await process(next)).toMatchObject({ state: 'canceled' })
    expect(await read(campus, id)).toEqual(json)
  })

  it('goes on where a consumer was killed', async () => {
    const { campus, id, seen } = await newBulkChange()
    await process(seen)
    await carryOut(campus)
    await expectOnce(campus, id)
  })

  it('checks its conditions then: accesses that were changed or erased meanwhile do not match', async () => {
    const body = { filter: { status: 'with_access' }, change: { extend_days: 1 } }
    const { campus, id, seen } = await newBulkChange(body)
    const next = await process(seen)
    await updateAccess(campus.store, campus.accesses.at(-1) ?? '', { status: 'without_access' })
    await eraseUser(campus.store, campus.users.at(-2) ?? '')
    await process(next)
    expect(await read(campus, id)).toMatchObject({ state: 'done', matched: TWO_CHUNKS.users - 2 })
  })

  it('does not bring back what was changed after it', async () => {
    const { campus, id, seen } = await newBulkChange()
    const next = await process(seen)
    const changed = campus.accesses.slice(BULK.chunk - 3, BULK.chunk)
    for (const access of changed) await updateAccess(campus.store, access, { access_due_date: null })
    await process(next)
    const dates = (await accessesOf(campus.store)).map((row) => row.access_due_date)
    expect(dates.filter((date) => date === null)).toHaveLength(3)
    expect(await read(campus, id)).toMatchObject({ state: 'done', changed: TWO_CHUNKS.users })
  })
})

describe('A chunk of a revert', () => {
  it('is processed once if its response is lost, among events of others', async () => {
    const { campus, id, seen } = await newBulkChange()
    const next = await process(seen)
    for (let i = 0; i < 5; i++) await updateAccess(campus.store, campus.accesses[0] ?? '', { status: status(i) })
    await process(next)
    const { json } = await bulk(campus, 'POST', `/${id}/revert`)
    const { DB } = faultyD1(env.DB, losesAnswer())
    const first = await process(await find(campus, json.id), { DB })
    await process(first)
    // The first access has been closed since.
    const expected = { matched: TWO_CHUNKS.users, changed: TWO_CHUNKS.users - 1, unchanged: 1 }
    expect(await process(await find(campus, json.id))).toMatchObject({ state: 'done' })
    expect(await read(campus, json.id)).toMatchObject({ state: 'done', ...expected })
    const dates = (await accessesOf(campus.store)).map((row) => row.access_due_date)
    expect(dates).toEqual(dates.map((_, i) => (i === 0 ? TWO_CHUNKS.due + DAY : TWO_CHUNKS.due)))
  })

  const status = (i: number) => (i % 2 === 0 ? 'without_access' : 'with_access')
})

describe('The cost of a chunk', () => {
  it('is one round trip, two rows for each access that has no date, and two for the bulk change with its index', async () => {
    const campus = await newCampus({ users: BULK.chunk + 1 })
    const { id } = await post(campus, { filter: {}, change: { status: 'without_access' } })
    const { DB, roundTrips, rowsWritten, rowsRead } = faultyD1(env.DB)
    await process(await find(campus, id), { DB })
    expect([roundTrips(), rowsWritten()]).toEqual([1, 2 * BULK.chunk + 2])
    // Two statements reach the accesses, and each passes them through subqueries, whose rows D1 counts as well.
    expect(rowsRead()).toBeLessThan(12 * BULK.chunk + 20)
  })

  it('does not grow with the store', async () => {
    const read: number[] = []
    for (const users of [2 * BULK.chunk, 6 * BULK.chunk]) {
      const campus = await newCampus({ users })
      const { id } = await post(campus, { filter: { product_id: campus.products[0] }, change: { extend_days: 1 } })
      const { DB, rowsRead } = faultyD1(env.DB)
      await process(await find(campus, id), { DB })
      read.push(rowsRead())
    }
    expect(read[1]).toBe(read[0])
  })

  it('is one row for a dry run', async () => {
    const campus = await newCampus({ users: 2 })
    const { id } = await post(campus, { ...EXTEND, dry_run: true })
    const { DB, roundTrips, rowsWritten } = faultyD1(env.DB)
    await process(await find(campus, id), { DB })
    expect([roundTrips(), rowsWritten()]).toEqual([1, 1])
  })
})
