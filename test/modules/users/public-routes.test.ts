import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  type CallOptions,
  createV1,
  createV3 as create,
  newEmail,
  newStore,
  newToken,
  refused,
  summary,
  TIMESTAMP,
  updateAccess,
  useStore,
  v1User,
  v3User,
  WITHOUT_QUOTA,
} from '../../support/api.ts'
import { faultyKv } from '../../support/faults.ts'
import { defineField, eraseUser, insertAccess, newProduct, userRow, type TestStore } from '../../support/rows.ts'

const FIELDS = [
  'name',
  'last_name',
  'email',
  'phone',
  'avatar',
  'country',
  'language',
  'password',
  'external_id',
  'custom_fields',
]

const store = useStore({ language: 'ES' })

/** Together, the tests would use up the password quota. */
function createV3(of: TestStore, body: unknown, { bindings, ...options }: CallOptions = {}) {
  return create(of, body, { ...options, bindings: { ...WITHOUT_QUOTA, ...bindings } })
}

/** Returns a valid body without the given fields. */
function without(...fields: string[]) {
  return Object.fromEntries(Object.entries(v3User()).filter(([field]) => !fields.includes(field)))
}

describe('POST /v3/public/users', () => {
  it('returns 201 with every field, an integer id and without the password', async () => {
    const { password, ...body } = v3User({ avatar: 'https://example.com/g.png' })
    const { status, json, text } = await createV3(store, { ...body, password })
    expect(status).toBe(201)
    expect(json).toEqual({
      ...body,
      id: expect.any(Number),
      role: 'student',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: json.created_at,
    })
    expect(Number.isSafeInteger(json.id)).toBe(true)
    expect(text).not.toContain(password)
  })

  it('accepts an empty avatar and returns it', async () => {
    expect((await createV3(store, v3User({ avatar: '' }))).json.avatar).toBe('')
  })

  it.each([
    ['removed', null, ''],
    ['changed to a number', { field1: 5 }, '5'],
  ])('returns field1 in a rebuilt replay after v1 %s it', async (_, custom_fields, field1) => {
    const body = v3User()
    const store = await newStore()
    await defineField(store, 'field1')
    const send = (bindings: object) => createV3(store, body, { bindings, headers: { 'X-Idempotency-Key': 'order-1' } })
    const { id, ...answered } = (await send({})).json
    expect((await admin('PATCH', `/stores/${store.id}/users/${id}`, { custom_fields })).status).toBe(200)
    const { status, json } = await send(faultyKv(env.REPLAYS, () => 'loses'))
    expect(status).toBe(201)
    expect(json).toEqual({ ...answered, id, updated_at: expect.any(String), custom_fields: { field1 } })
  })

  it('returns what v1 has cleared as an empty string in a rebuilt replay', async () => {
    const [store, body] = [await newStore(), v3User()]
    const send = (bindings: object) => createV3(store, body, { bindings, headers: { 'X-Idempotency-Key': 'order-1' } })
    const { json: created } = await send({})
    const cleared = (value: string | null) => ({ phone: value, avatar: value, country: value, external_id: value })
    expect((await admin('PATCH', `/stores/${store.id}/users/${created.id}`, cleared(null))).status).toBe(200)
    const { json } = await send(faultyKv(env.REPLAYS, () => 'loses'))
    expect(json).toEqual({ ...created, ...cleared(''), updated_at: expect.any(String) })
  })

  it('creates a user that v1 returns under the same id as a decimal string', async () => {
    const { json } = await createV3(store, v3User({ language: 'ZU', country: 'xx' }))
    const shown = await call('GET', `/v1/stores/${store.id}/users/${json.id}`, { token: store.token })
    expect(shown.json).toEqual({ ...json, id: String(json.id), language: 'ZU', country: 'XX' })
  })

  it('does not reuse an id, not even that of the newest user after its erasure', async () => {
    const first = await createV3(store, v3User())
    await eraseUser(store, first.json.id)
    expect((await createV3(store, v3User())).json.id).toBeGreaterThan(first.json.id)
  })

  it('creates the user in the store of the token, where accesses can be granted to it', async () => {
    const { json } = await createV3(store, v3User())
    const product = await newProduct(store)
    const id = await insertAccess(store, { user_id: String(json.id), product_id: product.id })
    const answer = await updateAccess(store, id, {})
    expect(answer.json.user).toEqual({
      id: String(json.id),
      name: 'Grace',
      last_name: 'Hopper',
      external_id: 'crm-1906',
      email: json.email,
    })
  })

  it('returns 422 email_taken with the v1 id when v1 created a user with the email', async () => {
    const email = newEmail()
    const existing = await createV1(store, v1User({ email }))
    const answer = await createV3(store, v3User({ email: email.toUpperCase() }))
    expect(summary(answer)).toBe('422 email_taken: email')
    expect(refused(answer)).toEqual({ email: email.toUpperCase() })
    expect(answer.headers.get('X-Existing-Id')).toBe(existing.json.id)
  })

  it('returns 422 email_taken when v3 created a user with the email', async () => {
    const body = v3User()
    const existing = await createV3(store, body)
    const answer = await createV3(store, body)
    expect(summary(answer)).toBe('422 email_taken: email')
    expect(answer.headers.get('X-Existing-Id')).toBe(String(existing.json.id))
  })

  it('accepts the same email in two stores', async () => {
    const body = v3User()
    const answers = [await createV3(store, body), await createV3(await newStore(), body)]
    expect(answers.map(summary)).toEqual(['201', '201'])
  })

  it('ignores unknown fields and the read-only fields of the response', async () => {
    const { status, json } = await createV3(store, v3User({ id: 1, role: 'admin', nonsense: {} }))
    expect(status).toBe(201)
    expect(json.role).toBe('student')
    expect(json).not.toHaveProperty('nonsense')
  })

  it('accepts a token with only the scope users:write', async () => {
    const { token } = await newToken(store, { scopes: ['users:write'] })
    expect((await createV3({ ...store, token }, v3User())).status).toBe(201)
  })

  it('stores and returns strings as they were sent', async () => {
    const sent = { name: ' e\u0301 ', phone: '😀', external_id: "'--", avatar: ' ' }
    const { json } = await createV3(store, v3User(sent))
    expect(json).toMatchObject(sent)
    expect(await userRow(store, json.id)).toMatchObject(sent)
  })
})

