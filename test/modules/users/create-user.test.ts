import { describe, expect, it, vi } from 'vitest'
import {
  call,
  createV1,
  createV3,
  ID,
  newEmail,
  newStore,
  newUser,
  OPTIONAL_FIELDS,
  refused,
  summary,
  TIMESTAMP,
  useStore,
  v1User,
  v3User,
} from '../../support/api.ts'
import { operations } from '../../support/document.ts'
import { defineField, userRow } from '../../support/rows.ts'

const store = useStore({ language: 'PT', fields: ['field1', 'a.b', '__proto__', 'constructor'] })

/** The literal JSON of the field is inserted into the body, because JSON.stringify cannot write it. */
function rawBody(field: string, json: string): string {
  return JSON.stringify(v1User({ [field]: '?' })).replace('"?"', json)
}

describe('POST /v1/stores/{store_id}/users', () => {
  it('returns 201 with every field that has a value, and without the password', async () => {
    const { password, ...optional } = OPTIONAL_FIELDS
    const shown = v1User(optional)
    const { status, json } = await createV1(store, { ...shown, password })
    expect(status).toBe(201)
    expect(json).toEqual({
      ...shown,
      id: expect.stringMatching(ID),
      role: 'student',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: json.created_at,
    })
  })

  it('returns the Content-Type application/json', async () => {
    const { headers } = await createV1(store, v1User())
    expect(headers.get('Content-Type')).toBe('application/json')
  })

  it('omits fields without a value and uses the language of the store', async () => {
    const body = v1User()
    const { json } = await createV1(store, body)
    const { id, created_at, updated_at } = json
    expect(json).toEqual({ ...body, id, language: 'PT', role: 'student', created_at, updated_at })
  })

  it('documents these fields and no others', () => {
    const create = operations.find(({ operation }) => operation.operationId === 'createUser')
    const { properties } = create?.operation.requestBody.content['application/json'].schema ?? {}
    expect(Object.keys(properties).toSorted()).toEqual(Object.keys(v1User(OPTIONAL_FIELDS)).toSorted())
  })

  it.each(Object.keys(OPTIONAL_FIELDS))('treats a null %s as omitted', async (field) => {
    const { status, json } = await createV1(store, v1User({ [field]: null }))
    expect(status).toBe(201)
    expect(Object.keys(json).toSorted()).toEqual(
      ['id', 'name', 'last_name', 'email', 'language', 'role', 'created_at', 'updated_at'].toSorted(),
    )
    expect(json.language).toBe('PT')
  })

  it('sets created_at to the current time', async () => {
    const before = Date.now()
    const { json } = await createV1(store, v1User())
    expect(Date.parse(json.created_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(json.created_at)).toBeLessThanOrEqual(Date.now())
  })

  it('ignores unknown fields and the read-only fields of the response', async () => {
    const created_at = '1999-01-01T00:00:00.000Z'
    const body = v1User({ id: '1', role: 'admin', created_at, store_id: 'x', nonsense: [] })
    const { status, json } = await createV1(store, body)
    expect(status).toBe(201)
    expect(json.role).toBe('student')
    expect(json.id).not.toBe('1')
    expect(json.created_at).not.toBe(created_at)
    expect(json).not.toHaveProperty('nonsense')
  })

  it('stores a password only as a salted hash', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => createV1(store, v1User({ password: 'correct horse battery' }))),
    )
    const [a, b] = [await userRow(store, first?.json.id), await userRow(store, second?.json.id)].map(
      ({ password_hash }) => password_hash,
    )
    expect(a).toMatch(/^\$argon2id\$v=19\$m=\d+,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(a).not.toBe(b)
  })
})

