import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/openapi.ts'
import {
  admin,
  call,
  createV1,
  createV3,
  newAccess,
  newToken,
  TIMESTAMP,
  updateAccess,
  useStore,
  UUID,
  v1User,
  v3User,
} from '../../support/api.ts'
import { envelopeOf, keysOf } from '../../support/routes.ts'

const store = useStore()

describe('The error envelope', () => {
  it('has one object as the details of a 400', async () => {
    const [v1, v3] = [await createV1(store, {}), await createV3(store, {})]
    expect(keysOf(v1)).toEqual(envelopeOf('/v1/', 'details'))
    expect(keysOf(v3)).toEqual(envelopeOf('/v3/', 'details'))
    for (const { json } of [v1, v3]) {
      expect(json.details).toEqual({ field: 'name', explanation: expect.any(String) })
      expect(json.message).not.toBe('')
    }
  })

  it('has a list as the details of a 422', async () => {
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

  it('has a list as the details of email_taken on v1 and v3', async () => {
    const [body, publicBody] = [v1User(), v3User()]
    await createV1(store, body)
    await createV3(store, publicBody)
    const [v1, v3] = [await createV1(store, body), await createV3(store, publicBody)]
    expect(keysOf(v1)).toEqual(envelopeOf('/v1/', 'details'))
    expect(keysOf(v3)).toEqual(envelopeOf('/v3/', 'details'))
    expect(v3.json.details).toEqual([{ field: 'email', value: publicBody.email, explanation: expect.any(String) }])
  })

  it('has no details for every other status', async () => {
    expect(keysOf(await call('POST', `/v1/stores/${store.id}/users`))).toEqual(envelopeOf('/v1/'))
    expect(keysOf(await call('POST', '/v3/public/users'))).toEqual(envelopeOf('/v3/'))
    const { token } = await newToken(store, { scopes: ['product_accesses:write'] })
    expect(keysOf(await createV3({ ...store, token }, {}))).toEqual(envelopeOf('/v3/'))
    expect(keysOf(await admin('GET', '/stores/nobody'))).toEqual(envelopeOf('/admin/'))
  })

  it('has neither code nor details for the 404 of an update', async () => {
    const answer = await updateAccess(store, '4294967294', {})
    expect(keysOf(answer)).toEqual(envelopeOf('/v1/').filter((key) => key !== 'code'))
  })

  it('has a code for the 404 of an update by an operator', async () => {
    const answer = await admin('PUT', `/stores/${store.id}/product_accesses/1`, {})
    expect(answer.json.code).toBe('not_found')
    expect(keysOf(answer)).toEqual(envelopeOf('/admin/'))
  })

  it('contains the time of the response', async () => {
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

describe('The headers of every response', () => {
  it.each<[string, () => Promise<Answer>]>([
    ['a 200', () => call('GET', '/health')],
    ['a HEAD', () => call('HEAD', '/health')],
    ['a v1 201', () => createV1(store, v1User())],
    ['a v3 201', () => createV3(store, v3User())],
    ['an update', async () => updateAccess(store, (await newAccess(store)).id, {})],
    ['a redirect', () => call('GET', '/')],
    ['a 400', () => createV1(store, {})],
    ['a 401', () => createV1({ ...store, token: 'x' }, {})],
    ['a 404 of the update', () => updateAccess(store, '1x', {})],
    ['a 404', () => call('GET', '/nothing')],
    ['a 405', () => call('GET', '/v3/public/users')],
    ['a 413', () => createV1(store, 'x'.repeat(65_537))],
    ['a 415', () => createV1(store, 'x', { headers: { 'Content-Type': 'text/plain' } })],
    ['a 422', () => createV3(store, v3User({ name: 1 }))],
  ])('are on %s: a new request id, no-store and nosniff', async (_, send) => {
    const [first, second] = [await send(), await send()]
    expect(first.headers.get('X-Request-Id')).toMatch(UUID)
    expect(second.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'))
    expect(first.headers.get('Cache-Control')).toBe('no-store')
    expect(first.headers.get('X-Content-Type-Options')).toBe('nosniff')
    const bodies = [first, second].filter(({ status }) => status >= 400)
    expect(bodies.map(({ json }) => json.request_id)).toEqual(bodies.map(({ headers }) => headers.get('X-Request-Id')))
  })

  it('do not repeat a request id of the client and do not allow other origins', async () => {
    const sent = crypto.randomUUID()
    const headers = { 'X-Request-Id': sent, Origin: 'https://example.com' }
    const { json, headers: answered } = await createV1(store, {}, { headers })
    expect(answered.get('X-Request-Id')).not.toBe(sent)
    expect(json.request_id).not.toBe(sent)
    expect([...answered.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('The log_id of an error', () => {
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
  ])('is the request id when the CF-Ray is %j', async (ray) => {
    const { json } = await withRay(ray)
    expect(json.log_id).toBe(json.request_id)
  })

  it('is the request id without a CF-Ray', async () => {
    const { json } = await createV1(store, {})
    expect(json.log_id).toBe(json.request_id)
  })

  it('does not exist on v3 errors, even with a CF-Ray', async () => {
    const headers = { 'CF-Ray': '9f0a1b2c3d4e5f60-AMS' }
    expect((await createV3(store, {}, { headers })).json).not.toHaveProperty('log_id')
  })

  it('exists on errors of the operator API and of unknown paths', async () => {
    const headers = { 'CF-Ray': '9f0a1b2c3d4e5f60-AMS' }
    for (const path of ['/admin/stores', '/nothing']) {
      expect((await call('GET', path, { headers })).json.log_id).toBe('9f0a1b2c3d4e5f60-AMS')
    }
  })
})
