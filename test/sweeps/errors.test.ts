/** What holds of every error, whatever the resource: the envelope, the order of the checks, and sweeps over all routes. */
import { env } from 'cloudflare:workers'
import { inspectRoutes } from 'hono/dev'
import { beforeAll, describe, expect, it } from 'vitest'
import readme from '../../README.md?raw'
import { app } from '../../src/app.ts'
import document from '../../src/assets/openapi.json'
import { ERRORS } from '../../src/errors.ts'
import {
  admin,
  type Answer,
  call,
  type CallOptions,
  createV1,
  createV3,
  newAccess,
  newAddress,
  newStore,
  newToken,
  summary,
  type TestStore,
  TIMESTAMP,
  updateAccess,
  UUID,
  v1User,
  v3User,
} from '../support/api.ts'
import { faultyD1 } from '../support/faults.ts'

/** Served without a token. */
const isPublic = (path: string) => /^\/(docs.*|openapi\.json|health)?$/.test(path)

const routes = [
  ...new Map(
    inspectRoutes(app)
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => [`${method} ${path}`, { method, path, filled: path.replaceAll(/:\w+/g, 'x') }]),
  ).values(),
]
const operationOf = (method: string, path: string): object | undefined => {
  const paths: Record<string, Record<string, object>> = document.paths
  return paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
}
const named = (list: typeof routes) => list.map((route) => [`${route.method} ${route.path}`, route] as const)
const guarded = named(routes.filter(({ path }) => !isPublic(path)))
const withBody = named(routes.filter(({ method, path }) => 'requestBody' in (operationOf(method, path) ?? {})))
const notGet = named(routes.filter(({ method }) => method !== 'GET'))

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

/** The keys of an error body, in the order of the alphabet. */
function keysOf({ json }: Answer): string[] {
  return Object.keys(json).toSorted()
}

/** The keys that an error on this path must have, and no others. */
function envelopeOf(path: string, ...more: string[]): string[] {
  const logId = path.startsWith('/v3/') || path === '/v3' ? [] : ['log_id']
  return ['code', 'message', 'request_id', 'timestamp', 'type', ...logId, ...more].toSorted()
}

/** The operator's token under /admin, that of the store elsewhere. */
function tokenFor(path: string): string {
  return path.startsWith('/admin') ? env.ADMIN_TOKEN : store.token
}

/** A path of this very store, so that its token is good there. */
function ownPath(filled: string): string {
  return filled.replace('/stores/x', `/stores/${store.id}`)
}

