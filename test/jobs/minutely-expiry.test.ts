import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { newAccess, newStore, updateAccess, UUID } from '../support/api.ts'
import { recordConsole } from '../support/console.ts'
import { MINUTELY } from '../support/cron.ts'
import { feedOf } from '../support/events.ts'
import { faultyQueue } from '../support/faults.ts'
import { eventsOf, insertEvent, rowsOf } from '../support/rows.ts'

describe('The minutely job', () => {
  it('writes expiry events, wakes the webhook endpoints of the store and logs the number of events', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    const endpoint = await insertEvent(store, { type: 'webhook_endpoint.created' })
    await updateAccess(store, id, { access_due_date: '2020-01-01T00:00:00Z' })
    await rowsOf(
      `insert into webhook_endpoints (id, url, secret, cursor, failures, probes, resumed_after, resumed_until, created_at, event_id)
        values (?1, '', '', ?1, 0, 0, 0, 0, 0, ?1)`,
      endpoint,
    )
    const { WEBHOOKS, messages } = faultyQueue(env.WEBHOOKS, () => 'lost')
    const now = Date.now()
    const controller = createScheduledController({ scheduledTime: now, cron: MINUTELY })
    const lines = await recordConsole(async () => worker.scheduled(controller, { ...env, WEBHOOKS }))
    await rowsOf('delete from webhook_endpoints where id = ?', endpoint)

    const [event] = await feedOf(store, { type: 'product_access.expired' })
    expect(event).toMatchObject({ timestamp: new Date(now).toISOString(), data: { product_access_id: id } })
    const [run, subject] = (await eventsOf(store)).at(-1).request_id.split('/')
    expect(run).toMatch(UUID)
    expect(Number(subject)).toBe((await eventsOf(store)).at(-1).subject_id)
    expect(messages().map(({ body }) => body.endpoint_id)).toContain(endpoint)
    const logged = lines.map((line) => JSON.parse(line)).find(({ job }) => job === 'minutely')
    expect(logged.expired).toBeGreaterThanOrEqual(1)
  })
})
