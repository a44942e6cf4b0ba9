import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from './support/api.ts'
import { faultyD1 } from './support/faults.ts'

describe('GET /health', () => {
  it('answers 200 once D1 answers', async () => {
    const { status, json } = await call('GET', '/health')
    expect(status).toBe(200)
    expect(json).toEqual({ status: 'ok' })
  })

  it.each(['D1_ERROR: D1 DB is overloaded.', 'D1_ERROR: no such table: stores: SQLITE_ERROR'])(
    'answers 503 with Retry-After when D1 fails with %s',
    async (message) => {
      const { DB } = faultyD1(env.DB, () => ({ message, when: 'before' }))
      const { status, headers, json } = await call('GET', '/health', { bindings: { DB } })
      expect(status).toBe(503)
      expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
      expect(json).toMatchObject({ type: 'service_unavailable', code: 'service_unavailable' })
    },
  )
})