describe('POST /v3/public/users: missing fields', () => {
  it.each(FIELDS)('returns 400 missing_parameter without %s, or with null', async (field) => {
    for (const body of [without(field), v3User({ [field]: null })]) {
      const { status, json } = await createV3(store, body)
      expect(status).toBe(400)
      expect(json).toMatchObject({ type: 'invalid_request', code: 'missing_parameter' })
      expect(json.message).toContain(field)
      expect(json.details).toEqual({ field, explanation: expect.any(String) })
    }
  })

  it.each([
    ['omitted', {}],
    ['null', { field1: null }],
    ['inherited only', { constructor: 'x' }],
  ])('returns 400 missing_parameter with custom_fields.field1 %s', async (_, custom_fields) => {
    expect(summary(await createV3(store, v3User({ custom_fields })))).toBe(
      '400 missing_parameter: custom_fields.field1',
    )
  })

  it('returns the first missing field in details and all of them in the message', async () => {
    const empty = await createV3(store, {})
    expect(summary(empty)).toBe('400 missing_parameter: name')
    for (const field of FIELDS) expect(empty.json.message).toContain(field)

    const some = await createV3(store, { ...without('password', 'email'), custom_fields: {} })
    expect(summary(some)).toBe('400 missing_parameter: email')
    expect(some.json.message).toMatch(/email.*password.*custom_fields\.field1/)
    expect(some.json.message).not.toMatch(/phone|avatar|country|language|external_id/)
  })

  it.each([
    ['an invalid field', { name: 5, custom_fields: {} }],
    ['an invalid field of the same object', { custom_fields: { other: [] } }],
    ['an undefined key of the same object', { custom_fields: { other: 'x' } }],
    ['a blank field', { last_name: ' ', custom_fields: { field1: null } }],
  ])('returns 400 for a missing field1 rather than 422 for %s', async (_, fields) => {
    expect(summary(await createV3(store, v3User(fields)))).toBe('400 missing_parameter: custom_fields.field1')
  })
})