describe('the error envelope', () => {
  it('of a 400 has details of one object', async () => {
    const [v1, v3] = [await createV1(store, {}), await createV3(store, {})]
    expect(keysOf(v1)).toEqual(envelopeOf('/v1/', 'details'))
    expect(keysOf(v3)).toEqual(envelopeOf('/v3/', 'details'))
    for (const { json } of [v1, v3]) {
      expect(json.details).toEqual({ field: 'name', explanation: expect.any(String) })
      expect(json.message).not.toBe('')
    }
  })

  it('of a 422 has details of a list', async () => {
    const [v1, v3] = [
      await createV1(store, v1User({ name: 1, phone: 2 })),
      await createV3(store, v3User({ name: 1, phone: 2 })),
    ]
    expect(keysOf(v1)).toEqual(envelopeOf('/v1/', 'details'))
    expect(keysOf(v3)).toEqual(envelopeOf('/v3/', 'details'))
    for (const { json } of [v1, v3]) {
      expect(json.details).toEqual([
        { field: 'name', value: '1', explanation: expect.any(String) },
        { field: 'phone', value: '2', explanation: expect.any(String) },
      ])
    }
  })

  it('of an email_taken has details of a list on either version', async () => {
    const [body, publicBody] = [v1User(), v3User()]
    await createV1(store, body)
    await createV3(store, publicBody)
    const [v1, v3] = [await createV1(store, body), await createV3(store, publicBody)]
    expect(keysOf(v1)).toEqual(envelopeOf('/v1/', 'details'))
    expect(keysOf(v3)).toEqual(envelopeOf('/v3/', 'details'))
    expect(v3.json.details).toEqual([{ field: 'email', value: publicBody.email, explanation: expect.any(String) }])
  })

  it('of every other status has no details', async () => {
    const headers = { 'CF-Connecting-IP': newAddress() }
    expect(keysOf(await call('POST', `/v1/stores/${store.id}/users`, { headers }))).toEqual(envelopeOf('/v1/'))
    expect(keysOf(await call('POST', '/v3/public/users', { headers }))).toEqual(envelopeOf('/v3/'))
    const { token } = await newToken(store, { scopes: ['product_accesses:write'] })
    expect(keysOf(await createV3({ ...store, token }, {}))).toEqual(envelopeOf('/v3/'))
    expect(keysOf(await admin('GET', '/stores/nobody'))).toEqual(envelopeOf('/admin/'))
  })

  it('of the 404 of an update has neither code nor details', async () => {
    const answer = await updateAccess(store, '999999999999', {})
    expect(keysOf(answer)).toEqual(envelopeOf('/v1/').filter((key) => key !== 'code'))
  })

  it('carries the time of the answer', async () => {
    const before = Date.now()
    const { json } = await createV1(store, {})
    expect(json.timestamp).toMatch(TIMESTAMP)
    expect(Date.parse(json.timestamp)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(json.timestamp)).toBeLessThanOrEqual(Date.now())
  })

  it('is JSON', async () => {
    const { headers } = await createV1(store, {})
    expect(headers.get('Content-Type')).toBe('application/json')
  })
})

