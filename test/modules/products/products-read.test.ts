import { beforeAll, describe, expect, it } from 'vitest'
import { admin, call, newStore, newToken, summary, useStore } from '../../support/api.ts'
import { INTEGRATOR } from '../../support/callers.ts'
import { measure } from '../../support/costs.ts'
import { defineField, newProduct, useToken } from '../../support/rows.ts'

const store = useStore()
let products: any[]

beforeAll(async () => {
  products = []
  for (const slug of ['b', 'a', 'c']) {
    const { json } = await admin('POST', `/stores/${store.id}/products`, { name: slug, slug, type: 'course' })
    products.push(json)
  }
  for (const key of ['rank', 'area']) await defineField(store, key)
  const other = await newStore()
  await newProduct(other, { slug: 'elsewhere' })
  await defineField(other, 'elsewhere')
})

describe('GET /v1/stores/{store_id}/products', () => {
  const list = (query: string) => INTEGRATOR.send('GET', store, `/products?${query}`)

  it('returns the products of the store in the order of the ids', async () => {
    const first = await list('limit=2')
    expect(first.json).toEqual({ data: products.slice(0, 2), next: products[1].id })
    expect((await list(`after=${first.json.next}`)).json).toEqual({ data: products.slice(2), next: null })
  })

  it('finds the product with the slug', async () => {
    expect((await list('slug=a')).json).toEqual({ data: [products[1]], next: null })
    expect((await list(`slug=a&after=${products[1].id}`)).json).toEqual({ data: [], next: null })
    for (const slug of ['elsewhere', 'none'])
      expect((await list(`slug=${slug}`)).json).toEqual({ data: [], next: null })
  })

  it.each([
    ['slug=', 'slug'],
    ['slug=Not+one', 'slug'],
    ['slug=a&slug=b', 'slug'],
    ['order=desc', 'order'],
    ['name=a', 'name'],
  ])('returns 422 for %s', async (query, field) => {
    expect(summary(await list(query))).toBe(`422 invalid_parameter: ${field}`)
  })
})

describe('GET /v1/stores/{store_id}/custom_fields', () => {
  it('returns the custom fields of the store, ordered by key', async () => {
    const { json } = await INTEGRATOR.send('GET', store, '/custom_fields?limit=1')
    expect([json.data.map(({ key }: any) => key), json.next]).toEqual([['area'], 'area'])
    const next = await INTEGRATOR.send('GET', store, `/custom_fields?after=${json.next}`)
    expect([next.json.data.map(({ key }: any) => key), next.json.next]).toEqual([['rank'], null])
  })
})

describe('The scope products:read', () => {
  it.each(['products', 'custom_fields'])('is required to list %s, and no other', async (path) => {
    const reader = await newToken(store, { scopes: ['products:read'] })
    const other = await newToken(store, { scopes: ['users:read', 'product_accesses:read', 'product_accesses:write'] })
    const get = ({ token }: { token: string }) => call('GET', `/v1/stores/${store.id}/${path}`, { token })
    expect((await get(reader)).status).toBe(200)
    expect(summary(await get(other))).toBe('403 insufficient_scope')
    expect((await get(other)).headers.get('WWW-Authenticate')).toContain('scope="products:read"')
  })

  it('costs one round trip, and a slug reads one product', async () => {
    await useToken(store)
    const cost = await measure((bindings) =>
      call('GET', `/v1/stores/${store.id}/products?slug=c`, { token: store.token, bindings }),
    )
    expect(cost).toMatchObject({ trips: 1, written: 0 })
    expect(cost.read).toBeLessThan(10)
  })
})