describe('POST /v1/stores/{store_id}/users: missing fields', () => {
  it.each([
    ['{}', {}, 'name', ['name', 'last_name', 'email']],
    ['no name', { last_name: 'L', email: 'a@example.com' }, 'name', ['name']],
    ['no last_name', { name: 'A', email: 'a@example.com' }, 'last_name', ['last_name']],
    ['no email', { name: 'A', last_name: 'L' }, 'email', ['email']],
    ['a null name', { name: null, last_name: 'L', email: 'a@example.com' }, 'name', ['name']],
    ['no last_name and a null email', { email: null, name: 'A' }, 'last_name', ['last_name', 'email']],
    ['only names that Object.prototype has', { constructor: 1, toString: 2 }, 'name', ['name', 'last_name', 'email']],
  ])('returns 400 missing_parameter with the first missing field for %s', async (_, body, first, all) => {
    const { status, json } = await createV1(store, body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ type: 'invalid_request', code: 'missing_parameter' })
    expect(json.details).toEqual({ field: first, explanation: expect.any(String) })
    const named = ['name', 'last_name', 'email'].filter((field) => new RegExp(`\\b${field}\\b`).test(json.message))
    expect(named).toEqual(all)
  })

  it('ignores fields inside __proto__', async () => {
    const body = '{"__proto__":{"name":"A","last_name":"L","email":"a@example.com"}}'
    expect(summary(await createV1(store, body))).toBe('400 missing_parameter: name')
  })
})

describe('POST /v1/stores/{store_id}/users: invalid fields', () => {
  it.each<[string, unknown, string]>([
    ['name', 5, '5'],
    ['name', '', ''],
    ['name', ' \t', ' \t'],
    ['name', true, 'true'],
    ['last_name', ['L'], '["L"]'],
    ['last_name', { a: 1, b: [null, 'x'] }, '{"a":1,"b":[null,"x"]}'],
    ['last_name', '\u3000', '\u3000'],
    ['email', 'nobody', 'nobody'],
    ['email', false, 'false'],
    ['phone', 1.5, '1.5'],
    ['country', 'XX', 'XX'],
    ['language', 'FR', 'FR'],
    ['external_id', 0, '0'],
    ['avatar', {}, '{}'],
    ['custom_fields', [], '[]'],
    ['custom_fields', 'a', 'a'],
    ['custom_fields', true, 'true'],
    ['password', 'x'.repeat(1025), '[redacted]'],
    ['password', '', '[redacted]'],
    ['password', '   ', '[redacted]'],
    ['password', 12345678, '[redacted]'],
    ['password', { secret: 'hunter2' }, '[redacted]'],
  ])('returns 422 for %s %j and echoes %j', async (field, value, echoed) => {
    const answer = await createV1(store, v1User({ [field]: value }))
    expect(answer.status).toBe(422)
    expect(answer.json).toMatchObject({ type: 'validation_error', code: 'invalid_parameter' })
    expect(answer.json.details).toEqual([{ field, value: echoed, explanation: expect.any(String) }])
  })

  it('lists each invalid field once, in the order of the documented table', async () => {
    const body = {
      password: 1,
      custom_fields: { unknown: 'x', field1: [] },
      avatar: 1,
      external_id: 1,
      language: 1,
      country: 1,
      phone: 1,
      email: 1,
      last_name: 1,
      name: 1,
    }
    expect(summary(await createV1(store, body))).toBe(
      '422 invalid_parameter: name, last_name, email, phone, country, language, external_id, avatar, ' +
        'custom_fields.field1, password',
    )
  })

  it('truncates an echoed value to 256 code points', async () => {
    const long = await createV1(store, v1User({ name: '😀'.repeat(300), custom_fields: { field1: ['é'.repeat(300)] } }))
    expect(refused(long)).toEqual({ name: '😀'.repeat(256), 'custom_fields.field1': `["${'é'.repeat(254)}` })
    const exact = await createV1(store, v1User({ email: '😀'.repeat(256) }))
    expect(refused(exact)).toEqual({ email: '😀'.repeat(256) })
  })

  it.each([
    ['name', 255],
    ['last_name', 255],
    ['phone', 64],
    ['external_id', 255],
    ['avatar', 2048],
    ['password', 1024],
  ])('accepts a %s of %i code points and rejects one more', async (field, max) => {
    expect(summary(await createV1(store, v1User({ [field]: '😀'.repeat(max) })))).toBe('201')
    const longer = await createV1(store, v1User({ [field]: `${'😀'.repeat(max)}a` }))
    expect(summary(longer)).toBe(`422 invalid_parameter: ${field}`)
  })

  it.each(Object.keys(v1User(OPTIONAL_FIELDS)).filter((field) => field !== 'custom_fields'))(
    'rejects a lone surrogate and a NUL in %s',
    async (field) => {
      for (const json of ['"a\\ud800"', '"\\udc00b"', '"a\\u0000b"']) {
        expect(summary(await createV1(store, rawBody(field, json)))).toBe(`422 invalid_parameter: ${field}`)
      }
    },
  )

  it('echoes a lone surrogate as it was sent', async () => {
    expect(refused(await createV1(store, rawBody('name', '"a\\ud800"')))).toEqual({ name: 'a\ud800' })
  })
})

