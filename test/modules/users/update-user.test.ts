import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  type CallOptions,
  createV1,
  createV3,
  newEmail,
  newToken,
  newUser,
  OPTIONAL_FIELDS,
  refused,
  summary,
  useStore,
  v1User,
  v3User,
} from '../../support/api.ts'
import { measure } from '../../support/costs.ts'
import { defineField, deleteField, eventsOf, userRow, useToken } from '../../support/rows.ts'

const store = useStore({ fields: ['a', 'b', '__proto__'] })

function update(id: string, body: unknown, options: CallOptions = {}) {
  return call('PATCH', `/v1/stores/${store.id}/users/${id}`, { token: store.token, body, ...options })
}

const { password: _, ...SHOWN } = OPTIONAL_FIELDS
const FULL = { ...SHOWN, name: 'N', last_name: 'L', country: 'DE', custom_fields: { a: 1 } }
/** Each user has a language. */
const REMOVABLE = Object.keys(SHOWN).filter((field) => field !== 'language')

describe('PATCH /v1/stores/{store_id}/users/{id}', () => {
  it('changes the fields that are present and keeps the others', async () => {
    const user = await newUser(store, FULL)
    const body = { email: newEmail(), country: 'fr', phone: '' }
    const { status, json } = await update(user.id, body)
    expect([status, json]).toEqual([200, { ...user, ...body, country: 'FR', updated_at: expect.any(String) }])
    expect((await admin('GET', `/stores/${store.id}/users/${user.id}`)).json).toEqual(json)
  })

  it.each(REMOVABLE)('clears %s with null', async (field) => {
    const user = await newUser(store, FULL)
    const { json } = await update(user.id, { [field]: null })
    const { [field]: _, ...rest } = user
    expect(json).toEqual({ ...rest, updated_at: expect.any(String) })
  })

  it.each(['name', 'last_name', 'email', 'language', 'password'])('returns 422 for a null %s', async (field) => {
    expect(summary(await update((await newUser(store)).id, { [field]: null }))).toBe(`422 invalid_parameter: ${field}`)
  })

  it('returns 422 for every invalid and unknown field, with the password redacted', async () => {
    const answer = await update((await newUser(store)).id, {
      role: 'x',
      country: 'ZZ',
      name: ' ',
      password: '',
      id: '7',
    })
    expect(summary(answer)).toBe('422 invalid_parameter: name, country, password, role, id')
    expect(refused(answer)).toEqual({ name: ' ', country: 'ZZ', password: '[redacted]', role: 'x', id: '7' })
  })

  it('returns 400 without a body and 422 for a query parameter', async () => {
    const { id } = await newUser(store)
    expect(summary(await update(id, undefined))).toBe('400 malformed_body: body')
    const path = `/v1/stores/${store.id}/users/${id}?dry_run=true`
    expect(summary(await call('PATCH', path, { token: store.token, body: {} }))).toBe('422 invalid_parameter: dry_run')
  })

  it('requires users:write, and returns 404 for an unknown id', async () => {
    const { token } = await newToken(store, { scopes: ['users:read', 'users:erase'] })
    expect(summary(await update((await newUser(store)).id, {}, { token }))).toBe('403 insufficient_scope')
    expect(summary(await update('1', { name: 'x' }))).toBe('404 not_found')
    expect(summary(await update('x', {}))).toBe('404 not_found')
  })

  it('writes nothing when no value changes', async () => {
    const user = await newUser(store, FULL)
    const before = await eventsOf(store)
    await useToken(store)
    for (const body of [{}, { name: 'N', country: 'de', custom_fields: { a: 1, b: null } }, { custom_fields: {} }]) {
      const { outcome, trips, written } = await measure((bindings) => update(user.id, body, { bindings }))
      expect([outcome, trips, written]).toEqual(['200', 1, 0])
      expect((await update(user.id, body)).json).toEqual(user)
    }
    expect(await eventsOf(store)).toEqual(before)
  })

  it('changes updated_at, and the event contains only the names of the changed fields', async () => {
    const user = await newUser(store, FULL)
    const answer = await update(user.id, { email: newEmail(), phone: '2', name: 'N', custom_fields: { b: 'secret' } })
    const row = await userRow(store, user.id)
    const event = (await eventsOf(store)).at(-1)
    expect(event).toMatchObject({
      type: 'user.updated',
      subject_id: row.id,
      previous_id: Number(row.created_at && row.id),
    })
    expect(JSON.parse(event.data)).toEqual({ fields: ['email', 'phone', 'custom_fields'] })
    expect(row.event_id).toBe(event.id)
    expect([row.updated_at, Date.parse(answer.json.updated_at)]).toEqual([event.created_at, event.created_at])
    expect(row.created_at).toBe(Date.parse(user.created_at))
  })

  it('costs one round trip and the fewest possible rows', async () => {
    const user = await newUser(store)
    await useToken(store)
    const cost = (body: object) => measure((bindings) => update(user.id, body, { bindings }))
    // A change writes the event and the user; an indexed column adds one row for its index.
    expect(await cost({ name: 'X' })).toMatchObject({ outcome: '200', trips: 1, written: 2 })
    expect(await cost({ email: newEmail() })).toMatchObject({ outcome: '200', trips: 1, written: 3 })
    expect(await cost({ external_id: 'y' })).toMatchObject({ outcome: '200', trips: 1, written: 3 })
    expect(await cost({ password: 'correct horse' })).toMatchObject({ outcome: '200', trips: 2, written: 2 })
    expect(await cost({ email: 'nobody' })).toMatchObject({
      outcome: '422 invalid_parameter: email',
      trips: 1,
      written: 0,
    })
  })
})