describe('POST /v3/public/users: invalid fields', () => {
  it.each<[string, unknown, string]>([
    ['name', '', ''],
    ['last_name', '\u2003', '\u2003'],
    ['email', 'nobody', 'nobody'],
    ['phone', '', ''],
    ['phone', ' ', ' '],
    ['avatar', 0, '0'],
    ['country', '', ''],
    ['country', 'U', 'U'],
    ['country', 'USA', 'USA'],
    ['country', '12', '12'],
    ['country', 'ÉÉ', 'ÉÉ'],
    ['language', '', ''],
    ['language', 'en', 'en'],
    ['language', 'ENG', 'ENG'],
    ['language', 'E1', 'E1'],
    ['password', ' \u00a0', '[redacted]'],
    ['password', 5, '[redacted]'],
    ['external_id', ' ', ' '],
    ['custom_fields', 'field1', 'field1'],
    ['custom_fields', ['field1'], '["field1"]'],
  ])('returns 422 for %s %j and echoes %j', async (field, value, echoed) => {
    const { status, json } = await createV3(store, v3User({ [field]: value }))
    expect(status).toBe(422)
    expect(json).toMatchObject({ type: 'validation_error', code: 'invalid_parameter' })
    expect(json.details).toEqual([{ field, value: echoed, explanation: expect.any(String) }])
  })

  it.each<[unknown, string]>([
    [' ', ' '],
    [5, '5'],
    ['x'.repeat(1001), 'x'.repeat(256)],
    ['\ud800', '\ud800'],
  ])('returns 422 for custom_fields.field1 %j', async (field1, echoed) => {
    const answer = await createV3(store, v3User({ custom_fields: { field1 } }))
    expect(summary(answer)).toBe('422 invalid_parameter: custom_fields.field1')
    expect(refused(answer)).toEqual({ 'custom_fields.field1': echoed })
  })

  it('lists each invalid field once, in the order of the documented table', async () => {
    const invalid = Object.fromEntries(FIELDS.toReversed().map((field) => [field, 1]))
    expect(summary(await createV3(store, invalid))).toBe(`422 invalid_parameter: ${FIELDS.join(', ')}`)
  })

  it('lists undefined custom fields only after all other fields are valid', async () => {
    const custom_fields = { field1: 1, other: 'x', third: [] }
    const refusedAtFirst = await createV3(store, v3User({ custom_fields }))
    expect(summary(refusedAtFirst)).toBe('422 invalid_parameter: custom_fields.field1, custom_fields.third')
    expect(refused(refusedAtFirst)).toEqual({
      'custom_fields.field1': '1',
      'custom_fields.third': '[]',
    })
    const valid = await createV3(store, v3User({ custom_fields: { ...custom_fields, field1: 'f', third: null } }))
    expect(refused(valid)).toEqual({ 'custom_fields.other': 'x', 'custom_fields.third': 'null' })
  })

  it.each([
    ['name', 255],
    ['last_name', 255],
    ['phone', 64],
    ['avatar', 2048],
    ['password', 1024],
    ['external_id', 255],
  ])('accepts a %s of %i code points and rejects one more', async (field, max) => {
    expect(summary(await createV3(store, v3User({ [field]: '😀'.repeat(max) })))).toBe('201')
    const longer = await createV3(store, v3User({ [field]: `${'😀'.repeat(max)}a` }))
    expect(summary(longer)).toBe(`422 invalid_parameter: ${field}`)
  })

  it('accepts a field1 of 1,000 code points', async () => {
    const field1 = '😀'.repeat(1000)
    expect((await createV3(store, v3User({ custom_fields: { field1 } }))).json.custom_fields).toEqual({ field1 })
  })
})

describe('POST /v3/public/users: country, language and custom_fields', () => {
  it.each([
    ['US', 'US'],
    ['us', 'US'],
    ['zZ', 'ZZ'],
    ['UK', 'UK'],
  ])('accepts the country %s and returns %s', async (country, shown) => {
    expect((await createV3(store, v3User({ country }))).json.country).toBe(shown)
  })

  it('accepts a language and a country that v1 rejects', async () => {
    const { json } = await createV3(store, v3User({ language: 'ZU', country: 'xx' }))
    expect(json).toMatchObject({ language: 'ZU', country: 'XX' })
  })

  it('accepts field1 when the store defines no fields, and other keys only when they are defined', async () => {
    const other = await newStore()
    const custom_fields = { field1: 'compilers', rank: 1, active: true, note: null }
    const refusedKeys = '422 invalid_parameter: custom_fields.rank, custom_fields.active, custom_fields.note'
    expect(summary(await createV3(other, v3User({ custom_fields })))).toBe(refusedKeys)
    for (const key of ['rank', 'active', 'note']) {
      await defineField(other, key)
    }
    const { status, json } = await createV3(other, v3User({ custom_fields }))
    expect(status).toBe(201)
    expect(json.custom_fields).toEqual(custom_fields)
  })

  it.each(['__proto__', 'constructor'])('accepts the key %s only when it is defined', async (key) => {
    const other = await newStore()
    const body = JSON.stringify(v3User({ custom_fields: '?' })).replace('"?"', `{"field1":"f","${key}":"x"}`)
    expect(summary(await createV3(other, body))).toBe(`422 invalid_parameter: custom_fields.${key}`)
    await defineField(other, key)
    const { status, text } = await createV3(other, body)
    expect(status).toBe(201)
    expect(text).toContain(`"custom_fields":{"field1":"f","${key}":"x"}`)
  })

  it('does not read field1 from the key __proto__', async () => {
    const body = JSON.stringify(v3User({ custom_fields: '?' })).replace('"?"', '{"__proto__":{"field1":"x"}}')
    expect(summary(await createV3(store, body))).toBe('400 missing_parameter: custom_fields.field1')
  })
})

describe('POST /v3/public/users: X-Idempotency-Key', () => {
  it('returns 400 invalid_header for an empty key', async () => {
    const answer = await createV3(store, v3User(), { headers: { 'X-Idempotency-Key': '' } })
    expect(summary(answer)).toBe('400 invalid_header: X-Idempotency-Key')
    expect(answer.json.type).toBe('invalid_request')
  })
})
