/** What clients in other languages and with other libraries send. */
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  createV1,
  createV3,
  newAccess,
  summary,
  updateAccess,
  useStore,
  v1User,
  v3User,
} from '../support/api.ts'

const store = useStore()

describe('400 malformed_body', () => {
  it.each([
    ['', 'is empty'],
    ['[]', 'not an object'],
    ['\uFEFF{}', 'byte order mark'],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'not UTF-8'],
    ['{"name": "Ana",\n "last_name": secret}', 'line 2, column 15 is wrong'],
    ['{"name": "😀", x', 'line 1, column 15 is wrong'],
    ['{"name": "Ana"', 'it ends too early, at line 1, column 15'],
  ])('says for %j that it %s, and never quotes it', async (body, cause) => {
    const answer = await createV1(store, body)
    expect(summary(answer)).toBe('400 malformed_body: body')
    expect(answer.json.details.explanation).toContain(cause)
    expect(answer.text).not.toContain('secret')
  })
})

describe('401 missing_token', () => {
  it.each([
    ['Basic dXNlcjpwYXNz', 'does not begin with the word Bearer'],
    ['Bearer', 'no token after Bearer'],
    ['Bearer  TOKEN', 'more than one space'],
    ['Bearer "TOKEN"', 'in quotes'],
    ['Bearer TOKEN TOKEN', 'a character that no token has'],
    ['TOKEN', 'without the word Bearer'],
  ])('says what is wrong with %j, and never quotes the token', async (value, cause) => {
    const Authorization = value.replaceAll('TOKEN', store.token)
    const answer = await createV1(store, v1User(), { token: undefined, headers: { Authorization } })
    expect(summary(answer)).toBe('401 missing_token')
    expect(answer.json.message).toContain(cause)
    expect(answer.text).not.toContain(store.token)
  })
})

describe('Content-Type', () => {
  it.each([
    ['application/json, application/json', '201'],
    ['application/json; charset=utf-8, application/json; charset=utf-8', '201'],
    ['application/json, text/plain', '415 unsupported_media_type'],
  ])('sent twice as %j is %s', async (type, expected) => {
    const answer = await createV1(store, v1User(), { headers: { 'Content-Type': type } })
    expect(summary(answer)).toBe(expected)
  })
})

describe('a query that is not UTF-8', () => {
  it('is 422 instead of an empty page', async () => {
    expect(summary(await admin('GET', `/stores/${store.id}/users?q=Jos%C3%A9`))).toBe('200')
    expect(summary(await admin('GET', `/stores/${store.id}/users?q=Jos%E9&limit=0`))).toBe(
      '422 invalid_parameter: q, limit',
    )
  })

  it('is ignored by the operations of the specification, which take no query', async () => {
    const path = `/v1/stores/${store.id}/users?q=Jos%E9`
    expect(summary(await call('POST', path, { token: store.token, body: v1User() }))).toBe('201')
  })
})

describe('Idempotency-Key', () => {
  const create = (headers: Record<string, string>, body: object) => createV1(store, body, { headers })

  it('is another name of X-Idempotency-Key', async () => {
    const body = v1User()
    const first = await create({ 'Idempotency-Key': 'other-1' }, body)
    expect(first.status).toBe(201)
    const again = await create({ 'X-Idempotency-Key': 'other-1' }, body)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(again.json).toEqual(first.json)
    const { status, headers } = await create(
      { 'Idempotency-Key': 'other-1, other-1', 'X-Idempotency-Key': 'other-1' },
      body,
    )
    expect([status, headers.get('Idempotent-Replayed')]).toEqual([201, 'true'])
  })

  it('treats quotes as a part of the key', async () => {
    const body = v3User()
    expect((await createV3(store, body, { headers: { 'Idempotency-Key': '"other-2"' } })).status).toBe(201)
    const other = await createV3(store, body, { headers: { 'Idempotency-Key': 'other-2' } })
    expect(summary(other)).toBe('422 email_taken: email')
  })

  it('is named in errors if it was sent alone', async () => {
    await create({ 'Idempotency-Key': 'other-3' }, v1User())
    const reused = await create({ 'Idempotency-Key': 'other-3' }, v1User())
    expect(summary(reused)).toBe('422 idempotency_key_reused: Idempotency-Key')
    expect(reused.json.details[0].value).toBe('other-3')
    expect(summary(await create({ 'Idempotency-Key': 'a b' }, v1User()))).toBe('400 invalid_header: Idempotency-Key')
    const both = { 'Idempotency-Key': 'other-3', 'X-Idempotency-Key': 'other-3' }
    expect(summary(await create(both, v1User()))).toBe('422 idempotency_key_reused: X-Idempotency-Key')
    const different = { ...both, 'X-Idempotency-Key': 'other-4' }
    expect(summary(await create(different, v1User()))).toBe('400 invalid_header: X-Idempotency-Key')
  })
})

describe('date-times', () => {
  it.each([
    ['2027-12-31 18:00:00+00', '2027-12-31T18:00:00.000Z'],
    ['2027-12-31T18:00+0100', '2027-12-31T17:00:00.000Z'],
    ['2027-12-31T18:00:00.123456789-03', '2027-12-31T21:00:00.123Z'],
    ['2027-12-31t18:00z', '2027-12-31T18:00:00.000Z'],
    ['2027-12-31T18:00:00-00:00', '2027-12-31T18:00:00.000Z'],
    ['2027-12-31 18:00:00 +0200', '2027-12-31T16:00:00.000Z'],
  ])('accepts %j', async (access_due_date, expected) => {
    const { id } = await newAccess(store)
    const { status, json } = await updateAccess(store, id, { access_due_date })
    expect([status, json.access_due_date]).toEqual([201, expected])
  })

  it.each([
    ['2027-12-31', 'the time and the offset are missing'],
    ['2027-12-31T18:00:00', 'the offset is missing'],
    ['2027-12-31T23:59:60Z', 'second 60'],
    ['2027-12-31 18:00:00 UTC', 'write Z for UTC'],
    ['2027-12-31T18:00:00+01:00[Europe/Madrid]', 'brackets'],
    ['2027-02-30T00:00:00Z', 'there is no day 2027-02-30'],
    ['0000-01-01T00:00:00+01', 'before the year 0000'],
  ])('rejects %j: %s', async (access_due_date, explanation) => {
    const { id } = await newAccess(store)
    const answer = await updateAccess(store, id, { access_due_date })
    expect(summary(answer)).toBe('422 invalid_parameter: access_due_date')
    expect(answer.json.details[0].explanation).toContain(explanation)
  })

  it('says that a + in a query must be encoded', async () => {
    const path = `/stores/${store.id}/product_accesses?due_after=2027-12-31T18:00:00`
    expect(summary(await admin('GET', `${path}%2B02:00`))).toBe('200')
    const answer = await admin('GET', `${path}+02:00`)
    expect(summary(answer)).toBe('422 invalid_parameter: due_after')
    expect(answer.json.details[0].explanation).toContain('%2B')
  })
})
