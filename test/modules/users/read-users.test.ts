import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  createV1,
  createV3,
  newStore,
  newToken,
  summary,
  useStore,
  v1User,
  v3User,
} from '../../support/api.ts'
import { measure, plansOf } from '../../support/costs.ts'
import { useToken } from '../../support/rows.ts'
import { insertUsers, listAllUsers, listUsers, newUsers } from '../../support/users.ts'

const store = useStore()

describe('GET /v1/stores/{store_id}/users/{id}', () => {
  it('returns the user with an ETag that changes only with the user', async () => {
    const created = await createV1(store, v1User({ phone: '1' }))
    const path = `/v1/stores/${store.id}/users/${created.json.id}`
    const read = await call('GET', path, { token: store.token })
    expect([read.status, read.json]).toEqual([200, created.json])
    expect(read.headers.get('ETag')).toBe(created.headers.get('ETag'))
    const changed = await call('PATCH', path, { token: store.token, body: { phone: '2' } })
    expect(changed.headers.get('ETag')).not.toBe(read.headers.get('ETag'))
    const again = await call('GET', path, { token: store.token })
    expect([again.json, again.headers.get('ETag')]).toEqual([changed.json, changed.headers.get('ETag')])
  })

  it.each(['1', '4294967295', '99999999999999999999', '0', '01', 'x', '-1', '1.0'])(
    'returns 404 for the id %s, which is not a user',
    async (id) => {
      expect(summary(await call('GET', `/v1/stores/${store.id}/users/${id}`, { token: store.token }))).toBe(
        '404 not_found',
      )
    },
  )

  it('does not find a user of another store by the local or the full id', async () => {
    const other = await newStore()
    const { json } = await createV1(other, v1User())
    for (const n of [json.id, String(2 ** 32 + Number(json.id))]) {
      const answer = await call('GET', `/v1/stores/${store.id}/users/${n}`, { token: store.token })
      expect(answer.json.email).not.toBe(json.email)
    }
  })

  it('requires users:read', async () => {
    const { token } = await newToken(store, { scopes: ['users:write', 'users:erase'] })
    const { json } = await createV1(store, v1User())
    const answer = await call('GET', `/v1/stores/${store.id}/users/${json.id}`, { token })
    expect(summary(answer)).toBe('403 insufficient_scope')
    expect(answer.headers.get('WWW-Authenticate')).toContain('scope="users:read"')
    expect(summary(await listUsers(store, {}, { token }))).toBe('403 insufficient_scope')
  })

  it('returns the v1 user to an operator, and 404 for an unknown store', async () => {
    const { json } = await createV1(store, v1User())
    expect((await admin('GET', `/stores/${store.id}/users/${json.id}`)).json).toEqual(json)
    expect(summary(await admin('GET', `/stores/no-such-store/users/${json.id}`))).toBe('404 not_found')
    expect(summary(await admin('GET', '/stores/no-such-store/users'))).toBe('404 not_found')
  })
})

