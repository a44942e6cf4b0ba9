/** These tests cover webhooks; test/domain/accesses/expiry.test.ts covers what the minutely job does for accesses. */
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { newAccess, newStore, updateAccess } from '../support/api.ts'
import { recordConsole } from '../support/console.ts'
import { countAll, runMinutely } from '../support/cron.ts'
import { D1_ERRORS } from '../support/d1-errors.ts'
import { faultyD1 } from '../support/faults.ts'
import { idIn, insertEvents, rowsOf, storeNumber } from '../support/rows.ts'
import { age, arrived, change, deliver, deliveriesOf, type Hook, newHook, onHook, sweep } from '../support/webhooks.ts'

/** Returns how many rows a run reads, including rows that other tests left. */
async function rowsRead({ bindings }: Hook): Promise<number> {
  // The job also counts new events, at a cost of its own.
  await countAll()
  const { DB, rowsRead } = faultyD1(env.DB)
  await sweep({ ...bindings, DB })
  return rowsRead()
}

/** Inserts endpoints in this state, each with a pending delivery. */
async function insertDead({ store }: Hook, count: number, state: 'failing' | 'down' | 'disabled'): Promise<void> {
  const ids = await insertEvents(store, { type: 'webhook_endpoint.created', count })
  const number = await storeNumber(store)
  await rowsOf(
    `insert into webhook_endpoints
        (id, url, secret, cursor, failures, failing_since, probe_at, probes, resumed_after, resumed_until, disabled_at,
          created_at, event_id)
      select id, 'https://dead.example.com/', 'whsec_', (select max(id) from events where id >> 32 = ?4), 19, 0, ?5, 0, 0, 0,
        ?3, 0, id
      from events where id between ?1 and ?2`,
    ids[0],
    ids.at(-1),
    state === 'disabled' ? 1 : null,
    number,
    state === 'failing' ? null : Date.now() + 60_000,
  )
  await rowsOf(
    `insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries, next_attempt_at)
      select id, id, 'pending', 1, 1, ?3 from events where id between ?1 and ?2`,
    ids[0],
    ids.at(-1),
    Date.now() + 60 * 60 * 1000,
  )
}

describe('The minutely job', () => {
  it('logs the number of woken endpoints and its cost in one line', async () => {
    const hook = await newHook()
    await change(hook)
    const lines = await recordConsole(() => sweep(hook.bindings))
    const [line, ...others] = lines.map((each) => JSON.parse(each))
    expect(others).toEqual([])
    expect(line).toMatchObject({ kind: 'job', job: 'minutely', d1_rows_read: expect.any(Number) })
    expect(line.woken_endpoints).toBeGreaterThanOrEqual(1)
  })

  it('pauses after each batch of expiries and of statistics, so that requests do not wait until it ends', async () => {
    const hook = await newHook()
    const other = await newStore()
    const { id } = await newAccess(other)
    await updateAccess(other, id, { access_due_date: '2020-01-01T00:00:00Z' })
    const TRIP_MS = 7
    let now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    const { DB } = faultyD1(env.DB, () => void (now += TRIP_MS))
    const wait = vi.spyOn(globalThis, 'setTimeout')
    await sweep({ ...hook.bindings, DB })
    const pauses = wait.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 2 * TRIP_MS)
    vi.restoreAllMocks()
    // One round trip finds the work, and the second one does it.
    expect(pauses.length).toBeGreaterThanOrEqual(2)
  })

  it('keeps its messages from the real queue where a test is about something else', async () => {
    const hook = await newHook()
    await change(hook)
    expect(await runMinutely()).toContainEqual({ body: { endpoint_id: hook.endpoint_id }, delaySeconds: 0 })
  })

  it('deletes nothing, and wakes no endpoint without a due delivery', async () => {
    const hook = await newHook()
    await change(hook)
    await deliver(hook)
    const [wakeUps, deliveries] = [hook.wakeUps().length, await deliveriesOf(hook)]
    await sweep(hook.bindings, 60 * 60 * 1000)
    expect(hook.wakeUps()).toHaveLength(wakeUps)
    expect(await deliveriesOf(hook)).toEqual(deliveries)
  })

  it('wakes no endpoint with an attempt in flight, whose end wakes it, until the lease has ended', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    const [first] = await change(hook, 2)
    await deliver(hook)
    await age(hook, 60 * 60 * 1000)
    const lease = `update webhook_deliveries set lease = 'other', leased_until = ?3 where endpoint_id = ?1 and event_id = ?2`
    const messages = hook.wakeUps().length
    for (const [leasedMs, expected] of [
      [20_000, 0],
      [-1, 1],
    ] as const) {
      await rowsOf(lease, hook.endpoint_id, await idIn(hook.store, Number(first)), Date.now() + leasedMs)
      await sweep(hook.bindings)
      expect(hook.wakeUps()).toHaveLength(messages + expected)
    }
  })

  it('wakes no disabled endpoint, even with pending deliveries', async () => {
    const hook = await newHook()
    await change(hook)
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', hook.endpoint_id)
    const wakeUps = hook.wakeUps().length
    await sweep(hook.bindings)
    expect(hook.wakeUps()).toHaveLength(wakeUps)
  })

  it('reads a few rows per endpoint for any number of pending deliveries', async () => {
    const hook = await newHook()
    await change(hook)
    await deliver(hook)
    const before = await rowsRead(hook)
    await rowsOf(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
        insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries, next_attempt_at)
        select ?1, ?2 + i, 'pending', 1, 1, ?3 from n`,
      hook.endpoint_id,
      await idIn(hook.store, 1_000_000),
      Date.now() + 60 * 60 * 1000,
    )
    const after = await rowsRead(hook)
    expect(after - before).toBeLessThanOrEqual(2)
    await onHook(hook, 'DELETE')
  })

  it('reads at most five rows for a failing endpoint, and one for a disabled one or one that is down', async () => {
    const hook = await newHook({ types: ['access_token.revoked'] })
    const before = await rowsRead(hook)
    await insertDead(hook, 100, 'disabled')
    await deliver(hook)
    const disabled = await rowsRead(hook)
    expect(disabled - before).toBeLessThanOrEqual(100 + 5)
    await insertDead(hook, 100, 'failing')
    await deliver(hook)
    const failing = await rowsRead(hook)
    expect(failing - disabled).toBeLessThanOrEqual(500 + 5)
    await insertDead(hook, 100, 'down')
    await deliver(hook)
    expect((await rowsRead(hook)) - failing).toBeLessThanOrEqual(100 + 5)
    expect(await arrived(hook)).toEqual([])
  })

  it('fails when D1 fails, so that the platform reports it', async () => {
    const [message] = D1_ERRORS.d1_overloaded
    const { DB } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    await expect(sweep({ DB })).rejects.toMatchObject({ failure: 'd1_overloaded' })
  })
})
