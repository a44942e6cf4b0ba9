import { beforeAll, describe, expect, it } from 'vitest'
import { newAccess, newStore, newToken, refused, summary, useStore } from '../../support/api.ts'
import { INTEGRATOR } from '../../support/callers.ts'
import { newProduct } from '../../support/rows.ts'

const store = useStore()

const patch = (id: string, body: unknown) => INTEGRATOR.send('PATCH', store, `/product_accesses/${id}`, { body })

describe('PATCH /v1/stores/{store_id}/product_accesses/{id}', () => {
  const progress = {
    started_at: '2026-01-02T03:04:05.006Z',
    completed_at: '2026-02-03T04:05:06.007Z',
    progress: 100,
    grade: 'A+',
    concept_grade: 'outstanding',
    passed: true,
    certificate_url: 'https://example.com/c.pdf?id=1#x',
  }

  it('returns 200 with the recorded progress and stores it', async () => {
    const access = await newAccess(store)
    const { status, json } = await patch(access.id, progress)
    expect(status).toBe(200)
    expect(json).toEqual({ ...access, ...progress })
    expect((await INTEGRATOR.send('GET', store, `/product_accesses/${access.id}`)).json).toEqual(json)
  })

  it('changes only the fields that are present, and nothing for an empty object', async () => {
    const access = await newAccess(store)
    await patch(access.id, progress)
    expect((await patch(access.id, { progress: 50 })).json).toEqual({ ...access, ...progress, progress: 50 })
    const { status, json } = await patch(access.id, {})
    expect(status).toBe(200)
    expect(json).toEqual({ ...access, ...progress, progress: 50 })
  })

  it.each(['started_at', 'completed_at', 'grade', 'concept_grade', 'certificate_url'])(
    'clears %s when it is null',
    async (field) => {
      const access = await newAccess(store)
      await patch(access.id, progress)
      const { status, json } = await patch(access.id, { [field]: null })
      expect(status).toBe(200)
      expect(json).toEqual({ ...access, ...progress, [field]: null })
    },
  )

  it('returns 422 for every field that is not progress, and changes nothing', async () => {
    const access = await newAccess(store)
    const body = { progress: 5, status: 'without_access', access_due_date: null, user_id: '1', id: '1' }
    expect(summary(await patch(access.id, body))).toBe('422 invalid_parameter: status, access_due_date, user_id, id')
    expect((await patch(access.id, {})).json).toEqual(access)
  })
})

