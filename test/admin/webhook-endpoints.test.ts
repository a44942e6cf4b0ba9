import { beforeAll, describe, expect, it } from 'vitest'
import { env } from 'cloudflare:workers'
import { admin, call, ID, newStore, refused, summary, type TestStore, TIMESTAMP } from '../support/api.ts'
import { rowsOf } from '../support/rows.ts'

const URL_OF_HOOK = 'https://crm.example.com/registrar?tenant=7'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

const pathOf = ({ id }: TestStore) => `/stores/${id}/webhook_endpoints`

async function newEndpoint(owner: TestStore, fields: object = {}): Promise<any> {
  return (await admin('POST', pathOf(owner), { url: URL_OF_HOOK, ...fields })).json
}

const IDS = ['0', 'abc', '999999999999', '99999999999999999999', '%00']

describe('POST /admin/stores/{store_id}/webhook_endpoints', () => {
  it('answers 201 with the secret, for all types', async () => {
    const { status, json } = await admin('POST', pathOf(store), { url: URL_OF_HOOK })
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.stringMatching(ID),
      url: URL_OF_HOOK,
      types: null,
      enabled: true,
      created_at: expect.stringMatching(TIMESTAMP),
      failing_since: null,
      disabled_at: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
    })
  })

  it('makes secrets of 24 to 64 bytes, another one each time', async () => {
    const secrets = [await newEndpoint(store), await newEndpoint(store)].map(({ secret }): string => secret)
    for (const secret of secrets) {
      const { byteLength } = Buffer.from(secret.replace('whsec_', ''), 'base64')
      expect(byteLength).toBeGreaterThanOrEqual(24)
      expect(byteLength).toBeLessThanOrEqual(64)
    }
    expect(new Set(secrets).size).toBe(2)
  })

  it('keeps the URL as sent and the types in their order', async () => {
    const url = `HTTPS://CRM.Example.com:443/a/../b?x=ä#${'x'.repeat(100)}`
    const types = ['webhook_endpoint.disabled', 'user.created']
    const { id } = await newEndpoint(store, { url, types })
    expect((await admin('GET', `${pathOf(store)}/${id}`)).json).toMatchObject({ url, types })
  })

  it('takes null types as left out, and the same URL twice', async () => {
    const [first, second] = [await newEndpoint(store, { types: null }), await newEndpoint(store)]
    expect([first.types, second.types]).toEqual([null, null])
    expect(first.id).not.toBe(second.id)
  })

  it('takes every type that an event can have', async () => {
    const types = [
      'user.created',
      'product_access.granted',
      'product_access.updated',
      'product_access.progressed',
      'access_token.created',
      'access_token.revoked',
      'webhook_endpoint.disabled',
    ]
    expect((await newEndpoint(store, { types })).types).toEqual(types)
  })

  it.each([{}, { url: null }, { types: [] }])('answers 400 missing_parameter for %j', async (body) => {
    expect(summary(await admin('POST', pathOf(store), body))).toBe('400 missing_parameter: url')
  })

  it.each<[string, unknown, string, string]>([
    ['url', '', 'url', ''],
    ['url', ' ', 'url', ' '],
    ['url', 5, 'url', '5'],
    ['url', ['https://crm.example.com'], 'url', '["https://crm.example.com"]'],
    ['url', 'crm.example.com', 'url', 'crm.example.com'],
    ['url', 'https://', 'url', 'https://'],
    ['url', 'https://crm.example.com/\0', 'url', 'https://crm.example.com/\0'],
    ['url', 'http://crm.example.com/', 'url', 'http://crm.example.com/'],
    ['url', 'ftp://crm.example.com/', 'url', 'ftp://crm.example.com/'],
    ['url', 'https://a:b@crm.example.com/', 'url', 'https://a:b@crm.example.com/'],
    ['url', 'https://10.0.0.1/', 'url', 'https://10.0.0.1/'],
    ['url', 'https://[fd00::1]/', 'url', 'https://[fd00::1]/'],
    ['url', 'https://printer.local/', 'url', 'https://printer.local/'],
    ['types', [], 'types', '[]'],
    ['types', 'user.created', 'types', 'user.created'],
    ['types', {}, 'types', '{}'],
    ['types', ['user.created', 'user.created'], 'types', '["user.created","user.created"]'],
    ['types', ['user.created', 'user.deleted'], 'types.1', 'user.deleted'],
    ['types', ['*'], 'types.0', '*'],
    ['types', [null], 'types.0', 'null'],
  ])('answers 422 for %s %j', async (sent, value, field, echoed) => {
    const answer = await admin('POST', pathOf(store), { url: URL_OF_HOOK, [sent]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('takes a URL of 2048 characters and answers 422 for one more', async () => {
    const url = `https://crm.example.com/${'x'.repeat(2024)}`
    expect((await newEndpoint(store, { url })).url).toBe(url)
    const answer = await admin('POST', pathOf(store), { url: `${url}x` })
    expect(summary(answer)).toBe('422 invalid_parameter: url')
    expect(refused(answer)).toEqual({ url: url.slice(0, 256) })
  })

  it('names every invalid field in the order of the table', async () => {
    const answer = await admin('POST', pathOf(store), { types: 1, url: 'http://10.0.0.1' })
    expect(summary(answer)).toBe('422 invalid_parameter: url, types')
  })

  it.each([
    ['development', '201'],
    ['test', '201'],
    ['production', '422 invalid_parameter: url'],
    ['staging', '422 invalid_parameter: url'],
    ['', '422 invalid_parameter: url'],
  ])('takes a receiver on loopback in the environment %j: %s', async (ENVIRONMENT, outcome) => {
    for (const url of [
      'http://localhost:8080/',
      'http://127.0.0.1:8080/',
      'http://[::1]:8080/',
      'https://localhost/',
    ]) {
      const options = { token: env.ADMIN_TOKEN, body: { url }, bindings: { ENVIRONMENT } }
      expect(summary(await call('POST', `/admin${pathOf(store)}`, options))).toBe(outcome)
    }
  })

  it('answers 404 for a store that does not exist, after every check of the body', async () => {
    expect(summary(await admin('POST', '/stores/none/webhook_endpoints', { url: URL_OF_HOOK }))).toBe('404 not_found')
    expect(summary(await admin('POST', '/stores/none/webhook_endpoints', {}))).toBe('400 missing_parameter: url')
  })
})

describe('GET /admin/stores/{store_id}/webhook_endpoints', () => {
  it('answers pages in the order of the ids, never with a secret, of this store alone', async () => {
    const [own, other] = [await newStore(), await newStore()]
    await newEndpoint(other)
    const endpoints = []
    for (const types of [null, ['user.created'], null]) endpoints.push(await newEndpoint(own, { types }))
    const first = await admin('GET', `${pathOf(own)}?limit=2`)
    const second = await admin('GET', `${pathOf(own)}?limit=2&after=${first.json.next}`)
    expect(second.json.next).toBeNull()
    for (const endpoint of endpoints) delete endpoint.secret
    expect([...first.json.data, ...second.json.data]).toEqual(endpoints)
    for (const { text } of [first, second]) expect(text).not.toMatch(/secret|whsec_/)
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['after=x', 'after'],
    ['after=1&after=2', 'after'],
  ])('answers 422 for ?%s', async (query, field) => {
    expect(summary(await admin('GET', `${pathOf(store)}?${query}`))).toBe(`422 invalid_parameter: ${field}`)
  })

  it('answers 404 for a store that does not exist', async () => {
    expect(summary(await admin('GET', '/stores/none/webhook_endpoints'))).toBe('404 not_found')
  })
})

describe('GET /admin/stores/{store_id}/webhook_endpoints/{id}', () => {
  it('answers what the creation did, without the secret', async () => {
    const { secret: _, ...endpoint } = await newEndpoint(store, { types: ['user.created'] })
    const { status, json, text } = await admin('GET', `${pathOf(store)}/${endpoint.id}`)
    expect(status).toBe(200)
    expect(json).toEqual(endpoint)
    expect(text).not.toMatch(/secret|whsec_/)
  })
})

describe('DELETE /admin/stores/{store_id}/webhook_endpoints/{id}', () => {
  it('answers 204 without a body, and 404 the second time', async () => {
    const { id } = await newEndpoint(store)
    const first = await admin('DELETE', `${pathOf(store)}/${id}`)
    expect([first.status, first.text]).toEqual([204, ''])
    expect(summary(await admin('DELETE', `${pathOf(store)}/${id}`))).toBe('404 not_found')
    expect(summary(await admin('GET', `${pathOf(store)}/${id}`))).toBe('404 not_found')
  })
})

describe('POST /admin/stores/{store_id}/webhook_endpoints/{id}/rotate_secret', () => {
  it('answers the endpoint with a new secret, this once', async () => {
    const { secret, ...endpoint } = await newEndpoint(store)
    const { status, json } = await admin('POST', `${pathOf(store)}/${endpoint.id}/rotate_secret`)
    expect(status).toBe(200)
    expect(json).toEqual({ ...endpoint, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) })
    expect(json.secret).not.toBe(secret)
    expect((await admin('GET', `${pathOf(store)}/${endpoint.id}`)).json).toEqual(endpoint)
  })
})

describe('POST /admin/stores/{store_id}/webhook_endpoints/{id}/enable', () => {
  it('answers 200 with the endpoint, whether it was disabled or not, without its secret', async () => {
    const { secret: _, ...endpoint } = await newEndpoint(store)
    const first = await admin('POST', `${pathOf(store)}/${endpoint.id}/enable`)
    await rowsOf('update webhook_endpoints set disabled_at = 1, failing_since = 1 where id = ?', Number(endpoint.id))
    const disabled = await admin('GET', `${pathOf(store)}/${endpoint.id}`)
    expect(disabled.json).toEqual({
      ...endpoint,
      enabled: false,
      failing_since: '1970-01-01T00:00:00.001Z',
      disabled_at: '1970-01-01T00:00:00.001Z',
    })
    const second = await admin('POST', `${pathOf(store)}/${endpoint.id}/enable`)
    for (const { status, json, text } of [first, second]) {
      expect(status).toBe(200)
      expect(json).toEqual(endpoint)
      expect(text).not.toMatch(/secret|whsec_/)
    }
  })
})

describe.each([
  ['GET', ''],
  ['DELETE', ''],
  ['POST', '/rotate_secret'],
  ['POST', '/enable'],
  ['GET', '/deliveries'],
])('%s /admin/stores/{store_id}/webhook_endpoints/{id}%s', (method, action) => {
  it.each(IDS)('answers 404 for the id %s', async (id) => {
    expect(summary(await admin(method, `${pathOf(store)}/${id}${action}`))).toBe('404 not_found')
  })

  it('answers 404 for an endpoint of another store, and changes nothing', async () => {
    const other = await newStore()
    const { id } = await newEndpoint(other)
    const [before] = await rowsOf('select * from webhook_endpoints where id = ?', Number(id))
    expect(summary(await admin(method, `${pathOf(store)}/${id}${action}`))).toBe('404 not_found')
    expect(await rowsOf('select * from webhook_endpoints where id = ?', Number(id))).toEqual([before])
  })

  it('answers 404 for a store that does not exist', async () => {
    const { id } = await newEndpoint(store)
    expect(summary(await admin(method, `/stores/none/webhook_endpoints/${id}${action}`))).toBe('404 not_found')
  })
})
