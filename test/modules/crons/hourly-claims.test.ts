import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import worker from '../../../src/index.ts'
import { hourly } from '../../../src/modules/crons/hourly.ts'
import { OWN_STORE } from '../../../src/modules/store-directory/limits.ts'
import { PURGE } from '../../../src/jobs/limits.ts'
import { createV1, newStore, v1User } from '../../support/api.ts'
import { HOURLY, purgeAll, runCron } from '../../support/cron.ts'
import { D1_ERRORS } from '../../support/d1-errors.ts'
import { sharedDb } from '../../support/db.ts'
import { faultyD1 } from '../../support/faults.ts'
import { claimsOf, eventsOf, insertEvents, numberOf, rowsOf, storeNumber, usersOf } from '../../support/rows.ts'

const HOUR = 60 * 60 * 1000

/** The round trips that find no fencing token, no event to delete and no zone to renew, and two for the row of the job. */
const OTHERS = 5

/** Returns an id that no other test uses. */
function newCallerId(): number {
  return 1_000_000_000 + Math.floor(Math.random() * 1_000_000_000)
}

/** Inserts the claims `bulk-1` to `bulk-<count>`, each a millisecond older than the next. */
async function insertClaims(callerId: number, count: number, newest: number): Promise<void> {
  await rowsOf(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
      insert into idempotency_keys select 1, ?1, 'v1.users.create', 'bulk-' || i, 'f', 1, ?3 - ?2 + i, null from n`,
    callerId,
    count,
    newest,
  )
}

async function keysOf(callerId: number): Promise<string[]> {
  const rows = await rowsOf('select key from idempotency_keys where caller_id = ? order by created_at', callerId)
  return rows.map(({ key }) => key)
}

// A run covers the claims of all stores, so those of other tests would be counted.
beforeEach(() => purgeAll())

describe('The hourly job', () => {
  it('deletes claims that are older than 24 hours and keeps newer ones', async () => {
    const now = Date.now()
    const callerId = newCallerId()
    await insertClaims(callerId, 4, now - 24 * HOUR)
    await runCron(now)
    expect(await keysOf(callerId)).toEqual(['bulk-4'])
  })

  it('keeps a claim that still replays', async () => {
    const store = await newStore()
    const [body, headers] = [v1User(), { 'X-Idempotency-Key': 'order-1' }]
    const first = await createV1(store, body, { headers })
    await runCron()
    const second = await createV1(store, body, { headers })
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(second.text).toBe(first.text)
  })

  it('deletes only claims and no users', async () => {
    const store = await newStore()
    const { json } = await createV1(store, v1User(), { headers: { 'X-Idempotency-Key': 'order-1' } })
    await runCron(Date.now() + 25 * HOUR)
    expect(await claimsOf(store)).toEqual([])
    expect((await usersOf(store)).map(({ id }) => numberOf(id))).toEqual([Number(json.id)])
  })

  it('deletes in chunks and stops after the first chunk that is not full', async () => {
    const now = Date.now()
    const callerId = newCallerId()
    await insertClaims(callerId, 2 * PURGE.chunk + 1, now - 25 * HOUR)
    const { roundTrips, log } = await runCron(now)
    expect(roundTrips).toBe(3 + OTHERS)
    expect(log).toMatchObject([{ kind: 'job', job: 'hourly', purged_claims: 2 * PURGE.chunk + 1, purged_events: 0 }])
    expect(log).toHaveLength(1)
    expect(await keysOf(callerId)).toEqual([])
  })

  it('deletes the fencing tokens that are older than 24 hours and keeps the younger', async () => {
    const now = Date.now()
    const tokens = [1, 2, 3, 4].map((i) => ({ request_id: crypto.randomUUID(), created_at: now - 24 * HOUR - 4 + i }))
    for (const { request_id, created_at } of tokens) {
      await rowsOf('insert into fencing_tokens values (?, 1, ?)', request_id, created_at)
    }
    const { log } = await runCron(now)
    expect(log).toMatchObject([{ purged_claims: 0, purged_fencing_tokens: 3 }])
    const ids = tokens.map(({ request_id }) => request_id)
    expect(await rowsOf('select request_id from fencing_tokens where request_id in (?, ?, ?, ?)', ...ids)).toEqual([
      { request_id: ids[3] },
    ])
  })

  it('deletes nothing when all claims are new', async () => {
    expect(await runCron()).toMatchObject({ roundTrips: 1 + OTHERS, log: [{ purged_claims: 0 }] })
  })

  it('reads each claim once, however many are kept', async () => {
    const now = Date.now()
    const [young, old] = [newCallerId(), newCallerId()]
    const { rowsRead: idle } = await runCron(now)
    await insertClaims(young, 20 * PURGE.chunk, now)
    await insertClaims(old, PURGE.chunk, now - 25 * HOUR)
    const { rowsRead, log } = await runCron(now)
    expect(log).toMatchObject([{ purged_claims: PURGE.chunk }])
    // Each chunk examines its claims twice: to delete those that have expired, and to find the last key.
    expect(rowsRead - idle).toBeLessThan(2.5 * 22 * PURGE.chunk)
    expect(await keysOf(old)).toEqual([])
    await rowsOf('delete from idempotency_keys where caller_id = ?', young)
  })

  it('continues after the last key when a run has used up its time', async () => {
    const now = Date.now()
    const callerId = newCallerId()
    await insertClaims(callerId, 3 * PURGE.chunk + 10, now - 25 * HOUR)
    let ahead = 0
    // After the first chunk of each purge, the clock shows that the time of the run is over.
    const { DB } = faultyD1(env.DB, (n) => {
      if (n === 4) ahead = PURGE.ms
      return undefined
    })
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + ahead)
    const { log } = await runCron(now, { DB }).finally(() => clock.mockRestore())
    const { purged_claims } = log[0]
    expect(purged_claims).toBeGreaterThan(0)
    expect(purged_claims).toBeLessThan(3 * PURGE.chunk)
    const [{ positions }] = await rowsOf("select positions from jobs where name = 'hourly'")
    expect(Object.keys(JSON.parse(positions))).toEqual(['claims'])
    const { log: second } = await runCron(now)
    expect(purged_claims + second[0].purged_claims).toBe(3 * PURGE.chunk + 10)
    expect(await rowsOf("select positions from jobs where name = 'hourly'")).toEqual([{ positions: '{}' }])
  })

  it('uses less time in the database of a single store, whose alarm has other work to do', async () => {
    const now = Date.now()
    const callerId = newCallerId()
    await insertClaims(callerId, 3 * PURGE.chunk, now - 25 * HOUR)
    let ahead = 0
    const { DB } = faultyD1(env.DB, (n) => {
      if (n === 4) ahead = OWN_STORE.purgeMs
      return undefined
    })
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + ahead)
    await hourly(sharedDb(DB), env, { now, store: 1 }).finally(() => clock.mockRestore())
    expect((await keysOf(callerId)).length).toBeGreaterThan(0)
    await runCron(now)
    expect(await keysOf(callerId)).toEqual([])
  })

  it('deletes the rest when one purge fails, logs the failure, and fails at its end', async () => {
    const store = await newStore()
    const callerId = newCallerId()
    const now = Date.now()
    await insertClaims(callerId, 10, now - 25 * HOUR)
    await rowsOf('insert into fencing_tokens values (?, 1, ?)', `old-${callerId}`, now - 25 * HOUR)
    await insertEvents(store, { type: 'user.created', count: 5, created_at: now - 100 * 24 * HOUR })
    await rowsOf('update events set created_at = 0 where id >> 32 = ?', await storeNumber(store))
    const [message] = D1_ERRORS.d1_overloaded
    // Round trip 1 is that of the time zones, and 2 that of the claims.
    const { DB } = faultyD1(env.DB, (n) => (n === 2 ? { message, when: 'before' } : undefined))
    const lines: any[] = []
    const warn = vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(JSON.parse(line)))
    await expect(runCron(now, { DB })).rejects.toMatchObject({ failure: 'd1_overloaded' })
    warn.mockRestore()
    expect(lines).toEqual([{ kind: 'warning', code: 'purge_failed', purge: 'claims', failure: 'd1_overloaded' }])
    expect(await keysOf(callerId)).toHaveLength(10)
    expect(await rowsOf('select * from fencing_tokens where request_id = ?', `old-${callerId}`)).toEqual([])
    expect(await eventsOf(store)).toHaveLength(1)
    await runCron(now)
    expect(await keysOf(callerId)).toEqual([])
  })

  it('fails when D1 fails, so that the platform reports it', async () => {
    const [message] = D1_ERRORS.d1_overloaded
    const { DB } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    const controller = createScheduledController({ scheduledTime: Date.now(), cron: HOURLY })
    await expect(worker.scheduled(controller, { ...env, DB })).rejects.toMatchObject({ failure: 'd1_overloaded' })
  })
})
