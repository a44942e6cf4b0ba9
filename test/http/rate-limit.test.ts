import { createHash } from 'node:crypto'
import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import type { Answer } from '../support/openapi.ts'
import {
  admin,
  call,
  type CallOptions,
  createV1,
  createV3,
  newAccess,
  newStore,
  newToken,
  summary,
  updateAccess,
  v1User,
  v3User,
} from '../support/api.ts'
import { recordConsole } from '../support/console.ts'
import { faultyD1 } from '../support/faults.ts'
import { newOperator } from '../support/operators.ts'
import { sendUntilRefused } from '../support/quotas.ts'
import { idIn, revokeToken, storeNumber, usersOf, type TestStore } from '../support/rows.ts'
import { RATE_LIMITED_PAUSE_MS } from '../../src/http/errors/error-body.ts'

/** A real binding that allows 5 calls in 60 seconds. The limits of wrangler.toml are compared below. */
const { SMALL_LIMITER } = env

/** Makes a limiter that returns `isWithin` for each key and records the keys. */
function limiter(isWithin: (key: string) => boolean | Promise<never> = () => true) {
  const keys: string[] = []
  const limit = async ({ key }: { key: string }) => {
    keys.push(key)
    return { success: await isWithin(key) }
  }
  return { limiter: { limit }, keys }
}

/** Makes a limiter that allows each key so many calls. */
function counting(quota: number) {
  const counts = new Map<string, number>()
  return limiter((key) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return (counts.get(key) ?? 0) <= quota
  }).limiter
}

const spent = () => limiter(() => false).limiter

describe('As many requests of one token as its limit', () => {
  it('are served, and the next one gets 429 whatever its body', async () => {
    const store = await newStore()
    const { passed, answer } = await sendUntilRefused(async () => {
      const { token } = await newToken(store)
      return () => createV1({ ...store, token }, {}, { bindings: { TOKEN_LIMITER: SMALL_LIMITER } })
    })
    expect(passed).toBe(5)
    expect(answer.json).toMatchObject({ type: 'rate_limited', code: 'rate_limited' })
    expect(answer.json).not.toHaveProperty('details')
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(answer.headers.get('RateLimit-Policy')).toBe('"token";q=600;w=60')
  })
})

describe('As many passwords of one token as their limit', () => {
  it('are hashed, and the next one gets 429, but a create without a password gets 201', async () => {
    const store = await newStore()
    let caller = store
    const { passed, answer } = await sendUntilRefused(async () => {
      caller = { ...store, token: (await newToken(store)).token }
      return () => createV1(caller, v1User({ password: 'horse' }), { bindings: { PASSWORD_LIMITER: SMALL_LIMITER } })
    })
    expect(passed).toBe(5)
    expect(summary(answer)).toBe('429 rate_limited')
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(answer.headers.get('RateLimit-Policy')).toBe('"passwords";q=60;w=60')
    expect(summary(await createV1(caller, v1User()))).toBe('201')
    expect(summary(await createV3(store, v3User()))).toBe('201')
  })
})

