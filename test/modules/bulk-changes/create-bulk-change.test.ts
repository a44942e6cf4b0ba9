import { describe, expect, it } from 'vitest'
import { TIMESTAMP } from '../../support/api.ts'
import { accessOf, bulk, carryOut, newCampus, post, read, run } from '../../support/bulk.ts'
import { eventsOf } from '../../support/webhooks.ts'

const NO_EFFECTS = { opened: 0, closed: 0, later: 0, earlier: 0, limited: 0, unlimited: 0 }

describe('POST /v1/stores/{store_id}/bulk_changes', () => {
  it('returns 202 with a queued bulk change, which the object of the store carries out', async () => {
    const campus = await newCampus({ users: 3 })
    const body = { filter: { product_id: campus.products[0] }, change: { access_due_date: '2030-01-01T00:00:00.000Z' } }
    const { status, json } = await bulk(campus, 'POST', '', body)
    expect(status).toBe(202)
    expect(json).toEqual({
      id: expect.stringMatching(/^\d+$/),
      state: 'queued',
      ...body,
      dry_run: false,
      reverts: null,
      reverted_by: null,
      progress: 0,
      matched: 0,
      changed: 0,
      unchanged: 0,
      effects: NO_EFFECTS,
      created_at: expect.stringMatching(TIMESTAMP),
      started_at: null,
      finished_at: null,
      actor: { type: 'access_token', id: expect.any(String), name: 'Test' },
    })
    await carryOut(campus)
    expect(await read(campus, json.id)).toEqual({
      ...json,
      state: 'done',
      progress: 100,
      matched: 3,
      changed: 3,
      effects: { ...NO_EFFECTS, limited: 3 },
      started_at: expect.stringMatching(TIMESTAMP),
      finished_at: expect.stringMatching(TIMESTAMP),
    })
    for (const id of campus.accesses) {
      expect((await accessOf(campus, id)).access_due_date).toBe('2030-01-01T00:00:00.000Z')
    }
  })

  it('writes an event for each access, with the request and the actor of the POST', async () => {
    const campus = await newCampus({ users: 2 })
    const { headers, json } = await bulk(campus, 'POST', '', { filter: {}, change: { status: 'without_access' } })
    await carryOut(campus)
    const events = (await eventsOf(campus.store)).slice(-4)
    expect(events.map(({ type }) => type)).toEqual([
      'bulk_change.created',
      'product_access.updated',
      'product_access.updated',
      'bulk_change.finished',
    ])
    expect(events[1]).toMatchObject({
      request_id: headers.get('X-Request-Id'),
      actor: json.actor,
      data: {
        product_access_id: campus.accesses[0],
        bulk_change_id: json.id,
        changes: { status: { from: 'with_access', to: 'without_access' } },
      },
    })
    expect(events[0]).toMatchObject({ actor: json.actor, data: { bulk_change_id: json.id } })
    expect(events[3]).toMatchObject({ actor: { type: 'system' }, request_id: null, data: { bulk_change_id: json.id } })
  })

  it('counts accesses that have the values already, and is done with 0 if nothing matches', async () => {
    const campus = await newCampus({ users: 2 })
    const change = { status: 'with_access' }
    expect(await run(campus, { filter: {}, change })).toMatchObject({ matched: 2, changed: 0, unchanged: 2 })
    const none = await run(campus, { filter: { status: 'without_access' }, change })
    expect(none).toMatchObject({ state: 'done', progress: 100, matched: 0, changed: 0, unchanged: 0 })
    const { id } = await post(await newCampus({ users: 1 }), { filter: {}, change })
    expect(id).toBeDefined()
  })
})
