import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, call, createV1, newStore, refused, summary, type TestStore, TIMESTAMP, v1User } from '../support/api.ts'

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

/** A body with an id that nobody has. */
function newStoreBody(fields: object = {}) {
  return { id: `s-${crypto.randomUUID()}`, name: 'Academy', language: 'EN', ...fields }
}

describe('POST /admin/stores', () => {
  it('answers 201 with the store', async () => {
    const body = newStoreBody({ language: 'PT' })
    const { status, json } = await admin('POST', '/stores', body)
    expect(status).toBe(201)
    expect(json).toEqual({ ...body, created_at: expect.stringMatching(TIMESTAMP) })
  })

  it.each([undefined, null])('generates an id where it is %s', async (id) => {
    const { status, json } = await admin('POST', '/stores', newStoreBody({ id }))
    expect(status).toBe(201)
    expect(json.id).toMatch(SLUG)
  })

  it('answers 422 already_exists for an id that is taken', async () => {
    const answer = await admin('POST', '/stores', newStoreBody({ id: store.id }))
    expect(summary(answer)).toBe('422 already_exists: id')
    expect(answer.json.type).toBe('validation_error')
    expect(refused(answer)).toEqual({ id: store.id })
  })

  it.each([
    [{}, 'name', ['name', 'language']],
    [{ name: 'A' }, 'language', ['language']],
    [{ language: null, name: null }, 'name', ['name', 'language']],
    [{ id: 5, language: 'EN' }, 'name', ['name']],
  ])('answers 400 missing_parameter for %j', async (body, first, all) => {
    const answer = await admin('POST', '/stores', body)
    expect(summary(answer)).toBe(`400 missing_parameter: ${first}`)
    for (const field of all) expect(answer.json.message).toContain(field)
  })

  it.each<[string, unknown, string]>([
    ['id', '', ''],
    ['id', '-a', '-a'],
    ['id', '_a', '_a'],
    ['id', 'Academy', 'Academy'],
    ['id', 'a b', 'a b'],
    ['id', 'a/b', 'a/b'],
    ['id', 'é', 'é'],
    ['id', 'a\n', 'a\n'],
    ['id', 'a'.repeat(65), 'a'.repeat(65)],
    ['id', 5, '5'],
    ['name', '', ''],
    ['name', ' ', ' '],
    ['name', 5, '5'],
    ['name', 'x'.repeat(256), 'x'.repeat(256)],
    ['name', 'a\0', 'a\0'],
    ['language', 'en', 'en'],
    ['language', 'FR', 'FR'],
    ['language', 5, '5'],
  ])('answers 422 for %s %j', async (field, value, echoed) => {
    const answer = await admin('POST', '/stores', newStoreBody({ [field]: value }))
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('names every invalid field in the order of the table', async () => {
    const answer = await admin('POST', '/stores', { language: 1, name: 1, id: 1 })
    expect(summary(answer)).toBe('422 invalid_parameter: id, name, language')
  })

  it('takes an id of 64 characters and one of a digit first', async () => {
    for (const length of [64, 40]) {
      const id = `0_-${crypto.randomUUID()}`.padEnd(length, 'z')
      expect((await admin('POST', '/stores', newStoreBody({ id }))).json.id).toBe(id)
    }
  })

  it('takes a name of 255 code points', async () => {
    const name = '😀'.repeat(255)
    expect((await admin('POST', '/stores', newStoreBody({ name }))).json.name).toBe(name)
  })
})

describe('GET /admin/stores/{store_id}', () => {
  it('answers 200 with the store', async () => {
    const { json: created } = await admin('POST', '/stores', newStoreBody())
    const { status, json } = await admin('GET', `/stores/${created.id}`)
    expect(status).toBe(200)
    expect(json).toEqual(created)
  })

  it.each(['nobody', 'Academy', '%00', '__proto__', 'a%20b', 'x'.repeat(300)])(
    'answers 404 not_found for %s',
    async (id) => {
      const answer = await admin('GET', `/stores/${id}`)
      expect(summary(answer)).toBe('404 not_found')
      expect(answer.json).not.toHaveProperty('details')
    },
  )
})

describe('GET /admin/stores', () => {
  it('answers pages in the order of the ids, each once', async () => {
    const prefix = `p-${crypto.randomUUID()}`
    const ids = ['-1', '-2', '-3', '-4', '_5'].map((suffix) => prefix + suffix)
    for (const id of ids.toReversed()) await admin('POST', '/stores', newStoreBody({ id }))

    const first = await admin('GET', `/stores?limit=2&after=${prefix}`)
    expect(first.status).toBe(200)
    expect(Object.keys(first.json).toSorted()).toEqual(['data', 'next'])
    const second = await admin('GET', `/stores?limit=2&after=${first.json.next}`)
    const third = await admin('GET', `/stores?limit=1&after=${second.json.next}`)
    const found = [first, second, third].flatMap(({ json }) => json.data)
    expect(found.map(({ id }) => id)).toEqual(ids)
    expect(found[0]).toEqual((await admin('GET', `/stores/${ids[0]}`)).json)
  })

  it('answers next null at the end', async () => {
    const id = `zzzz-${crypto.randomUUID()}`
    await admin('POST', '/stores', newStoreBody({ id }))
    const { json } = await admin('GET', `/stores?after=${'z'.repeat(64)}`)
    expect(json).toEqual({ data: [], next: null })
  })
})

describe('limit and after of every list', () => {
  const lists = ['', '/tokens', '/custom_fields', '/products', '/users', '/product_accesses']

  it.each(lists.flatMap((list) => ['', '0', '101', '-1', '1.5', '1e1', 'ten', '%2010', '0x10'].map((n) => [list, n])))(
    'of %s answers 422 for the limit %j',
    async (list, limit) => {
      const path = list === '' ? '/stores' : `/stores/${store.id}${list}`
      const answer = await admin('GET', `${path}?limit=${limit}`)
      expect(summary(answer)).toBe('422 invalid_parameter: limit')
      expect(refused(answer)).toEqual({ limit: decodeURIComponent(limit ?? '') })
    },
  )

  it.each(lists)('of %s answers 422 for a limit or cursor that is given twice', async (list) => {
    const path = list === '' ? '/stores' : `/stores/${store.id}${list}`
    const answer = await admin('GET', `${path}?limit=1&limit=2&after=1&after=2`)
    expect(summary(answer)).toBe('422 invalid_parameter: limit, after')
    expect(refused(answer)).toEqual({ limit: '["1","2"]', after: '["1","2"]' })
  })

  it.each([
    ['', 'Academy'],
    ['', ''],
    ['/custom_fields', 'a%20b'],
    ['/custom_fields', ''],
    ...['/tokens', '/products', '/users', '/product_accesses'].flatMap((list) => [
      [list, ''],
      [list, 'abc'],
      [list, '-1'],
      [list, '1.5'],
      [list, '99999999999999999999'],
    ]),
  ])('of %s answers 422 for the cursor %j', async (list, after) => {
    const path = list === '' ? '/stores' : `/stores/${store.id}${list}`
    expect(summary(await admin('GET', `${path}?after=${after}`))).toBe('422 invalid_parameter: after')
  })

  it.each(lists)('of %s takes 1 and 100, and ignores unknown parameters', async (list) => {
    const path = list === '' ? '/stores' : `/stores/${store.id}${list}`
    for (const limit of [1, 100]) {
      expect(summary(await admin('GET', `${path}?limit=${limit}&colour=red&colour=blue`))).toBe('200')
    }
  })

  it('is 50 when left out', async () => {
    const other = await newStore()
    await Promise.all(
      Array.from({ length: 51 }, (_, i) => admin('PUT', `/stores/${other.id}/custom_fields/k${100 + i}`, {})),
    )
    const { json } = await admin('GET', `/stores/${other.id}/custom_fields`)
    expect(json.data).toHaveLength(50)
    expect(json.next).toBe('k149')
  })
})

describe('/admin/stores/{store_id}/…', () => {
  it.each([
    ['POST', '/tokens', { name: 'T' }],
    ['GET', '/tokens', undefined],
    ['DELETE', '/tokens/1', undefined],
    ['PUT', '/custom_fields/a', {}],
    ['GET', '/custom_fields', undefined],
    ['DELETE', '/custom_fields/a', undefined],
    ['POST', '/products', { name: 'P', slug: 'p', type: 'course' }],
    ['GET', '/products', undefined],
    ['GET', '/users', undefined],
    ['GET', '/users/1', undefined],
    ['POST', '/product_accesses', { user_id: '1', product_id: '1' }],
    ['GET', '/product_accesses', undefined],
    ['GET', '/product_accesses/1', undefined],
    ['PATCH', '/product_accesses/1', { progress: 1 }],
    ['PATCH', '/product_accesses/1', {}],
  ])('%s %s answers 404 not_found in a store that does not exist', async (method, path, body) => {
    expect(summary(await admin(method, `/stores/nobody${path}`, body))).toBe('404 not_found')
  })

  it.each([
    ['POST', '/tokens', { name: ' ' }, '422 invalid_parameter: name'],
    ['POST', '/tokens', {}, '400 missing_parameter: name'],
    ['PUT', '/custom_fields/a%20b', {}, '422 invalid_parameter: key'],
    ['GET', '/users?limit=0', undefined, '422 invalid_parameter: limit'],
    ['PATCH', '/product_accesses/1', { progress: -1 }, '422 invalid_parameter: progress'],
  ])('%s %s judges what is sent before it looks for the store', async (method, path, body, expected) => {
    expect(summary(await admin(method, `/stores/nobody${path}`, body))).toBe(expected)
  })
})

describe('the operator’s token', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const paths = ['/admin', '/admin/', '/admin/stores', '/admin/stores/x', '/admin/stores/x/tokens/1', '/admin/nothing']

  it.each(methods.flatMap((method) => paths.map((path) => [method, path] as const)))(
    '%s %s answers 404 route_not_found where ADMIN_TOKEN is not set',
    async (method, path) => {
      for (const ADMIN_TOKEN of ['', undefined]) {
        const answer = await call(method, path, { token: env.ADMIN_TOKEN, bindings: { ADMIN_TOKEN } })
        expect(answer.status).toBe(404)
        expect(answer.headers.has('Allow')).toBe(false)
        expect(answer.headers.has('WWW-Authenticate')).toBe(false)
        expect(answer.json?.code).toBe(method === 'HEAD' ? undefined : 'route_not_found')
      }
    },
  )

  it.each([
    ['no token', {}],
    ['another media type', { headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
    ['an encoding', { headers: { 'Content-Encoding': 'gzip' }, body: {} }],
    ['too large a body', { body: 'x'.repeat(65_537) }],
    ['a malformed body', { body: '{' }],
    ['a valid body and an empty token', { headers: { Authorization: 'Bearer ' }, body: newStoreBody() }],
  ])('answers 404 route_not_found where ADMIN_TOKEN is not set, with %s', async (_, options) => {
    const answer = await call('POST', '/admin/stores', { ...options, bindings: { ADMIN_TOKEN: '' } })
    expect(summary(answer)).toBe('404 route_not_found')
  })

  it('is refused in any other spelling, and so is a token of a store', async () => {
    const tokens = [
      env.ADMIN_TOKEN.toUpperCase(),
      env.ADMIN_TOKEN.slice(0, -1),
      `${env.ADMIN_TOKEN}x`,
      'undefined',
      store.token,
    ]
    for (const token of tokens) {
      const answer = await call('GET', '/admin/stores', { token })
      expect(summary(answer)).toBe('401 invalid_token')
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="registrar", error="invalid_token"')
    }
  })

  it('is no token of a store', async () => {
    const answer = await createV1({ ...store, token: env.ADMIN_TOKEN }, v1User())
    expect(summary(answer)).toBe('401 invalid_token')
  })
})
