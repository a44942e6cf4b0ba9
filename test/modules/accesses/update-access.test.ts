import { beforeAll, describe, expect, it } from 'vitest'
import {
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
import { INTEGRATOR } from '../../support/callers.ts'
import { newProduct } from '../../support/rows.ts'

const store = useStore()

async function readBack(id: string) {
  return (await INTEGRATOR.send('GET', store, `/product_accesses/${id}`)).json
}

describe('PUT /v1/stores/{store_id}/product_accesses/{id}', () => {
  it('returns 201 with the whole record, its nullable fields as null', async () => {
    const { id } = await newAccess(store)
    const { status, json } = await updateAccess(store, id, { status: 'without_access' })
    expect(status).toBe(201)
    expect(json).toEqual({
      id,
      created_at: expect.stringMatching(TIMESTAMP),
      started_at: null,
      completed_at: null,
      access_due_date: null,
      status: 'without_access',
      grade: null,
      concept_grade: null,
      passed: false,
      progress: 0,
      certificate_url: null,
      product: { id: expect.stringMatching(ID), slug: expect.stringMatching(/^p-/), type: 'course', name: 'P' },
      user: {
        id: expect.stringMatching(ID),
        name: 'Ada',
        last_name: 'Lovelace',
        external_id: null,
        email: expect.stringContaining('@example.com'),
      },
    })
  })

  it('returns the user, the product and the recorded progress of this access', async () => {
    const user = await createV1(store, v1User({ name: 'Mary', last_name: 'Somerville', external_id: 'crm-1780' }))
    const { id: product_id, slug } = await newProduct(store, { name: 'Tides', type: 'path', expiration_days: 30 })
    const ids = { user_id: user.json.id, product_id }
    const { json: access } = await INTEGRATOR.send('POST', store, '/product_accesses', { body: ids })
    const progress = {
      started_at: '2026-01-02T03:04:05.006Z',
      completed_at: '2026-02-03T04:05:06.007Z',
      progress: 100,
      grade: 9.5,
      concept_grade: 'A',
      passed: true,
      certificate_url: 'https://example.com/c.pdf',
    }
    await INTEGRATOR.send('PATCH', store, `/product_accesses/${access.id}`, { body: progress })

    const { json } = await updateAccess(store, access.id, { access_due_date: '2027-12-31T00:00:00Z' })
    expect(json).toEqual({
      id: access.id,
      created_at: access.created_at,
      ...progress,
      access_due_date: '2027-12-31T00:00:00.000Z',
      expiration_days: 30,
      status: 'with_access',
      product: { id: ids.product_id, slug, type: 'path', name: 'Tides' },
      user: {
        id: ids.user_id,
        name: 'Mary',
        last_name: 'Somerville',
        external_id: 'crm-1780',
        email: user.json.email,
      },
    })
  })

  it('changes nothing for an empty object and returns 201 with the record', async () => {
    const access = await newAccess(store, { expiration_days: 10 })
    const { status, json } = await updateAccess(store, access.id, {})
    expect(status).toBe(201)
    expect(json).toEqual(access)
    expect(await readBack(access.id)).toEqual(access)
  })

  it('ignores unknown fields and the read-only fields of the response', async () => {
    const access = await newAccess(store)
    const body = { id: '1', progress: 50, grade: 'A', user: null, nonsense: [[]], ['x'.repeat(300)]: 1 }
    const { status, json } = await updateAccess(store, access.id, body)
    expect(status).toBe(201)
    expect(json).toEqual(access)
  })

  it('ignores query parameters', async () => {
    const { id } = await newAccess(store)
    const answer = await updateAccess(store, `${id}?due=1&status=without_access`, { status: 'open' })
    expect(summary(answer)).toBe('422 invalid_parameter: status')
    const valid = await updateAccess(store, `${id}?due=1&status=without_access`, {})
    expect(valid.json.status).toBe('with_access')
  })

  it.each([
    ['with_access', 'without_access'],
    ['without_access', 'with_access'],
    ['with_access', 'with_access'],
    ['without_access', 'without_access'],
  ])('changes the status from %s to %s and keeps the due date', async (from, to) => {
    const access = await newAccess(store, {}, { status: from, access_due_date: Date.UTC(2030, 0, 1) })
    const { status, json } = await updateAccess(store, access.id, { status: to })
    expect(status).toBe(201)
    expect(json).toEqual({ ...access, status: to })
    expect(await readBack(access.id)).toEqual(json)
  })

  it.each(['with_access', 'without_access'])('sets the due date and keeps the status %s', async (accessStatus) => {
    const access = await newAccess(store, {}, { status: accessStatus })
    const { json } = await updateAccess(store, access.id, { access_due_date: '2030-01-01T00:00:00Z' })
    expect(json).toEqual({ ...access, access_due_date: '2030-01-01T00:00:00.000Z' })
    expect(await readBack(access.id)).toEqual(json)
  })

  it('removes the due date when it is null', async () => {
    const access = await newAccess(store, {}, { access_due_date: Date.UTC(2030, 0, 1) })
    expect(access.access_due_date).toBe('2030-01-01T00:00:00.000Z')
    const { status, json } = await updateAccess(store, access.id, { access_due_date: null })
    expect(status).toBe(201)
    expect(json).toEqual({ ...access, access_due_date: null })
    expect(await readBack(access.id)).toEqual(json)
  })

  it('sets the status and the due date together', async () => {
    const access = await newAccess(store)
    const body = { status: 'without_access', access_due_date: '2030-01-01T00:00:00Z' }
    const { json } = await updateAccess(store, access.id, body)
    expect(json).toEqual({ ...access, ...body, access_due_date: '2030-01-01T00:00:00.000Z' })
  })

  it('accepts a due date in the past and returns it unchanged', async () => {
    const access = await newAccess(store)
    const { status, json } = await updateAccess(store, access.id, { access_due_date: '1999-12-31T23:59:59Z' })
    expect(status).toBe(201)
    expect(json).toEqual({ ...access, access_due_date: '1999-12-31T23:59:59.000Z' })
  })

  it('ignores an invalid X-Idempotency-Key', async () => {
    const access = await newAccess(store)
    const headers = { 'X-Idempotency-Key': 'not a key' }
    expect((await updateAccess(store, access.id, {}, { headers })).status).toBe(201)
  })

  it('accepts a token with only the scope product_accesses:write', async () => {
    const access = await newAccess(store)
    const { token } = await newToken(store, { scopes: ['product_accesses:write'] })
    expect((await updateAccess({ ...store, token }, access.id, {})).status).toBe(201)
  })
})

describe('PUT /v1/stores/{store_id}/product_accesses/{id}: invalid fields', () => {
  let id: string
  beforeAll(async () => {
    id = (await newAccess(store)).id
  })

  it.each<[string, unknown, string]>([
    ['status', null, 'null'],
    ['status', '', ''],
    ['status', 'WITH_ACCESS', 'WITH_ACCESS'],
    ['status', 'expired', 'expired'],
    ['status', true, 'true'],
    ['status', ['with_access'], '["with_access"]'],
    ['status', 'toString', 'toString'],
    ['access_due_date', 'tomorrow', 'tomorrow'],
    ['access_due_date', 1830297600000, '1830297600000'],
    ['access_due_date', false, 'false'],
    ['access_due_date', {}, '{}'],
    ['access_due_date', '', ''],
    ['access_due_date', '2'.repeat(300), '2'.repeat(256)],
    ['access_due_date', '2027-01-01T00:00:00Z\ud800', '2027-01-01T00:00:00Z\ud800'],
  ])('returns 422 for %s %j and echoes %j', async (field, value, echoed) => {
    const answer = await updateAccess(store, id, { [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.json).toMatchObject({ type: 'validation_error', code: 'invalid_parameter' })
    expect(answer.json.details).toEqual([{ field, value: echoed, explanation: expect.any(String) }])
  })

  it('lists both fields in the order of the documented table, and changes neither', async () => {
    const answer = await updateAccess(store, id, { access_due_date: 'x', status: 'y' })
    expect(summary(answer)).toBe('422 invalid_parameter: status, access_due_date')
    expect(refused(answer)).toEqual({ status: 'y', access_due_date: 'x' })
  })

  it('changes nothing when one of two fields is invalid', async () => {
    const access = await newAccess(store)
    const answer = await updateAccess(store, access.id, { status: 'without_access', access_due_date: 'x' })
    expect(summary(answer)).toBe('422 invalid_parameter: access_due_date')
    expect(await readBack(access.id)).toEqual(access)
  })
})

describe('PUT /v1/stores/{store_id}/product_accesses/{id}: access_due_date', () => {
  it.each([
    ['2027-12-31t23:00:00-05:30', '2028-01-01T04:30:00.000Z'],
    [`2027-12-31T00:00:00.${'7'.repeat(2000)}Z`, '2027-12-31T00:00:00.777Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('accepts %s and returns %s', async (sent, shown) => {
    const { id } = await newAccess(store)
    const { status, json } = await updateAccess(store, id, { access_due_date: sent })
    expect(status).toBe(201)
    expect(json.access_due_date).toBe(shown)
    expect((await readBack(id)).access_due_date).toBe(shown)
  })

  // test/lib/date-time.test.ts has every form that is valid or not.
  it.each(['2027-12-31', '2027-12-31T00:00:00', '2027-02-29T00:00:00Z', '2027-01-01T00:00:00Z\n'])(
    'returns 422 for %j',
    async (sent) => {
      const answer = await updateAccess(store, (await newAccess(store)).id, { access_due_date: sent })
      expect(summary(answer)).toBe('422 invalid_parameter: access_due_date')
      expect(refused(answer)).toEqual({ access_due_date: sent })
    },
  )
})

describe('PUT /v1/stores/{store_id}/product_accesses/{id}: unknown id', () => {
  it('returns 404 without code and details', async () => {
    const { status, json } = await updateAccess(store, '999999999999', { status: 'with_access' })
    expect(status).toBe(404)
    expect(Object.keys(json).toSorted()).toEqual(['log_id', 'message', 'request_id', 'timestamp', 'type'])
    expect(json.type).toBe('not_found')
  })

  // prettier-ignore
  const IDS = ['0', '-1', '1.0', '1e3', '0x1', '01', '%31%20', 'abc', '9007199254740993', '99999999999999999999999',
    '%00', '%F0%9F%98%80', '%E0%A4%A', '..%2F1', "1'--", '__proto__', 'x'.repeat(2000)]

  it.each(IDS)('returns 404 for the id %s, for a change and for an empty object', async (id) => {
    expect(summary(await updateAccess(store, id, {}))).toBe('404')
    expect(summary(await updateAccess(store, id, { status: 'with_access' }))).toBe('404')
  })

  it('returns 404 for an access of another store and leaves it unchanged', async () => {
    const [few, many] = [await newStore(), await newStore()]
    // Each store counts its ids from 1, so the id of the second access exists only in the store `many`.
    const access = [await newAccess(many), await newAccess(many)].at(-1)
    await newProduct(few)
    expect(summary(await updateAccess(few, access.id, { status: 'without_access' }))).toBe('404')
    expect(summary(await updateAccess(few, access.id, {}))).toBe('404')
    expect((await updateAccess(many, access.id, {})).json).toEqual(access)
  })

  it('returns 401 when the token is of another store, even for an access of the store in the path', async () => {
    const other = await newStore()
    const access = await newAccess(other)
    const answer = await updateAccess({ id: other.id, token: store.token }, access.id, { status: 'without_access' })
    expect(summary(answer)).toBe('401 invalid_token')
  })
})

describe('GET /v1/stores/{store_id}/product_accesses/{id}', () => {
  const get = (path: string) => INTEGRATOR.send('GET', store, `/product_accesses/${path}`)

  it('returns 200 with the access and its ETag', async () => {
    const access = await newAccess(store)
    const answer = await get(access.id)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual(access)
    expect(answer.headers.get('ETag')).toBe((await updateAccess(store, access.id, {})).headers.get('ETag'))
  })

  it('returns 404 not_found for an unknown id', async () => {
    for (const id of ['0', 'abc', '4294967295', '4294967296']) expect(summary(await get(id))).toBe('404 not_found')
  })

  it('returns 422 for a query parameter', async () => {
    const answer = await get('1?expand=user')
    expect(summary(answer)).toBe('422 invalid_parameter: expand')
  })

  it('requires the scope product_accesses:read and no other', async () => {
    const { id } = await newAccess(store)
    const reader = await newToken(store, { scopes: ['product_accesses:read'] })
    const writer = await newToken(store, { scopes: ['product_accesses:write', 'users:read', 'events:read'] })
    expect((await INTEGRATOR.send('GET', { ...store, token: reader.token }, `/product_accesses/${id}`)).status).toBe(
      200,
    )
    const refused = await INTEGRATOR.send('GET', { ...store, token: writer.token }, `/product_accesses/${id}`)
    expect(summary(refused)).toBe('403 insufficient_scope')
    expect(refused.headers.get('WWW-Authenticate')).toContain('scope="product_accesses:read"')
  })
})