describe('POST /v1/stores/{store_id}/users: strings', () => {
  /** This is the property White_Space of Unicode, from PropList.txt. */
  const whiteSpace =
    '9 a b c d 20 85 a0 1680 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 200a 2028 2029 202f 205f 3000'
      .split(' ')
      .map((digits) => Number.parseInt(digits, 16))

  it('treats each of them as blank', async () => {
    for (const code of whiteSpace) {
      const blank = String.fromCodePoint(code, 0x20, code)
      const answer = await createV1(store, v1User({ name: blank, last_name: blank }))
      expect([code, summary(answer)]).toEqual([code, '422 invalid_parameter: name, last_name'])
    }
  })

  it('does not treat characters as blank that only look like it', async () => {
    for (const code of [0xfeff, 0x200b, 0x180e, 0x2060, 0x2800, 0x1f]) {
      const filled = String.fromCodePoint(code)
      const { json } = await createV1(store, v1User({ name: filled, last_name: filled, password: filled }))
      expect(json).toMatchObject({ name: filled, last_name: filled })
    }
  })

  it.each(['phone', 'external_id', 'avatar'])('stores a blank optional %s unchanged', async (field) => {
    for (const blank of ['', '  ']) {
      const { status, json } = await createV1(store, v1User({ [field]: blank }))
      expect(status).toBe(201)
      expect(json[field]).toBe(blank)
      expect((await userRow(store, json.id))[field]).toBe(blank)
    }
  })

  it.each([
    ['surrounding spaces', '  Ada  '],
    ['a decomposed letter', 'e\u0301'],
    ['a ligature', '\ufb01'],
    ['line breaks and quotes', 'a\r\n"\'\\</script>'],
    ['SQL', "Robert'); drop table users;--"],
    ['an emoji sequence', '👩‍👩‍👧'],
    ['a text direction mark', '\u202eabc'],
  ])('returns and stores %s as it was sent', async (_, text) => {
    const { json } = await createV1(store, v1User({ name: text, phone: text, external_id: text, avatar: text }))
    const sent = { name: text, phone: text, external_id: text, avatar: text }
    expect(json).toMatchObject(sent)
    expect(await userRow(store, json.id)).toMatchObject(sent)
  })
})