describe('GET /v1/stores/{store_id}/users', () => {
  it('returns pages in the order of the ids, and next null after the last', async () => {
    const own = await newStore()
    const users = await newUsers(own, [{}, {}, {}, {}, {}])
    expect((await listUsers(own)).json).toEqual({ data: users, next: null })
    expect(await listAllUsers(own, { limit: '2' })).toEqual({ data: users, pages: 3 })
    expect((await listUsers(own, { limit: '5' })).json.next).toBeNull()
  })

  it('returns the newest users first with order=desc', async () => {
    const own = await newStore()
    const users = (await newUsers(own, [{ external_id: 'x' }, {}, { external_id: 'x' }, {}])).toReversed()
    expect((await listUsers(own, { order: 'desc' })).json).toEqual({ data: users, next: null })
    expect(await listAllUsers(own, { order: 'desc', limit: '3' })).toEqual({ data: users, pages: 2 })
    expect((await listAllUsers(own, { order: 'asc', limit: '3' })).data).toEqual(users.toReversed())
    expect((await listAllUsers(own, { order: 'desc', external_id: 'x', limit: '1' })).data).toEqual([
      users[1],
      users[3],
    ])
    expect((await listUsers(own, { order: 'desc', after: users[0].id })).json.data).toEqual(users.slice(1))
  })

  it('returns the users with the ids, in the order of the list', async () => {
    const [own, other] = [await newStore(), await newStore()]
    const users = await newUsers(own, [{}, { external_id: 'x' }, {}, {}])
    await insertUsers(other, 50, { name: 'N', domain: '@many.example.com' })
    const ids = [users[2].id, '4294967295', users[1].id, users[2].id, '1'].join(',')
    expect((await listUsers(own, { ids })).json).toEqual({ data: [users[1], users[2]], next: null })
    expect((await listUsers(own, { ids, order: 'desc' })).json.data).toEqual([users[2], users[1]])
    expect((await listAllUsers(own, { ids, limit: '1' })).data).toEqual([users[1], users[2]])
    expect((await listUsers(own, { ids, external_id: 'x' })).json.data).toEqual([users[1]])
    expect((await listUsers(own, { ids, email: users[2].email })).json.data).toEqual([users[2]])
    expect((await listUsers(own, { ids, q: users[2].email })).json.data).toEqual([users[2]])
    expect((await listUsers(own, { ids, q: users[0].email })).json.data).toEqual([])
    const many = Array.from({ length: 100 }, (_, i) => String(i + 1)).join(',')
    expect((await listUsers(other, { ids: many, limit: '100' })).json.data.length).toBeGreaterThan(40)
  })

  it('finds a user by email, whatever its letter case or punycode form', async () => {
    const own = await newStore()
    const [ada] = await newUsers(own, [{ email: 'Ada@BÜCHER.example.com' }, {}])
    for (const email of ['ada@bücher.example.com', 'ADA@xn--bcher-kva.example.com']) {
      expect((await listUsers(own, { email })).json).toEqual({ data: [ada], next: null })
    }
    expect((await listUsers(own, { email: 'ada@example.com' })).json).toEqual({ data: [], next: null })
  })

  it('finds users by external_id, shared or blank, and by external_id and email together', async () => {
    const own = await newStore()
    const users = await newUsers(own, [{ external_id: 'x' }, { external_id: '' }, { external_id: 'x' }, {}])
    const [first, blank, second] = users
    expect((await listAllUsers(own, { external_id: 'x', limit: '1' })).data).toEqual([first, second])
    expect((await listUsers(own, { external_id: '' })).json.data).toEqual([blank])
    expect((await listUsers(own, { external_id: 'X' })).json.data).toEqual([])
    expect((await listUsers(own, { external_id: 'x', email: second.email })).json.data).toEqual([second])
    expect((await listUsers(own, { external_id: 'y', email: second.email })).json.data).toEqual([])
  })

  it.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ after: 'x' }, 'after'],
    [{ after: '' }, 'after'],
    [{ after: 'n1' }, 'after'],
    [{ after: 'eYQ' }, 'after'],
    [{ q: 'a', after: '1' }, 'after'],
    [{ q: 'a', after: 'n' }, 'after'],
    [{ q: 'a', after: 'eYR' }, 'after'],
    [{ q: 'a', after: 'e' }, 'after'],
    [{ q: '' }, 'q'],
    [{ q: 'x'.repeat(101) }, 'q'],
    [{ email: 'nobody' }, 'email'],
    [{ external_id: 'x'.repeat(256) }, 'external_id'],
    [{ q: ' \u00a0\u3000' }, 'q'],
    [{ q: '\u0301' }, 'q'],
    [{ q: 'a b c d e f' }, 'q'],
    // Folded, `㌖` becomes six characters.
    [{ q: `${'㌖'.repeat(16)}abc d e` }, 'q'],
    [{ q: 'ß'.repeat(51) }, 'q'],
    // Three digits are no phone.
    [{ q: '1 2 3 + - (' }, 'q'],
    [{ q: '0 0 0 1 2 3' }, 'q'],
    [{ q: 'a,b,c,d,e,f' }, 'q'],
    [{ q: ', \u00ad\u200b·' }, 'q'],
    [{ order: 'up' }, 'order'],
    [{ q: 'a', order: 'asc' }, 'order'],
    [{ q: 'a', order: 'up' }, 'order'],
    [{ ids: '' }, 'ids'],
    [{ ids: '1,' }, 'ids'],
    [{ ids: '1, 2' }, 'ids'],
    [{ ids: '1,x' }, 'ids'],
    [{ ids: Array.from({ length: 101 }, (_, i) => i + 1).join(',') }, 'ids'],
    [{ limit: '0', q: '', after: '?' }, 'q, limit, after'],
    [{ ids: 'x', q: '', order: '', limit: '0', email: 'x' }, 'email, ids, q, order, limit'],
    [{ Email: 'a@example.com' }, 'Email'],
    [{ name: 'Ada' }, 'name'],
    [{ external_id: '\0' }, 'external_id'],
    [{ after: 'eZm9v', limit: '0' }, 'limit, after'],
    [{ after: 'x', limit: '0', external_id: '\0', email: 'x' }, 'email, external_id, limit, after'],
  ])('returns 422 for %j', async (query: Record<string, string>, fields) => {
    expect(summary(await listUsers(store, query))).toBe(`422 invalid_parameter: ${fields}`)
  })

  it('accepts words that have 100 characters when they are folded', async () => {
    const own = await newStore()
    const [found] = await newUsers(own, [{ name: '㌖'.repeat(16), last_name: 'abc d' }])
    expect((await listUsers(own, { q: `${'㌖'.repeat(16)} abc d` })).json.data).toEqual([found])
  })

  it.each(['after=1&after=2', 'q=a&after=1&after=2', 'q=a&q=b', 'email=a@example.com&email=b@example.com'])(
    'returns 422 for a repeated parameter: %s',
    async (query) => {
      const [, twice] = /(\w+)=[^&]+&\1=/.exec(query) ?? []
      const answer = await call('GET', `/v1/stores/${store.id}/users?${query}`, { token: store.token })
      expect(summary(answer)).toBe(`422 invalid_parameter: ${twice}`)
    },
  )

  it('finds no user of another store by email or external_id, and shows one of v3 as a user of v1', async () => {
    const [own, other] = [await newStore(), await newStore()]
    const body = v3User({ custom_fields: { field1: 'x' } })
    await createV3(other, body)
    const { email, external_id } = body
    for (const query of [{ email }, { external_id }, { q: email }]) {
      expect((await listUsers(own, query)).json).toEqual({ data: [], next: null })
    }
    const { json } = await createV3(own, body)
    for (const query of [{ email }, { external_id }, { q: email }]) {
      expect((await listUsers(own, query)).json.data).toEqual([{ ...json, id: String(json.id) }])
    }
  })

  it('reads rows in proportion to its result by using the indexes', async () => {
    const own = await newStore()
    await newUsers(own, [{ external_id: 'x' }, { external_id: 'y' }, {}])
    await insertUsers(own, 300, { name: 'N', domain: '@many.example.com' })
    await useToken(own)
    for (const [query, most] of [
      [{ limit: '2' }, 10],
      [{ email: 'u1@many.example.com' }, 10],
      [{ external_id: 'x' }, 10],
      [{ order: 'desc', limit: '2' }, 10],
      [{ ids: '300,301,302' }, 30],
      [{ q: 'u29', limit: '1' }, 30],
      [{ q: '+351 920 000 000', limit: '1' }, 700],
    ] as const) {
      const send = (bindings: object) => listUsers(own, query, { bindings })
      const { trips, read, written } = await measure(send)
      expect([trips, written]).toEqual([1, 0])
      expect(read).toBeLessThanOrEqual(most)
      for (const plan of await plansOf(send)) expect(plan).not.toMatch(/^SCAN (users|access_tokens|stores)/)
    }
  })
})
