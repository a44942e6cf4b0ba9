import { describe, expect, it } from 'vitest'
import { call, createV1, newStore, summary, v1User } from '../../support/api.ts'

const PRODUCTION = { ENVIRONMENT: 'production', PASSWORD_COST: undefined }

describe('Plain HTTP in production', () => {
  it.each([
    'http://registrar.example',
    'http://registrar.example:8080',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://10.0.0.1',
  ])('returns 403 https_required for %s before any other error', async (origin) => {
    const store = await newStore()
    const options = { origin, bindings: PRODUCTION, headers: { 'Content-Type': 'text/plain' } }
    const answer = await createV1(store, 'x'.repeat(65_537), options)
    expect(summary(answer)).toBe('403 https_required')
    expect(answer.json.type).toBe('permission_error')
    expect(answer.json).not.toHaveProperty('details')
    expect(answer.headers.has('WWW-Authenticate')).toBe(false)
    for (const path of ['/nothing', '/health', '/', '/admin/stores']) {
      expect((await call('GET', path, { origin, bindings: PRODUCTION })).status).toBe(403)
    }
    expect(summary(await call('OPTIONS', '/v3/public/users', { origin, bindings: PRODUCTION }))).toBe(
      '403 https_required',
    )
    expect((await call('POST', '/v3/public/users', { origin, bindings: PRODUCTION })).json).not.toHaveProperty('log_id')
  })

  it.each(['http://localhost', 'http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787'])(
    'is served on the loopback address %s',
    async (origin) => {
      expect((await call('GET', '/health', { origin, bindings: PRODUCTION })).status).toBe(200)
    },
  )
})

describe('HTTPS', () => {
  it('returns Strict-Transport-Security with every response in production, including errors', async () => {
    const store = await newStore()
    const answers = [
      await call('GET', '/health', { bindings: PRODUCTION }),
      await createV1(store, v1User(), { bindings: PRODUCTION }),
      await createV1(store, {}, { bindings: PRODUCTION }),
      await call('GET', '/nothing', { bindings: PRODUCTION }),
      await call('GET', '/docs', { bindings: PRODUCTION }),
      await call('GET', '/console', { bindings: PRODUCTION }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 400, 404, 200, 200])
    for (const { headers } of answers) expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=[1-9]\d{6,}/)
  })

  it('is not required outside production', async () => {
    const answer = await call('GET', '/health', { origin: 'http://registrar.example' })
    expect(answer.status).toBe(200)
    expect(answer.headers.has('Strict-Transport-Security')).toBe(false)
  })
})