describe('PATCH /v1/stores/{store_id}/users/{id}: email', () => {
  it('returns 422 email_taken with the id of its user when the email exists in another letter case', async () => {
    const [ada, kay] = [await newUser(store), await newUser(store)]
    const answer = await update(kay.id, { name: 'X', email: ada.email.toUpperCase() })
    expect(summary(answer)).toBe('422 email_taken: email')
    expect(answer.headers.get('X-Existing-Id')).toBe(ada.id)
    expect(refused(answer)).toEqual({ email: ada.email.toUpperCase() })
    expect((await userRow(store, kay.id)).name).toBe('Ada')
  })

  it("accepts the user's own email in another letter case, and frees the old email after a change", async () => {
    const user = await newUser(store)
    const email = user.email.toUpperCase()
    expect((await update(user.id, { email })).json.email).toBe(email)
    await update(user.id, { email: newEmail() })
    expect((await createV1(store, v1User({ email: user.email }))).status).toBe(201)
  })
})

describe('PATCH /v1/stores/{store_id}/users/{id}: custom fields', () => {
  it('changes each key separately, and removes a key when its value is null', async () => {
    const { id } = await newUser(store, { custom_fields: { a: 1, b: 'x' } })
    expect((await update(id, { custom_fields: { a: 2 } })).json.custom_fields).toEqual({ a: 2, b: 'x' })
    expect((await update(id, { custom_fields: { b: null } })).json.custom_fields).toEqual({ a: 2 })
    expect((await update(id, { custom_fields: { a: null } })).json).not.toHaveProperty('custom_fields')
    expect((await userRow(store, id)).custom_fields).toBeNull()
  })

  it('keeps a null that was set when the user was created', async () => {
    const { id } = await newUser(store, { custom_fields: { a: null } })
    expect((await update(id, { custom_fields: { b: 1 } })).json.custom_fields).toEqual({ a: null, b: 1 })
  })

  it.each(['12345678901234567890', '1.0', '1.10', '-0', '1e-7', '1E5', '0.10000000000000000555'])(
    'keeps the digits of %s, both when they are sent and when they are read back',
    async (digits) => {
      const { id } = await newUser(store)
      const raw = (key: string) => `{"custom_fields":{"${key}":${digits}}}`
      expect((await update(id, raw('a'))).text).toContain(`"custom_fields":{"a":${digits}}`)
      expect((await update(id, raw('b'))).text).toContain(`"custom_fields":{"a":${digits},"b":${digits}}`)
      const { event_id } = await userRow(store, id)
      await update(id, raw('a'))
      expect((await userRow(store, id)).event_id).toBe(event_id)
    },
  )

  it.each(['\u2028 "quoted" \\ \n\t', 'é😀', '</script>', "it's"])('keeps the string %j', async (text) => {
    const { id } = await newUser(store, { custom_fields: { b: text } })
    const { json } = await update(id, { custom_fields: { a: text } })
    expect(json.custom_fields).toEqual({ a: text, b: text })
    const { event_id } = await userRow(store, id)
    await update(id, { custom_fields: { a: text, b: text } })
    expect((await userRow(store, id)).event_id).toBe(event_id)
  })

  it('accepts __proto__ as the key of a custom field', async () => {
    const { id } = await newUser(store)
    const { text } = await update(id, '{"custom_fields":{"__proto__":"x"}}')
    expect(text).toContain('"custom_fields":{"__proto__":"x"}')
    expect((await update(id, '{"custom_fields":{"__proto__":null}}')).text).not.toContain('custom_fields')
  })

  it('returns 422 for each undefined key with a value, before 404 and 412', async () => {
    const { id } = await newUser(store)
    const body = { custom_fields: { a: 1, x: 2, 'y"': 'z', gone: null } }
    for (const path of [id, '1']) {
      const answer = await update(path, body, { headers: { 'If-Match': '"1-1"' } })
      expect(summary(answer)).toBe('422 invalid_parameter: custom_fields.x, custom_fields.y"')
      expect(refused(answer)).toEqual({ 'custom_fields.x': '2', 'custom_fields.y"': 'z' })
    }
  })

  it('removes the value of a deleted custom field, and field1 of a v3 user', async () => {
    await defineField(store, 'old')
    const { id } = await newUser(store, { custom_fields: { old: 'x' } })
    await deleteField(store, 'old')
    expect(summary(await update(id, { custom_fields: { old: 'y' } }))).toBe('422 invalid_parameter: custom_fields.old')
    expect((await update(id, { custom_fields: { old: null } })).json).not.toHaveProperty('custom_fields')
    const { json } = await createV3(store, v3User())
    const path = String(json.id)
    expect((await update(path, { custom_fields: { a: 1 } })).json.custom_fields).toEqual({ field1: 'compilers', a: 1 })
    expect((await update(path, { custom_fields: null })).json).not.toHaveProperty('custom_fields')
  })
})