describe('the headers of every answer', () => {
  it.each<[string, () => Promise<Answer>]>([
    ['a 200', () => call('GET', '/health')],
    ['a HEAD', () => call('HEAD', '/health')],
    ['a v1 201', () => createV1(store, v1User())],
    ['a v3 201', () => createV3(store, v3User())],
    ['an update', async () => updateAccess(store, (await newAccess(store)).id, {})],
    ['a 204', async () => admin('DELETE', `/stores/${store.id}/tokens/${(await newToken(store)).id}`)],
    ['a redirect', () => call('GET', '/')],
    ['a 400', () => createV1(store, {})],
    ['a 401', () => createV1({ ...store, token: 'x' }, {})],
    ['a 404 of the update', () => updateAccess(store, '1x', {})],
    ['a 404', () => call('GET', '/nothing')],
    ['a 405', () => call('GET', '/v3/public/users')],
    ['a 413', () => createV1(store, 'x'.repeat(65_537))],
    ['a 415', () => createV1(store, 'x', { headers: { 'Content-Type': 'text/plain' } })],
    ['a 422', () => createV3(store, v3User({ name: 1 }))],
  ])('are on %s: a fresh request id, no-store and nosniff', async (_, send) => {
    const [first, second] = [await send(), await send()]
    expect(first.headers.get('X-Request-Id')).toMatch(UUID)
    expect(second.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'))
    expect(first.headers.get('Cache-Control')).toBe('no-store')
    expect(first.headers.get('X-Content-Type-Options')).toBe('nosniff')
    const bodies = [first, second].filter(({ status }) => status >= 400)
    expect(bodies.map(({ json }) => json.request_id)).toEqual(bodies.map(({ headers }) => headers.get('X-Request-Id')))
  })

  it('do not take over a request id of the caller, nor allow other origins', async () => {
    const sent = crypto.randomUUID()
    const headers = { 'X-Request-Id': sent, Origin: 'https://example.com' }
    const { json, headers: answered } = await createV1(store, {}, { headers })
    expect(answered.get('X-Request-Id')).not.toBe(sent)
    expect(json.request_id).not.toBe(sent)
    expect([...answered.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('log_id', () => {
  const withRay = (ray: string) => createV1(store, {}, { headers: { 'CF-Ray': ray } })

  it.each(['9f0a1b2c3d4e5f60-AMS', '9f0a1b2c3d4e5f60', '0123456789abcdef-fra', 'ABCDEF0123456789-LHR'])(
    'is the CF-Ray %s',
    async (ray) => {
      expect((await withRay(ray)).json.log_id).toBe(ray)
    },
  )

  it.each([
    '',
    '9f0a1b2c3d4e5f6',
    '9f0a1b2c3d4e5f601',
    '9f0a1b2c3d4e5f6g',
    '9f0a1b2c3d4e5f60-',
    '9f0a1b2c3d4e5f60-AM',
    '9f0a1b2c3d4e5f60-AMST',
    '9f0a1b2c3d4e5f60-A1S',
    '9f0a1b2c3d4e5f60AMS',
    'x9f0a1b2c3d4e5f60-AMS',
    '9f0a1b2c3d4e5f60-AMS, 9f0a1b2c3d4e5f60-AMS',
    '<script>alert(1)</script>',
  ])('is the request id for the CF-Ray %j', async (ray) => {
    const { json } = await withRay(ray)
    expect(json.log_id).toBe(json.request_id)
  })

  it('is the request id without a CF-Ray', async () => {
    const { json } = await createV1(store, {})
    expect(json.log_id).toBe(json.request_id)
  })

  it('is on no v3 error, with a CF-Ray either', async () => {
    const headers = { 'CF-Ray': '9f0a1b2c3d4e5f60-AMS' }
    expect((await createV3(store, {}, { headers })).json).not.toHaveProperty('log_id')
  })

  it('is on errors of the operator API and of unknown paths', async () => {
    const headers = { 'CF-Ray': '9f0a1b2c3d4e5f60-AMS', 'CF-Connecting-IP': newAddress() }
    for (const path of ['/admin/stores', '/nothing']) {
      expect((await call('GET', path, { headers })).json.log_id).toBe('9f0a1b2c3d4e5f60-AMS')
    }
  })
})

describe('the order of the checks', () => {
  const tooLarge = 'x'.repeat(65_537)
  const plain = { 'Content-Type': 'text/plain' }
  const badKey = { 'X-Idempotency-Key': '' }
  let narrow: string

  beforeAll(async () => {
    narrow = (await newToken(store, { scopes: ['product_accesses:write'] })).token
  })

  /** Bindings whose limiters count under a key that has nothing left. */
  async function exhausted() {
    const key = crypto.randomUUID()
    while ((await env.TOKEN_LIMITER.limit({ key })).success);
    return { TOKEN_LIMITER: { limit: () => env.TOKEN_LIMITER.limit({ key }) } }
  }

  describe.each([
    ['v1', () => `/v1/stores/${store.id}/users`, v1User],
    ['v3', () => '/v3/public/users', v3User],
  ])('of the %s create', (_, path, validBody) => {
    const create = (options: CallOptions) => call('POST', path(), options)

    it('is route before media type', async () => {
      const answer = await call('POST', `${path()}/x`, { headers: plain, body: tooLarge })
      expect(summary(answer)).toBe('404 route_not_found')
    })

    it('is method before media type', async () => {
      const answer = await call('PATCH', path(), { headers: plain, body: tooLarge })
      expect(summary(answer)).toBe('405 method_not_allowed')
    })

    it('is media type before size, declared or not', async () => {
      expect(summary(await create({ headers: plain, body: tooLarge }))).toBe('415 unsupported_media_type')
      const headers = { ...plain, 'Content-Length': '65537' }
      expect(summary(await create({ headers, body: tooLarge }))).toBe('415 unsupported_media_type')
      const encoded = { headers: { 'Content-Encoding': 'gzip' }, body: tooLarge }
      expect(summary(await create(encoded))).toBe('415 unsupported_media_type')
    })

    it('is size before token', async () => {
      expect(summary(await create({ body: tooLarge }))).toBe('413 payload_too_large')
      expect(summary(await create({ body: tooLarge, token: 'x' }))).toBe('413 payload_too_large')
    })

    it('is token before scope, and before all that follows', async () => {
      const headers = { ...badKey, 'CF-Connecting-IP': newAddress() }
      expect(summary(await create({ body: '{', headers }))).toBe('401 missing_token')
      expect(summary(await create({ body: '{', headers, token: 'x' }))).toBe('401 invalid_token')
    })

    it('is scope before rate limit, and before all that follows', async () => {
      const bindings = await exhausted()
      const answer = await create({ token: narrow, headers: badKey, body: '{', bindings })
      expect(summary(answer)).toBe('403 insufficient_scope')
    })

    it('is rate limit before header', async () => {
      const bindings = await exhausted()
      const answer = await create({ token: store.token, headers: badKey, body: '{', bindings })
      expect(summary(answer)).toBe('429 rate_limited')
      expect(keysOf(answer)).toEqual(envelopeOf(path()))
    })

    it('is header before a body that does not parse', async () => {
      const answer = await create({ token: store.token, headers: badKey, body: '{' })
      expect(summary(answer)).toBe('400 invalid_header: X-Idempotency-Key')
    })

    it('is header before missing and invalid fields', async () => {
      for (const body of [{}, validBody({ name: 5 })]) {
        const answer = await create({ token: store.token, headers: badKey, body })
        expect(summary(answer)).toBe('400 invalid_header: X-Idempotency-Key')
      }
    })

    it('is the body’s form before its fields', async () => {
      expect(summary(await create({ token: store.token, body: [] }))).toBe('400 malformed_body: body')
      expect(summary(await create({ token: store.token, body: '{"name":5,}' }))).toBe('400 malformed_body: body')
    })

    it('is missing fields before invalid ones', async () => {
      const body = { ...validBody({ name: 5 }), email: undefined }
      expect(summary(await create({ token: store.token, body }))).toBe('400 missing_parameter: email')
    })

    it('is invalid fields before a taken e-mail', async () => {
      const body = validBody()
      await create({ token: store.token, body })
      const answer = await create({ token: store.token, body: { ...body, custom_fields: { field1: 'x', no: 1 } } })
      expect(answer.json.code).toBe('invalid_parameter')
    })

    it('is missing and invalid fields before a used key', async () => {
      const options = { token: store.token, headers: { 'X-Idempotency-Key': crypto.randomUUID() } }
      await create({ ...options, body: validBody() })
      expect(summary(await create({ ...options, body: {} }))).toBe('400 missing_parameter: name')
      const invalid = await create({ ...options, body: validBody({ name: 5 }) })
      expect(summary(invalid)).toBe('422 invalid_parameter: name')
    })

    it('is a used key before a taken e-mail', async () => {
      const options = { token: store.token, headers: { 'X-Idempotency-Key': crypto.randomUUID() } }
      const body = validBody()
      await create({ ...options, body })
      const answer = await create({ ...options, body: { ...body, name: 'Other' } })
      expect(summary(answer)).toBe('422 idempotency_key_reused: X-Idempotency-Key')
      expect(answer.json.details[0].value).toBe(options.headers['X-Idempotency-Key'])
    })
  })

  it('of the update is the same, with the record last', async () => {
    const path = `/v1/stores/${store.id}/product_accesses/none`
    const { token } = await newToken(store, { scopes: ['users:write'] })
    const bindings = await exhausted()
    const put = (options: CallOptions) => call('PUT', path, options)
    const answers = [
      await put({ headers: plain, body: tooLarge }),
      await put({ body: tooLarge }),
      await put({ body: '{' }),
      await put({ token, body: '{', bindings }),
      await put({ token: store.token, body: '{', bindings }),
      await put({ token: store.token, body: '{' }),
      await put({ token: store.token, body: { status: 5 } }),
      await put({ token: store.token, body: {} }),
    ]
    expect(answers.map(summary)).toEqual([
      '415 unsupported_media_type',
      '413 payload_too_large',
      '401 missing_token',
      '403 insufficient_scope',
      '429 rate_limited',
      '400 malformed_body: body',
      '422 invalid_parameter: status',
      '404',
    ])
  })

  it('of the operator API is the same, with the store last', async () => {
    const post = (options: CallOptions) => call('POST', '/admin/stores/nobody/products', options)
    const token = env.ADMIN_TOKEN
    const answers = [
      await call('POST', '/admin/nothing', { headers: plain, body: tooLarge }),
      await call('PATCH', '/admin/stores', { headers: plain, body: tooLarge }),
      await post({ headers: plain, body: tooLarge }),
      await post({ body: tooLarge }),
      await post({ body: '{' }),
      await post({ token, body: '{' }),
      await post({ token, body: { name: 5 } }),
      await post({ token, body: { name: 5, slug: 's', type: 't' } }),
      await post({ token, body: { name: 'n', slug: 's', type: 't' } }),
    ]
    expect(answers.map(summary)).toEqual([
      '404 route_not_found',
      '405 method_not_allowed',
      '415 unsupported_media_type',
      '413 payload_too_large',
      '401 missing_token',
      '400 malformed_body: body',
      '400 missing_parameter: slug',
      '422 invalid_parameter: name',
      '404 not_found',
    ])
  })
})

describe('every route', () => {
  it.each(guarded)('%s answers 401 without a token', async (_, { method, path, filled }) => {
    const answer = await call(method, filled, { headers: { 'CF-Connecting-IP': newAddress() } })
    expect(summary(answer)).toBe('401 missing_token')
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="registrar"')
    expect(keysOf(answer)).toEqual(envelopeOf(path))
  })

  it.each(guarded)('%s answers 401 to an unknown token', async (_, { method, path, filled }) => {
    const token = `rgs_${'0'.repeat(72)}`
    const answer = await call(method, filled, { token, headers: { 'CF-Connecting-IP': newAddress() } })
    expect(summary(answer)).toBe('401 invalid_token')
    expect(keysOf(answer)).toEqual(envelopeOf(path))
  })

  it.each(notGet)('%s answers 415 to another media type, before the token', async (_, { method, path, filled }) => {
    const answer = await call(method, filled, { headers: { 'Content-Type': 'text/plain' }, body: '{}' })
    expect(summary(answer)).toBe('415 unsupported_media_type')
    expect(keysOf(answer)).toEqual(envelopeOf(path))
  })

  it.each(notGet)('%s answers 413 to too large a body, before the token', async (_, { method, path, filled }) => {
    const answer = await call(method, filled, { body: 'x'.repeat(65_537) })
    expect(summary(answer)).toBe('413 payload_too_large')
    expect(keysOf(answer)).toEqual(envelopeOf(path))
  })

  it.each(withBody)('%s answers 400 to malformed JSON and to no body', async (_, { method, path, filled }) => {
    for (const body of ['{', '[]', '', undefined]) {
      const answer = await call(method, ownPath(filled), { token: tokenFor(path), body })
      expect(summary(answer)).toBe('400 malformed_body: body')
      expect(keysOf(answer)).toEqual(envelopeOf(path, 'details'))
    }
  })

  it.each(named(routes))('%s answers 415 to any Content-Encoding', async (_, { method, path, filled }) => {
    const answer = await call(method, filled, { headers: { 'Content-Encoding': 'gzip' } })
    expect(summary(answer)).toBe('415 unsupported_media_type')
    expect(keysOf(answer)).toEqual(envelopeOf(path))
  })

  it.each(named(routes))('%s answers 405 and Allow to OPTIONS and other methods', async (_, { path, filled }) => {
    const served = routes.filter((route) => route.path === path).map(({ method }) => method)
    const allowed = [...served, ...(served.includes('GET') ? ['HEAD'] : [])].toSorted()
    const methods = ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']
    for (const method of methods.filter((other) => !allowed.includes(other))) {
      const answer = await call(method, filled, { headers: { 'Access-Control-Request-Method': 'POST' } })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('Allow')?.split(', ').toSorted()).toEqual(allowed)
      expect(answer.text === '' ? [] : keysOf(answer)).toEqual(method === 'HEAD' ? [] : envelopeOf(path))
    }
  })

  it.each(named(routes.filter(({ method }) => method === 'GET')))(
    '%s serves HEAD as GET',
    async (_, { path, filled }) => {
      const token = isPublic(path) ? undefined : tokenFor(path)
      const [get, head] = [
        await call('GET', ownPath(filled), { token }),
        await call('HEAD', ownPath(filled), { token }),
      ]
      expect(head.status).toBe(get.status)
      expect(head.text).toBe('')
      expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'))
    },
  )
})

describe('a path that is not served', () => {
  it.each([
    '/nothing',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/stores/x',
    '/v1/stores/x/users/',
    '/v1/stores/x/users/1',
    '/v1/stores//users',
    '/v1/stores/x/product_accesses',
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
  ])('%s answers 404 route_not_found in its envelope to every method', async (path) => {
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

describe('a failing database', () => {
  const UNKNOWN = 'D1_ERROR: no such column: secret_column in select password_hash from users: SQLITE_ERROR'
  const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long. secret_column'

  const failing = (message: string) => ({ DB: faultyD1(env.DB, () => ({ message, when: 'before' })).DB })

  const operations: [string, (bindings: object) => Promise<Answer>][] = [
    ['/v1/', async (bindings) => createV1({ ...store, token: (await newToken(store)).token }, v1User(), { bindings })],
    ['/v1/', (bindings) => createV1(store, v1User({ password: 'secret_column' }), { bindings })],
    ['/v1/', (bindings) => updateAccess(store, '1', { status: 'with_access' }, { bindings })],
    ['/v3/', async (bindings) => createV3({ ...store, token: (await newToken(store)).token }, v3User(), { bindings })],
    ['/v3/', (bindings) => createV3(store, v3User({ name: 'secret_column' }), { bindings })],
    ['/admin/', (bindings) => call('GET', '/admin/stores', { token: env.ADMIN_TOKEN, bindings })],
    ['/admin/', (bindings) => call('DELETE', '/admin/stores/x/tokens/1', { token: env.ADMIN_TOKEN, bindings })],
    [
      '/admin/',
      (bindings) =>
        call('POST', '/admin/stores', { token: env.ADMIN_TOKEN, bindings, body: { name: 'S', language: 'EN' } }),
    ],
  ]

  beforeAll(async () => {
    await createV1(store, {})
  })

  it.each(operations)('answers 500 for an unknown failure on %s, and nothing of it leaks', async (path, send) => {
    const answer = await send(failing(UNKNOWN))
    expect(answer.status).toBe(500)
    expect(answer.json).toMatchObject({ type: 'internal_error', code: 'internal_error' })
    expect(keysOf(answer)).toEqual(envelopeOf(path))
    const everything = answer.text + JSON.stringify([...answer.headers])
    expect(everything).not.toMatch(/secret_column|D1|SQL|select|password|example\.com|\.ts|\n|Error:/)
  })

  it.each(operations)('answers 503 and Retry-After while it is overloaded on %s', async (path, send) => {
    const answer = await send(failing(OVERLOADED))
    expect(answer.status).toBe(503)
    expect(answer.json).toMatchObject({ type: 'service_unavailable', code: 'service_unavailable' })
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    expect(keysOf(answer)).toEqual(envelopeOf(path))
    expect(answer.text).not.toMatch(/secret_column|D1|overloaded|example\.com/)
  })
})

describe('every error code', () => {
  it.each(Object.entries(ERRORS))('%s is in the README, with its status', (code, { status }) => {
    const row = readme.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${code}\``))
    expect(row).toContain(String(status))
  })

  it.each(Object.keys(ERRORS))('%s is in the OpenAPI document', (code) => {
    expect(JSON.stringify(document)).toMatch(new RegExp(`["\`]${code}["\`]`))
  })
})
