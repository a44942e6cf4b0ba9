import { beforeAll, describe, expect, it } from 'vitest'
import { admin, ID, newStore, refused, summary, type TestStore, TIMESTAMP } from '../support/api.ts'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

/** A body with a slug that nobody has. */
function newProduct(fields: object = {}) {
  return { name: 'Tides', slug: `p-${crypto.randomUUID()}`, type: 'course', ...fields }
}

function create(body: object, storeId = store.id) {
  return admin('POST', `/stores/${storeId}/products`, body)
}

describe('POST /admin/stores/{store_id}/products', () => {
  it('answers 201 with the product', async () => {
    const body = newProduct({ expiration_days: 365 })
    const { status, json } = await create(body)
    expect(status).toBe(201)
    expect(json).toEqual({
      ...body,
      id: expect.stringMatching(ID),
      created_at: expect.stringMatching(TIMESTAMP),
    })
  })

  it.each([undefined, null])('answers expiration_days null where it is %s', async (expiration_days) => {
    const { status, json } = await create(newProduct({ expiration_days }))
    expect(status).toBe(201)
    expect(json.expiration_days).toBeNull()
  })

  it.each([1, 36_500])('takes %i expiration_days', async (expiration_days) => {
    expect((await create(newProduct({ expiration_days }))).json.expiration_days).toBe(expiration_days)
  })

  it('answers 422 already_exists for a slug that is taken in the store', async () => {
    const body = newProduct()
    await create(body)
    const answer = await create({ ...body, name: 'Other', type: 'path' })
    expect(summary(answer)).toBe('422 already_exists: slug')
    expect(refused(answer)).toEqual({ slug: body.slug })
  })

  it('takes one slug in two stores', async () => {
    const [other, body] = [await newStore(), newProduct()]
    expect([(await create(body)).status, (await create(body, other.id)).status]).toEqual([201, 201])
  })

  it.each([
    [{}, 'name', ['name', 'slug', 'type']],
    [{ name: 'N' }, 'slug', ['slug', 'type']],
    [{ name: 'N', slug: 's' }, 'type', ['type']],
    [{ name: 'N', slug: null, type: null }, 'slug', ['slug', 'type']],
  ])('answers 400 missing_parameter for %j', async (body, first, all) => {
    const answer = await create(body)
    expect(summary(answer)).toBe(`400 missing_parameter: ${first}`)
    for (const field of all) expect(answer.json.message).toContain(field)
  })

  it.each<[string, unknown, string]>([
    ['name', '', ''],
    ['name', ' ', ' '],
    ['name', 'x'.repeat(256), 'x'.repeat(256)],
    ['slug', 'Tides', 'Tides'],
    ['slug', '-tides', '-tides'],
    ['slug', '', ''],
    ['slug', 'a.b', 'a.b'],
    ['slug', 'a'.repeat(65), 'a'.repeat(65)],
    ['slug', 7, '7'],
    ['type', '', ''],
    ['type', 'x'.repeat(256), 'x'.repeat(256)],
    ['type', [], '[]'],
    ['expiration_days', 0, '0'],
    ['expiration_days', -1, '-1'],
    ['expiration_days', 36_501, '36501'],
    ['expiration_days', 1.5, '1.5'],
    ['expiration_days', '30', '30'],
    ['expiration_days', true, 'true'],
  ])('answers 422 for %s %j', async (field, value, echoed) => {
    const answer = await create(newProduct({ [field]: value }))
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('names every invalid field in the order of the table', async () => {
    const answer = await create({ expiration_days: 'x', type: 1, slug: 1, name: 1 })
    expect(summary(answer)).toBe('422 invalid_parameter: name, slug, type, expiration_days')
  })
})

describe('GET /admin/stores/{store_id}/products', () => {
  it('answers pages in the order of the ids, of this store alone', async () => {
    const other = await newStore()
    const created = []
    for (const name of ['C', 'A', 'B']) created.push((await create(newProduct({ name }), other.id)).json)
    await create(newProduct())

    const first = await admin('GET', `/stores/${other.id}/products?limit=2`)
    expect(first.status).toBe(200)
    expect(first.json).toEqual({ data: created.slice(0, 2), next: expect.any(String) })
    const second = await admin('GET', `/stores/${other.id}/products?limit=2&after=${first.json.next}`)
    expect(second.json).toEqual({ data: created.slice(2), next: null })
  })
})
