import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../support/openapi.ts'
import {
  admin,
  call,
  type CallOptions,
  createV1,
  newEmail,
  newStore,
  newToken,
  newUsedStore,
  newUser,
  refused,
  summary,
  useStore,
  v1User,
} from '../../../support/api.ts'
import { resultsOfDryRun, summaries } from '../../../support/batches.ts'
import { recordConsole } from '../../../support/console.ts'
import { measure } from '../../../support/costs.ts'
import { faultyObjects } from '../../../support/faults.ts'
import {
  accessesOf,
  defineField,
  eventsOf,
  insertAccess,
  newProduct,
  userRow,
  usersOf,
  useToken,
  type TestStore,
} from '../../../support/rows.ts'
import { useLimits } from '../../../support/small-limits.ts'
import { HASHING } from '../../../../src/modules/users/passwords/hash-pace.ts'

useLimits(HASHING, { pauseMs: 1, sameStoreMs: 1 })

const store = useStore({ language: 'PT', fields: ['a', 'b', '__proto__'] })

function send(body: unknown, { to = store, ...options }: CallOptions & { to?: TestStore } = {}): Promise<Answer> {
  return call('POST', `/v1/stores/${to.id}/users/batch`, { token: to.token, body, ...options })
}

const many = (count: number, fields: object = {}) => Array.from({ length: count }, () => v1User(fields))

/** Makes a limiter that allows `limit` requests. */
function limiter(limit: number) {
  const counted = { passwords: 0 }
  return { counted, bindings: { PASSWORD_LIMITER: { limit: async () => ({ success: ++counted.passwords <= limit }) } } }
}

