import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  call,
  type CallOptions,
  createV1,
  createV3,
  newEmail,
  newStore,
  newToken,
  newUser,
  summary,
  useStore,
  v1User,
  v3User,
} from '../../support/api.ts'
import { measure, plansOf } from '../../support/costs.ts'
import { insertEvent, rowsOf, storeNumber, useToken, type TestStore } from '../../support/rows.ts'

const store = useStore()

function list(of: TestStore, query: Record<string, string> = {}, options: CallOptions = {}) {
  const search = new URLSearchParams(query).toString()
  return call('GET', `/v1/stores/${of.id}/users?${search}`, { token: of.token, ...options })
}

/** Returns the users of all pages in order, and the number of pages. */
async function listAll(of: TestStore, query: Record<string, string>): Promise<{ data: any[]; pages: number }> {
  const data: any[] = []
  let pages = 0
  for (let after: string | null = ''; after !== null; pages++) {
    const { json } = await list(of, { ...query, ...(after !== '' && { after }) })
    data.push(...json.data)
    after = json.next
  }
  return { data, pages }
}

async function createAll(of: TestStore, bodies: object[]): Promise<any[]> {
  const users = []
  for (const body of bodies) users.push(await newUser(of, body))
  return users
}

/** Inserts the users with SQL, because thousands of requests would take minutes. */
async function insertUsers(of: TestStore, count: number, fields: { name: string; domain: string }): Promise<void> {
  const first = await insertEvent(of, { type: 'store.updated', subject: (await storeNumber(of)) * 2 ** 32 + 1 })
  const ids = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)'
  await rowsOf(
    `insert into events (id, type, created_at, request_id, attempt, subject_id)
      ${ids} select ?1 + i, 'user.created', 0, 'seed-' || i, 0, ?1 + i from n`,
    first,
    count,
  )
  await rowsOf(
    `insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language,
        created_at, updated_at, event_id)
      ${ids} select ?1 + i, ?1 >> 32, 'u' || i || ?4, 'u' || i || ?4, ?3, 'L', lower(?3), 'l', 'student', 'EN',
        0, 0, ?1 + i from n`,
    first,
    count,
    fields.name,
    fields.domain,
  )
}

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
    expect(summary(await list(store, {}, { token }))).toBe('403 insufficient_scope')
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
    const users = await createAll(own, [{}, {}, {}, {}, {}])
    expect((await list(own)).json).toEqual({ data: users, next: null })
    expect(await listAll(own, { limit: '2' })).toEqual({ data: users, pages: 3 })
    expect((await list(own, { limit: '5' })).json.next).toBeNull()
  })

  it('returns the newest users first with order=desc', async () => {
    const own = await newStore()
    const users = (await createAll(own, [{ external_id: 'x' }, {}, { external_id: 'x' }, {}])).toReversed()
    expect((await list(own, { order: 'desc' })).json).toEqual({ data: users, next: null })
    expect(await listAll(own, { order: 'desc', limit: '3' })).toEqual({ data: users, pages: 2 })
    expect((await listAll(own, { order: 'asc', limit: '3' })).data).toEqual(users.toReversed())
    expect((await listAll(own, { order: 'desc', external_id: 'x', limit: '1' })).data).toEqual([users[1], users[3]])
    expect((await list(own, { order: 'desc', after: users[0].id })).json.data).toEqual(users.slice(1))
  })

  it('returns the users with the ids, in the order of the list', async () => {
    const [own, other] = [await newStore(), await newStore()]
    const users = await createAll(own, [{}, { external_id: 'x' }, {}, {}])
    await insertUsers(other, 50, { name: 'N', domain: '@many.example.com' })
    const ids = [users[2].id, '4294967295', users[1].id, users[2].id, '1'].join(',')
    expect((await list(own, { ids })).json).toEqual({ data: [users[1], users[2]], next: null })
    expect((await list(own, { ids, order: 'desc' })).json.data).toEqual([users[2], users[1]])
    expect((await listAll(own, { ids, limit: '1' })).data).toEqual([users[1], users[2]])
    expect((await list(own, { ids, external_id: 'x' })).json.data).toEqual([users[1]])
    expect((await list(own, { ids, email: users[2].email })).json.data).toEqual([users[2]])
    expect((await list(own, { ids, q: users[2].email })).json.data).toEqual([users[2]])
    expect((await list(own, { ids, q: users[0].email })).json.data).toEqual([])
    const many = Array.from({ length: 100 }, (_, i) => String(i + 1)).join(',')
    expect((await list(other, { ids: many, limit: '100' })).json.data.length).toBeGreaterThan(40)
  })

  it('finds a user by email, whatever its letter case or punycode form', async () => {
    const own = await newStore()
    const [ada] = await createAll(own, [{ email: 'Ada@BÜCHER.example.com' }, {}])
    for (const email of ['ada@bücher.example.com', 'ADA@xn--bcher-kva.example.com']) {
      expect((await list(own, { email })).json).toEqual({ data: [ada], next: null })
    }
    expect((await list(own, { email: 'ada@example.com' })).json).toEqual({ data: [], next: null })
  })

  it('finds users by external_id, shared or blank, and by external_id and email together', async () => {
    const own = await newStore()
    const users = await createAll(own, [{ external_id: 'x' }, { external_id: '' }, { external_id: 'x' }, {}])
    const [first, blank, second] = users
    expect((await listAll(own, { external_id: 'x', limit: '1' })).data).toEqual([first, second])
    expect((await list(own, { external_id: '' })).json.data).toEqual([blank])
    expect((await list(own, { external_id: 'X' })).json.data).toEqual([])
    expect((await list(own, { external_id: 'x', email: second.email })).json.data).toEqual([second])
    expect((await list(own, { external_id: 'y', email: second.email })).json.data).toEqual([])
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
    expect(summary(await list(store, query))).toBe(`422 invalid_parameter: ${fields}`)
  })

  it('accepts words that have 100 characters when they are folded', async () => {
    const own = await newStore()
    const [found] = await createAll(own, [{ name: '㌖'.repeat(16), last_name: 'abc d' }])
    expect((await list(own, { q: `${'㌖'.repeat(16)} abc d` })).json.data).toEqual([found])
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
      expect((await list(own, query)).json).toEqual({ data: [], next: null })
    }
    const { json } = await createV3(own, body)
    for (const query of [{ email }, { external_id }, { q: email }]) {
      expect((await list(own, query)).json.data).toEqual([{ ...json, id: String(json.id) }])
    }
  })

  it('reads rows in proportion to its result by using the indexes', async () => {
    const own = await newStore()
    await createAll(own, [{ external_id: 'x' }, { external_id: 'y' }, {}])
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
      const send = (bindings: object) => list(own, query, { bindings })
      const { trips, read, written } = await measure(send)
      expect([trips, written]).toEqual([1, 0])
      expect(read).toBeLessThanOrEqual(most)
      for (const plan of await plansOf(send)) expect(plan).not.toMatch(/^SCAN (users|access_tokens|stores)/)
    }
  })
})

