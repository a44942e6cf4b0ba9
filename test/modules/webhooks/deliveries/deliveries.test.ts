import { beforeAll, describe, expect, it } from 'vitest'
import { summary, TIMESTAMP } from '../../../support/api.ts'
import { idIn, insertEvents, numberOf, rowsOf } from '../../../support/rows.ts'
import {
  arrived,
  change,
  deliveriesOf,
  healthOf,
  type Hook,
  inObject,
  newHook,
  onHook,
  work,
} from '../../../support/webhooks.ts'

let hook: Hook
let ids: string[]

/** The first delivery succeeded, the second one failed and is retried, and the third one has no more retries. */
beforeAll(async () => {
  hook = await newHook()
  ids = await change(hook)
  await work(hook)
  await hook.receiver.answer(503)
  ids.push(...(await change(hook, 2)))
  await work(hook)
  await inObject(
    hook,
    `update deliveries set state = 'failed', next_attempt_at = null where event_id = ${await idIn(hook.store, ids[2] ?? '')}`,
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
    const full = await onHook(hook, 'GET', `/deliveries?limit=3&order=${order}`)
    expect([full.json.data.length, full.json.next]).toEqual([3, null])
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
    await work(campaign)
    await rowsOf(
      'delete from events where id > ? and id <= ?',
      await idIn(campaign.store, 0),
      await idIn(campaign.store, events[1] ?? ''),
    )
    const first = await onHook(campaign, 'GET', '/deliveries?limit=1&order=asc')
    expect(first.json.data.map(({ event_id }: any) => event_id)).toEqual([events[2]])
    const second = await onHook(campaign, 'GET', `/deliveries?limit=1&order=asc&after=${first.json.next}`)
    expect(second.json.data.map(({ event_id }: any) => event_id)).toEqual([events[3]])
    await work(campaign)
    const kept = await inObject(campaign, 'select event_id from deliveries order by event_id')
    expect(kept.map(({ event_id }) => String(numberOf(Number(event_id))))).toEqual(events.slice(2))
  })

  it('returns an empty page for an endpoint without deliveries', async () => {
    expect(await deliveriesOf(await newHook({ store: hook.store }))).toEqual([])
  })

  it('shows events that were not attempted yet, and none after the newest event', async () => {
    const waiting = await newHook()
    const events = await change(waiting, 2)
    const unattempted = { state: 'pending', attempts: 0, last_status: null, last_attempt_at: null }
    expect(await deliveriesOf(waiting)).toMatchObject(events.map((event_id) => ({ event_id, ...unattempted })))
    await work(waiting)
    await rowsOf('delete from events where id = ?', await idIn(waiting.store, events[1] ?? ''))
    expect((await deliveriesOf(waiting)).map(({ event_id }) => event_id)).toEqual([events[0]])
  })

  it('searches at most 5,000 deliveries per page for a state, and next continues the search', async () => {
    const long = await newHook()
    // The object makes its tables.
    expect(await deliveriesOf(long)).toEqual([])
    const events = await insertEvents(long.store, { type: 'user.created', count: 5001 })
    await inObject(
      long,
      `with recursive n(id) as (select ${events[0]} union all select id + 1 from n where id < ${events.at(-1)})
        insert into deliveries select id, 'user.created', 0, 'delivered', 1, 0, 204, 0, null from n`,
    )
    await rowsOf('update webhook_endpoints set cursor = ? where id = ?', events.at(-1), long.endpoint_id)
    for (const order of ['asc', 'desc']) {
      const searched = order === 'asc' ? events : events.toReversed()
      const setFailed = (event?: number) =>
        inObject(long, `update deliveries set state = iif(event_id = ${event}, 'failed', 'delivered')`)
      const path = `/deliveries?state=failed&order=${order}`
      await setFailed(searched.at(-1))
      const first = await onHook(long, 'GET', path)
      expect(first.json).toEqual({ data: [], next: String(numberOf(searched[4999] ?? 0)) })
      const second = await onHook(long, 'GET', `${path}&after=${first.json.next}`)
      expect(second.json).toMatchObject({ data: [{ state: 'failed' }], next: null })
    }
    // Those that were not attempted come last, and each of them once.
    const pending = [events[5000], ...(await insertEvents(long.store, { type: 'user.created', count: 2 }))]
    await inObject(long, `update deliveries set state = iif(event_id = ${pending[0]}, 'pending', 'delivered')`)
    const listed: string[] = []
    for (let path = '/deliveries?state=pending&order=asc&limit=1', next: string | null = ''; next !== null;) {
      const { json } = await onHook(long, 'GET', next === '' ? path : `${path}&after=${next}`)
      listed.push(...json.data.map(({ event_id }: any) => event_id))
      next = json.next
    }
    expect(listed).toEqual(pending.map((id = 0) => String(numberOf(id))))
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

describe('POST /admin/stores/{store_id}/webhook_endpoints/{id}/deliveries/{event_id}/redeliver', () => {
  it('sends the event again, and returns the delivery; only a success counts for the endpoint', async () => {
    const failing = await newHook()
    await failing.receiver.answer(500)
    const [event = ''] = await change(failing)
    await work(failing)
    const next_attempt_at = Date.now() + 3_600_000
    await inObject(failing, `update deliveries set next_attempt_at = ${next_attempt_at}`)
    const before = await healthOf(failing)
    expect(before).toMatchObject({ failures: 1, last_status: 500 })
    const redeliver = () => onHook(failing, 'POST', `/deliveries/${event}/redeliver`)
    const { status, json } = await redeliver()
    expect(status).toBe(200)
    expect(json).toMatchObject({ event_id: event, state: 'pending', attempts: 2, last_status: 500 })
    expect(json.next_attempt_at).toBe(new Date(next_attempt_at).toISOString())
    expect(await healthOf(failing)).toEqual(before)
    await failing.receiver.answer(204)
    expect((await redeliver()).json).toMatchObject({ state: 'delivered', attempts: 3, next_attempt_at: null })
    expect(await healthOf(failing)).toMatchObject({ failures: 0, failing_since: null, last_status: 204 })
    expect(await arrived(failing)).toEqual([event, event, event])
  })
})