describe('POST /v1/stores/{store_id}/users/batch', () => {
  it('creates each user as a single create does, and returns their ids in order', async () => {
    const items = [
      v1User({
        phone: '1',
        country: 'gb',
        language: 'ES',
        external_id: 'x',
        avatar: 'y',
        custom_fields: { a: 'é"\n', b: true },
      }),
      v1User({ phone: null, custom_fields: {}, unknown: 'ignored', role: 'admin', id: '7' }),
      v1User({ email: `Ada-${crypto.randomUUID()}@BÜCHER.example.com` }),
    ]
    const { status, json } = await send({ items })
    expect(status).toBe(200)
    expect(json).toEqual({
      dry_run: false,
      results: items.map((_, index) => ({ index, status: 201, id: expect.stringMatching(/^\d+$/) })),
    })
    const twin = await newStore('PT')
    for (const key of ['a', 'b']) await defineField(twin, key)
    for (const [index, item] of items.entries()) {
      const read = await admin('GET', `/stores/${store.id}/users/${json.results[index].id}`)
      const { json: single } = await createV1(twin, item)
      const times = { created_at: expect.any(String), updated_at: expect.any(String) }
      expect(read.json).toEqual({ ...single, ...times, id: json.results[index].id })
    }
  })

  it.each(['12345678901234567890', '1.0', '-0', '1e-7', '1E5'])('keeps the digits of %s', async (digits) => {
    const item = JSON.stringify(v1User({ custom_fields: { a: '?' } })).replace('"?"', digits)
    const { json } = await send(`{"items":[${item}]}`)
    const read = await admin('GET', `/stores/${store.id}/users/${json.results[0].id}`)
    expect(read.text).toContain(`"custom_fields":{"a":${digits}}`)
    expect((await userRow(store, json.results[0].id)).custom_fields).toBe(`{"a":${digits}}`)
  })

  it('accepts __proto__ as the key of a custom field', async () => {
    const item = JSON.stringify(v1User({ custom_fields: { x: 1 } })).replace('"x"', '"__proto__"')
    const { json } = await send(`{"items":[${item}]}`)
    expect((await userRow(store, json.results[0].id)).custom_fields).toBe('{"__proto__":1}')
  })

  it('returns for each item the same error as a single create', async () => {
    const taken = await newUser(store)
    const items = [
      {},
      { name: null, last_name: 'L', email: 5 },
      v1User({ name: ' ', email: 'nobody', password: '' }),
      v1User({ custom_fields: { a: [1], x: 1 } }),
      v1User({ custom_fields: { a: 1, x: 2, 'y.z': null } }),
      v1User({ email: taken.email.toUpperCase() }),
      v1User(),
    ]
    const { json } = await send({ items })
    for (const [index, item] of items.slice(0, -1).entries()) {
      const single = await createV1(store, item)
      const { type, code, message, details } = single.json
      const { status, error } = json.results[index]
      expect({ status, error }).toEqual({ status: single.status, error: { type, code, message, details } })
    }
    expect(json.results[5].id).toBe(taken.id)
    expect(json.results.map(({ index }: any) => index)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(json.results.at(-1).status).toBe(201)
  })

  it('creates the first valid item with an email and returns email_taken for later ones', async () => {
    const [email, other] = [newEmail(), newEmail()]
    const answer = await send({
      items: [
        v1User({ email, country: 'ZZ' }),
        v1User({ email, custom_fields: { x: 1 } }),
        v1User({ email: email.toUpperCase() }),
        v1User({ email }),
        v1User({ email: other }),
        v1User({ email, custom_fields: { x: 1 } }),
      ],
    })
    expect(summaries(answer)).toEqual([
      '422 invalid_parameter: country',
      '422 invalid_parameter: custom_fields.x',
      '201',
      '422 email_taken: email',
      '201',
      '422 invalid_parameter: custom_fields.x',
    ])
    const { results } = answer.json
    expect(results[3].id).toBe(results[2].id)
    expect(results[3].error.details[0].value).toBe(email)
  })

  it('writes one event per created user, in order and without a gap', async () => {
    const before = await eventsOf(store)
    const answer = await send({ items: [v1User(), {}, v1User()] })
    const events = (await eventsOf(store)).slice(before.length)
    const request = answer.headers.get('X-Request-Id')
    expect(events.map(({ type, request_id }) => [type, request_id])).toEqual([
      ['user.created', `${request}/0`],
      ['user.created', `${request}/2`],
    ])
    expect(events.map(({ id }) => id)).toEqual([1, 2].map((n) => before.at(-1).id + n))
    expect(events.map(({ subject_id }) => String(subject_id % 2 ** 32))).toEqual(
      [0, 2].map((n) => answer.json.results[n].id),
    )
  })

  it('costs one round trip and as many rows as single creates', async () => {
    await useToken(store)
    const cost = await measure((bindings) => send({ items: many(100) }, { bindings }))
    expect(cost).toMatchObject({ outcome: '200', trips: 1, written: 300 })
    const items = [...many(10, { password: 'correct horse' }), ...many(90)]
    const withPasswords = await measure((bindings) =>
      send({ items }, { bindings: { ...bindings, ...limiter(10).bindings } }),
    )
    expect(withPasswords).toMatchObject({ outcome: '200', trips: 2, written: 300 })
    expect(await measure((bindings) => send({ items }, { bindings }))).toMatchObject({ written: 0 })
    expect(await measure((bindings) => send({ items, dry_run: true }, { bindings }))).toMatchObject({
      trips: 1,
      written: 0,
    })
  })

  it('reads rows in proportion to its items, whatever the size of the store', async () => {
    const small = await newUsedStore()
    const items = many(20)
    const read = async (to: TestStore) => (await measure((bindings) => send({ items }, { to, bindings }))).read
    const inSmall = await read(small)
    expect(await read(store)).toBeLessThan(inSmall + 1500)
  })
})

describe('POST /v1/stores/{store_id}/users/batch: body', () => {
  it.each([
    ['no items', {}, '400 missing_parameter: items'],
    ['null items', { items: null }, '400 missing_parameter: items'],
    ['an empty list of items', { items: [] }, '422 invalid_parameter: items'],
    ['101 items', { items: many(101) }, '422 invalid_parameter: items'],
    ['items that are not a list', { items: {} }, '422 invalid_parameter: items'],
    ['an item that is not an object', { items: [{}, 'x'] }, '422 invalid_parameter: items'],
    ['a null item', { items: [null] }, '422 invalid_parameter: items'],
    ['11 passwords', { items: many(11, { password: 'x' }) }, '422 invalid_parameter: items'],
    ['a dry_run that is not a boolean', { items: [{}], dry_run: 'true' }, '422 invalid_parameter: dry_run'],
    ['an unknown on_existing', { items: [{}], on_existing: 'replace' }, '422 invalid_parameter: on_existing'],
    [
      'a never_shorten that is not a boolean',
      { items: [{}], never_shorten: 1 },
      '422 invalid_parameter: never_shorten',
    ],
    ['an unknown field', { items: [{}], dryRun: true }, '422 invalid_parameter: dryRun'],
    [
      'every field invalid',
      { dryRun: 1, on_existing: 1, dry_run: 1, items: 1 },
      '422 invalid_parameter: items, dry_run, on_existing, dryRun',
    ],
  ])('rejects the whole batch for %s', async (_, body, expected) => {
    expect(summary(await send(body))).toBe(expected)
  })

  it('never echoes items', async () => {
    const answer = await send({ items: ['secret', { password: 'secret' }] })
    expect(refused(answer)).toEqual({ items: '[redacted]' })
    expect(answer.text).not.toContain('secret')
  })

  it('treats null as omitted, and accepts 10 passwords', async () => {
    const items = [...many(10, { password: 'correct horse' }), v1User({ password: null })]
    const answer = await send({ items, dry_run: null, on_existing: null }, { bindings: limiter(10).bindings })
    expect(summaries(answer)).toEqual(Array(11).fill('201'))
  })

  it('accepts 1,048,576 bytes and rejects one more', async () => {
    const fill = (size: number) => {
      const text = JSON.stringify({ items: [v1User({ filler: '' })] })
      return text.replace('"filler":""', `"filler":"${'x'.repeat(size - text.length)}"`)
    }
    expect(summaries(await send(fill(1_048_576)))).toEqual(['201'])
    const answer = await send(fill(1_048_577))
    expect(summary(answer)).toBe('413 payload_too_large')
    expect(answer.json.message).toContain('1,048,576')
    const single = await createV1(store, v1User({ filler: 'x'.repeat(65_536) }))
    expect([summary(single), single.json.message]).toEqual(['413 payload_too_large', expect.stringContaining('65,536')])
  })

  it('accepts 100 items whose strings grow when they are escaped as JSON', async () => {
    const custom_fields = Object.fromEntries(['a', 'b'].map((key) => [key, '"\\'.repeat(500)]))
    const answer = await send({ items: many(100, { custom_fields, avatar: '"\\'.repeat(1000) }) })
    expect(summaries(answer)).toEqual(Array(100).fill('201'))
  })

  it('returns "must be an object" for a product access that is not an object', async () => {
    const answer = await send({ items: [v1User({ product_accesses: [5] })] })
    expect(answer.json.results[0].error.details).toEqual([
      { field: 'product_accesses.0', value: '5', explanation: 'must be an object' },
    ])
  })

  it('requires users:write, and product_accesses:write when an item contains product accesses', async () => {
    const { token: reader } = await newToken(store, { scopes: ['users:read', 'product_accesses:write'] })
    expect(summary(await send({ items: many(1) }, { token: reader }))).toBe('403 insufficient_scope')
    const { token } = await newToken(store, { scopes: ['users:write'] })
    const { id } = await newProduct(store)
    for (const product_accesses of [[{ product_id: id }], 'x', [{}]]) {
      for (const dry_run of [false, true]) {
        const answer = await send({ items: [...many(1), v1User({ product_accesses })], dry_run }, { token })
        expect(summary(answer)).toBe('403 insufficient_scope')
        expect(answer.headers.get('WWW-Authenticate')).toContain('scope="users:write product_accesses:write"')
      }
    }
    const faulty = { items: [5, { product_accesses: 'x' }], nonsense: 1 }
    expect(summary(await send(faulty, { token }))).toBe('403 insufficient_scope')
    expect(summary(await send(faulty))).toBe('422 invalid_parameter: items, nonsense')
    for (const product_accesses of [[], null]) {
      expect(summaries(await send({ items: many(1, { product_accesses }) }, { token }))).toEqual(['201'])
    }
  })

  it('accepts operators, and returns 404 for an unknown store and 401 for a token of another store', async () => {
    const { id } = await newProduct(store)
    const items = many(1, { product_accesses: [{ product_id: id }] })
    expect(summaries(await admin('POST', `/stores/${store.id}/users/batch`, { items }))).toEqual(['201'])
    expect(summary(await admin('POST', '/stores/no-such-store/users/batch', { items }))).toBe('404 not_found')
    const other = await newStore()
    expect(summary(await send({ items }, { token: other.token }))).toBe('401 invalid_token')
  })
})

describe('POST /v1/stores/{store_id}/users/batch: passwords', () => {
  it('hashes and counts a password only when its user will be created', async () => {
    const taken = await newUser(store)
    const { counted, bindings } = limiter(10)
    const password = 'correct horse'
    const items = [
      v1User({ password }),
      v1User({ password, email: taken.email }),
      v1User({ password, country: 'ZZ' }),
      v1User({ password, custom_fields: { x: 1 } }),
      v1User(),
    ]
    await send({ items, dry_run: true }, { bindings })
    expect(counted.passwords).toBe(0)
    const { json } = await send({ items }, { bindings })
    expect(counted.passwords).toBe(1)
    expect((await userRow(store, json.results[0].id)).password_hash).toMatch(/^\$argon2id\$/)
    expect((await userRow(store, json.results[4].id)).password_hash).toBeNull()
    const check = { email: items[0]?.email, password }
    expect((await admin('POST', `/stores/${store.id}/users/verify_password`, check)).json.verified).toBe(true)
  })

  it('returns 429 for each item beyond the password quota, and leaves its email free', async () => {
    const { bindings } = limiter(1)
    const [password, email] = ['correct horse', newEmail()]
    const taken = await newUser(store)
    const items = [
      v1User({ password }),
      v1User({ password, email }),
      v1User({ email }),
      v1User({ password, email }),
      v1User({ password, email: taken.email }),
      v1User({ password, custom_fields: { x: 1 } }),
      v1User({ password }),
    ]
    const answer = await send({ items }, { bindings })
    expect(summaries(answer)).toEqual([
      '201',
      '429 rate_limited',
      '201',
      '422 email_taken: email',
      '422 email_taken: email',
      '422 invalid_parameter: custom_fields.x',
      '429 rate_limited',
    ])
    const single = await createV1(store, v1User({ password }), limiter(0))
    const { type, code, message } = single.json
    expect(answer.json.results[1].error).toEqual({ type, code, message })
    // The message says to wait as Retry-After says.
    for (const name of ['Retry-After', 'RateLimit-Policy'])
      expect([name, answer.headers.get(name)]).toEqual([name, single.headers.get(name)])
    expect((await send({ items: items.slice(0, 1) }, limiter(1))).headers.has('Retry-After')).toBe(false)
  })

  it('neither logs nor echoes passwords', async () => {
    const password = crypto.randomUUID()
    let answer: Answer | undefined
    const lines = await recordConsole(async () => {
      answer = await send({
        items: [v1User({ password }), v1User({ password: [password] }), v1User({ password, email: 'x' })],
      })
    })
    expect(lines.join('\n') + answer?.text).not.toContain(password)
  })
})

describe('POST /v1/stores/{store_id}/users/batch: dry_run', () => {
  it('returns the same results, with the ids only of users who exist, and writes nothing', async () => {
    const taken = await newUser(store)
    const email = newEmail()
    const items = [v1User({ email }), v1User({ email }), v1User({ email: taken.email }), {}, v1User({ password: 'x' })]
    for (const on_existing of ['fail', 'skip', 'update']) {
      const before = [await usersOf(store), await eventsOf(store)]
      const dry = await send({ items, on_existing, dry_run: true })
      expect([await usersOf(store), await eventsOf(store)]).toEqual(before)
      const real = await send({ items, on_existing })
      expect(dry.json).toEqual({ dry_run: true, results: resultsOfDryRun(real) })
      expect(dry.json.results.map(({ id }: any) => id)).toEqual([undefined, undefined, taken.id, undefined, undefined])
      items[0] = v1User({ email: newEmail() })
      items[1] = { ...items[0] }
      items[4] = v1User({ password: 'x' })
    }
  })
})

describe('POST /v1/stores/{store_id}/users/batch: webhooks', () => {
  it('wakes an endpoint once for created users, and not for a dry run', async () => {
    const own = await newStore()
    await admin('POST', `/stores/${own.id}/webhook_endpoints`, { url: 'https://hooks.example.com/' })
    const { bindings, endpoints } = faultyObjects(env, () => 'lost')
    await send({ items: many(2), dry_run: true }, { to: own, bindings })
    expect(endpoints()).toEqual([])
    await send({ items: many(2) }, { to: own, bindings })
    expect(endpoints()).toHaveLength(1)
  })
})

describe('POST /v1/stores/{store_id}/users/batch: on_existing', () => {
  const FULL = {
    name: 'N',
    phone: '1',
    country: 'DE',
    language: 'ES',
    external_id: 'x',
    avatar: 'y',
    custom_fields: { a: 1 },
  }

  it('leaves the user and the accesses unchanged with skip', async () => {
    const user = await newUser(store, FULL)
    const { id } = await newProduct(store)
    const before = [await userRow(store, user.id), await accessesOf(store), await eventsOf(store)]
    const item = v1User({
      ...FULL,
      email: user.email,
      name: 'X',
      password: 'x',
      product_accesses: [{ product_id: id }],
    })
    const { counted, bindings } = limiter(10)
    const { json } = await send({ items: [item, v1User({ email: user.email })], on_existing: 'skip' }, { bindings })
    expect(json.results[0]).toEqual({ index: 0, status: 200, id: user.id })
    expect(json.results[1]).toMatchObject({ status: 422, id: user.id, error: { code: 'email_taken' } })
    expect([await userRow(store, user.id), await accessesOf(store), await eventsOf(store)]).toEqual(before)
    expect(counted.passwords).toBe(0)
  })

  it('does what a PATCH does with update, but treats null as omitted', async () => {
    const user = await newUser(store, FULL)
    const email = user.email.toUpperCase()
    const nulls = { phone: null, country: null, language: null, external_id: null, avatar: null }
    const items = [v1User({ ...nulls, email, name: 'M', custom_fields: { a: null, b: 'z' } })]
    const { json } = await send({ items, on_existing: 'update' })
    expect(json.results).toEqual([{ index: 0, status: 200, id: user.id }])
    const read = (await admin('GET', `/stores/${store.id}/users/${user.id}`)).json
    const changed = { email, name: 'M', last_name: 'Lovelace', custom_fields: { a: 1, b: 'z' } }
    expect(read).toEqual({ ...user, ...changed, updated_at: expect.any(String) })
    const event = (await eventsOf(store)).at(-1)
    expect([event.type, JSON.parse(event.data)]).toEqual([
      'user.updated',
      { fields: ['name', 'email', 'custom_fields'] },
    ])
  })

  it('writes nothing with update when nothing differs', async () => {
    const user = await newUser(store, FULL)
    await useToken(store)
    const items = [v1User({ ...FULL, email: user.email, country: 'de' })]
    const cost = await measure((bindings) => send({ items, on_existing: 'update' }, { bindings }))
    expect(cost).toMatchObject({ outcome: '200', trips: 1, written: 0 })
    expect((await admin('GET', `/stores/${store.id}/users/${user.id}`)).json).toEqual(user)
  })

  it('counts any password as a change with update', async () => {
    const user = await newUser(store, { password: 'x' })
    const { counted, bindings } = limiter(10)
    const items = [v1User({ email: user.email, password: 'x' })]
    const before = await userRow(store, user.id)
    expect(summaries(await send({ items, on_existing: 'update' }, { bindings }))).toEqual(['200'])
    expect((await userRow(store, user.id)).password_hash).not.toBe(before.password_hash)
    expect(JSON.parse((await eventsOf(store)).at(-1).data)).toEqual({ fields: ['password'] })
    expect(counted.passwords).toBe(1)
  })
})

describe('POST /v1/stores/{store_id}/users/batch: product_accesses', () => {
  it('grants the accesses of a new user by product id or slug, as a single grant does', async () => {
    const [timed, open] = [await newProduct(store, { expiration_days: 3 }), await newProduct(store)]
    const due = '2031-01-01T00:00:00.000Z'
    const product_accesses = [
      { slug: timed.slug },
      { product_id: open.id, status: 'without_access', access_due_date: due },
    ]
    const answer = await send({ items: [v1User(), v1User({ product_accesses })] })
    const { id } = answer.json.results[1]
    const { json } = await admin('GET', `/stores/${store.id}/product_accesses?user_id=${id}`)
    const read = json.data.map((access: any) => [
      access.product.id,
      access.status,
      access.access_due_date,
      access.progress,
    ])
    const inThreeDays = new Date(Date.parse(json.data[0].created_at) + 3 * 86_400_000).toISOString()
    expect(read).toEqual([
      [timed.id, 'with_access', inThreeDays, 0],
      [open.id, 'without_access', due, 0],
    ])
    const request = answer.headers.get('X-Request-Id')
    const events = (await eventsOf(store)).slice(-3)
    expect(
      events.map((event) => [event.type, event.request_id, event.user_id && String(event.user_id % 2 ** 32)]),
    ).toEqual([
      ['user.created', `${request}/1`, null],
      ['product_access.granted', `${request}/1/0`, id],
      ['product_access.granted', `${request}/1/1`, id],
    ])
    expect(events.slice(1).map((event) => String(event.subject_id % 2 ** 32))).toEqual(
      json.data.map((access: any) => access.id),
    )
  })

  it('sets no due date when access_due_date is null', async () => {
    const { id } = await newProduct(store, { expiration_days: 3 })
    const items = [v1User({ product_accesses: [{ product_id: id, access_due_date: null }] })]
    await send({ items })
    expect((await accessesOf(store)).at(-1).access_due_date).toBeNull()
  })

  it('grants missing accesses and updates existing ones with on_existing update', async () => {
    const user = await newUser(store)
    const products = [await newProduct(store), await newProduct(store), await newProduct(store)]
    const [there, same, missing] = products
    const date = Date.UTC(2031, 0, 1)
    const first = await insertAccess(store, { user_id: user.id, product_id: there.id, access_due_date: date })
    await insertAccess(store, { user_id: user.id, product_id: same.id, access_due_date: date })
    const product_accesses = [
      { product_id: there.id, status: 'without_access' },
      { slug: same.slug, status: null, access_due_date: null },
      { product_id: missing.id },
    ]
    const before = (await eventsOf(store)).length
    const items = [v1User({ email: user.email, product_accesses })]
    expect(summaries(await send({ items, on_existing: 'update' }))).toEqual(['200'])
    const events = (await eventsOf(store)).slice(before)
    expect(events.map(({ type }) => type)).toEqual(['product_access.updated', 'product_access.granted'])
    expect(JSON.parse(events[0].data)).toEqual({ changes: { status: { from: 'with_access', to: 'without_access' } } })
    expect(String(events[0].subject_id % 2 ** 32)).toBe(first)
    const rows = (await accessesOf(store)).slice(-3)
    expect(rows.map(({ status, access_due_date }) => [status, access_due_date])).toEqual([
      ['without_access', date],
      ['with_access', date],
      ['with_access', null],
    ])
    expect(rows[0].changed_by).toBe(events[0].id)
    await useToken(store)
    const again = await measure((bindings) => send({ items, on_existing: 'update' }, { bindings }))
    expect(again).toMatchObject({ outcome: '200', written: 0 })
  })

  it('keeps the later dates of nested accesses with never_shorten, and sets their status and the user', async () => {
    const user = await newUser(store)
    const products = [
      await newProduct(store),
      await newProduct(store),
      await newProduct(store),
      await newProduct(store),
    ]
    const [early, late] = [Date.UTC(2031, 0, 1), Date.UTC(2032, 0, 1)]
    for (const [n, access_due_date] of [late, null, early].entries())
      await insertAccess(store, { user_id: user.id, product_id: products[n]?.id, access_due_date })
    const access_due_date = '2031-06-01T00:00:00Z'
    const product_accesses = products.map(({ id, slug }, n) => ({
      ...(n % 2 === 0 ? { product_id: id } : { slug, status: 'without_access' }),
      access_due_date,
    }))
    const items = [v1User({ email: user.email, name: 'Grace', product_accesses })]
    const body = { items, on_existing: 'update', never_shorten: true }
    expect(summaries(await send({ ...body, dry_run: true }))).toEqual(['200'])
    const before = (await eventsOf(store)).length
    expect(summaries(await send(body))).toEqual(['200'])
    const rows = (await accessesOf(store)).slice(-4)
    expect(rows.map((row) => [row.status, row.access_due_date])).toEqual([
      ['with_access', late],
      ['without_access', null],
      ['with_access', Date.parse(access_due_date)],
      ['without_access', Date.parse(access_due_date)],
    ])
    const events = (await eventsOf(store)).slice(before)
    expect(events.map(({ type }) => type)).toEqual([
      'user.updated',
      'product_access.updated',
      'product_access.updated',
      'product_access.granted',
    ])
    await useToken(store)
    const again = await measure((bindings) => send(body, { bindings }))
    expect(again).toMatchObject({ outcome: '200', written: 0 })
    await send({ ...body, never_shorten: null })
    expect((await accessesOf(store)).slice(-4).map((row) => row.access_due_date)).toEqual(
      products.map(() => Date.parse(access_due_date)),
    )
  })

  it.each<[string, unknown, string]>([
    ['an object instead of a list', {}, '422 invalid_parameter: product_accesses'],
    ['eleven accesses', Array.from({ length: 11 }, () => ({ slug: 'x' })), '422 invalid_parameter: product_accesses'],
    ['an access that is not an object', ['x'], '422 invalid_parameter: product_accesses.0'],
    ['no product', [{ status: 'with_access' }], '400 missing_parameter: product_accesses.0.product_id'],
    ['no product and an unknown status', [{ status: 'x' }], '400 missing_parameter: product_accesses.0.product_id'],
    ['no product and an unknown field', [{ progress: 5 }], '400 missing_parameter: product_accesses.0.product_id'],
    [
      'eleven accesses, the first without a product',
      [{}, ...Array.from({ length: 10 }, () => ({ slug: 'x' }))],
      '422 invalid_parameter: product_accesses',
    ],
    [
      'both product_id and slug, and an unknown status',
      [{ product_id: '1', slug: 'x', status: 'x' }],
      '422 invalid_parameter: product_accesses.0.status, product_accesses.0.slug',
    ],
    ['both product_id and slug', [{ product_id: '1', slug: 'x' }], '422 invalid_parameter: product_accesses.0.slug'],
    ['an id that is a number', [{ product_id: 1 }], '422 invalid_parameter: product_accesses.0.product_id'],
    ['an invalid slug', [{ slug: 'X Y' }], '422 invalid_parameter: product_accesses.0.slug'],
    ['an unknown status', [{ slug: 'x', status: 'x' }], '422 invalid_parameter: product_accesses.0.status'],
    [
      'an invalid date',
      [{ slug: 'x', access_due_date: '2031' }],
      '422 invalid_parameter: product_accesses.0.access_due_date',
    ],
    ['an unknown field', [{ slug: 'x', progress: 5 }], '422 invalid_parameter: product_accesses.0.progress'],
  ])('rejects only the user with %s', async (_, product_accesses, expected) => {
    expect(summaries(await send({ items: [v1User({ product_accesses }), v1User()] }))).toEqual([expected, '201'])
  })

  it('rejects the user and lists each unknown product together with the unknown custom fields', async () => {
    const other = await newStore()
    const foreign = await newProduct(other)
    const { slug } = await newProduct(store)
    const product_accesses = [{ product_id: '4000000000' }, { slug }, { slug: foreign.slug }]
    const answer = await send({ items: [v1User({ product_accesses, custom_fields: { x: 'y' } })] })
    const fields = ['custom_fields.x', 'product_accesses.0.product_id', 'product_accesses.2.slug']
    expect(summaries(answer)).toEqual([`422 invalid_parameter: ${fields.join(', ')}`])
    const { details } = answer.json.results[0].error
    expect(details.map(({ value }: any) => value)).toEqual(['y', '4000000000', foreign.slug])
  })

  it('rejects the user when it contains one product twice', async () => {
    const { id, slug } = await newProduct(store)
    const items = many(1, { product_accesses: [{ slug }, { product_id: id }, { slug }] })
    const expected = '422 access_exists: product_accesses.1.product_id, product_accesses.2.slug'
    expect(summaries(await send({ items }))).toEqual([expected])
  })

  it('accepts a thousand accesses in one batch', async () => {
    const products = []
    for (let n = 0; n < 10; n++) products.push(await newProduct(store))
    const items = many(100, { product_accesses: products.map(({ id }) => ({ product_id: id })) })
    const before = (await accessesOf(store)).length
    await useToken(store)
    const cost = await measure((bindings) => send({ items }, { bindings }))
    expect(cost).toMatchObject({ outcome: '200', trips: 1 })
    expect((await accessesOf(store)).length - before).toBe(1000)
    const number = await env.DB.prepare('select count(*) as n from events where request_id like ?')
      .bind('%/99/9')
      .first('n')
    expect(number).toBe(1)
  })
})

describe('POST /v1/stores/{store_id}/users/batch: concurrent requests', () => {
  it('creates each user once when three equal batches arrive at the same time', async () => {
    const items = many(50)
    const answers = await Promise.all([send({ items }), send({ items }), send({ items })])
    const statuses = items.map((_, n) => answers.map(({ json }) => json.results[n].status).toSorted((a, b) => a - b))
    expect(statuses).toEqual(items.map(() => [201, 422, 422]))
    const ids = items.map((_, n) => new Set(answers.map(({ json }) => json.results[n].id)).size)
    expect(ids).toEqual(items.map(() => 1))
    const emails = new Set(items.map(({ email }) => email))
    expect((await usersOf(store)).filter(({ email }) => emails.has(email))).toHaveLength(50)
  })

  it('creates each user once when single creates of the same users arrive at the same time', async () => {
    const items = many(10)
    const [batch, ...singles] = await Promise.all([send({ items }), ...items.map((item) => createV1(store, item))])
    const won = items.map((_, n) => [batch.json.results[n].status, singles[n]?.status].toSorted((a, b) => a - b))
    expect(won).toEqual(items.map(() => [201, 422]))
  })
})
