import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  type CallOptions,
  createV1,
  ID,
  newAccess,
  newStore,
  newToken,
  refused,
  summary,
  TIMESTAMP,
  updateAccess,
  useStore,
  v1User,
} from '../../support/api.ts'
import { faultyD1, losesAnswer } from '../../support/faults.ts'
import { inStore } from '../../support/places.ts'
import { eventsOf, idIn, numberOf, rowsOf, type TestStore } from '../../support/rows.ts'

const store = useStore()

describe('POST /admin/stores/{store_id}/tokens', () => {
  it('returns 201 with the token, the default scopes and no expiry', async () => {
    const { status, json } = await admin('POST', `/stores/${store.id}/tokens`, { name: 'Checkout' })
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.stringMatching(ID),
      name: 'Checkout',
      scopes: ['users:write', 'product_accesses:write'],
      created_at: expect.stringMatching(TIMESTAMP),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      token: expect.stringMatching(/^rgs_[A-Za-z0-9_-]{1,156}$/),
    })
  })

  it('accepts scopes and an expiry, and returns the expiry in UTC', async () => {
    const token = await newToken(store, { scopes: ['users:write'], expires_at: '2099-12-31T23:00:00.5-01:30' })
    expect(token).toMatchObject({ scopes: ['users:write'], expires_at: '2100-01-01T00:30:00.500Z' })
  })

  it('treats null scopes and a null expiry as omitted', async () => {
    const { scopes, expires_at } = await newToken(store, { scopes: null, expires_at: null })
    expect({ scopes, expires_at }).toEqual({
      scopes: ['users:write', 'product_accesses:write'],
      expires_at: null,
    })
  })

  it('creates a token that is accepted immediately', async () => {
    const { token } = await newToken(store)
    expect((await createV1({ ...store, token }, v1User())).status).toBe(201)
  })

  it('creates a different token each time, with the same prefix', async () => {
    const [first, second] = [await newToken(store), await newToken(store)]
    expect(first.token).not.toBe(second.token)
    expect(first.token.slice(0, 4)).toBe(second.token.slice(0, 4))
  })

  it('stores only the SHA-256 of the random part', async () => {
    const { id, token } = await newToken(store)
    const [row] = await rowsOf('select * from access_tokens where id = ?', await idIn(store, id))
    const [, bits = ''] = /^rgs_\d+_\d+_([\w-]{43})[\w-]{43}$/.exec(token) ?? []
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(bits))
    expect(row.hash).toBe(Buffer.from(digest).toString('hex'))
    expect(JSON.stringify(row)).not.toContain(bits)
  })

  it('lists an unknown scope by its index, and the whole list when it repeats a scope', async () => {
    const scopes = ['users:write', 'users:write', 'none']
    const answer = await admin('POST', `/stores/${store.id}/tokens`, { name: 'T', scopes })
    expect(summary(answer)).toBe('422 invalid_parameter: scopes.2, scopes')
  })

  it.each([{}, { name: null }, { scopes: [] }])('returns 400 missing_parameter for %j', async (body) => {
    const answer = await admin('POST', `/stores/${store.id}/tokens`, body)
    expect(summary(answer)).toBe('400 missing_parameter: name')
  })

  it.each<[string, unknown, string, string]>([
    ['name', '\u0085', 'name', '\u0085'],
    ['name', 'x'.repeat(256), 'name', 'x'.repeat(256)],
    ['scopes', [], 'scopes', '[]'],
    ['scopes', 'users:write', 'scopes', 'users:write'],
    ['scopes', ['users:write', 'users:write'], 'scopes', '["users:write","users:write"]'],
    ['scopes', ['users:write', 'users:delete'], 'scopes.1', 'users:delete'],
    ['scopes', [{ a: [] }], 'scopes.0', '{"a":[]}'],
    ['expires_at', 'never', 'expires_at', 'never'],
    ['expires_at', 4102444800000, 'expires_at', '4102444800000'],
    ['expires_at', '1999-12-31T00:00:00Z', 'expires_at', '1999-12-31T00:00:00Z'],
  ])('returns 422 for %s %j', async (sent, value, field, echoed) => {
    const answer = await admin('POST', `/stores/${store.id}/tokens`, { name: 'T', [sent]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('returns 422 for an expiry one millisecond in the past', async () => {
    const expires_at = new Date(Date.now() - 1).toISOString()
    const answer = await admin('POST', `/stores/${store.id}/tokens`, { name: 'T', expires_at })
    expect(summary(answer)).toBe('422 invalid_parameter: expires_at')
  })

  it('lists invalid fields in the order of the documented table', async () => {
    const answer = await admin('POST', `/stores/${store.id}/tokens`, { expires_at: 1, scopes: 1, name: 1 })
    expect(summary(answer)).toBe('422 invalid_parameter: name, scopes, expires_at')
  })
})

describe('GET /admin/stores/{store_id}/tokens', () => {
  it('returns pages in the order of the ids, with revoked tokens and without secrets', async () => {
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
    const reversed = await admin('GET', `${path}?limit=2&order=desc`)
    expect(reversed.json.data.map((token: any) => token.name)).toEqual(['D', 'C'])
    const last = await admin('GET', `${path}?order=desc&after=${reversed.json.next}`)
    expect(last.json.data.map((token: any) => token.name)).toEqual(['A', 'B', 'Test'])
    expect(last.json.next).toBeNull()
    for (const { text } of [first, second, third]) expect(text).not.toMatch(/"token"|rgs_/)
  })

  it('returns next null when the last page is full', async () => {
    const other = await newStore()
    await newToken(other)
    const { json } = await admin('GET', `/stores/${other.id}/tokens?limit=2`)
    expect(json.data).toHaveLength(2)
    expect(json.next).toBeNull()
  })
})

describe('DELETE /admin/stores/{store_id}/tokens/{id}', () => {
  it('returns 204 without a body, and 404 the second time', async () => {
    const { id } = await newToken(store)
    const first = await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    expect(first.status).toBe(204)
    expect(first.text).toBe('')
    expect(summary(await admin('DELETE', `/stores/${store.id}/tokens/${id}`))).toBe('404 not_found')
  })

  it('revokes the token for every operation and no other token', async () => {
    const { id, token } = await newToken(store)
    const access = await newAccess(store)
    const caller = { ...store, token }
    expect((await updateAccess(caller, access.id, {})).status).toBe(201)
    await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    expect(summary(await updateAccess(caller, access.id, {}))).toBe('401 invalid_token')
    expect(summary(await createV1(caller, v1User()))).toBe('401 invalid_token')
    expect((await updateAccess(store, access.id, {})).status).toBe(201)
  })

  it('returns 404 for an id that only another store has, and does not revoke that token', async () => {
    const [here, other] = [await newStore(), await newStore()]
    await newToken(other)
    const { id, token } = await newToken(other)
    expect(summary(await admin('DELETE', `/stores/${here.id}/tokens/${id}`))).toBe('404 not_found')
    expect((await createV1({ ...other, token }, v1User())).status).toBe(201)
  })

  it.each(['abc', '4294967295'])('returns 404 for the id %s', async (id) => {
    expect(summary(await admin('DELETE', `/stores/${store.id}/tokens/${id}`))).toBe('404 not_found')
  })
})

describe('PATCH /admin/stores/{store_id}/tokens/{id}', () => {
  const patch = (id: string, body?: object) => admin('PATCH', `/stores/${store.id}/tokens/${id}`, body)

  it('returns 200 with the changed token without its secret, which stays valid', async () => {
    const { token, ...created } = await newToken(store, { expires_at: '2099-12-31T00:00:00Z' })
    const fields = { name: 'Till', scopes: ['events:read', 'users:write'], expires_at: '2100-01-01T00:00:00.000Z' }
    const { status, json } = await patch(created.id, fields)
    expect(status).toBe(200)
    expect(json).toEqual({ ...created, ...fields })
    expect((await createV1({ ...store, token }, v1User())).status).toBe(201)
  })

  it('applies new scopes to the next request', async () => {
    const { id, token } = await newToken(store)
    await patch(id, { scopes: ['events:read'] })
    const answer = await createV1({ ...store, token }, v1User())
    expect(summary(answer)).toBe('403 insufficient_scope')
    expect(answer.headers.get('WWW-Authenticate')).toContain('error="insufficient_scope", scope="users:write"')
  })

  it('removes the expiry when it is null, so that an expired token is accepted again', async () => {
    const { id, token } = await newToken(store, { expires_at: '2099-12-31T00:00:00Z' })
    await rowsOf('update access_tokens set expires_at = 1 where id = ?', await idIn(store, id))
    expect(summary(await createV1({ ...store, token }, v1User()))).toBe('401 invalid_token')
    expect((await patch(id, { expires_at: null })).json.expires_at).toBeNull()
    expect((await createV1({ ...store, token }, v1User())).status).toBe(201)
  })

  it('writes one event with the changes, and none when nothing changes', async () => {
    const here = await newStore()
    const { id } = await newToken(here, { scopes: ['users:write'], expires_at: '2099-12-31T00:00:00Z' })
    const path = `/stores/${here.id}/tokens/${id}`
    for (const body of [{ name: 'Till', expires_at: null }, { name: 'Till' }, {}, undefined]) {
      expect((await admin('PATCH', path, body)).status).toBe(200)
    }
    const events = (await eventsOf(here)).filter(({ type }) => type === 'access_token.updated')
    expect(events.map(({ data }) => JSON.parse(data))).toEqual([
      {
        changes: {
          name: { from: 'Test', to: 'Till' },
          expires_at: { from: Date.parse('2099-12-31T00:00:00Z'), to: null },
        },
      },
    ])
  })

  it.each<[string, unknown, string]>([
    ['name', null, 'null'],
    ['name', ' ', ' '],
    ['scopes', null, 'null'],
    ['scopes', [], '[]'],
    ['expires_at', '1999-12-31T00:00:00Z', '1999-12-31T00:00:00Z'],
    ['revoked_at', null, 'null'],
  ])('returns 422 for %s %j', async (field, value, echoed) => {
    const { id } = await newToken(store)
    const answer = await patch(id, { [field]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('returns 404 for a revoked and for an unknown token', async () => {
    const { id } = await newToken(store)
    await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    for (const number of [id, '0', 'abc', '4294967295']) {
      expect(summary(await patch(number, { name: 'Till' }))).toBe('404 not_found')
    }
  })
})

describe('POST /admin/stores/{store_id}/tokens/revoke_all', () => {
  const revokeAll = (storeId: string, options: CallOptions = {}) =>
    call('POST', `/admin/stores/${storeId}/tokens/revoke_all`, { token: env.ADMIN_TOKEN, ...options })

  /** Creates a store with `count` tokens in addition to its first one. */
  async function storeWith(count: number): Promise<TestStore> {
    const here = await newStore()
    for (let i = 0; i < count; i++) await newToken(here)
    return here
  }

  it('revokes all tokens that are not revoked, writes an event for each, and returns their number', async () => {
    const here = await storeWith(3)
    await admin('DELETE', `/stores/${here.id}/tokens/2`)
    const answer = await revokeAll(here.id)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ revoked: 3 })
    const { json } = await admin('GET', `/stores/${here.id}/tokens`)
    expect(json.data.filter((token: any) => token.revoked_at === null)).toEqual([])
    const requestId = answer.headers.get('X-Request-Id')
    const events = (await eventsOf(here)).slice(-3)
    expect(events.map(({ type, request_id }) => [type, request_id])).toEqual(
      [0, 1, 2].map((index) => ['access_token.revoked', `${requestId}/${index}`]),
    )
    expect(events.map(({ subject_id }) => numberOf(subject_id))).toEqual([3, 4, 5])
    for (const { subject_id, previous_id } of events) expect(previous_id).toBe(subject_id)
  })

  it('leaves the tokens of other stores valid, and returns 0 the second time', async () => {
    const [here, other] = [await newStore(), await newStore()]
    expect((await revokeAll(here.id)).json).toEqual({ revoked: 1 })
    expect((await revokeAll(here.id)).json).toEqual({ revoked: 0 })
    expect((await createV1(other, v1User())).status).toBe(201)
    expect(summary(await createV1(here, v1User()))).toBe('401 invalid_token')
  })

  it('revokes more tokens than a batch looks back for its own event, in one round trip after the look-up of the store, and two rows for each', async () => {
    const here = await storeWith(24)
    const { DB, roundTrips, rowsWritten } = faultyD1(env.DB)
    expect((await revokeAll(here.id, { bindings: { DB } })).json).toEqual({ revoked: 25 })
    expect([roundTrips(), rowsWritten()]).toEqual([2, 50])
  })

  it('reads only the last events, however many the store has', async () => {
    const here = await newStore()
    await rowsOf(
      `with recursive n (i) as (values (3) union all select i + 1 from n where i < 1000)
        insert into events (id, type, created_at, request_id, attempt, subject_id)
        select ?1 + i, 'user.created', 1, 'r', 0, ?1 + i from n`,
      await idIn(here, 0),
    )
    const { DB, rowsRead } = faultyD1(env.DB)
    expect((await revokeAll(here.id, { bindings: { DB } })).json).toEqual({ revoked: 1 })
    expect(rowsRead()).toBeLessThan(250)
  })

  it('returns the same number when its response was lost, and does not revoke a token created in between', async () => {
    const here = await storeWith(2)
    const later: any[] = []
    const { DB } = faultyD1(env.DB, inStore(losesAnswer(async () => later.push(await newToken(here)))))
    expect((await revokeAll(here.id, { bindings: { DB } })).json).toEqual({ revoked: 3 })
    expect((await createV1({ ...here, token: later[0].token }, v1User())).status).toBe(201)
  })

  it('returns 404 for an unknown store and 422 for an unknown field', async () => {
    expect(summary(await revokeAll('nobody'))).toBe('404 not_found')
    expect(summary(await revokeAll(store.id, { body: { all: true } }))).toBe('422 invalid_parameter: all')
  })
})