describe('PATCH /v1/stores/{store_id}/product_accesses/{id}: values', () => {
  let id: string
  beforeAll(async () => {
    id = (await newAccess(store)).id
  })

  it.each<[string, unknown, unknown]>([
    ['progress', 0, 0],
    ['passed', false, false],
    ['grade', 9.75, 9.75],
    ['grade', 0, 0],
    ['grade', -1, -1],
    ['grade', true, true],
    ['grade', false, false],
    ['grade', '', ''],
    ['grade', 'null', 'null'],
    ['grade', '9.75', '9.75'],
    ['grade', '😀'.repeat(255), '😀'.repeat(255)],
    ['concept_grade', '😀'.repeat(255), '😀'.repeat(255)],
    ['started_at', '2026-01-02t03:04:05.0069+01:00', '2026-01-02T02:04:05.006Z'],
    ['certificate_url', 'http://example.com', 'http://example.com'],
    ['certificate_url', 'HTTPS://bücher.example/ü', 'HTTPS://bücher.example/ü'],
  ])('accepts %s %j', async (field, value, shown) => {
    const { status, json } = await patch(id, { [field]: value })
    expect(status).toBe(200)
    expect(json[field]).toBe(shown)
  })

  it.each<[string, unknown, string]>([
    ['started_at', 'yesterday', 'yesterday'],
    ['started_at', 0, '0'],
    ['completed_at', '2026-01-02', '2026-01-02'],
    ['progress', -1, '-1'],
    ['progress', 101, '101'],
    ['progress', 0.5, '0.5'],
    ['progress', '50', '50'],
    ['grade', [], '[]'],
    ['grade', { a: 1 }, '{"a":1}'],
    ['grade', 'x'.repeat(256), 'x'.repeat(256)],
    ['grade', 'a\0', 'a\0'],
    ['concept_grade', 5, '5'],
    ['concept_grade', 'x'.repeat(256), 'x'.repeat(256)],
    ['passed', 'true', 'true'],
    ['passed', 1, '1'],
    ['certificate_url', '', ''],
    ['certificate_url', 'example.com/c.pdf', 'example.com/c.pdf'],
    ['certificate_url', 'ftp://example.com', 'ftp://example.com'],
    ['certificate_url', 'javascript:alert(1)', 'javascript:alert(1)'],
    ['certificate_url', 'https://', 'https://'],
    ['certificate_url', 'https:example.com', 'https:example.com'],
    ['certificate_url', 'https://example.com/a\nb', 'https://example.com/a\nb'],
    ['certificate_url', 'https://example.com ', 'https://example.com '],
    ['certificate_url', 5, '5'],
  ])('returns 422 for %s %j', async (field, value, echoed) => {
    const { json: before } = await patch(id, {})
    const answer = await patch(id, { [field]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
    expect((await patch(id, {})).json).toEqual(before)
  })

  it.each(['9'.repeat(65), `1.${'0'.repeat(63)}`, `1.${'0'.repeat(60_000)}`])(
    'returns 422 for a grade with more than 64 characters as written',
    async (digits) => {
      const answer = await patch(id, `{"progress":101,"grade":${digits}}`)
      expect(summary(answer)).toBe('422 invalid_parameter: progress, grade')
      expect(refused(answer)['grade']).toBe(digits.slice(0, 256))
      expect(answer.json.details[1].explanation).toBe('must be a number of at most 64 characters')
      const accepted = `1.${'0'.repeat(62)}`
      expect((await patch(id, `{"grade":${accepted}}`)).text).toContain(`"grade":${accepted},`)
    },
  )

  it('returns 422 for an infinite grade', async () => {
    expect(refused(await patch(id, '{"grade":1e999}'))).toEqual({ grade: '1e999' })
  })

  it('lists invalid fields in the order of the documented table', async () => {
    const invalid = { certificate_url: 1, passed: 1, concept_grade: 1, grade: [], progress: -1, completed_at: 1 }
    const answer = await patch('1', { ...invalid, started_at: 1 })
    expect(summary(answer)).toBe(
      '422 invalid_parameter: started_at, completed_at, progress, grade, concept_grade, passed, certificate_url',
    )
  })

  it.each(['9007199254740993', '10.50', '1e2', '-0'])(
    'stores and returns the digits of a numeric grade exactly as they were sent: %s',
    async (digits) => {
      const { status, text } = await patch(id, `{"grade":${digits}}`)
      expect(status).toBe(200)
      expect(text).toContain(`"grade":${digits},`)
      expect((await INTEGRATOR.send('GET', store, `/product_accesses/${id}`)).text).toBe(text)
    },
  )
})

describe('PATCH /v1/stores/{store_id}/product_accesses/{id}: unknown id and scope', () => {
  it.each(['abc', '4294967295'])('returns 404 not_found for the id %s', async (id) => {
    for (const body of [{}, { progress: 1 }]) {
      const answer = await INTEGRATOR.send('PATCH', store, `/product_accesses/${id}`, { body })
      expect(summary(answer)).toBe('404 not_found')
    }
  })

  it('returns 404 not_found for an access of another store', async () => {
    const [few, many] = [await newStore(), await newStore()]
    // Each store counts its ids from 1, so the id of the second access exists only in the store `many`.
    const access = [await newAccess(many), await newAccess(many)].at(-1)
    await newProduct(few)
    const answer = await INTEGRATOR.send('PATCH', few, `/product_accesses/${access.id}`, { body: { progress: 1 } })
    expect(summary(answer)).toBe('404 not_found')
    expect((await INTEGRATOR.send('GET', many, `/product_accesses/${access.id}`)).json).toEqual(access)
  })

  it('requires the scope product_accesses:write and no other', async () => {
    const { id } = await newAccess(store)
    const reader = await newToken(store, { scopes: ['product_accesses:read', 'users:write'] })
    const writer = await newToken(store, { scopes: ['product_accesses:write'] })
    const send = (token: string) =>
      INTEGRATOR.send('PATCH', { ...store, token }, `/product_accesses/${id}`, { body: { progress: 1 } })
    expect(summary(await send(reader.token))).toBe('403 insufficient_scope')
    expect(summary(await send(writer.token))).toBe('200')
  })
})
