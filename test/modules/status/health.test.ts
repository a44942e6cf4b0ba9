import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import worker from '../../../src/index.ts'
import { call } from '../../support/api.ts'
import { faultyD1 } from '../../support/faults.ts'
import { HEALTH } from '../../../src/modules/status/health.ts'

/** The instance remembers the last result for a second, so each test starts a minute after the one before. */
let now = Date.now() + 3_600_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: (now += 60_000) })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('GET /health', () => {
  it('returns 200 to anybody when D1 responds', async () => {
    const { status, json } = await call('GET', '/health')
    expect(status).toBe(200)
    expect(json).toEqual({ status: 'ok' })
  })

  it.each(['D1_ERROR: D1 DB is overloaded.', 'D1_ERROR: no such table: stores: SQLITE_ERROR'])(
    'returns 503 with Retry-After when D1 fails with %s',
    async (message) => {
      const { DB } = faultyD1(env.DB, () => ({ message, when: 'before' }))
      const { status, headers, json } = await call('GET', '/health', { bindings: { DB } })
      expect(status).toBe(503)
      expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
      expect(json).toMatchObject({ type: 'service_unavailable', code: 'service_unavailable' })
    },
  )

  it('queries D1 at most once a second for any number of requests', async () => {
    const { DB, roundTrips } = faultyD1(env.DB)
    const ask = () => call('GET', '/health', { bindings: { DB } })
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    vi.setSystemTime(now + HEALTH.keptMs - 1)
    answers.push(await ask())
    expect(answers.map(({ status }) => status)).toEqual(Array(21).fill(200))
    expect(roundTrips()).toBe(1)
    vi.setSystemTime(now + HEALTH.keptMs)
    await ask()
    expect(roundTrips()).toBe(2)
  })

  it.each([undefined, 'D1_ERROR: D1 DB is overloaded.'])(
    'completes the query after the client has gone when D1 returns %j',
    async (message) => {
      const { DB } = faultyD1(env.DB, () => (message === undefined ? undefined : { message, when: 'before' }))
      const goesOn: Promise<unknown>[] = []
      const ctx = Object.assign(createExecutionContext(), { waitUntil: (work: Promise<unknown>) => goesOn.push(work) })
      const request = new Request<unknown, IncomingRequestCfProperties>('https://registrar.test/health')
      const { status } = await worker.fetch(request, { ...env, DB }, ctx)
      expect(status).toBe(message === undefined ? 200 : 503)
      expect(goesOn).toHaveLength(1)
      await Promise.all(goesOn)
    },
  )

  it('remembers a failure for at most a second', async () => {
    const { DB } = faultyD1(env.DB, () => ({ message: 'D1_ERROR: D1 DB is overloaded.', when: 'before' }))
    expect((await call('GET', '/health', { bindings: { DB } })).status).toBe(503)
    expect((await call('GET', '/health')).status).toBe(503)
    vi.setSystemTime(now + HEALTH.keptMs)
    expect((await call('GET', '/health')).status).toBe(200)
  })
})
