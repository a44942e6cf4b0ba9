import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  createV1,
  ID,
  newAccess,
  newStore,
  refused,
  summary,
  type TestStore,
  TIMESTAMP,
  v1User,
} from '../support/api.ts'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

/** A fresh user and product of the store, by their ids. */
async function newIds(product: object = {}) {
  const slug = `p-${crypto.randomUUID()}`
  const created = await admin('POST', `/stores/${store.id}/products`, { name: 'P', slug, type: 'course', ...product })
  const user = await createV1(store, v1User())
  return { user_id: user.json.id, product_id: created.json.id }
}

function grant(body: unknown) {
  return admin('POST', `/stores/${store.id}/product_accesses`, body)
}

function patch(id: string, body: unknown) {
  return admin('PATCH', `/stores/${store.id}/product_accesses/${id}`, body)
}

describe('POST /admin/stores/{store_id}/product_accesses', () => {
  it('answers 201 with a fresh access', async () => {
    const ids = await newIds()
    const { status, json } = await grant(ids)
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.stringMatching(ID),
      created_at: expect.stringMatching(TIMESTAMP),
      started_at: null,
      completed_at: null,
      access_due_date: null,
      status: 'with_access',
      grade: null,
      concept_grade: null,
      passed: false,
      progress: 0,
      certificate_url: null,
      product: { id: ids.product_id, slug: expect.stringMatching(/^p-/), type: 'course', name: 'P' },
      user: {
        id: ids.user_id,
        name: 'Ada',
        last_name: 'Lovelace',
        external_id: null,
        email: expect.stringContaining('@'),
      },
    })
  })

  it('ends the access after the expiration_days of its product', async () => {
    const { json } = await grant(await newIds({ expiration_days: 30 }))
    expect(json.expiration_days).toBe(30)
    expect(Date.parse(json.access_due_date) - Date.parse(json.created_at)).toBe(30 * 86_400_000)
  })

  it('takes a status and a due date, which beats that of the product', async () => {
    const given = { status: 'without_access', access_due_date: '2030-06-01T00:00:00+02:00' }
    const { json } = await grant({ ...(await newIds({ expiration_days: 30 })), ...given })
    expect(json).toMatchObject({ status: 'without_access', access_due_date: '2030-05-31T22:00:00.000Z' })
  })

  it('sets no limit for a null due date, and takes a null status as left out', async () => {
    const ids = await newIds({ expiration_days: 30 })
    const { status, json } = await grant({ ...ids, access_due_date: null, status: null })
    expect(status).toBe(201)
    expect(json).toMatchObject({ access_due_date: null, expiration_days: 30, status: 'with_access' })
  })

  it('answers 422 access_exists for a second access of the same user and product', async () => {
    const ids = await newIds()
    await grant(ids)
    const answer = await grant({ ...ids, status: 'without_access' })
    expect(summary(answer)).toBe('422 access_exists: product_id')
    expect(answer.json.type).toBe('validation_error')
    expect(refused(answer)).toEqual({ product_id: ids.product_id })
  })

  it('answers 422 for a user and a product that do not exist', async () => {
    const answer = await grant({ product_id: '999999999998', user_id: '999999999999' })
    expect(summary(answer)).toBe('422 invalid_parameter: user_id, product_id')
    expect(refused(answer)).toEqual({ user_id: '999999999999', product_id: '999999999998' })
  })

  it('answers 422 for a user or a product of another store', async () => {
    const other = await newStore()
    const [here, there] = [await newIds(), await newAccess(other)]
    const withUser = await grant({ ...here, user_id: there.user.id })
    expect(summary(withUser)).toBe('422 invalid_parameter: user_id')
    const withProduct = await grant({ ...here, product_id: there.product.id })
    expect(summary(withProduct)).toBe('422 invalid_parameter: product_id')
  })

  it.each([
    [{}, 'user_id'],
    [{ user_id: '1' }, 'product_id'],
    [{ product_id: '1', user_id: null }, 'user_id'],
  ])('answers 400 missing_parameter for %j', async (body, first) => {
    expect(summary(await grant(body))).toBe(`400 missing_parameter: ${first}`)
  })

  it.each<[string, unknown, string]>([
    ['user_id', 1, '1'],
    ['user_id', '', ''],
    ['user_id', '0', '0'],
    ['user_id', '01', '01'],
    ['user_id', '-1', '-1'],
    ['user_id', '1.0', '1.0'],
    ['user_id', '9007199254740992', '9007199254740992'],
    ['user_id', ['1'], '["1"]'],
    ['product_id', 1, '1'],
    ['product_id', 'abc', 'abc'],
    ['product_id', { id: '1' }, '{"id":"1"}'],
    ['status', 'expired', 'expired'],
    ['status', 1, '1'],
    ['access_due_date', '2030-06-01', '2030-06-01'],
    ['access_due_date', 0, '0'],
  ])('answers 422 for %s %j', async (field, value, echoed) => {
    const answer = await grant({ user_id: '1', product_id: '1', [field]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('names every invalid field in the order of the table', async () => {
    const answer = await grant({ access_due_date: 1, status: 1, product_id: 1, user_id: 1 })
    expect(summary(answer)).toBe('422 invalid_parameter: user_id, product_id, status, access_due_date')
  })
})

describe('GET /admin/stores/{store_id}/product_accesses', () => {
  async function seed() {
    const other = await newStore()
    const accesses = []
    for (const status of ['with_access', 'without_access', 'with_access']) {
      accesses.push(await newAccess(other, {}, { status }))
    }
    return { accesses, list: (query: string) => admin('GET', `/stores/${other.id}/product_accesses?${query}`) }
  }

  it('answers pages in the order of the ids, of this store alone', async () => {
    const { accesses, list } = await seed()
    await newAccess(store)
    const first = await list('limit=2')
    expect(first.status).toBe(200)
    expect(first.json).toEqual({ data: accesses.slice(0, 2), next: expect.any(String) })
    const second = await list(`limit=2&after=${first.json.next}`)
    expect(second.json).toEqual({ data: accesses.slice(2), next: null })
  })

  it('filters by user, product and status', async () => {
    const { accesses, list } = await seed()
    const [first, second, third] = accesses
    expect((await list(`user_id=${second.user.id}`)).json.data).toEqual([second])
    expect((await list(`product_id=${third.product.id}`)).json.data).toEqual([third])
    expect((await list('status=with_access')).json.data).toEqual([first, third])
    expect((await list(`status=without_access&user_id=${first.user.id}`)).json).toEqual({ data: [], next: null })
  })

  it('filters and pages together', async () => {
    const { accesses, list } = await seed()
    const first = await list('status=with_access&limit=1')
    expect(first.json.data).toEqual([accesses[0]])
    const second = await list(`status=with_access&limit=1&after=${first.json.next}`)
    expect(second.json).toEqual({ data: [accesses[2]], next: null })
  })

  it.each([
    ['user_id=abc', 'user_id'],
    ['user_id=', 'user_id'],
    ['product_id=0', 'product_id'],
    ['product_id=1&product_id=2', 'product_id'],
    ['status=expired', 'status'],
    ['status=', 'status'],
  ])('answers 422 for %s', async (query, field) => {
    const answer = await admin('GET', `/stores/${store.id}/product_accesses?${query}`)
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
  })

  it('names every invalid parameter in the order of the table', async () => {
    const query = 'after=x&limit=0&status=x&product_id=x&user_id=x'
    const answer = await admin('GET', `/stores/${store.id}/product_accesses?${query}`)
    expect(summary(answer)).toBe('422 invalid_parameter: user_id, product_id, status, limit, after')
  })
})

describe('GET /admin/stores/{store_id}/product_accesses/{id}', () => {
  it('answers 200 with the access', async () => {
    const access = await newAccess(store)
    const { status, json } = await admin('GET', `/stores/${store.id}/product_accesses/${access.id}`)
    expect(status).toBe(200)
    expect(json).toEqual(access)
  })

  it('answers 404 not_found for an access of another store', async () => {
    const { id } = await newAccess(await newStore())
    expect(summary(await admin('GET', `/stores/${store.id}/product_accesses/${id}`))).toBe('404 not_found')
    expect(summary(await patch(id, { progress: 1 }))).toBe('404 not_found')
  })

  it.each(['0', 'abc', '999999999999', '99999999999999999999', '%00'])('answers 404 for the id %s', async (id) => {
    expect(summary(await admin('GET', `/stores/${store.id}/product_accesses/${id}`))).toBe('404 not_found')
    expect(summary(await patch(id, {}))).toBe('404 not_found')
    expect(summary(await patch(id, { progress: 1 }))).toBe('404 not_found')
  })
})

describe('PATCH /admin/stores/{store_id}/product_accesses/{id}', () => {
  const progress = {
    started_at: '2026-01-02T03:04:05.006Z',
    completed_at: '2026-02-03T04:05:06.007Z',
    progress: 100,
    grade: 'A+',
    concept_grade: 'outstanding',
    passed: true,
    certificate_url: 'https://example.com/c.pdf?id=1#x',
  }

  it('answers 200 with what is recorded, and keeps it', async () => {
    const access = await newAccess(store)
    const { status, json } = await patch(access.id, progress)
    expect(status).toBe(200)
    expect(json).toEqual({ ...access, ...progress })
    expect((await admin('GET', `/stores/${store.id}/product_accesses/${access.id}`)).json).toEqual(json)
  })

  it('changes what is given alone, and nothing for an empty object', async () => {
    const access = await newAccess(store)
    await patch(access.id, progress)
    expect((await patch(access.id, { progress: 50 })).json).toEqual({ ...access, ...progress, progress: 50 })
    const { status, json } = await patch(access.id, {})
    expect(status).toBe(200)
    expect(json).toEqual({ ...access, ...progress, progress: 50 })
  })

  it.each(['started_at', 'completed_at', 'grade', 'concept_grade', 'certificate_url'])(
    'clears %s with null',
    async (field) => {
      const access = await newAccess(store)
      await patch(access.id, progress)
      const { status, json } = await patch(access.id, { [field]: null })
      expect(status).toBe(200)
      expect(json).toEqual({ ...access, ...progress, [field]: null })
    },
  )

  it('cannot change what v1 changes, nor whose access it is', async () => {
    const access = await newAccess(store)
    const body = { status: 'without_access', access_due_date: null, user_id: '1', id: '1', expiration_days: 5 }
    expect((await patch(access.id, body)).json).toEqual(access)
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
  ])('takes %s %j', async (field, value, shown) => {
    const access = await newAccess(store)
    const { status, json } = await patch(access.id, { [field]: value })
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
    ['certificate_url', 5, '5'],
  ])('answers 422 for %s %j', async (field, value, echoed) => {
    const access = await newAccess(store)
    const answer = await patch(access.id, { [field]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
    expect((await patch(access.id, {})).json).toEqual(access)
  })

  it('answers 422 for an infinite grade', async () => {
    const answer = await patch((await newAccess(store)).id, '{"grade":1e999}')
    expect(refused(answer)).toEqual({ grade: '1e999' })
  })

  it('names every invalid field in the order of the table', async () => {
    const invalid = { certificate_url: 1, passed: 1, concept_grade: 1, grade: [], progress: -1, completed_at: 1 }
    const answer = await patch('1', { ...invalid, started_at: 1 })
    expect(summary(answer)).toBe(
      '422 invalid_parameter: started_at, completed_at, progress, grade, concept_grade, passed, certificate_url',
    )
  })
})

describe('a grade that is a number', () => {
  it('is answered with the digits that were sent', async () => {
    const store = await newStore()
    const access = await newAccess(store)
    const path = `/stores/${store.id}/product_accesses/${access.id}`
    const { status, text } = await admin('PATCH', path, '{"grade":9007199254740993}')
    expect(status).toBe(200)
    expect(text).toContain('"grade":9007199254740993')
  })
})