describe('POST /v1/stores/{store_id}/users: email', () => {
  const tag = () => crypto.randomUUID()
  const label = (length: number) => 'd'.repeat(length)

  it.each([
    ['all atoms', (id: string) => `!#$%&'*+/=?^_\`{|}~-${id}@example.com`],
    ['capitals', (id: string) => `U-${id}@EXAMPLE.Com`],
    ['an internationalised domain', (id: string) => `${id}@bücher.example`],
    ['254 characters', (id: string) => `${id}@${label(63)}.${label(63)}.${label(63)}.${label(21)}.com`],
  ])('accepts %s and returns the email as it was sent', async (_, make) => {
    const email = make(tag())
    const { status, json } = await createV1(store, v1User({ email }))
    expect(status).toBe(201)
    expect(json.email).toBe(email)
    expect((await userRow(store, json.id)).email).toBe(email)
  })

  // test/lib/emails.test.ts has every form that is valid or not.
  it.each([
    'a',
    'a@b@example.com',
    ' a@example.com',
    'a@example.com\n',
    '\u212a@example.com',
    'a@127.0.0.1',
    `a@${label(64)}.example`,
    `${label(64)}@${label(63)}.${label(63)}.${label(58)}.com`,
  ])('returns 422 for %j', async (email) => {
    const answer = await createV1(store, v1User({ email }))
    expect(summary(answer)).toBe('422 invalid_parameter: email')
    expect(refused(answer)).toEqual({ email: email.slice(0, 256) })
  })

  it.each([
    ['letter case', (id: string) => [`u-${id}@example.com`, `U-${id.toUpperCase()}@EXAMPLE.COM`]],
    ['punycode', (id: string) => [`${id}@bücher.example`, `${id}@xn--bcher-kva.example`]],
    ['punycode in capitals', (id: string) => [`${id}@xn--bcher-kva.example`, `${id}@XN--BCHER-KVA.example`]],
    ['a capital of another script', (id: string) => [`${id}@bücher.example`, `${id}@BÜCHER.example`]],
    ['a decomposed letter of the domain', (id: string) => [`${id}@bücher.example`, `${id}@bu\u0308cher.example`]],
    ['nothing', (id: string) => [`${id}@example.com`, `${id}@example.com`]],
  ])('returns 422 email_taken for an email that differs in %s', async (_, make) => {
    const [first, second] = make(tag())
    const existing = await createV1(store, v1User({ email: first }))
    const answer = await createV1(store, v1User({ email: second }))
    expect(answer.status).toBe(422)
    expect(answer.json).toMatchObject({ type: 'validation_error', code: 'email_taken' })
    expect(answer.json.details).toEqual([{ field: 'email', value: second, explanation: expect.any(String) }])
    expect(answer.headers.get('X-Existing-Id')).toBe(existing.json.id)
  })

  it.each([
    ['a dot', (id: string) => [`a.b-${id}@example.com`, `ab-${id}@example.com`]],
    ['a tag', (id: string) => [`${id}@example.com`, `${id}+x@example.com`]],
    ['a sharp s', (id: string) => [`${id}@faß.example`, `${id}@fass.example`]],
  ])('accepts an email that differs in %s', async (_, make) => {
    const [first, second] = make(tag())
    expect(summary(await createV1(store, v1User({ email: first })))).toBe('201')
    expect(summary(await createV1(store, v1User({ email: second })))).toBe('201')
  })

  it('accepts the same email in two stores', async () => {
    const [other, email] = [await newStore(), newEmail()]
    const inFirst = await createV1(store, v1User({ email }))
    const inSecond = await createV1(other, v1User({ email }))
    expect([inFirst.status, inSecond.status]).toEqual([201, 201])
  })

  it('returns 422 email_taken for an email that v3 registered', async () => {
    const body = v3User()
    const existing = await createV3(store, body)
    const answer = await createV1(store, v1User({ email: body.email.toUpperCase() }))
    expect(summary(answer)).toBe('422 email_taken: email')
    expect(answer.headers.get('X-Existing-Id')).toBe(String(existing.json.id))
  })
})

describe('POST /v1/stores/{store_id}/users: country and language', () => {
  it.each([
    ['GB', 'GB'],
    ['gb', 'GB'],
  ])('accepts the country %s and returns %s', async (country, shown) => {
    const { json } = await createV1(store, v1User({ country }))
    expect(json.country).toBe(shown)
    expect((await userRow(store, json.id)).country).toBe(shown)
  })

  it.each(['UK', 'GBR', '', 'GB ', 'ıT', 'ＧＢ', 'ß'])('returns 422 for the country %j', async (country) => {
    expect(summary(await createV1(store, v1User({ country })))).toBe('422 invalid_parameter: country')
  })

  it.each(['ES', 'PT', 'EN'])('accepts the language %s', async (language) => {
    expect((await newUser(store, { language })).language).toBe(language)
  })

  it.each(['es', 'FR', ''])('returns 422 for the language %j', async (language) => {
    expect(summary(await createV1(store, v1User({ language })))).toBe('422 invalid_parameter: language')
  })
})

