/** What the cron triggers do for webhooks. All test files share one database: the rows here are the test's own. */
import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { recordConsole } from '../support/console.ts'
import { faultyD1, OVERLOADED } from '../support/faults.ts'
import { rowsOf } from '../support/rows.ts'
import { arrived, change, deliver, deliveriesOf, type Hook, newHook, onHook, sweep } from '../support/webhooks.ts'

const DAY = 24 * 60 * 60 * 1000

async function runHourly(): Promise<any[]> {
  const controller = createScheduledController({ scheduledTime: Date.now(), cron: '17 * * * *' })
  const lines = await recordConsole(() => worker.scheduled(controller, env))
  return lines.map((line) => JSON.parse(line))
}

/** A delivered event with an id below all others, as the oldest ones have. */
async function insertOld({ id, store }: Hook, event: number, createdAt: number): Promise<void> {
  await rowsOf(
    `insert into events (id, store_id, type, created_at) values (?, ?, 'user.created', ?)`,
    event,
    store.id,
    createdAt,
  )
  await rowsOf(`insert into webhook_deliveries values (?, ?, 'delivered', 1, 204, ?, null)`, id, event, createdAt)
}

async function eventsDelivered({ id }: Hook): Promise<number[]> {
  const rows = await rowsOf('select event_id from webhook_deliveries where endpoint_id = ? order by event_id', id)
  return rows.map(({ event_id }) => event_id)
}

describe('the hourly run', () => {
  it('deletes the deliveries of endpoints that are deleted, and of no other', async () => {
    const [deleted, kept] = [await newHook(), await newHook()]
    for (const hook of [deleted, kept]) {
      await change(hook, 2)
      await deliver(hook)
    }
    await onHook(deleted, 'DELETE')
    const before = await deliveriesOf(kept)
    expect(await eventsDelivered(deleted)).toHaveLength(2)
    const [line] = await runHourly()
    expect(line).toMatchObject({ cron: '17 * * * *', purged_deliveries: expect.any(Number) })
    expect(line.purged_deliveries).toBeGreaterThanOrEqual(2)
    expect(await eventsDelivered(deleted)).toEqual([])
    expect(before).toHaveLength(2)
    expect(await deliveriesOf(kept)).toEqual(before)
  })

  it('deletes the deliveries of events that are deleted, and of no other', async () => {
    const hook = await newHook()
    await change(hook)
    await deliver(hook)
    const [younger = 0] = await eventsDelivered(hook)
    const old = -1_000_000_000 - Math.floor(Math.random() * 1_000_000_000)
    await insertOld(hook, old, Date.now() - 91 * DAY)
    await insertOld(hook, old + 1, Date.now() - 89 * DAY)
    try {
      await runHourly()
      expect(await rowsOf('select id from events where id = ?', old)).toEqual([])
      expect(await eventsDelivered(hook)).toEqual([old + 1, younger])
    } finally {
      await rowsOf('delete from events where id = ?', old + 1)
    }
  })

  it('sends nothing', async () => {
    const hook = await newHook()
    await change(hook)
    await runHourly()
    expect(await arrived(hook)).toEqual([])
  })
})

describe('the run of each minute', () => {
  it('logs how many endpoints it woke', async () => {
    const hook = await newHook()
    await change(hook)
    const lines = await recordConsole(() => sweep(hook.bindings))
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged).toEqual([{ cron: '* * * * *', woken_endpoints: expect.any(Number) }])
    expect(logged[0].woken_endpoints).toBeGreaterThanOrEqual(1)
  })

  it('deletes nothing', async () => {
    const hook = await newHook()
    await change(hook)
    await deliver(hook)
    await onHook(hook, 'DELETE')
    await sweep(hook.bindings)
    expect(await eventsDelivered(hook)).toHaveLength(1)
  })

  it('fails when D1 does, so that the platform shows it', async () => {
    const { DB } = faultyD1(env.DB, () => ({ message: OVERLOADED[0] ?? '', when: 'before' }))
    await expect(sweep({ DB })).rejects.toMatchObject({ code: 'service_unavailable' })
  })
})
