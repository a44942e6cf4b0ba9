import { describe, expect, it } from 'vitest'
import { PURGE } from '../../src/limits.ts'
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

/** Makes the events of the store up to this one older than the retention. */
async function makeOld({ store }: Hook, last: number): Promise<void> {
  const number = await storeNumber(store)
  const time = Date.now() - 91 * DAY
  await rowsOf('update events set created_at = ? where id <= ? and id >> 32 = ?', time, last, number)
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
    await makeOld(hook, waiting)
    await runCron()
    expect(await eventsDelivered(hook)).toEqual([young])
  })

  it('deletes the deliveries of all deleted events, although these take several chunks', async () => {
    const hook = await newHook()
    const ids = await insertEvents(hook.store, { type: 'user.created', count: PURGE.chunk + 10 })
    const [old = 0, young = 0] = ids.slice(-2)
    await rowsOf(
      `insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries)
        select ?1, id, 'delivered', 1, 0 from events where id between ?2 and ?3`,
      hook.endpoint_id,
      old,
      young,
    )
    await makeOld(hook, old)
    await runCron()
    expect(await eventsDelivered(hook)).toEqual([young])
  })

  it('reads only what it deletes and a few rows per endpoint, however many deliveries are kept', async () => {
    const hook = await newHook()
    await runCron()
    const { rowsRead: before } = await runCron()
    const ids = await insertEvents(hook.store, { type: 'user.created', count: 300 })
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
