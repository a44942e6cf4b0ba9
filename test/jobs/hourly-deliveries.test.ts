import { describe, expect, it } from 'vitest'
import { runCron } from '../support/cron.ts'
import { insertEvents, rowsOf, storeNumber } from '../support/rows.ts'
import { arrived, change, deliver, deliveriesOf, type Hook, newHook, onHook } from '../support/webhooks.ts'

const DAY = 24 * 60 * 60 * 1000

async function eventsDelivered({ endpoint_id }: Hook): Promise<number[]> {
  const rows = await rowsOf(
    'select event_id from webhook_deliveries where endpoint_id = ? order by event_id',
    endpoint_id,
  )
  return rows.map(({ event_id }) => event_id)
}

describe('The hourly job', () => {
  it('deletes the deliveries of deleted endpoints and no others', async () => {
    const [deleted, kept] = [await newHook(), await newHook()]
    for (const hook of [deleted, kept]) {
      await change(hook, 2)
      await deliver(hook)
    }
    await onHook(deleted, 'DELETE')
    const before = await deliveriesOf(kept)
    expect(await eventsDelivered(deleted)).toHaveLength(2)
    const { log } = await runCron()
    expect(log[0].purged_deliveries).toBeGreaterThanOrEqual(2)
    expect(await eventsDelivered(deleted)).toEqual([])
    expect(before).toHaveLength(2)
    expect(await deliveriesOf(kept)).toEqual(before)
  })

  it('deletes the deliveries of deleted events, including pending ones, and no others', async () => {
    const hook = await newHook()
    const [delivered = 0, waiting = 0, young = 0] = await insertEvents(hook.store, { type: 'user.created', count: 3 })
    await deliver(hook)
    await rowsOf(
      `update webhook_deliveries set state = 'pending', next_attempt_at = 9e15 where endpoint_id = ? and event_id = ?`,
      hook.endpoint_id,
      waiting,
    )
    expect(await eventsDelivered(hook)).toEqual([delivered, waiting, young])
    await rowsOf(
      'update events set created_at = ? where id <= ? and id >> 32 = ?',
      Date.now() - 91 * DAY,
      waiting,
      await storeNumber(hook.store),
    )
    await runCron()
    expect(await eventsDelivered(hook)).toEqual([young])
  })

  it('reads only what it deletes and a few rows per endpoint, however many deliveries are kept', async () => {
    const hook = await newHook()
    await runCron()
    const { rowsRead: before } = await runCron()
    const ids = await insertEvents(hook.store, { type: 'user.created', count: 3000 })
    await rowsOf(
      `insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries)
        select ?1, id, 'delivered', 1, 0 from events where id between ?2 and ?3`,
      hook.endpoint_id,
      ids[0],
      ids.at(-1),
    )
    expect((await runCron()).rowsRead - before).toBeLessThan(10)
  })

  it('sends nothing', async () => {
    const hook = await newHook()
    await change(hook)
    await runCron()
    expect(await arrived(hook)).toEqual([])
  })
})