describe('GET /v1/stores/{store_id}/users?q=', () => {
  const own = useStore()
  let users: any[]

  beforeAll(async () => {
    users = await createAll(own, [
      { name: 'Zoe', last_name: 'Adams', email: 'zoe@example.com' },
      { name: 'Ada', last_name: 'Byron', email: 'countess@example.com' },
      { name: 'Kay', last_name: 'Élan', email: 'ADAM@Example.com' },
      { name: 'ada', last_name: 'ada', email: 'ada@bücher.example.com' },
      { name: '100%_', last_name: 'X', email: 'x@example.com' },
      { name: 'Ünal', last_name: 'Y', email: 'ada@example.com' },
    ])
  })

  async function found(q: string, limit = '50') {
    const { data } = await listAll(own, { q, limit })
    return data.map((user) => users.findIndex(({ id }) => id === user.id))
  }

  it('returns users whose email starts with q in the order of the email, then users by name in the order of the ids', async () => {
    expect(await found('ada')).toEqual([5, 3, 2, 0, 1])
    expect(await found('ADA')).toEqual([5, 3, 2, 0, 1])
  })

  it.each(['1', '2', '3', '4', '5'])('returns each user once in pages of %s', async (limit) => {
    expect(await found('ada', limit)).toEqual([5, 3, 2, 0, 1])
  })

  it.each([
    ['adams', [0]],
    ['dam', [0, 2]],
    ['example', [0, 1, 2, 3, 4, 5]],
    ['ada@', [5, 3]],
    ['ada@e', [5]],
    ['ada@bü', [3]],
    ['ADA@Bü', [3]],
    ['ada@BÜ', [3]],
    ['ada@bucher.example.com', [3]],
    ['BUCHER', [3]],
    ['bücher', [3]],
    // The domain as punycode is no part of the email that the user has given.
    ['ada@xn--b', []],
    ['kva', []],
    ['ada@b', [3]],
    ['%', [4]],
    ['_', [4]],
    ['100%_', [4]],
    ['Él', [2]],
    ['él', [2]],
    ['elan', [2]],
    ['ELAN kay', [2]],
    ['E\u0301lan', [2]],
    ['ünal', [5]],
    ['UNAL', [5]],
    ['unal y', [5]],
    ['byr ADA', [1]],
    ['byron countess@', [1]],
    ['  byron\u00a0\u2003ada ', [1]],
    ['a y a y n', [1, 2, 5]],
    ['ada adams', [0]],
    ['x x@', [4]],
    ['x@example.com', [4]],
    ['x@example.com.', []],
    ["'; drop table users; --", []],
    ['ada byron', [1]],
    ['ada byron zoe', []],
    ['adabyron', []],
    ['😀', []],
  ])('finds the expected users for %s', async (q, expected) => {
    expect(new Set(await found(q))).toEqual(new Set(expected))
  })

  it.each([
    ['600', ['names']],
    ['6001', ['one', 'two']],
    ['+34 600-12', ['one', 'two']],
    ['034600', ['one', 'two']],
    ['(600) 12.34 56', ['one', 'two']],
    // Six words would be 422.
    ['6 0 0 1 2 3', ['one', 'two']],
    // Without the zeros at its beginning it is too short for a phone.
    ['0 0\u00a01\u20032', []],
    ['60012345600', []],
    ['6001x', []],
    ['01234567', ['two', 'digits']],
    // It is looked for as words, too.
    ['7771', ['names']],
    ['777-1', []],
    ['3-4', []],
    ['+351 920 000 000', ['local', 'full', 'wide']],
    ['920000000', ['local', 'full', 'wide']],
    ['00351920000000', ['local', 'full', 'wide']],
    ['00351 (0) 920/000–000', ['local', 'full', 'wide']],
    ['\u202a＋３５１（９２０）０００．０００\u202c', ['local', 'full', 'wide']],
    ['0920 000 000', ['local', 'full', 'wide']],
    ['+55 20 000 000', ['local', 'full', 'wide']],
    // Seven digits must be a part.
    ['920 0000', ['local', 'full', 'wide']],
    ['930 0000', []],
    ['2000', ['local', 'full', 'wide']],
    ['0000', []],
    ['+351 12 34567', []],
    ['+351 1234567', []],
  ])('finds the expected users by the phone %s', async (q, expected) => {
    const other = await newStore()
    // With emails of its own: a random one may contain the digits.
    const all = await createAll(other, [
      { last_name: 'one', phone: '+34 600 12 34 56', email: 'one@example.com' },
      { last_name: 'two', phone: '0034-600-(12)-34-56-7', email: 'two@example.com' },
      { last_name: 'names', name: '600 7771', external_id: '7771', email: '7771@example.com' },
      { last_name: 'digits', phone: '0.1.2.3.4.5.6.7 ext', email: 'digits@example.com' },
      { last_name: 'none', phone: 'no number', email: 'none@example.com' },
      { last_name: 'local', phone: '920000000', email: 'local@example.com' },
      { last_name: 'full', phone: '+351 920 000 000', email: 'full@example.com' },
      { last_name: 'wide', phone: '９２０ ０００ ０００', email: 'wide@example.com' },
      { last_name: 'short', phone: '234567', email: 'short@example.com' },
    ])
    const { data } = await listAll(other, { q, limit: '2' })
    expect(data).toEqual(all.filter(({ last_name }) => expected.some((name) => name === last_name)))
  })

  it('returns the users with the phone whose email starts with it first', async () => {
    const other = await newStore()
    const [by_phone, by_email, of_email] = await createAll(other, [
      { phone: '555-1234' },
      { phone: '5551234', email: '5551234@example.com' },
      { email: '55512345@example.com' },
    ])
    expect((await list(other, { q: '5551234' })).json.data).toEqual([of_email, by_email, by_phone])
    expect((await listAll(other, { q: '5551234', limit: '1' })).data).toEqual([of_email, by_email, by_phone])
  })

  it.each([
    ['crm', ['one', 'two']],
    ['CRM-7', ['one', 'two']],
    ['crm-71', ['two']],
    ['rm-7', []],
    ['crm-7 two', ['two']],
    ['ÉTé', ['accents']],
    ['été', []],
    ['ete', []],
    ['zq´z', ['apostrophe']],
    ['zq¨z', ['space']],
    ['7012', ['digits']],
  ])('finds the users whose external_id begins with %s, in any ASCII case', async (q, expected) => {
    const other = await newStore()
    const all = await createAll(other, [
      { last_name: 'one', external_id: 'Crm-7' },
      { last_name: 'two', external_id: 'cRM-71' },
      { last_name: 'accents', external_id: 'Été' },
      { last_name: 'space', external_id: 'ZQ¨zq' },
      { last_name: 'apostrophe', external_id: 'ZQ´zq' },
      { last_name: 'digits', external_id: '70123' },
      { last_name: 'none' },
    ])
    const { data } = await listAll(other, { q, limit: '1' })
    expect(data).toEqual(all.filter(({ last_name }) => expected.some((name) => name === last_name)))
  })

  it.each([
    ['lukasz', 'Łukasz'],
    ['ŁUKASZ', 'lukasz'],
    ['soren', 'Søren'],
    ['thorsson', 'Þórsson'],
    ['strasse', 'Straße'],
    ['STRAẞE', 'Strasse'],
    ['aesop', 'Æsop'],
    ['dj', 'Đj'],
    ['isil', 'Işıl'],
    ["o'neill", 'O’Neill'],
    ['“ace”', '"Ace"'],
    ['hal', 'Ħal'],
    ['Əliyev', 'Eliyev'],
    ['nuuk', 'Ŋuuk'],
    ['galla', 'Gal·la'],
    ['gal·la', 'Galla'],
    ['fernandez', 'Fer\u00adnández'],
    ['\u202afer\u200bnandez\u202c', 'Fernandez'],
    ['jean-luc', 'Jean\u2010Luc'],
    ['jean\u2011luc', 'Jean-Luc'],
    ['jean\u2010luc', 'Jean\u2013Luc'],
    ['García, José', 'José García'],
    ['josé,garcía', 'García, José'],
  ])('finds by %s the last name %s', async (q, last_name) => {
    const other = await newStore()
    const [user] = await createAll(other, [{ last_name }, { last_name: 'Other' }])
    expect((await list(other, { q })).json.data).toEqual([user])
  })

  it("finds O'Brien by every apostrophe, however it was written", async () => {
    const other = await newStore()
    const apostrophes = ["'", '\u2019', '\u00b4', '\u0060', '\u02bb', '\u02bc']
    const all = await createAll(
      other,
      apostrophes.map((apostrophe) => ({ last_name: `O${apostrophe}Brien` })),
    )
    await createAll(other, [{ last_name: 'OBrien' }, { last_name: 'O Brien' }])
    for (const apostrophe of apostrophes) {
      expect((await list(other, { q: `o${apostrophe}brien` })).json.data).toEqual(all)
    }
  })

  it('finds an email that has a grave accent by each apostrophe, and first if it starts with q', async () => {
    const other = await newStore()
    const [grave, name, straight] = await createAll(other, [
      { email: 'o`hara@example.com' },
      { last_name: "O'Hara" },
      { email: "o'hara@example.com" },
    ])
    expect((await list(other, { q: 'o`hara' })).json.data).toEqual([grave, name, straight])
    expect((await list(other, { q: "o'hara" })).json.data).toEqual([straight, grave, name])
    expect((await listAll(other, { q: 'O`Hara@example.com', limit: '1' })).data).toEqual([grave, straight])
  })

  it('compares the first 255 characters of a folded name', async () => {
    const other = await newStore()
    const [user] = await createAll(other, [{ name: `${'Æ'.repeat(127)}xy` }])
    expect((await list(other, { q: 'aex' })).json.data).toEqual([user])
    expect((await list(other, { q: 'xy' })).json.data).toEqual([])
  })

  it('accepts a q that is longer than the 50 bytes of a LIKE pattern', async () => {
    const other = await newStore()
    const name = `${'x'.repeat(80)}needle${'y'.repeat(100)}`
    const [user] = await createAll(other, [{ name }])
    expect((await list(other, { q: name.slice(40, 130) })).json.data).toEqual([user])
  })

  it('combines q with the other filters', async () => {
    const [other, email] = [await newStore(), newEmail()]
    const [user] = await createAll(other, [{ name: 'Filtered', email, external_id: 'f' }])
    await createAll(other, [{ name: 'Filtered', external_id: 'g' }, { name: 'Filtered' }])
    expect((await list(other, { q: 'filtered', external_id: 'f' })).json.data).toEqual([user])
    expect((await list(other, { q: 'filtered', email })).json.data).toEqual([user])
    expect((await list(other, { q: email.slice(0, 9), external_id: 'g' })).json.data).toEqual([])
  })

  it('examines at most 10,000 users per page, and next continues the search', async () => {
    const many = await newStore()
    await insertUsers(many, 12_000, { name: 'Nobody', domain: '@many.example.com' })
    const [needle] = await createAll(many, [{ name: 'Needle' }])
    const first = await measure((bindings) => list(many, { q: 'needle' }, { bindings }))
    expect([first.trips, first.outcome]).toEqual([1, '200'])
    // Each is read twice.
    expect(first.read).toBeLessThanOrEqual(20_000)
    const { data, pages } = await listAll(many, { q: 'needle' })
    expect(data).toEqual([needle])
    expect(pages).toBe(2)
    const full = await measure((bindings) => list(many, { q: 'nobody', limit: '10' }, { bindings }))
    expect(full.read).toBeLessThanOrEqual(100)
  })

  it('returns next null when the last user has been examined', async () => {
    const many = await newStore()
    // Exactly as many as one request examines. No email starts with two words, so all are examined by name.
    await insertUsers(many, 10_000, { name: 'Nobody', domain: '@many.example.com' })
    const q = 'needle needle'
    expect((await list(many, { q })).json).toEqual({ data: [], next: null })
    const [needle] = await createAll(many, [{ name: 'Needle' }])
    const { json } = await list(many, { q })
    expect(json).toEqual({ data: [], next: expect.any(String) })
    expect((await list(many, { q, after: json.next })).json).toEqual({ data: [needle], next: null })
  })

  it('examines a bounded number of users per page when many emails have the same local part', async () => {
    const many = await newStore()
    const number = await storeNumber(many)
    await insertUsers(many, 2000, { name: 'Info', domain: '@many.example.com' })
    await rowsOf("update users set email_key = 'info@' || email_key, email = 'info@' || email where store = ?", number)
    const [needle] = await createAll(many, [{ email: 'info@zzz.example.com' }])
    const first = await measure((bindings) => list(many, { q: 'info@zzz' }, { bindings }))
    expect(first.read).toBeLessThanOrEqual(10_000)
    expect((await listAll(many, { q: 'info@zzz' })).data).toEqual([needle])
  })
})