describe('POST /v1/stores/{store_id}/users: custom_fields', () => {
  it.each([
    ['a string', 'engines'],
    ['an empty string', ''],
    ['a blank string', ' '],
    ['a string of 1,000 code points', '😀'.repeat(1000)],
    ['a number', -1.5e-7],
    ['zero', 0],
    ['true', true],
    ['false', false],
    ['null', null],
  ])('stores and returns %s as it was sent', async (_, value) => {
    const { status, json } = await createV1(store, v1User({ custom_fields: { field1: value, 'a.b': value } }))
    expect(status).toBe(201)
    expect(json.custom_fields).toEqual({ field1: value, 'a.b': value })
    const { custom_fields } = await userRow(store, json.id)
    expect(custom_fields).toBe(JSON.stringify({ field1: value, 'a.b': value }))
  })

  it('treats an empty object as omitted', async () => {
    const { status, json } = await createV1(store, v1User({ custom_fields: {} }))
    expect(status).toBe(201)
    expect(json).not.toHaveProperty('custom_fields')
  })

  it.each([
    ['a list', '[1]', '[1]'],
    ['an object', '{"a": 1}', '{"a":1}'],
    ['an infinite number', '1e999', '1e999'],
    ['a lone surrogate', '"\\ud800"', '\ud800'],
    ['a NUL', '"\\u0000"', '\0'],
    ['1,001 code points', `"${'😀'.repeat(1001)}"`, '😀'.repeat(256)],
  ])('returns 422 for %s as a value', async (_, json, echoed) => {
    const answer = await createV1(store, rawBody('custom_fields', `{"field1":${json}}`))
    expect(summary(answer)).toBe('422 invalid_parameter: custom_fields.field1')
    expect(refused(answer)).toEqual({ 'custom_fields.field1': echoed })
  })

  it('lists an undefined key only after all other fields are valid', async () => {
    const custom_fields = { unknown: 'x', field1: [] }
    expect(summary(await createV1(store, v1User({ custom_fields })))).toBe(
      '422 invalid_parameter: custom_fields.field1',
    )
    const valid = v1User({ custom_fields: { ...custom_fields, field1: 'x' } })
    expect(summary(await createV1(store, valid))).toBe('422 invalid_parameter: custom_fields.unknown')
  })

  it('lists each key that the store does not define, with its value', async () => {
    const custom_fields = { zeta: 1, 'with.dots.': 'd', field1: 'x', Field1: null, alpha: 'a' }
    const answer = await createV1(store, v1User({ custom_fields }))
    expect(answer.status).toBe(422)
    expect(refused(answer)).toEqual({
      'custom_fields.zeta': '1',
      'custom_fields.with.dots.': 'd',
      'custom_fields.Field1': 'null',
      'custom_fields.alpha': 'a',
    })
  })

  it('parses the body equally often for a hundred undefined keys as for ten', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const counts = []
    for (const count of [10, 100]) {
      const custom_fields = Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))
      const before = parse.mock.calls.length
      expect((await createV1(store, v1User({ custom_fields }))).json.details).toHaveLength(count)
      counts.push(parse.mock.calls.length - before)
    }
    parse.mockRestore()
    expect(counts[1]).toBe(counts[0])
  })

  it('redacts a password that was sent as a custom field', async () => {
    for (const custom_fields of [{ password: 'hunter2' }, { password: ['hunter2'] }]) {
      const answer = await createV1(store, v1User({ custom_fields }))
      expect(refused(answer)).toEqual({ 'custom_fields.password': '[redacted]' })
    }
  })

  it.each(['\ud800', 'a\0b'])('rejects a key with the characters %j and echoes its value', async (key) => {
    const { json: user } = await createV1(store, v1User())
    const path = `/v1/stores/${store.id}/users/${user.id}`
    const answers = [
      await createV1(store, v1User({ custom_fields: { [key]: 'x' } })),
      await createV3(store, v3User({ custom_fields: { field1: 'y', [key]: 'x' } })),
      await call('PATCH', path, { token: store.token, body: { custom_fields: { [key]: 'x' } } }),
    ]
    for (const answer of answers) expect(refused(answer)).toEqual({ [`custom_fields.${key}`]: 'x' })
    const removal = await call('PATCH', path, { token: store.token, body: { custom_fields: { [key]: null } } })
    expect(refused(removal)).toEqual({ [`custom_fields.${key}`]: 'null' })
  })

  it.each(['__proto__', 'constructor'])('keeps the key %s when the store defines it', async (key) => {
    const { status, text, json } = await createV1(store, rawBody('custom_fields', `{"${key}":"x"}`))
    expect(status).toBe(201)
    expect(text).toContain(`"custom_fields":{"${key}":"x"}`)
    expect((await userRow(store, json.id)).custom_fields).toBe(`{"${key}":"x"}`)
  })

  it.each(['__proto__', 'constructor'])('rejects an object for the defined key %s', async (key) => {
    const answer = await createV1(store, rawBody('custom_fields', `{"${key}":{"field1":"x"}}`))
    expect(summary(answer)).toBe(`422 invalid_parameter: custom_fields.${key}`)
    expect(refused(answer)).toHaveProperty([`custom_fields.${key}`], '{"field1":"x"}')
  })

  it.each(['__proto__', 'constructor', ''])(
    'returns 422 for the key %j when the store does not define it',
    async (key) => {
      const other = await newStore()
      const body = JSON.stringify(v1User({ custom_fields: '?' })).replace('"?"', `{"${key}":"x"}`)
      expect(summary(await createV1(other, body))).toBe(`422 invalid_parameter: custom_fields.${key}`)
    },
  )

  it('accepts a field that was defined after the first use of the token', async () => {
    const other = await newStore()
    const body = v1User({ custom_fields: { later: 'x' } })
    expect(summary(await createV1(other, body))).toBe('422 invalid_parameter: custom_fields.later')
    await defineField(other, 'later')
    expect((await createV1(other, body)).json.custom_fields).toEqual({ later: 'x' })
  })

  it('returns 422 for a field that only another store defines', async () => {
    const other = await newStore()
    const answer = await createV1(other, v1User({ custom_fields: { field1: 'x' } }))
    expect(summary(answer)).toBe('422 invalid_parameter: custom_fields.field1')
  })
})

