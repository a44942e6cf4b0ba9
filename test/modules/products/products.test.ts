import { describe, expect, it } from 'vitest'
import { env } from 'cloudflare:workers'
import { admin, call, ID, newAccess, newStore, refused, summary, TIMESTAMP, useStore } from '../../support/api.ts'
import { faultyD1 } from '../../support/faults.ts'
import { eventsOf } from '../../support/rows.ts'

const store = useStore()

/** Returns a body with a unique slug. */
function newProduct(fields: object = {}) {
  return { name: 'Tides', slug: `p-${crypto.randomUUID()}`, type: 'course', ...fields }
}

function create(body: object, storeId = store.id) {
  return admin('POST', `/stores/${storeId}/products`, body)
}

describe('POST /admin/stores/{store_id}/products', () => {
  it('returns 201 with the product', async () => {
    const body = newProduct({ expiration_days: 365 })
    const { status, json } = await create(body)
    expect(status).toBe(201)
    expect(json).toEqual({
      ...body,
      id: expect.stringMatching(ID),
      created_at: expect.stringMatching(TIMESTAMP),
    })
  })

  it.each([undefined, null])('returns expiration_days null when it is %s', async (expiration_days) => {
    const { status, json } = await create(newProduct({ expiration_days }))
    expect(status).toBe(201)
    expect(json.expiration_days).toBeNull()
  })

  it.each([1, 36_500])('accepts %i expiration_days', async (expiration_days) => {
    expect((await create(newProduct({ expiration_days }))).json.expiration_days).toBe(expiration_days)
  })

  it('returns 422 already_exists when another product of the store has the slug', async () => {
    const body = newProduct()
    await create(body)
    const answer = await create({ ...body, name: 'Other', type: 'path' })
    expect(summary(answer)).toBe('422 already_exists: slug')
    expect(refused(answer)).toEqual({ slug: body.slug })
  })

  it('accepts the same slug in two stores', async () => {
    const [other, body] = [await newStore(), newProduct()]
    expect([(await create(body)).status, (await create(body, other.id)).status]).toEqual([201, 201])
  })

  it.each([
    [{}, 'name', ['name', 'slug', 'type']],
    [{ name: 'N' }, 'slug', ['slug', 'type']],
    [{ name: 'N', slug: 's' }, 'type', ['type']],
    [{ name: 'N', slug: null, type: null }, 'slug', ['slug', 'type']],
  ])('returns 400 missing_parameter for %j', async (body, first, all) => {
    const answer = await create(body)
    expect(summary(answer)).toBe(`400 missing_parameter: ${first}`)
    for (const field of all) expect(answer.json.message).toContain(field)
  })

  it.each<[string, unknown, string]>([
    ['name', ' ', ' '],
    ['name', 'x'.repeat(256), 'x'.repeat(256)],
    ['slug', 'Tides', 'Tides'],
    ['slug', 'a'.repeat(65), 'a'.repeat(65)],
    ['type', '', ''],
    ['type', 'x'.repeat(256), 'x'.repeat(256)],
    ['expiration_days', 0, '0'],
    ['expiration_days', 36_501, '36501'],
    ['expiration_days', 1.5, '1.5'],
    ['expiration_days', '30', '30'],
  ])('returns 422 for %s %j', async (field, value, echoed) => {
    const answer = await create(newProduct({ [field]: value }))
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('lists invalid fields in the order of the documented table', async () => {
    const answer = await create({ expiration_days: 'x', type: 1, slug: 1, name: 1 })
    expect(summary(answer)).toBe('422 invalid_parameter: name, slug, type, expiration_days')
  })
})

describe('GET /admin/stores/{store_id}/products', () => {
  it('returns pages in the order of the ids, with products of this store only', async () => {
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

describe('PATCH /admin/stores/{store_id}/products/{id}', () => {
  const patch = (id: string, body?: object) => admin('PATCH', `/stores/${store.id}/products/${id}`, body)

  it('returns 200 with the changed product', async () => {
    const { json: created } = await create(newProduct({ expiration_days: 30 }))
    const fields = { name: 'Moons', slug: `p-${crypto.randomUUID()}`, type: 'path', expiration_days: 1 }
    const { status, json } = await patch(created.id, fields)
    expect(status).toBe(200)
    expect(json).toEqual({ ...created, ...fields })
    expect((await patch(created.id, { expiration_days: null })).json).toEqual({ ...json, expiration_days: null })
  })

  it('returns 422 already_exists and changes nothing when another product of the store has the slug', async () => {
    const [{ json: other }, { json: created }] = [await create(newProduct()), await create(newProduct())]
    const answer = await patch(created.id, { slug: other.slug, name: 'Moons' })
    expect(summary(answer)).toBe('422 already_exists: slug')
    expect(refused(answer)).toEqual({ slug: other.slug })
    expect((await patch(created.id)).json).toEqual(created)
  })

  it('accepts its own slug and a slug of another store', async () => {
    const elsewhere = await newStore()
    const { json: other } = await create(newProduct(), elsewhere.id)
    const { json: created } = await create(newProduct())
    expect((await patch(created.id, { slug: created.slug })).status).toBe(200)
    expect((await patch(created.id, { slug: other.slug })).json.slug).toBe(other.slug)
  })

  it('gives a slug to one of two products whose concurrent updates set it', async () => {
    const products = [(await create(newProduct())).json, (await create(newProduct())).json]
    const slug = `p-${crypto.randomUUID()}`
    const answers = await Promise.all(products.map(({ id }) => patch(id, { slug })))
    expect(answers.map(summary).toSorted()).toEqual(['200', '422 already_exists: slug'])
  })

  it('writes one event with the changes, and none when nothing changes', async () => {
    const here = await newStore()
    const { json: created } = await create(newProduct({ expiration_days: 30 }), here.id)
    const path = `/stores/${here.id}/products/${created.id}`
    for (const body of [{ name: 'Moons', expiration_days: null }, { name: 'Moons' }, {}, undefined]) {
      expect((await admin('PATCH', path, body)).status).toBe(200)
    }
    const [first, second, ...others] = (await eventsOf(here)).filter(({ type }) => type.startsWith('product.'))
    expect(others).toEqual([])
    expect(first).toMatchObject({ type: 'product.created', subject_id: first.id, previous_id: null })
    expect(second).toMatchObject({ type: 'product.updated', subject_id: first.id, previous_id: first.id })
    expect(JSON.parse(second.data)).toEqual({
      changes: { name: { from: 'Tides', to: 'Moons' }, expiration_days: { from: 30, to: null } },
    })
  })

  it.each<[string, unknown, string]>([
    ['name', null, 'null'],
    ['slug', null, 'null'],
    ['slug', 'Tides', 'Tides'],
    ['type', ' ', ' '],
    ['expiration_days', 0, '0'],
    ['id', '5', '5'],
  ])('returns 422 for %s %j', async (field, value, echoed) => {
    const { json } = await create(newProduct())
    const answer = await patch(json.id, { [field]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it.each(['abc', '4294967295'])('returns 404 for the id %s', async (id) => {
    expect(summary(await patch(id, { name: 'Moons' }))).toBe('404 not_found')
  })
})

describe('DELETE /admin/stores/{store_id}/products/{id}', () => {
  const remove = (id: string) => admin('DELETE', `/stores/${store.id}/products/${id}`)

  it('returns 204 and then 404, and frees the slug', async () => {
    const body = newProduct()
    const { json } = await create(body)
    const first = await remove(json.id)
    expect([first.status, first.text]).toEqual([204, ''])
    expect(summary(await remove(json.id))).toBe('404 not_found')
    expect((await create(body)).status).toBe(201)
    const [event] = (await eventsOf(store)).filter(({ type }) => type === 'product.deleted').slice(-1)
    expect(event).toMatchObject({ previous_id: event.subject_id, data: null })
  })

  it('returns 422 in_use and keeps the product while accesses refer to it', async () => {
    const { product } = await newAccess(store)
    const answer = await remove(product.id)
    expect(summary(answer)).toBe('422 in_use: id')
    expect(refused(answer)).toEqual({ id: product.id })
    expect((await admin('PATCH', `/stores/${store.id}/products/${product.id}`)).json.slug).toBe(product.slug)
  })

  it.each(['abc', '4294967295'])('returns 404 for the id %s', async (id) => {
    expect(summary(await remove(id))).toBe('404 not_found')
  })
})

describe('The cost of a change of a product', () => {
  it.each<[string, string, object | undefined, number]>([
    ['a creation', 'POST', newProduct(), 3],
    ['a change', 'PATCH', { name: 'Moons' }, 3],
    ['a change of nothing', 'PATCH', {}, 0],
    ['a deletion', 'DELETE', undefined, 2],
  ])(
    'is one round trip after the look-up of the store and, for %s, the listed number of rows',
    async (_, method, body, rows) => {
      const { json } = await create(newProduct())
      const path = `/admin/stores/${store.id}/products${method === 'POST' ? '' : `/${json.id}`}`
      const { DB, roundTrips, rowsWritten } = faultyD1(env.DB)
      const options = { token: env.ADMIN_TOKEN, bindings: { DB }, ...(body && { body }) }
      expect((await call(method, path, options)).status).toBeLessThan(300)
      expect([roundTrips(), rowsWritten()]).toEqual([2, rows])
    },
  )
})
