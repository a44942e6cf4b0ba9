import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../../src/index.ts'
import { EXPIRY } from '../../../src/modules/accesses/limits.ts'
import { newAccess, newStore, updateAccess, UUID } from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import { MINUTELY, runMinutely } from '../../support/cron.ts'
import { D1_ERRORS } from '../../support/d1-errors.ts'
import { feedOf } from '../../support/events.ts'
import { type Fault, faultyD1, faultyObjects } from '../../support/faults.ts'
import { eventsOf, insertEvent, rowsOf, insertDatedAccesses, storeNumber, type TestStore } from '../../support/rows.ts'

describe('The every-minute job', () => {
  it('writes expiry events, wakes the webhook endpoints of the store and logs the number of events', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    const endpoint = await insertEvent(store, { type: 'webhook_endpoint.created' })
    await updateAccess(store, id, { access_due_date: '2020-01-01T00:00:00Z' })
    await rowsOf(
      `insert into webhook_endpoints (id, url, secret, cursor, is_down, pending, resumed_by, created_at, event_id)
        values (?1, '', '', ?1 + 1000, 0, 0, ?1, 0, ?1)`,
      endpoint,
    )
    // It has caught up, so that it is woken only for the expiry.
    const { bindings, endpoints } = faultyObjects(env, () => 'lost')
    const now = Date.now()
    const controller = createScheduledController({ scheduledTime: now, cron: MINUTELY })
    const lines = await recordConsole(async () => worker.scheduled(controller, { ...env, ...bindings }))
    await rowsOf('delete from webhook_endpoints where id = ?', endpoint)

    const [event] = await feedOf(store, { type: 'product_access.expired' })
    expect(event).toMatchObject({ timestamp: new Date(now).toISOString(), data: { product_access_id: id } })
    const [run, subject] = (await eventsOf(store)).at(-1).request_id.split('/')
    expect(run).toMatch(UUID)
    expect(Number(subject)).toBe((await eventsOf(store)).at(-1).subject_id)
    expect(endpoints()).toContain(endpoint)
    const logged = lines.map((line) => JSON.parse(line)).find(({ job }) => job === 'minutely')
    expect(logged.expired).toBeGreaterThanOrEqual(1)
  })

  it('announces expiries although another part fails, and then fails itself', async () => {
    const store = await newStoreWithExpired()
    const { DB } = faultyD1(env.DB, (trip) => (trip === 0 ? FAULT : undefined))
    const lines = await recordConsole(() => expect(runJob({ DB })).rejects.toMatchObject({ failure: 'd1_overloaded' }))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ kind: 'warning', code: 'minutely_part_failed', part: 'webhooks' }),
    )
    expect(await feedOf(store, { type: 'product_access.expired' })).toHaveLength(1)
  })

  it('leaves out only the store whose expiries cannot be written, and then fails itself', async () => {
    await runMinutely()
    const stores: TestStore[] = []
    while (stores.length <= EXPIRY.stores) stores.push(await newStoreWithExpired())
    const [poisoned, ...others] = stores
    if (!poisoned) throw new Error('no store')
    const expired = async (of: TestStore[]) => {
      const feeds = await Promise.all(of.map((store) => feedOf(store, { type: 'product_access.expired' })))
      return feeds.flat().length
    }
    await poison(poisoned)
    const lines = await recordConsole(() => expect(runJob({})).rejects.toThrow('poison'))
    await rowsOf('drop trigger poison')
    expect([await expired([poisoned]), await expired(others)]).toEqual([0, others.length])
    const failed = lines.map((line) => JSON.parse(line)).filter(({ code }) => code === 'expiry_failed')
    expect(failed).toEqual([expect.objectContaining({ store: await storeNumber(poisoned) })])
    await runMinutely()
    expect(await expired([poisoned])).toBe(1)
  })

  it('announces as much of the other stores as without a store whose expiries cannot be written', async () => {
    await announceLeftovers()
    const [busy, poisoned] = [await newStore(), await newStoreWithExpired()]
    const count = 2 * EXPIRY.chunk
    await insertDatedAccesses(busy, count, Date.now() - 1000)
    await poison(poisoned)
    const lines = await recordConsole(() => expect(runJob({})).rejects.toThrow('poison'))
    await rowsOf('drop trigger poison')
    const job = lines.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'job')
    expect(job).toMatchObject({ expired: count })
    await runMinutely()
  })
})

/** What other files have left is announced as well, and would be counted below. */
async function announceLeftovers(): Promise<void> {
  const waiting = `select count(*) as count from product_accesses
    where status = 'with_access' and access_due_date < ? and expired_at is null`
  const count = async () => (await rowsOf(waiting, Date.now()))[0].count
  for (let left = Infinity; left > (left = await count());) await runMinutely()
}

const FAULT: Fault = { when: 'before', message: D1_ERRORS.d1_overloaded[0] }

/** No event of the store's expiries can be written until the trigger is dropped. */
async function poison(store: TestStore): Promise<void> {
  await rowsOf(
    `create trigger poison before insert on events
      when new.type = 'product_access.expired' and new.id >> 32 = ${await storeNumber(store)}
      begin select raise(abort, 'poison'); end`,
  )
}

/** A store with an access that has expired and was not announced. */
async function newStoreWithExpired(): Promise<TestStore> {
  const store = await newStore()
  await insertDatedAccesses(store, 1, Date.now() - 1000)
  return store
}

async function runJob(bindings: object): Promise<void> {
  const objects = faultyObjects(env, () => 'lost').bindings
  const controller = createScheduledController({ scheduledTime: Date.now(), cron: MINUTELY })
  await worker.scheduled(controller, { ...env, ...objects, ...bindings })
}
