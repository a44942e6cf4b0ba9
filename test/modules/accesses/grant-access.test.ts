import { describe, expect, it } from 'vitest'
import {
  type CallOptions,
  createV1,
  ID,
  newAccess,
  newStore,
  newToken,
  refused,
  summary,
  TIMESTAMP,
  useStore,
  v1User,
} from '../../support/api.ts'
import { INTEGRATOR } from '../../support/callers.ts'
import { accessesOf, eraseUser, idIn, newProduct } from '../../support/rows.ts'

const DAY = 86_400_000

const store = useStore()

/** Creates a user and a product in the store and returns their ids. */
async function newIds(product: object = {}) {
  const user = await createV1(store, v1User())
  return { user_id: user.json.id, product_id: (await newProduct(store, product)).id }
}

function grant(body: unknown, options: CallOptions = {}) {
  return INTEGRATOR.send('POST', store, '/product_accesses', { body, ...options })
}

describe('POST /v1/stores/{store_id}/product_accesses', () => {
  it('returns 201 with the new access and its ETag', async () => {
    const ids = await newIds()
    const answer = await grant(ids)
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
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
    const read = await INTEGRATOR.send('GET', store, `/product_accesses/${answer.json.id}`)
    expect(read.json).toEqual(answer.json)
    expect(answer.headers.get('ETag')).toBe(read.headers.get('ETag'))
  })

  it('sets the due date from the expiration_days of the product', async () => {
    const { json } = await grant(await newIds({ expiration_days: 30 }))
    expect(json.expiration_days).toBe(30)
    expect(Date.parse(json.access_due_date) - Date.parse(json.created_at)).toBe(30 * DAY)
  })

  it('accepts a status and a due date, which overrides the expiration_days of the product', async () => {
    const given = { status: 'without_access', access_due_date: '2030-06-01T00:00:00+02:00' }
    const { json } = await grant({ ...(await newIds({ expiration_days: 30 })), ...given })
    expect(json).toMatchObject({ status: 'without_access', access_due_date: '2030-05-31T22:00:00.000Z' })
  })

  it('sets no due date when it is null, and treats a null status as omitted', async () => {
    const ids = await newIds({ expiration_days: 30 })
    const { status, json } = await grant({ ...ids, access_due_date: null, status: null })
    expect(status).toBe(201)
    expect(json).toMatchObject({ access_due_date: null, expiration_days: 30, status: 'with_access' })
  })

  it('returns 422 access_exists with the existing id when the user already has the product', async () => {
    const ids = await newIds()
    const { json } = await grant(ids)
    const answer = await grant({ ...ids, status: 'without_access' })
    expect(summary(answer)).toBe('422 access_exists: product_id')
    expect(answer.json.type).toBe('validation_error')
    expect(refused(answer)).toEqual({ product_id: ids.product_id })
    expect(answer.headers.get('X-Existing-Id')).toBe(json.id)
  })

  it('returns 422 for a user and a product that do not exist', async () => {
    const answer = await grant({ product_id: '999999999998', user_id: '999999999999' })
    expect(summary(answer)).toBe('422 invalid_parameter: user_id, product_id')
    expect(refused(answer)).toEqual({ user_id: '999999999999', product_id: '999999999998' })
  })

  it('returns 422 when user_id is the id of a product and product_id the id of a user', async () => {
    const { user_id, product_id } = await newIds()
    const answer = await grant({ user_id: product_id, product_id: user_id })
    expect(summary(answer)).toBe('422 invalid_parameter: user_id, product_id')
  })

  it.each([
    [{}, 'user_id'],
    [{ user_id: '1' }, 'product_id'],
    [{ product_id: '1', user_id: null }, 'user_id'],
    [{ user_id: '1', product_id: null, slug: null }, 'product_id'],
    [{ user_id: 1, slug: null }, 'product_id'],
  ])('returns 400 missing_parameter for %j', async (body, first) => {
    expect(summary(await grant(body))).toBe(`400 missing_parameter: ${first}`)
  })

  it.each<[string, unknown, string]>([
    ['user_id', 1, '1'],
    ['user_id', '', ''],
    ['user_id', '0', '0'],
    ['user_id', '01', '01'],
    ['user_id', '-1', '-1'],
    ['user_id', '1.0', '1.0'],
    ['user_id', '99999999999999999', '99999999999999999'],
    ['user_id', ['1'], '["1"]'],
    ['product_id', 1, '1'],
    ['product_id', 'abc', 'abc'],
    ['product_id', { id: '1' }, '{"id":"1"}'],
    ['slug', 'p', 'p'],
    ['slug', 'Not a slug', 'Not a slug'],
    ['status', 'expired', 'expired'],
    ['status', 1, '1'],
    ['access_due_date', '2030-06-01', '2030-06-01'],
    ['access_due_date', 0, '0'],
    ['expires', 'never', 'never'],
  ])('returns 422 for %s %j', async (field, value, echoed) => {
    const answer = await grant({ user_id: '1', product_id: '1', [field]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('lists invalid fields in the order of the documented table, and unknown fields last', async () => {
    const body = { progress: 1, access_due_date: 1, status: 1, product_id: 1, user_id: 1 }
    expect(summary(await grant(body))).toBe(
      '422 invalid_parameter: user_id, product_id, status, access_due_date, progress',
    )
  })

  it('finds the product by its slug', async () => {
    const { user_id } = await newIds()
    const product = await newProduct(store, { expiration_days: 30 })
    const answer = await grant({ user_id, slug: product.slug })
    expect([answer.status, answer.json.product.id]).toEqual([201, product.id])
    expect(answer.json.access_due_date).not.toBeNull()
    const second = await grant({ user_id, slug: product.slug })
    expect(summary(second)).toBe('422 access_exists: slug')
    expect(refused(second)).toEqual({ slug: product.slug })
    expect(second.headers.get('X-Existing-Id')).toBe(answer.json.id)
    expect(summary(await grant({ user_id, product_id: product.id }))).toBe('422 access_exists: product_id')
  })

  it('returns 422 for a slug that no product of this store has', async () => {
    const { user_id } = await newIds()
    const { slug } = await newProduct(await newStore())
    expect(refused(await grant({ user_id, slug }))).toEqual({ slug })
    expect(summary(await grant({ user_id: '4294967294', slug }))).toBe('422 invalid_parameter: user_id, slug')
  })

  it('replays a key byte for byte with its ETag, and grants once', async () => {
    const ids = await newIds()
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    const first = await grant(ids, { headers })
    const second = await grant({ product_id: ids.product_id, user_id: ids.user_id }, { headers })
    expect(second.status).toBe(201)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(second.headers.get('ETag')).toBe(first.headers.get('ETag'))
  })

  it('returns 422 idempotency_key_reused for another grant with the same key, before access_exists', async () => {
    const ids = await newIds()
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    await grant(ids, { headers })
    const answer = await grant({ ...ids, status: 'with_access' }, { headers })
    expect(summary(answer)).toBe('422 idempotency_key_reused: X-Idempotency-Key')
    expect(summary(await grant(ids, { headers: { 'X-Idempotency-Key': 'a b' } }))).toBe(
      '400 invalid_header: X-Idempotency-Key',
    )
  })

  it('does not use up the key when the grant is rejected', async () => {
    const ids = await newIds()
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    expect(summary(await grant({ ...ids, user_id: '999999999' }, { headers }))).toBe('422 invalid_parameter: user_id')
    expect((await grant(ids, { headers })).status).toBe(201)
  })

  it('returns 404 for a replay after the user was erased, and does not create the user again', async () => {
    const ids = await newIds()
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    await grant(ids, { headers })
    await eraseUser(store, ids.user_id)
    expect(summary(await grant(ids, { headers }))).toBe('404 not_found')
    expect(summary(await grant(ids))).toBe('422 invalid_parameter: user_id')
  })

  it('requires the scope product_accesses:write and no other', async () => {
    const ids = await newIds()
    const others = ['users:read', 'users:write', 'users:erase', 'product_accesses:read', 'events:read']
    const other = await newToken(store, { scopes: others })
    expect(summary(await grant(ids, { token: other.token }))).toBe('403 insufficient_scope')
    const writer = await newToken(store, { scopes: ['product_accesses:write'] })
    expect((await grant(ids, { token: writer.token })).status).toBe(201)
  })

  it('returns 422 for a user and a product of another store', async () => {
    const [few, many] = [await newStore(), await newStore()]
    // Each store counts its ids from 1, so the ids of the second access exist only in the store `many`.
    const { user, product } = [await newAccess(many), await newAccess(many)].at(-1)
    const body = { user_id: user.id, product_id: product.id }
    const answer = await INTEGRATOR.send('POST', few, '/product_accesses', { body })
    expect(summary(answer)).toBe('422 invalid_parameter: user_id, product_id')
  })

  it.each(['with', 'without'])('grants once for 16 concurrent requests %s a key', async (key) => {
    const ids = await newIds()
    const headers = key === 'with' ? { 'X-Idempotency-Key': crypto.randomUUID() } : {}
    const answers = await Promise.all(Array.from({ length: 16 }, () => grant(ids, { headers })))
    const made = answers.filter(({ status, headers: h }) => status === 201 && !h.has('Idempotent-Replayed'))
    expect(made).toHaveLength(1)
    const again = key === 'with' ? '201' : '422 access_exists: product_id'
    expect(answers.filter((answer) => answer !== made[0]).map(summary)).toEqual(Array.from({ length: 15 }, () => again))
    const userId = await idIn(store, ids.user_id)
    expect((await accessesOf(store)).filter(({ user_id }) => user_id === userId)).toHaveLength(1)
  })
})