describe('The quota of requests', () => {
  it('is counted by token and secret, under the name of the Worker', async () => {
    const store = await newStore()
    const other = { ...store, ...(await newToken(store)), id: store.id }
    const { limiter: TOKEN_LIMITER, keys } = limiter()
    for (const caller of [store, other, store]) await createV1(caller, v1User(), { bindings: { TOKEN_LIMITER } })
    const bindings = { TOKEN_LIMITER, WORKER_NAME: 'registrar-blue' }
    await createV1(store, v1User(), { bindings })
    const key = async ({ token }: TestStore) => {
      // The random bits are base64url, which has underscores too.
      const [, number = '', bits = ''] = /^rgs_\d+_(\d+)_([\w-]{43})/.exec(token) ?? []
      const hash = createHash('sha256').update(bits).digest('hex').slice(0, 16)
      return `${await idIn(store, number)}:${hash}`
    }
    const [ofStore, ofOther] = [await key(store), await key(other)]
    expect(keys).toEqual([
      `registrar:${ofStore}`,
      `registrar:${ofOther}`,
      `registrar:${ofStore}`,
      `registrar-blue:${ofStore}`,
    ])
  })

  it('is counted by operator and secret, and for the root as 0', async () => {
    const { limiter: TOKEN_LIMITER, keys } = limiter()
    const { token } = await newOperator('viewer')
    for (const each of [env.ADMIN_TOKEN, token]) {
      await call('GET', '/admin/stores', { token: each, bindings: { TOKEN_LIMITER } })
    }
    expect(keys).toEqual(['registrar:0', expect.stringMatching(/^registrar:\d+:[0-9a-f]{16}$/)])
  })

  it('is not used up by a secret that was rotated or revoked', async () => {
    const store = await newStore()
    const { id, token: rotated } = await newToken(store)
    const { token } = (await admin('POST', `/stores/${store.id}/tokens/${id}/rotate`, { overlap_hours: 0 })).json
    const bindings = { TOKEN_LIMITER: counting(2) }
    const send = async (secret: string) => summary(await createV1({ ...store, token: secret }, v1User(), { bindings }))
    const answers = [await send(rotated), await send(rotated), await send(rotated), await send(token)]
    expect(answers).toEqual(['401 invalid_token', '401 invalid_token', '429 rate_limited', '201'])
  })

  it.each<[string, (options: CallOptions) => Promise<Answer>]>([
    ['no token', (options) => call('POST', '/v3/public/users', options)],
    [
      'a forged token',
      (options) => call('POST', '/v3/public/users', { ...options, token: `rgs_1_2_${'A'.repeat(86)}` }),
    ],
    ['a wrong operator token', (options) => call('GET', '/admin/stores', { ...options, token: 'x'.repeat(40) })],
    ['a path that needs no token', (options) => call('GET', '/health', options)],
    ['a path that is not served', (options) => call('GET', '/nowhere', options)],
  ])('is not counted for %s', async (_, send) => {
    const { limiter: TOKEN_LIMITER, keys } = limiter(() => false)
    expect((await send({ bindings: { TOKEN_LIMITER } })).status).not.toBe(429)
    expect(keys).toEqual([])
  })

  it('is checked before the first round trip to D1', async () => {
    const store = await newStore()
    const { DB, roundTrips } = faultyD1(env.DB)
    const answer = await createV1(store, {}, { bindings: { DB, TOKEN_LIMITER: spent() } })
    expect(summary(answer)).toBe('429 rate_limited')
    expect(roundTrips()).toBe(0)
  })

  it.each<[string, (store: TestStore, bindings: object) => Promise<Answer>]>([
    ['a create', (store, bindings) => createV1(store, v1User({ password: 'horse' }), { bindings })],
    ['an update', async (store, bindings) => updateAccess(store, (await newAccess(store)).id, {}, { bindings })],
  ])('lets %s pass and logs a warning when its limiter fails', async (_, send) => {
    const store = await newStore()
    const failing = limiter(() => Promise.reject(new Error('limiter down: registrar:1'))).limiter
    let outcome = ''
    const lines = await recordConsole(async () => {
      outcome = summary(await send(store, { TOKEN_LIMITER: failing, PASSWORD_LIMITER: failing }))
    })
    expect(outcome).toBe('201')
    const warning = lines.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'warning')
    expect(warning).toEqual({ kind: 'warning', code: 'rate_limiter_failed' })
  })

  it('is reported in RateLimit-Policy as TOKEN_RATE_LIMIT configures it', async () => {
    const store = await newStore()
    const bindings = { TOKEN_LIMITER: spent(), TOKEN_RATE_LIMIT: '7' }
    const { headers } = await createV1(store, {}, { bindings })
    expect(headers.get('RateLimit-Policy')).toBe('"token";q=7;w=60')
  })
})

