/** The history is whole: what an access was granted as, and the changes since, make what it is. */
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, newAccess, newStore, type TestStore, updateAccess } from './support/api.ts'
import { changesOf, eventsOf, toldChangesOf } from './support/events.ts'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

/** Few values, so that many a change changes nothing or a part. */
const dateTime = fc.constantFrom('2030-01-01T00:00:00Z', '2030-01-01T01:00:00+01:00', '0000-01-01T00:00:00Z', null)
const grade = fc.constantFrom<unknown>('A', '7', 7, 0, -1.5, true, 'true', '', null)

const update = fc.record(
  { status: fc.constantFrom('with_access', 'without_access'), access_due_date: dateTime },
  { requiredKeys: [] },
)

const progress = fc.record(
  {
    started_at: dateTime,
    completed_at: dateTime,
    progress: fc.constantFrom(0, 50, 100),
    grade,
    concept_grade: fc.constantFrom('A', '7', '', null),
    passed: fc.boolean(),
    certificate_url: fc.constantFrom('https://example.com/c', null),
  },
  { requiredKeys: [] },
)

const step = fc.oneof(
  update.map((body) => ({ type: 'product_access.updated', body })),
  progress.map((body) => ({ type: 'product_access.progressed', body })),
)

describe('the events of an access', () => {
  it('tell each change, from what was to what is, and one for each new ETag', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const granted = await newAccess(store)
      const types: string[] = []
      let state = { json: granted, tag: `"${granted.id}-1"` }
      for (const { type, body } of steps) {
        const path = `/stores/${store.id}/product_accesses/${granted.id}`
        const answer = await (type === 'product_access.updated'
          ? updateAccess(store, granted.id, body)
          : admin('PATCH', path, body))
        const tag = answer.headers.get('ETag') ?? ''
        // The tag changes with what is shown, and with nothing else.
        expect(tag !== state.tag).toBe(JSON.stringify(answer.json) !== JSON.stringify(state.json))
        if (tag !== state.tag) types.push(type)
        state = { json: answer.json, tag }
      }
      const [grant, ...changes] = await eventsOf(store, { product_access_id: granted.id })
      expect(grant.type).toBe('product_access.granted')
      expect(changes.map(({ type }) => type)).toEqual(types)
      const told = { ...granted }
      for (const { data } of changes) {
        expect(data.changes).not.toEqual({})
        for (const [field, { from, to }] of Object.entries<any>(data.changes)) {
          expect(told[field]).toBe(from)
          expect(to).not.toBe(from)
          told[field] = to
        }
      }
      expect(told).toEqual(state.json)
    })
    await fc.assert(property, { numRuns: 40 })
    expect(await toldChangesOf(store)).toEqual(await changesOf(store))
  })
})
