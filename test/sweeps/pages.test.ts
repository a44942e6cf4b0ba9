import { describe, expect, it } from 'vitest'
import { admin, newStore, refused, summary, useStore } from '../support/api.ts'
import { pathOf } from '../support/changes.ts'
import { OPERATIONS } from '../support/operators.ts'

const NO_LISTS = /\/(operator|status|stats|[a-z_]+\.csv)$/
const LISTS = OPERATIONS.filter((operation) => /^GET .*\/[a-z_.]+$/.test(operation) && !NO_LISTS.test(operation))

const store = useStore()

const list = (operation: string, query: string) =>
  admin('GET', pathOf(operation, store.id).slice('/admin'.length) + query)

describe.each(LISTS)('%s', (operation) => {
  it.each(['', '0', '101', '-1', '1.5', '1e1', 'ten', ' 10', '0x10'])('returns 422 for the limit %j', async (limit) => {
    const answer = await list(operation, `?limit=${encodeURIComponent(limit)}`)
    expect(summary(answer)).toBe('422 invalid_parameter: limit')
    expect(refused(answer)).toEqual({ limit })
  })

  it.each(['', 'a b'])('returns 422 for the cursor %j', async (after) => {
    const answer = await list(operation, `?after=${encodeURIComponent(after)}`)
    expect(summary(answer)).toBe('422 invalid_parameter: after')
    expect(refused(answer)).toEqual({ after })
  })

  it('returns 422 for a repeated limit or cursor', async () => {
    expect(summary(await list(operation, '?limit=1&limit=2&after=1&after=2'))).toBe(
      '422 invalid_parameter: limit, after',
    )
  })

  it('accepts the limits 1 and 100', async () => {
    for (const limit of [1, 100]) expect([200, 404]).toContain((await list(operation, `?limit=${limit}`)).status)
  })
})

describe.each(['/admin/operators', '/admin/stores/:store_id/tokens', '/admin/stores/:store_id/products'])(
  'GET %s, ordered by id',
  (path) => {
    it.each(['abc', '0', '-1', '1.5', '99999999999999999999'])('returns 422 for the cursor %j', async (after) => {
      expect(summary(await list(`GET ${path}`, `?after=${after}`))).toBe('422 invalid_parameter: after')
    })
  },
)

describe('An omitted limit', () => {
  it('is 50', async () => {
    const other = await newStore()
    await Promise.all(
      Array.from({ length: 51 }, (_, i) => admin('PUT', `/stores/${other.id}/custom_fields/k${100 + i}`, {})),
    )
    const { json } = await admin('GET', `/stores/${other.id}/custom_fields`)
    expect(json.data).toHaveLength(50)
    expect(json.next).toBe('k149')
  })
})