describe('The quota of passwords', () => {
  const CREATES: [string, (password: boolean) => any, typeof createV1][] = [
    ['v1', (password) => v1User(password ? { password: 'horse' } : {}), createV1],
    ['v3', () => v3User(), createV3],
  ]

  it.each(CREATES)('is counted by token before a password is hashed on %s', async (_, body, create) => {
    const store = await newStore()
    const { limiter: PASSWORD_LIMITER, keys } = limiter()
    expect(summary(await create(store, body(true), { bindings: { PASSWORD_LIMITER } }))).toBe('201')
    expect(keys).toEqual([`registrar:${await idIn(store, store.token.split('_')[2] ?? '')}`])
  })

  it.each(CREATES)(
    'returns 429 after all other errors and creates nothing when it is used up on %s',
    async (_, body, create) => {
      const store = await newStore()
      const { limiter: PASSWORD_LIMITER, keys } = limiter(() => false)
      const bindings = { PASSWORD_LIMITER }
      const [taken, keyed] = [body(true), body(true)]
      const headers = { 'X-Idempotency-Key': 'order-1' }
      await create(store, taken)
      await create(store, keyed, { headers })
      const answers = [
        await create(store, { ...body(true), name: null }, { bindings }),
        await create(store, { ...body(true), name: 5 }, { bindings }),
        await create(store, { ...body(true), custom_fields: { field1: 'x', none: 1 } }, { bindings }),
        await create(store, { ...body(true), email: taken.email }, { bindings }),
        await create(store, keyed, { bindings, headers }),
        await create(store, body(true), { bindings, headers }),
      ]
      expect(answers.map(({ status, json }) => `${status} ${json.code ?? ''}`)).toEqual([
        '400 missing_parameter',
        '422 invalid_parameter',
        '422 invalid_parameter',
        '422 email_taken',
        '201 ',
        '422 idempotency_key_reused',
      ])
      expect(keys).toEqual([])
      const user = body(true)
      const refused = await create(store, user, { bindings, headers: { 'X-Idempotency-Key': 'order-2' } })
      expect(summary(refused)).toBe('429 rate_limited')
      expect(keys).toHaveLength(1)
      expect(await usersOf(store)).toHaveLength(2)
      expect(summary(await create(store, user, { headers: { 'X-Idempotency-Key': 'order-2' } }))).toBe('201')
    },
  )

  it('is not used by a revoked token', async () => {
    const store = await newStore()
    await revokeToken(store)
    const { limiter: PASSWORD_LIMITER, keys } = limiter(() => false)
    expect(summary(await createV3(store, v3User(), { bindings: { PASSWORD_LIMITER } }))).toBe('401 invalid_token')
    expect(keys).toEqual([])
  })

  it('is not used by a create without a password', async () => {
    const store = await newStore()
    const bindings = { PASSWORD_LIMITER: spent(), STORE_PASSWORD_LIMITER: spent() }
    expect(summary(await createV1(store, v1User(), { bindings }))).toBe('201')
  })

  it('is counted for all tokens of a store together, too', async () => {
    const store = await newStore()
    const other = { ...store, token: (await newToken(store)).token }
    const { limiter: STORE_PASSWORD_LIMITER, keys } = limiter(() => keys.length <= 2)
    const create = (caller: TestStore) =>
      createV1(caller, v1User({ password: 'horse' }), { bindings: { STORE_PASSWORD_LIMITER } })
    expect([summary(await create(store)), summary(await create(other))]).toEqual(['201', '201'])
    const answer = await create(store)
    expect(summary(answer)).toBe('429 rate_limited')
    expect(answer.headers.get('RateLimit-Policy')).toBe('"store_passwords";q=120;w=60')
    expect(new Set(keys)).toEqual(new Set([`registrar:${await storeNumber(store)}`]))
    expect(await usersOf(store)).toHaveLength(2)
  })

  it('is counted for an operator by operator and not by store', async () => {
    const store = await newStore()
    const { limiter: PASSWORD_LIMITER, keys } = limiter()
    const bindings = { PASSWORD_LIMITER, STORE_PASSWORD_LIMITER: spent() }
    const create = () => admin('POST', `/stores/${store.id}/users`, v1User({ password: 'horse' }), bindings)
    expect(summary(await create())).toBe('201')
    expect(keys).toEqual(['registrar:0'])
  })
})

describe('wrangler.toml', () => {
  it.each([
    ['TOKEN_LIMITER', 'TOKEN_RATE_LIMIT', '600'],
    ['PASSWORD_LIMITER', 'PASSWORD_RATE_LIMIT', '60'],
    ['STORE_PASSWORD_LIMITER', 'STORE_PASSWORD_RATE_LIMIT', '120'],
    ['VERIFY_LIMITER', 'VERIFY_RATE_LIMIT', '10'],
    ['TOKEN_VERIFY_LIMITER', 'TOKEN_VERIFY_RATE_LIMIT', '60'],
    ['STORE_VERIFY_LIMITER', 'STORE_VERIFY_RATE_LIMIT', '120'],
  ] as const)('gives %s the limit that %s announces, %s, over 60 seconds', (binding, variable, quota) => {
    expect(inject('limiters')[binding]).toEqual({ limit: Number(quota), period: 60 })
    expect(env[variable]).toBe(quota)
  })
})

describe('A request over its rate limit', () => {
  it('gets its 429 after a pause, so that rejections do not keep an instance busy', async () => {
    const store = await newStore()
    const bindings = { TOKEN_LIMITER: limiter(() => false).limiter }
    const began = Date.now()
    const answer = await createV1(store, v1User(), { bindings })
    expect(summary(answer)).toBe('429 rate_limited')
    expect(Date.now() - began).toBeGreaterThanOrEqual(RATE_LIMITED_PAUSE_MS)
  })
})
