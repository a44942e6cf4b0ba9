import { describe, expect, it } from 'vitest'
import { admin, call, ID, newStore, summary, TIMESTAMP } from '../../support/api.ts'
import { newOperator } from '../../support/operators.ts'

/** Returns the last page of the events. Other tests create operators too, so the feed never starts empty. */
async function endOfEvents(): Promise<{ data: any[]; cursor: string }> {
  let { json } = await admin('GET', '/events?limit=100')
  while (json.next !== null) ({ json } = await admin('GET', `/events?limit=100&after=${json.next}`))
  return json
}

describe('GET /admin/events', () => {
  it('returns the creation and the revocation of operators, without a store', async () => {
    await newOperator('viewer')
    const { cursor } = await endOfEvents()
    const made = await admin('POST', '/operators', { name: 'Ada', role: 'admin' })
    const revoked = await admin('DELETE', `/operators/${made.json.id}`)
    const { json } = await admin('GET', `/events?after=${cursor}`)
    const event = {
      id: expect.stringMatching(ID),
      timestamp: expect.stringMatching(TIMESTAMP),
      store_id: null,
      actor: { type: 'operator', id: null, name: 'root' },
      data: { operator_id: made.json.id },
    }
    expect(json).toEqual({
      data: [
        { ...event, type: 'operator.created', request_id: made.headers.get('X-Request-Id') },
        { ...event, type: 'operator.revoked', request_id: revoked.headers.get('X-Request-Id') },
      ],
      next: null,
      cursor: String(Number(cursor) + 2),
    })
  })

  it('can be read by a viewer, and pages and filters like the feed of a store', async () => {
    const [{ token, id }, { id: next }] = [await newOperator('viewer'), await newOperator('viewer')]
    const { cursor } = await endOfEvents()
    const read = (query: string) => call('GET', `/admin/events?${query}`, { token })
    expect((await read(`after=${cursor}`)).json).toEqual({ data: [], next: null, cursor })
    expect(summary(await read(`after=${Number(cursor) + 1}`))).toBe('422 invalid_parameter: after')
    expect((await read('type=store.created')).json.data).toEqual([])
    await newOperator('viewer')
    const page = (await read(`after=${id}&type=operator.created&limit=1`)).json
    expect(page).toMatchObject({ data: [{ id: next, type: 'operator.created' }], next })
    expect(summary(await read('store=x'))).toBe('422 invalid_parameter: store')
  })

  it('returns the operator as the actor in the feed of a store', async () => {
    const { token, id, name } = await newOperator('admin')
    const store = await newStore()
    await call('PUT', `/admin/stores/${store.id}/custom_fields/rank`, { token, body: {} })
    const { json } = await admin('GET', `/stores/${store.id}/events?type=custom_field.created`)
    expect(json.data).toMatchObject([
      { actor: { type: 'operator', id, name }, data: { custom_field_key: 'rank' }, store_id: store.id },
    ])
  })
})
