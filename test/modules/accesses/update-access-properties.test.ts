/** The grant and the later changes of an access must add up to its current state, or its history has a gap. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestStore } from '../../support/rows.ts'
import { newAccess, newStore, updateAccess } from '../../support/api.ts'
import { INTEGRATOR } from '../../support/callers.ts'

let store: TestStore

/** There are few values, so that many changes change nothing or only a part. */
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

const read = (id: string) => INTEGRATOR.send('GET', store, `/product_accesses/${id}`)

describe('The events of an access', () => {
  it('contain each change, one for each new ETag', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      // Each run has its own store, because one token would use up its quota of requests.
      store = await newStore()
      const granted = await newAccess(store)
      const types: string[] = []
      let state = { json: granted, tag: (await read(granted.id)).headers.get('ETag') }
      const changes: Record<string, { from: unknown; to: unknown }>[] = []
      for (const { type, body } of steps) {
        const path = `/product_accesses/${granted.id}`
        const answer = await (type === 'product_access.updated'
          ? updateAccess(store, granted.id, body)
          : INTEGRATOR.send('PATCH', store, path, { body }))
        const tag = answer.headers.get('ETag')
        const differing = Object.keys(answer.json).filter(
          (field) => JSON.stringify(answer.json[field]) !== JSON.stringify(state.json[field]),
        )
        // The ETag changes if and only if the response changes.
        expect(tag !== state.tag).toBe(differing.length > 0)
        if (tag !== state.tag) {
          types.push(type)
          const [from, to] = [state.json, answer.json]
          changes.push(Object.fromEntries(differing.map((field) => [field, { from: from[field], to: to[field] }])))
        }
        state = { json: answer.json, tag }
      }
      const { json } = await INTEGRATOR.send('GET', store, `/product_accesses/${granted.id}/events`)
      const [grant, ...told] = json.data.toReversed()
      expect(grant.type).toBe('product_access.granted')
      expect(told.map(({ type }: any) => type)).toEqual(types)
      for (const [i, { data }] of told.entries()) {
        const { changes: shown = changes[i], fields = Object.keys(shown) } = data
        expect([shown, fields.toSorted()]).toEqual([changes[i], Object.keys(changes[i] ?? {}).toSorted()])
      }
      expect((await read(granted.id)).json).toEqual(state.json)
    })
    await fc.assert(property, { numRuns: 12 })
  })
})