describe('POST /v1/stores/{store_id}/users: X-Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a space', 'a b'],
    ['sent twice', 'a, b'],
    ['with a tab', 'a\tb'],
    ['with a DEL', 'a\x7f'],
  ])('returns 400 invalid_header for a key %s', async (_, key) => {
    const { status, json } = await createV1(store, v1User(), { headers: { 'X-Idempotency-Key': key } })
    expect(status).toBe(400)
    expect(json).toMatchObject({ type: 'invalid_request', code: 'invalid_header' })
    expect(json.details).toEqual({ field: 'X-Idempotency-Key', explanation: expect.any(String) })
  })

  it.each([
    ['of 255 characters', 'k'.repeat(255)],
    ['of one character', '!'],
    ['with every allowed character', Array.from({ length: 94 }, (_, i) => String.fromCodePoint(0x21 + i)).join('')],
  ])('accepts a key %s', async (_, key) => {
    expect((await createV1(store, v1User(), { headers: { 'x-idempotency-key': key } })).status).toBe(201)
  })
})

describe('POST /v1/stores/{store_id}/users: numbers in custom_fields', () => {
  it.each(['12345678901234567891', '9007199254740993', '-0', '1.0', '1e-7', '0.10000000000000000555'])(
    'stores and returns the digits of %s',
    async (digits) => {
      const store = await newStore()
      await defineField(store, 'n')
      const body = JSON.stringify(v1User({ custom_fields: { n: 0 } })).replace('"n":0', `"n":${digits}`)
      const created = await createV1(store, body)
      expect(created.status).toBe(201)
      expect(created.text).toContain(`"custom_fields":{"n":${digits}}`)
      expect((await userRow(store, created.json.id)).custom_fields).toBe(`{"n":${digits}}`)
    },
  )

  it('replays the digits that were sent, from KV and when the response is rebuilt from D1', async () => {
    const store = await newStore()
    await defineField(store, 'n')
    const body = JSON.stringify(v1User({ custom_fields: { n: 0 } })).replace('"n":0', '"n":12345678901234567891')
    const options = { headers: { 'X-Idempotency-Key': 'digits' } }
    const first = await createV1(store, body, options)
    expect((await createV1(store, body, options)).text).toBe(first.text)
    expect(first.text).toContain('12345678901234567891')
  })

  it('keeps the digits when the body is nested too deeply for recursion', async () => {
    const store = await newStore()
    await defineField(store, 'n')
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    const body = JSON.stringify(v1User({ custom_fields: { n: 7 }, x: 0 }))
      .replace('"x":0', `"x":${deep}`)
      .replace('"n":7', '"n":7.00')
    const { status, text } = await createV1(store, body)
    expect(status).toBe(201)
    expect(text).toContain('"custom_fields":{"n":7.00}')
  })
})

describe('POST /v1/stores/{store_id}/users: password inside another invalid value', () => {
  it('redacts the password in the echoed value', async () => {
    const store = await newStore()
    const { status, text, json } = await createV1(store, v1User({ name: { first: 'Ada', password: 'hunter22' } }))
    expect(status).toBe(422)
    expect(text).not.toContain('hunter22')
    expect(json.details[0].value).toBe('{"first":"Ada","password":"[redacted]"}')
  })
})
