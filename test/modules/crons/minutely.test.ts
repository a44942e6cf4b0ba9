/** These tests cover webhooks; test/modules/accesses/expiry.test.ts covers what the every-minute job does for accesses. */
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { WEBHOOK } from '../../../src/modules/webhooks/limits.ts'
import { newAccess, newStore, updateAccess } from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import { countAll } from '../../support/cron.ts'
import { D1_ERRORS } from '../../support/d1-errors.ts'
import { faultyD1 } from '../../support/faults.ts'
import { insertEvents, rowsOf, storeNumber } from '../../support/rows.ts'
import { change, endpointRow, type Hook, newHook, sweep, sweepAt, work } from '../../support/webhooks.ts'

const HOUR = 60 * 60 * 1000

/** Returns how many rows a run reads, including rows that other tests left. */
async function rowsRead({ bindings }: Hook): Promise<number> {
  // The job also counts new events, at a cost of its own.
  await countAll()
  const { DB, rowsRead } = faultyD1(env.DB)
  await sweep({ ...bindings, DB })
  return rowsRead()
}

/** Inserts endpoints in this state that have nothing to do. */
async function insertDead({ store }: Hook, count: number, state: 'failing' | 'down' | 'disabled'): Promise<void> {
  const ids = await insertEvents(store, { type: 'webhook_endpoint.created', count })
  await rowsOf(
    `insert into webhook_endpoints (id, url, secret, cursor, failing_since, is_down, next_attempt_at, pending, disabled_at,
        resumed_by, created_at, event_id)
      select id, 'https://dead.example.com/', 'whsec_', (select max(id) from events where id >> 32 = ?4), 0, ?5, ?6, 1, ?3,
        id, 0, id
      from events where id between ?1 and ?2`,
    ids[0],
    ids.at(-1),
    state === 'disabled' ? 1 : null,
    await storeNumber(store),
    state === 'down' ? 1 : 0,
    Date.now() + 2 * HOUR,
  )
}

describe('The every-minute job', () => {
  it('logs the number of woken endpoints and its cost in one line', async () => {
    const hook = await newHook()
    await change(hook)
    const lines = await recordConsole(() => sweep(hook.bindings))
    // What other files have left may be logged beside it.
    const [line, ...others] = lines.map((each) => JSON.parse(each)).filter(({ kind }) => kind === 'job')
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
    const pauses = wait.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 2 * TRIP_MS || ms === 3 * TRIP_MS)
    vi.restoreAllMocks()
    // One round trip finds the work, and another one does it. Statistics read the rows in between.
    expect(pauses.length).toBeGreaterThanOrEqual(2)
  })

  it('wakes an endpoint whose wake-up was lost, and none that has caught up', async () => {
    const hook = await newHook()
    await change(hook)
    const before = hook.wakes()
    await sweep(hook.bindings)
    expect(hook.wakes()).toBe(before + 1)
    await work(hook)
    await sweep(hook.bindings, HOUR)
    expect(hook.wakes()).toBe(before + 1)
  })

  it('wakes an endpoint whose retry or probe is a minute overdue, and no other that is down', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    await change(hook)
    await work(hook)
    const before = hook.wakes()
    const { next_attempt_at } = await endpointRow(hook)
    const overdueAt = next_attempt_at + WEBHOOK.graceMs
    await sweepAt(overdueAt - 1, hook.bindings)
    expect(hook.wakes()).toBe(before)
    await sweepAt(overdueAt, hook.bindings)
    expect(hook.wakes()).toBe(before + 1)
    await rowsOf('update webhook_endpoints set is_down = 1 where id = ?', hook.endpoint_id)
    await insertEvents(hook.store, { type: 'user.created', count: 1 })
    await sweepAt(overdueAt - 1, hook.bindings)
    expect(hook.wakes()).toBe(before + 1)
    await sweepAt(overdueAt, hook.bindings)
    expect(hook.wakes()).toBe(before + 2)
  })

  it('wakes no disabled endpoint, even with events after its cursor', async () => {
    const hook = await newHook()
    await change(hook)
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', hook.endpoint_id)
    const before = hook.wakes()
    await sweep(hook.bindings)
    expect(hook.wakes()).toBe(before)
  })

  it('reads two rows for an endpoint that has nothing to do, whatever its state', async () => {
    const hook = await newHook({ types: ['access_token.revoked'] })
    for (const state of ['disabled', 'failing', 'down'] as const) {
      await work(hook)
      const before = await rowsRead(hook)
      await insertDead(hook, 100, state)
      await rowsOf(
        'update webhook_endpoints set cursor = (select max(id) from events where events.id >> 32 = webhook_endpoints.id >> 32) where id = ?',
        hook.endpoint_id,
      )
      expect((await rowsRead(hook)) - before).toBeLessThanOrEqual(2 * 100 + 5)
      await rowsOf("delete from webhook_endpoints where url = 'https://dead.example.com/'")
    }
  })

  it('fails when D1 fails, so that the platform reports it', async () => {
    const [message] = D1_ERRORS.d1_overloaded
    const { DB } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    await expect(sweep({ DB })).rejects.toMatchObject({ failure: 'd1_overloaded' })
  })
})