describe('PATCH /v1/stores/{store_id}/users/{id}: password', () => {
  it('counts any password as a change, and never returns it', async () => {
    const user = await newUser(store, { password: 'correct horse' })
    const { password_hash } = await userRow(store, user.id)
    const { json } = await update(user.id, { password: 'correct horse' })
    const row = await userRow(store, user.id)
    expect(json).toEqual({ ...user, updated_at: new Date(row.updated_at).toISOString() })
    expect(row.password_hash).toMatch(/^\$argon2id\$/)
    expect(row.password_hash).not.toBe(password_hash)
    expect(JSON.parse((await eventsOf(store)).at(-1).data)).toEqual({ fields: ['password'] })
  })

  it('hashes and counts a password only when it will be stored', async () => {
    const [user, other] = [await newUser(store), await newUser(store)]
    let counted = 0
    const limit = async () => ({ success: ++counted === 0 })
    const bindings = { PASSWORD_LIMITER: { limit } }
    const password = 'correct horse'
    for (const [path, body, headers, expected] of [
      ['1', { password }, {}, '404 not_found'],
      [user.id, { password, email: other.email }, {}, '422 email_taken: email'],
      [user.id, { password }, { 'If-Match': '"1-1"' }, '412 etag_mismatch'],
      [user.id, { password, custom_fields: { x: 1 } }, {}, '422 invalid_parameter: custom_fields.x'],
      [user.id, { password, name: '' }, {}, '422 invalid_parameter: name'],
    ] as const) {
      expect(summary(await update(path, body, { bindings, headers }))).toBe(expected)
    }
    expect(counted).toBe(0)
    const refusedOne = await update(user.id, { password }, { bindings })
    expect([summary(refusedOne), counted]).toEqual(['429 rate_limited', 1])
    expect((await userRow(store, user.id)).password_hash).toBeNull()
  })
})

describe('PATCH /v1/stores/{store_id}/users/{id}: If-Match', () => {
  it('accepts a matching ETag, a list with it and *, and returns 412 for any other', async () => {
    const created = await createV1(store, v1User())
    const { id } = created.json
    const etag = created.headers.get('ETag') ?? ''
    const send = (value: string, name: string) => update(id, { name }, { headers: { 'If-Match': value } })
    expect((await send(`"x", ${etag}`, '1')).status).toBe(200)
    expect(summary(await send(etag, '2'))).toBe('412 etag_mismatch')
    expect(summary(await send(`W/${etag}`, '2'))).toBe('412 etag_mismatch')
    expect((await send('*', '2')).status).toBe(200)
    expect((await userRow(store, id)).name).toBe('2')
  })

  it('accepts one of 16 concurrent updates with the same ETag', async () => {
    const created = await createV1(store, v1User())
    const headers = { 'If-Match': created.headers.get('ETag') ?? '' }
    const bodies = Array.from({ length: 16 }, (_, n) => ({ name: `N${n}` }))
    const answers = await Promise.all(bodies.map((body) => update(created.json.id, body, { headers })))
    const won = answers.find(({ status }) => status === 200)
    expect(answers.map(summary).toSorted()).toEqual(['200', ...Array(15).fill('412 etag_mismatch')])
    expect((await userRow(store, created.json.id)).name).toBe(won?.json.name)
  })

  it('gives an email to one of 8 users whose concurrent updates set it', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => newUser(store)))
    const email = newEmail()
    const answers = await Promise.all(users.map(({ id }) => update(id, { email })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { results } = await env.DB.prepare('select id from users where email = ?').bind(email).all()
    expect(results).toHaveLength(1)
  })
})
