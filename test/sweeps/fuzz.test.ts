/** `npm run test:fuzz` sends 20,000 requests, and `npm test` sends a twentieth of them. */
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { call, newAccess, newStore, WITHOUT_QUOTA } from '../support/api.ts'
import { generatedRequest } from '../support/arbitraries.ts'

const REQUESTS_PER_STORE = 500

describe('Any request', () => {
  it('gets a response that the OpenAPI document describes, and never a 5xx', async () => {
    const statuses = new Map<number, number>()
    for (let round = 0; round < Number(env.FUZZ_ROUNDS); round++) {
      const store = await newStore()
      const access = await newAccess(store)
      const property = fc.asyncProperty(generatedRequest({ store_id: store.id, id: access.id }), async (request) => {
        const { method, path, headers, body } = request
        const token = path.startsWith('/admin') ? env.ADMIN_TOKEN : store.token
        const answer = await call(method, path, { token, body, headers, bindings: WITHOUT_QUOTA })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        expect(answer.status).toBeLessThan(500)
      })
      await fc.assert(property, { numRuns: REQUESTS_PER_STORE, endOnFailure: true })
    }
    for (const status of [200, 201, 400, 401, 404, 415, 422]) expect(statuses.get(status)).toBeGreaterThan(0)
  }, 300_000)
})
