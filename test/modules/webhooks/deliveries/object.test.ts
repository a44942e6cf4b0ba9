/** The object of an endpoint: how its work goes on after failures, deaths, deletions and restores. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { newDelivery } from '../../../../src/modules/webhooks/deliveries/delivery.ts'
import { DeliveryLog } from '../../../../src/modules/webhooks/deliveries/delivery-log.ts'
import { WEBHOOK } from '../../../../src/modules/webhooks/limits.ts'
import { recordConsole } from '../../../support/console.ts'
import { NOT_RETRIED } from '../../../support/d1-errors.ts'
import { faultyD1 } from '../../../support/faults.ts'
import { rowsOf } from '../../../support/rows.ts'
import {
  arrived,
  at,
  change,
  deliveriesOf,
  endpointRow,
  healthOf,
  inObject,
  newHook,
  newReceiver,
  objectOf,
  onHook,
  ring,
  work,
} from '../../../support/webhooks.ts'

afterEach(() => void vi.useRealTimers())

const cursorOf = async ({ endpoint_id }: { endpoint_id: number }): Promise<number> =>
  (await rowsOf('select cursor from webhook_endpoints where id = ?', endpoint_id))[0].cursor

describe('The object of a webhook endpoint', () => {
  it('delivers after a change, and has caught up in the database', async () => {
    const hook = await newHook()
    const [event = ''] = await change(hook)
    await work(hook)
    expect(await arrived(hook)).toEqual([event])
    expect(await deliveriesOf(hook)).toMatchObject([
      { event_id: event, state: 'delivered', attempts: 1, last_status: 204 },
    ])
    expect((await cursorOf(hook)) % 2 ** 32).toBe(Number(event))
  })

  it('saves the columns of a delivery, and nothing else that its object has', async () => {
    const delivery = newDelivery({ id: 7, type: 'user.created', created_at: 1 })
    const found = await runInDurableObject(objectOf(await newHook()), (_, { storage }) => {
      const log = new DeliveryLog(storage)
      log.save(Object.assign({ body: 'Ada' }, delivery))
      return log.find(7)
    })
    expect(found).toEqual(delivery)
  })

  it('tries again when its alarm rings, also after it was evicted', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500, 204)
    await change(hook)
    await work(hook)
    expect((await onHook(hook, 'GET')).json).toMatchObject({ state: 'failing', last_status: 500 })
    await evictDurableObject(objectOf(hook))
    await at(Date.now() + 6000, async () => {
      expect(await ring(hook)).toBe(true)
    })
    expect(await deliveriesOf(hook)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    expect((await onHook(hook, 'GET')).json).toMatchObject({ state: 'ok', failing_since: null, next_attempt_at: null })
  })

  it('makes a retry no earlier if an alarm rings after the one for the retry has been set', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    await change(hook)
    const now = Date.now()
    await at(now, () =>
      runInDurableObject(objectOf(hook), async (object) => {
        await object.work(hook.endpoint_id)
        object.alarm({ scheduledTime: now, isRetry: false, retryCount: 0 })
        await object.work(hook.endpoint_id)
      }),
    )
    expect(await arrived(hook)).toHaveLength(1)
  })

  it('leaves what waits for a retry to its schedule when another delivery succeeds', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    const [first] = await change(hook)
    await work(hook)
    const later = Date.now() + 3_600_000
    await inObject(hook, `update deliveries set next_attempt_at = ${later}`)
    await hook.receiver.answer(204)
    const [second] = await change(hook)
    await work(hook)
    expect(await deliveriesOf(hook)).toMatchObject([
      { event_id: first, state: 'pending', attempts: 1, next_attempt_at: new Date(later).toISOString() },
      { event_id: second, state: 'delivered' },
    ])
  })

  it('is down after 20 failures in a row, and sends what waits after the first success, the oldest first', async () => {
    const hook = await newHook()
    await hook.receiver.answer(500)
    const events = await change(hook, 24)
    await work(hook)
    const { json: down } = await onHook(hook, 'GET')
    expect(down.state).toBe('down')
    const failed = (await arrived(hook)).length
    await hook.receiver.answer(204)
    await onHook(hook, 'POST', '/enable')
    await work(hook)
    const ids = (await arrived(hook)).slice(failed)
    expect(ids[0]).toBe(events[0])
    expect(
      ids
        .map(Number)
        .toSorted((a, b) => a - b)
        .slice(0, 24),
    ).toEqual(events.map(Number))
    expect((await deliveriesOf(hook)).every(({ state }) => state === 'delivered')).toBe(true)
  })

  it.each(['PATCH', 'enable'])(
    'keeps the endpoint enabled if a 410 arrives that was asked for before %s',
    async (by) => {
      const hook = await newHook()
      await hook.receiver.answer('hang', 204)
      const [event] = await change(hook)
      const working = work(hook)
      await vi.waitUntil(async () => (await hook.receiver.requests()).length > 0, { timeout: 30_000 })
      const other = newReceiver()
      // Enabling changes nothing unless the endpoint fails.
      await rowsOf('update webhook_endpoints set failing_since = 1 where id = ?', hook.endpoint_id)
      const { status } = await (by === 'PATCH'
        ? onHook(hook, 'PATCH', '', { url: other.url })
        : onHook(hook, 'POST', '/enable'))
      expect(status).toBe(200)
      const { resumed_by } = await endpointRow(hook)
      await objectOf(hook).wake(hook.endpoint_id)
      await vi.waitUntil(async () => (await healthOf(hook))?.resumed_by === resumed_by, { timeout: 30_000 })
      await hook.receiver.answer(410)
      await working
      await hook.receiver.answer(204)
      expect((await onHook(hook, 'GET')).json).toMatchObject({ enabled: true, state: 'ok' })
      await at(Date.now() + 6000, () => ring(hook))
      expect(await arrived(by === 'PATCH' ? { receiver: other } : hook)).toContain(event)
      expect(await deliveriesOf(hook)).toMatchObject([{ event_id: event, state: 'delivered' }, { state: 'delivered' }])
    },
  )

  it('deletes everything when its endpoint is deleted', async () => {
    const hook = await newHook()
    await change(hook)
    await work(hook)
    await onHook(hook, 'DELETE')
    await work(hook)
    expect(await inObject(hook, "select name from sqlite_master where name in ('deliveries', 'health')")).toEqual([])
    expect(await runInDurableObject(objectOf(hook), (_, { storage }) => storage.getAlarm())).toBeNull()
  })

  it('begins anew if a restore brings its endpoint back', async () => {
    const hook = await newHook()
    const columns = await endpointRow(hook)
    await onHook(hook, 'DELETE')
    await work(hook)
    const names = Object.keys(columns)
    await rowsOf(
      `insert into webhook_endpoints (${names.join()}) values (${names.map(() => '?').join()})`,
      ...Object.values(columns),
    )
    const [event = ''] = await change(hook)
    await work(hook)
    expect(await arrived(hook)).toContain(event)
  })

  it('waits longer after each trip that fails, and no longer once one has succeeded', async () => {
    const hook = await newHook()
    let isFailing = true
    const { DB } = faultyD1(env.DB, () => (isFailing ? { when: 'before', message: NOT_RETRIED } : undefined))
    const waits: number[] = []
    const now = Date.now()
    await at(now, () =>
      runInDurableObject(objectOf(hook), async (object, { storage }) => {
        Object.assign(object, { env: { ...env, DB } })
        for (const fails of [true, true, false, true, false]) {
          isFailing = fails
          await recordConsole(() => object.work(hook.endpoint_id))
          const alarm = (await storage.getAlarm()) ?? 0
          if (fails) waits.push((alarm - now) / WEBHOOK.tripRetryMs)
        }
      }),
    )
    expect(waits).toEqual([1, 2, 1])
  })

  it('starts from the cursor of the database after a restore, even if ids are used again', async () => {
    const hook = await newHook()
    const [first = ''] = await change(hook)
    await work(hook)
    const cursor = await cursorOf(hook)
    const [second] = await change(hook)
    await work(hook)
    // The second event is lost, and another one gets its id.
    await rowsOf('delete from events where id > ? and id < ? + 1000', cursor, cursor)
    await rowsOf('delete from users where id > ? and id < ? + 1000', cursor, cursor)
    await rowsOf('update webhook_endpoints set cursor = ? where id = ?', cursor, hook.endpoint_id)
    await at(Date.now() + 1000, async () => {
      await change(hook)
      await work(hook)
    })
    expect(await arrived(hook)).toEqual([first, second, second])
    expect(await deliveriesOf(hook)).toHaveLength(2)
    expect(await healthOf(hook)).toMatchObject({ failures: 0 })
    expect(env.ENVIRONMENT).toBe('test')
  })
})
