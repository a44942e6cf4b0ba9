/** When a request has several errors, the service reports the first one in the order of docs/errors.md. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  type CallOptions,
  newAccess,
  newStore,
  newToken,
  summary,
  useStore,
  v1User,
  v3User,
} from '../support/api.ts'
import { changeToken, revokeToken, suspendStore } from '../support/rows.ts'

describe('The order of the checks', () => {
  const tooLarge = 'x'.repeat(65_537)
  const plain = { 'Content-Type': 'text/plain' }
  const badKey = { 'X-Idempotency-Key': '' }
  const store = useStore()
  let narrow: string
  let revoked: string

  beforeAll(async () => {
    narrow = (await newToken(store, { scopes: ['product_accesses:write'] })).token
    revoked = (await newToken(store)).token
    await revokeToken({ ...store, token: revoked })
  })

  /** The limiter of these bindings rejects every request. */
  const exhausted = { TOKEN_LIMITER: { limit: () => Promise.resolve({ success: false }) } }

  describe.each([
    ['v1', () => `/v1/stores/${store.id}/users`, v1User],
    ['v3', () => '/v3/public/users', v3User],
  ])('of the %s create', (_, path, validBody) => {
    const create = (options: CallOptions) => call('POST', path(), options)

    it('puts the route before the media type', async () => {
      const answer = await call('POST', `${path()}/x/y/z`, { headers: plain, body: tooLarge })
      expect(summary(answer)).toBe('404 route_not_found')
    })

    it('puts the method before the media type', async () => {
      const answer = await call('PATCH', path(), { headers: plain, body: tooLarge })
      expect(summary(answer)).toBe('405 method_not_allowed')
    })

    it('puts the media type before the size, with and without a declared length', async () => {
      const { token } = store
      expect(summary(await create({ token, headers: plain, body: tooLarge }))).toBe('415 unsupported_media_type')
      const headers = { ...plain, 'Content-Length': '65537' }
      expect(summary(await create({ token, headers, body: tooLarge }))).toBe('415 unsupported_media_type')
      const encoded = { token, headers: { 'Content-Encoding': 'gzip' }, body: tooLarge }
      expect(summary(await create(encoded))).toBe('415 unsupported_media_type')
    })

    it('puts the media type and the size before a revoked token or a missing scope', async () => {
      for (const token of [narrow, revoked]) {
        expect(summary(await create({ token, headers: plain, body: '{}' }))).toBe('415 unsupported_media_type')
        expect(summary(await create({ token, body: tooLarge }))).toBe('413 payload_too_large')
      }
    })

    it('puts a missing or forged token before the rate limit and everything after it', async () => {
      const rest = { body: tooLarge, headers: { ...plain, ...badKey }, bindings: exhausted }
      expect(summary(await create(rest))).toBe('401 missing_token')
      expect(summary(await create({ ...rest, token: 'x' }))).toBe('401 invalid_token')
    })

    it('puts the rate limit before a revoked token or a missing scope', async () => {
      for (const token of [store.token, narrow, revoked]) {
        const answer = await create({ token, headers: { ...plain, ...badKey }, body: tooLarge, bindings: exhausted })
        expect(summary(answer)).toBe('429 rate_limited')
      }
    })

    it('puts a revoked token and a missing scope before header, body and fields', async () => {
      for (const [headers, body] of [
        [badKey, '{'],
        [{}, '{'],
        [{}, {}],
        [{}, validBody({ name: 5 })],
      ] as const) {
        expect(summary(await create({ token: revoked, headers, body }))).toBe('401 invalid_token')
        expect(summary(await create({ token: narrow, headers, body }))).toBe('403 insufficient_scope')
      }
    })

    it('puts the suspension of the store before the scope', async () => {
      const own = await newStore()
      await changeToken(own, { scopes: 'product_accesses:write' })
      await suspendStore(own)
      const target = path().replace(store.id, own.id)
      expect(summary(await call('POST', target, { token: own.token, body: '{' }))).toBe('403 store_suspended')
    })

    it('puts an invalid header before a body that does not parse', async () => {
      const answer = await create({ token: store.token, headers: badKey, body: '{' })
      expect(summary(answer)).toBe('400 invalid_header: X-Idempotency-Key')
    })

    it('puts an invalid header before missing and invalid fields', async () => {
      for (const body of [{}, validBody({ name: 5 })]) {
        const answer = await create({ token: store.token, headers: badKey, body })
        expect(summary(answer)).toBe('400 invalid_header: X-Idempotency-Key')
      }
    })

    it('puts the form of the body before its fields', async () => {
      expect(summary(await create({ token: store.token, body: [] }))).toBe('400 malformed_body: body')
      expect(summary(await create({ token: store.token, body: '{"name":5,}' }))).toBe('400 malformed_body: body')
    })

    it('puts missing fields before invalid ones', async () => {
      const body = { ...validBody({ name: 5 }), email: undefined }
      expect(summary(await create({ token: store.token, body }))).toBe('400 missing_parameter: email')
    })

    it('puts invalid fields before a taken email', async () => {
      const body = validBody()
      await create({ token: store.token, body })
      const answer = await create({ token: store.token, body: { ...body, phone: 5 } })
      expect(summary(answer)).toBe('422 invalid_parameter: phone')
    })

    it('ignores unknown query parameters, also beside an invalid field', async () => {
      const invalid = { token: store.token, body: validBody({ phone: 5 }) }
      expect(summary(await call('POST', `${path()}?nonsense=1`, invalid))).toBe('422 invalid_parameter: phone')
      const valid = { token: store.token, body: validBody() }
      expect(summary(await call('POST', `${path()}?nonsense=1&nonsense=2`, valid))).toBe('201')
    })

    it('puts a used key before undefined custom fields, and these before a taken email', async () => {
      const options = { token: store.token, headers: { 'X-Idempotency-Key': crypto.randomUUID() } }
      const body = validBody()
      await create({ ...options, body })
      const undefinedField = { ...body, custom_fields: { field1: 'x', no: 1 } }
      expect((await create({ ...options, body: undefinedField })).json.code).toBe('idempotency_key_reused')
      expect((await create({ token: store.token, body: undefinedField })).json.code).toBe('invalid_parameter')
      expect((await create({ token: store.token, body })).json.code).toBe('email_taken')
    })

    it('puts missing and invalid fields before a used key', async () => {
      const options = { token: store.token, headers: { 'X-Idempotency-Key': crypto.randomUUID() } }
      await create({ ...options, body: validBody() })
      expect(summary(await create({ ...options, body: {} }))).toBe('400 missing_parameter: name')
      const invalid = await create({ ...options, body: validBody({ name: 5 }) })
      expect(summary(invalid)).toBe('422 invalid_parameter: name')
    })

    it('puts a used key before a taken email', async () => {
      const options = { token: store.token, headers: { 'X-Idempotency-Key': crypto.randomUUID() } }
      const body = validBody()
      await create({ ...options, body })
      const answer = await create({ ...options, body: { ...body, name: 'Other' } })
      expect(summary(answer)).toBe('422 idempotency_key_reused: X-Idempotency-Key')
      expect(answer.json.details[0].value).toBe(options.headers['X-Idempotency-Key'])
    })
  })

  it('of the update is the same, then the record, then its ETag', async () => {
    const { id } = await newAccess(store)
    const { token } = await newToken(store, { scopes: ['users:write'] })
    const put = (options: CallOptions, n = 'none') =>
      call('PUT', `/v1/stores/${store.id}/product_accesses/${n}`, options)
    const stale = { 'If-Match': '"1-1"' }
    const answers = [
      await put({ headers: plain, body: tooLarge, bindings: exhausted }),
      await put({ token, headers: plain, body: tooLarge, bindings: exhausted }),
      await put({ token, headers: plain, body: tooLarge }),
      await put({ token, body: tooLarge }),
      await put({ token, body: '{' }),
      await put({ token: store.token, body: '{' }),
      await put({ token: store.token, body: { status: 5 }, headers: stale }),
      await put({ token: store.token, body: {}, headers: stale }),
      await put({ token: store.token, body: {}, headers: stale }, id),
    ]
    expect(answers.map(summary)).toEqual([
      '401 missing_token',
      '429 rate_limited',
      '415 unsupported_media_type',
      '413 payload_too_large',
      '403 insufficient_scope',
      '400 malformed_body: body',
      '422 invalid_parameter: status',
      '404',
      '412 etag_mismatch',
    ])
  })

  it('of the operator API is the same, then the store', async () => {
    const post = (options: CallOptions) => call('POST', '/admin/stores/nobody/tokens', options)
    const token = env.ADMIN_TOKEN
    const answers = [
      await call('POST', '/admin/nothing', { headers: plain, body: tooLarge }),
      await call('PATCH', '/admin/stores', { headers: plain, body: tooLarge }),
      await post({ headers: plain, body: tooLarge, bindings: exhausted }),
      await post({ token, headers: plain, body: tooLarge, bindings: exhausted }),
      await post({ token, headers: plain, body: tooLarge }),
      await post({ token, body: tooLarge }),
      await post({ token, body: '{' }),
      await post({ token, body: { scopes: 5 } }),
      await post({ token, body: { name: 5 } }),
      await post({ token, body: { name: 'n' } }),
    ]
    expect(answers.map(summary)).toEqual([
      '404 route_not_found',
      '405 method_not_allowed',
      '401 missing_token',
      '429 rate_limited',
      '415 unsupported_media_type',
      '413 payload_too_large',
      '400 malformed_body: body',
      '400 missing_parameter: name',
      '422 invalid_parameter: name',
      '404 not_found',
    ])
  })
})
