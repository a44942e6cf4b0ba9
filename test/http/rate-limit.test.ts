import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import wrangler from '../../wrangler.toml?raw'
import {
  type Answer,
  call,
  createV1,
  newAccess,
  newAddress,
  newStore,
  newToken,
  summary,
  updateAccess,
  v1User,
} from '../support/api.ts'

const LIMIT = 600
const WINDOW_MS = 60_000
/** Several hundred requests, perhaps twice. */
const SLOW = { timeout: 60_000 }

/** Sends until it is refused with 429; starts again when the minute, which the limiter counts by, ended meanwhile. */
async function sendUntilRefused(newSender: () => Promise<() => Promise<Answer>>) {
  for (;;) {
    const send = await newSender()
    const minute = Math.floor(Date.now() / WINDOW_MS)
    for (let passed = 0; passed <= LIMIT; passed++) {
      const answer = await send()
      if (answer.status === 429 && Math.floor(Date.now() / WINDOW_MS) === minute) return { passed, answer }
    }
  }
}

describe('600 requests of one token in 60 seconds', SLOW, () => {
  it('are served, and the next one is answered 429, whatever it would have been answered', async () => {
    const store = await newStore()
    const { passed, answer } = await sendUntilRefused(async () => {
      const { token } = await newToken(store)
      return () => createV1({ ...store, token }, {})
    })
    expect(passed).toBe(LIMIT)
    expect(answer.json).toMatchObject({ type: 'rate_limited', code: 'rate_limited' })
    expect(answer.json).not.toHaveProperty('details')
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(answer.headers.get('RateLimit-Policy')).toBe('"token";q=600;w=60')
  })

  it('do not count against another token of the store', async () => {
    const store = await newStore()
    const access = await newAccess(store)
    let spent = store
    await sendUntilRefused(async () => {
      spent = { ...store, token: (await newToken(store)).token }
      return () => createV1(spent, {})
    })
    expect(summary(await updateAccess(spent, access.id, {}))).toBe('429 rate_limited')
    expect(summary(await updateAccess(store, access.id, {}))).toBe('201')
  })
})

describe('600 failed authentications of one address in 60 seconds', SLOW, () => {
  it('are answered 401, and the next one 429', async () => {
    const { passed, answer } = await sendUntilRefused(() => {
      const headers = { 'CF-Connecting-IP': newAddress() }
      return Promise.resolve(() => call('POST', '/v3/public/users', { headers }))
    })
    expect(passed).toBe(LIMIT)
    expect(summary(answer)).toBe('429 rate_limited')
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(answer.headers.get('RateLimit-Policy')).toBe('"failed-authentication";q=600;w=60')
    expect(answer.headers.has('WWW-Authenticate')).toBe(false)
  })

  it('count together, whatever was wrong and wherever, and leave good tokens alone', async () => {
    const store = await newStore()
    let headers = {}
    const token = 'nonsense'
    const { passed } = await sendUntilRefused(() => {
      headers = { 'CF-Connecting-IP': newAddress() }
      let n = 0
      const wrong = [
        () => call('GET', '/admin/stores', { headers, token }),
        () => createV1({ ...store, token }, {}, { headers }),
        () => call('PUT', `/v1/stores/${store.id}/product_accesses/1`, { headers }),
        () => createV1({ ...store, id: 'nobody' }, {}, { headers }),
      ]
      return Promise.resolve(() => wrong[n++ % wrong.length]?.() ?? Promise.reject(new Error('no request')))
    })
    expect(passed).toBe(LIMIT)
    expect(summary(await createV1(store, v1User(), { headers }))).toBe('201')
    expect((await call('GET', '/admin/stores?limit=1', { headers, token: env.ADMIN_TOKEN })).status).toBe(200)
    const elsewhere = { 'CF-Connecting-IP': newAddress() }
    expect(summary(await createV1({ ...store, token }, {}, { headers: elsewhere }))).toBe('401 invalid_token')
  })
})

describe('wrangler.toml', () => {
  it.each([
    ['TOKEN_LIMITER', 'TOKEN_RATE_LIMIT'],
    ['FAILED_AUTH_LIMITER', 'FAILED_AUTH_RATE_LIMIT'],
  ])('gives %s the limit that %s announces, over 60 seconds', (binding, variable) => {
    const limiter = new RegExp(`name = "${binding}"\\n.*\\nsimple = \\{ limit = (\\d+), period = (\\d+) \\}`).exec(
      wrangler,
    )
    const announced = new RegExp(`^${variable} = "(\\d+)"$`, 'm').exec(wrangler)
    expect(limiter?.slice(1)).toEqual([announced?.[1], '60'])
    expect(announced?.[1]).toBe(String(LIMIT))
  })
})
