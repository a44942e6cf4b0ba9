import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { summary, TIMESTAMP } from '../support/api.ts'
import { faultyD1 } from '../support/faults.ts'
import { idIn, insertEvents, numberOf, rowsOf } from '../support/rows.ts'
import { change, deliver, deliveriesOf, type Hook, newHook, onHook } from '../support/webhooks.ts'

let hook: Hook
let ids: string[]

/** The first delivery succeeded, the second one failed and is retried, and the third one has no more retries. */
beforeAll(async () => {
  hook = await newHook()
  ids = await change(hook)
  await deliver(hook)
  await hook.receiver.answer(503)
  ids.push(...(await change(hook, 2)))
  await deliver(hook)
  await rowsOf(
    `update webhook_deliveries set state = 'failed', next_attempt_at = null where endpoint_id = ? and event_id = ?`,
    hook.endpoint_id,
    await idIn(hook.store, ids[2] ?? ''),
  )
})

describe('GET /admin/stores/{store_id}/webhook_endpoints/{id}/deliveries', () => {
  it('returns the deliveries with their type and state, the newest event first', async () => {
    const { status, json } = await onHook(hook, 'GET', '/deliveries')
    expect(status).toBe(200)
    const attempted = { type: 'user.created', attempts: 1, last_attempt_at: expect.stringMatching(TIMESTAMP) }
    const time = expect.stringMatching(TIMESTAMP)
    expect(json).toEqual({
      data: [
        { event_id: ids[2], state: 'failed', last_status: 503, next_attempt_at: null, ...attempted },
        { event_id: ids[1], state: 'pending', last_status: 503, next_attempt_at: time, ...attempted },
        { event_id: ids[0], state: 'delivered', last_status: 204, next_attempt_at: null, ...attempted },
      ],
      next: null,
    })
  })

  it.each(['asc', 'desc'])('returns pages of deliveries in the order %s', async (order) => {
    const expected = order === 'asc' ? ids : ids.toReversed()
    const first = await onHook(hook, 'GET', `/deliveries?limit=2&order=${order}`)
    expect(first.json.data.map(({ event_id }: any) => event_id)).toEqual(expected.slice(0, 2))
    const second = await onHook(hook, 'GET', `/deliveries?limit=2&order=${order}&after=${first.json.next}`)
    expect(second.json.data.map(({ event_id }: any) => event_id)).toEqual(expected.slice(2))
    expect(second.json.next).toBeNull()
  })

  it.each([
    ['delivered', 0],
    ['pending', 1],
    ['failed', 2],
  ])('returns only deliveries in the state %s', async (state, index) => {
    const { json } = await onHook(hook, 'GET', `/deliveries?state=${state}`)
    expect(json.data.map(({ event_id }: any) => event_id)).toEqual([ids[index]])
  })

  it('begins with the first delivery whose event is kept, and goes on after it', async () => {
    const campaign = await newHook()
    const events = await change(campaign, 4)
    await deliver(campaign)
    await rowsOf(
      'delete from events where id > ? and id <= ?',
      await idIn(campaign.store, 0),
      await idIn(campaign.store, events[1] ?? ''),
    )
    const first = await onHook(campaign, 'GET', '/deliveries?limit=1&order=asc')
    expect(first.json.data.map(({ event_id }: any) => event_id)).toEqual([events[2]])
    const second = await onHook(campaign, 'GET', `/deliveries?limit=1&order=asc&after=${first.json.next}`)
    expect(second.json.data.map(({ event_id }: any) => event_id)).toEqual([events[3]])
  })

  it('returns an empty page for an endpoint without deliveries', async () => {
    expect(await deliveriesOf(await newHook({ store: hook.store }))).toEqual([])
  })

  it('searches at most 5,000 deliveries per page for a state, and next continues the search', async () => {
    const long = await newHook()
    const events = await insertEvents(long.store, { type: 'user.created', count: 5001 })
    await rowsOf(
      `insert into webhook_deliveries (endpoint_id, event_id, state, attempts, retries)
        select ?, id, 'delivered', 1, 0 from events where id between ? and ?`,
      long.endpoint_id,
      events[0],
      events.at(-1),
    )
    for (const order of ['asc', 'desc']) {
      const searched = order === 'asc' ? events : events.toReversed()
      const setFailed = (event?: number) =>
        rowsOf(
          'update webhook_deliveries set state = iif(event_id = ?, ?, ?) where endpoint_id = ?',
          event,
          'failed',
          'delivered',
          long.endpoint_id,
        )
      const path = `/deliveries?state=failed&order=${order}`
      await setFailed(searched.at(-1))
      const first = await onHook(long, 'GET', path)
      expect(first.json).toEqual({ data: [], next: String(numberOf(searched[4999] ?? 0)) })
      const second = await onHook(long, 'GET', `${path}&after=${first.json.next}`)
      expect(second.json).toMatchObject({ data: [{ state: 'failed' }], next: null })
      const { DB, rowsRead } = faultyD1(env.DB)
      await onHook({ ...long, bindings: { ...long.bindings, DB } }, 'GET', path)
      expect(rowsRead()).toBeLessThan(15_100)

      await setFailed(searched[4999])
      const found = await onHook(long, 'GET', path)
      expect(found.json).toMatchObject({
        data: [{ event_id: String(numberOf(searched[4999] ?? 0)) }],
        next: first.json.next,
      })
    }
  })

  it.each([
    ['state=done', 'state'],
    ['state=failed&state=pending', 'state'],
    ['order=newest', 'order'],
    ['after=-1', 'after'],
  ])('returns 422 for ?%s', async (query, field) => {
    expect(summary(await onHook(hook, 'GET', `/deliveries?${query}`))).toBe(`422 invalid_parameter: ${field}`)
  })
})
