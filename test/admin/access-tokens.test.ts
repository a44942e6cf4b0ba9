import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  call,
  createV1,
  ID,
  newAccess,
  newStore,
  newToken,
  refused,
  summary,
  type TestStore,
  TIMESTAMP,
  updateAccess,
  v1User,
} from '../support/api.ts'
import { faultyD1 } from '../support/faults.ts'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

describe('POST /admin/stores/{store_id}/tokens', () => {
  it('answers 201 with the token, of all scopes and without expiry', async () => {
    const { status, json } = await admin('POST', `/stores/${store.id}/tokens`, { name: 'Checkout' })
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.stringMatching(ID),
      name: 'Checkout',
      scopes: ['users:write', 'product_accesses:write', 'events:read'],
      created_at: expect.stringMatching(TIMESTAMP),
      expires_at: null,
      revoked_at: null,
      token: expect.stringMatching(/^[a-z]+_[0-9a-f]{64}[0-9a-f]+$/),
    })
  })

  it('takes scopes and an expiry, and shows it in UTC', async () => {
    const token = await newToken(store, { scopes: ['users:write'], expires_at: '2099-12-31T23:00:00.5-01:30' })
    expect(token).toMatchObject({ scopes: ['users:write'], expires_at: '2100-01-01T00:30:00.500Z' })
  })

  it('takes null scopes and a null expiry as left out', async () => {
    const { scopes, expires_at } = await newToken(store, { scopes: null, expires_at: null })
    expect({ scopes, expires_at }).toEqual({
      scopes: ['users:write', 'product_accesses:write', 'events:read'],
      expires_at: null,
    })
  })

  it('makes a token that is good at once', async () => {
    const { token } = await newToken(store)
    expect((await createV1({ ...store, token }, v1User())).status).toBe(201)
  })

  it('makes another token each time, with one prefix', async () => {
    const [first, second] = [await newToken(store), await newToken(store)]
    expect(first.token).not.toBe(second.token)
    expect(first.token.slice(0, 4)).toBe(second.token.slice(0, 4))
  })

  it('stores nothing but the SHA-256 of the token', async () => {
    const { id, token } = await newToken(store)
    const row = await env.DB.prepare('select * from access_tokens where id = ?').bind(Number(id)).first()
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
    expect(row?.['token_hash']).toBe(Buffer.from(digest).toString('hex'))
    const secret = /[0-9a-f]{64}/.exec(token)?.[0]
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  it.each([{}, { name: null }, { scopes: [] }])('answers 400 missing_parameter for %j', async (body) => {
    const answer = await admin('POST', `/stores/${store.id}/tokens`, body)
    expect(summary(answer)).toBe('400 missing_parameter: name')
  })

  it.each<[string, unknown, string, string]>([
    ['name', '', 'name', ''],
    ['name', '\u0085', 'name', '\u0085'],
    ['name', 'x'.repeat(256), 'name', 'x'.repeat(256)],
    ['name', 5, 'name', '5'],
    ['scopes', [], 'scopes', '[]'],
    ['scopes', 'users:write', 'scopes', 'users:write'],
    ['scopes', {}, 'scopes', '{}'],
    ['scopes', ['users:write', 'users:write'], 'scopes', '["users:write","users:write"]'],
    ['scopes', ['users:write', 'users:read'], 'scopes.1', 'users:read'],
    ['scopes', ['users:write', null], 'scopes.1', 'null'],
    ['scopes', [{ a: [] }], 'scopes.0', '{"a":[]}'],
    ['expires_at', 'never', 'expires_at', 'never'],
    ['expires_at', '2099-12-31', 'expires_at', '2099-12-31'],
    ['expires_at', 4102444800000, 'expires_at', '4102444800000'],
    ['expires_at', '1999-12-31T00:00:00Z', 'expires_at', '1999-12-31T00:00:00Z'],
  ])('answers 422 for %s %j', async (sent, value, field, echoed) => {
    const answer = await admin('POST', `/stores/${store.id}/tokens`, { name: 'T', [sent]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('answers 422 for an expiry that has just passed', async () => {
    const expires_at = new Date(Date.now() - 1).toISOString()
    const answer = await admin('POST', `/stores/${store.id}/tokens`, { name: 'T', expires_at })
    expect(summary(answer)).toBe('422 invalid_parameter: expires_at')
  })

  it('names every invalid field in the order of the table', async () => {
    const answer = await admin('POST', `/stores/${store.id}/tokens`, { expires_at: 1, scopes: 1, name: 1 })
    expect(summary(answer)).toBe('422 invalid_parameter: name, scopes, expires_at')
  })
})

describe('GET /admin/stores/{store_id}/tokens', () => {
  it('answers pages in the order of the ids, revoked ones too, never with a token', async () => {
    const other = await newStore()
    const tokens = []
    for (const name of ['B', 'A', 'C', 'D']) tokens.push(await newToken(other, { name }))
    await admin('DELETE', `/stores/${other.id}/tokens/${tokens[0].id}`)

    const path = `/stores/${other.id}/tokens`
    const first = await admin('GET', `${path}?limit=2`)
    const second = await admin('GET', `${path}?limit=2&after=${first.json.next}`)
    const third = await admin('GET', `${path}?limit=2&after=${second.json.next}`)
    expect([first, second, third].map(({ json }) => json.data.map((token: any) => token.name))).toEqual([
      ['Test', 'B'],
      ['A', 'C'],
      ['D'],
    ])
    expect(third.json.next).toBeNull()
    expect(first.json.data[1]).toEqual({
      ...tokens[0],
      token: undefined,
      revoked_at: expect.stringMatching(TIMESTAMP),
    })
    for (const { text } of [first, second, third]) expect(text).not.toMatch(/"token"|rgs_/)
  })

  it('has no next page when the last one is full', async () => {
    const other = await newStore()
    await newToken(other)
    const { json } = await admin('GET', `/stores/${other.id}/tokens?limit=2`)
    expect(json.data).toHaveLength(2)
    expect(json.next).toBeNull()
  })
})

describe('DELETE /admin/stores/{store_id}/tokens/{id}', () => {
  it('answers 204 without a body, and 404 the second time', async () => {
    const { id } = await newToken(store)
    const first = await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    expect(first.status).toBe(204)
    expect(first.text).toBe('')
    expect(summary(await admin('DELETE', `/stores/${store.id}/tokens/${id}`))).toBe('404 not_found')
  })

  it('revokes at once on this instance also when the answer of the database is lost', async () => {
    const { id, token } = await newToken(store)
    expect((await createV1({ ...store, token }, v1User())).status).toBe(201)
    const lost = { message: 'D1_ERROR: Network connection lost.', when: 'after' } as const
    const { DB } = faultyD1(env.DB, (roundTrip) => (roundTrip === 1 ? lost : undefined))
    const path = `/admin/stores/${store.id}/tokens/${id}`
    const answer = await call('DELETE', path, { token: env.ADMIN_TOKEN, bindings: { DB } })
    expect(summary(answer)).toBe('503 service_unavailable')
    expect(summary(await createV1({ ...store, token }, v1User()))).toBe('401 invalid_token')
  })

  it('revokes at once on this instance, for every operation, and leaves other tokens alone', async () => {
    const { id, token } = await newToken(store)
    const access = await newAccess(store)
    const caller = { ...store, token }
    expect((await updateAccess(caller, access.id, {})).status).toBe(201)
    await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    expect(summary(await updateAccess(caller, access.id, {}))).toBe('401 invalid_token')
    expect(summary(await createV1(caller, v1User()))).toBe('401 invalid_token')
    expect((await updateAccess(store, access.id, {})).status).toBe(201)
  })

  it('answers 404 for a token of another store, which stays good', async () => {
    const other = await newStore()
    const { id, token } = await newToken(other)
    expect(summary(await admin('DELETE', `/stores/${store.id}/tokens/${id}`))).toBe('404 not_found')
    expect((await createV1({ ...other, token }, v1User())).status).toBe(201)
  })

  it.each(['0', 'abc', '999999999999', '99999999999999999999', '%00'])('answers 404 for the id %s', async (id) => {
    expect(summary(await admin('DELETE', `/stores/${store.id}/tokens/${id}`))).toBe('404 not_found')
  })
})
