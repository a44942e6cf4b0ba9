import { describe, expect, it } from 'vitest'
import { call, summary } from '../../support/api.ts'
import { envelopeOf, keysOf } from '../../support/routes.ts'

describe('A path that no route matches', () => {
  it.each([
    '/nothing',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/stores/x',
    '/v1/stores/x/users/',
    '/v1/stores/x/users/1/2',
    '/v1/stores//users',
    '/v1/stores/x/product_accesses/1/2',
    '/V1/stores/x/users',
    '/v1/public/users',
    '/v2/public/users',
    '/v3',
    '/v3/nothing',
    '/v3/public',
    '/v3/public/users/',
    '/v3/public/users/1',
    '/v3/stores/x/users',
    '/admin',
    '/admin/nothing',
    '/admin/stores/',
    '/admin/stores/x/nothing',
    '/health/',
    '/health/x',
    '//health',
    '/openapi.yaml',
    '/index.html',
    '/docs/x/y',
    '/__proto__',
  ])('returns 404 route_not_found for %s in the envelope of its version for every method', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = method === 'GET' ? undefined : '{'
      const answer = await call(method, path, { body, headers: { 'Content-Type': 'text/plain' } })
      expect(summary(answer)).toBe('404 route_not_found')
      expect(answer.json.type).toBe('not_found')
      expect(keysOf(answer)).toEqual(envelopeOf(path))
    }
    const head = await call('HEAD', path)
    expect([head.status, head.text]).toEqual([404, ''])
  })
})
