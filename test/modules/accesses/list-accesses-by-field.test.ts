/** `custom_fields.{key}` in the list of accesses. What the filter compares is tested with the list of users. */
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, call, newToken, newUser, refused, summary, useStore } from '../../support/api.ts'
import { measure } from '../../support/costs.ts'
import { idIn, insertAccess, newProduct, rowsOf, storeNumber, useToken } from '../../support/rows.ts'

const SCOPES = ['product_accesses:read', 'users:read']

const store = useStore()
let token: string
/** Of three users, of whom the first two are in the class 7B, to two products. */
let accesses: any[]

const list = (query: string, options: object = {}) =>
  call('GET', `/v1/stores/${store.id}/product_accesses?${query}`, { token, ...options })

beforeAll(async () => {
  token = (await newToken(store, { scopes: SCOPES })).token
  await admin('PUT', `/stores/${store.id}/custom_fields/class`, {})
  const products = [await newProduct(store), await newProduct(store)]
  for (const value of ['7B', '7B', '7C']) {
    const user = await newUser(store, { custom_fields: { class: value } })
    for (const product of products) await insertAccess(store, { user_id: user.id, product_id: product.id })
  }
  accesses = (await list('')).json.data
})

describe('GET …/product_accesses?custom_fields.{key}=', () => {
  const ids = (...positions: number[]) => positions.map((i) => accesses[i].id)
  const found = async (query: string) => (await list(query)).json.data.map(({ id }: any) => id)

  it('returns the accesses of the users who have the value, by id, alone and with other filters', async () => {
    expect((await list('custom_fields.class=7B')).json).toEqual({ data: accesses.slice(0, 4), next: null })
    expect(await found('custom_fields.class=7B&order=desc')).toEqual(ids(3, 2, 1, 0))
    expect(await found('custom_fields.class=7b')).toEqual([])
    expect(await found(`custom_fields.class=7B&product_id=${accesses[0].product.id}`)).toEqual(ids(0, 2))
    expect(await found(`custom_fields.class=7B&user_id=${accesses[2].user.id}`)).toEqual(ids(2, 3))
    expect(await found(`custom_fields.class=7B&user_ids=${accesses[0].user.id},${accesses[4].user.id}`)).toEqual(
      ids(0, 1),
    )
    expect(await found(`custom_fields.class=7B&ids=${ids(1, 5).join(',')}`)).toEqual(ids(1))
    expect(await found('custom_fields.class=7B&status=without_access')).toEqual([])
    expect(await found('custom_fields.class=7C&in_force=true')).toEqual(ids(4, 5))
  })

  it('returns pages, and the file has the same accesses', async () => {
    const pages: string[][] = []
    for (let next: string | null = ''; next !== null;) {
      const { json } = await list(`custom_fields.class=7B&limit=3${next && `&after=${next}`}`)
      pages.push(json.data.map(({ id }: any) => id))
      next = json.next
    }
    expect(pages).toEqual([ids(0, 1, 2), ids(3)])
    const { text } = await admin('GET', `/stores/${store.id}/product_accesses.csv?custom_fields.class=7B`)
    expect(text.match(/^\d+/gm)).toEqual(ids(0, 1, 2, 3))
    expect((await admin('GET', `/stores/${store.id}/product_accesses?custom_fields.class=7B`)).json.data).toHaveLength(
      4,
    )
  })

  it('returns 403 insufficient_scope, which names users:read, before anything else is wrong', async () => {
    const reader = await newToken(store, { scopes: ['product_accesses:read'] })
    for (const query of ['custom_fields.class=7B', 'custom_fields.none=7B', 'custom%5Ffields.class=%00&limit=0&x=1']) {
      const answer = await list(query, { token: reader.token })
      expect(summary(answer)).toBe('403 insufficient_scope')
      expect(answer.headers.get('WWW-Authenticate')).toContain('scope="product_accesses:read users:read"')
    }
    expect((await list('', { token: reader.token })).status).toBe(200)
    const users = await newToken(store, { scopes: ['users:read'] })
    expect(summary(await list('custom_fields.class=7B', { token: users.token }))).toBe('403 insufficient_scope')
  })

  it('returns 422 for a key that the store does not define, and for a second one', async () => {
    const answer = await list('custom_fields.none=7B')
    expect(summary(answer)).toBe('422 invalid_parameter: custom_fields.none')
    expect(refused(answer)).toEqual({ 'custom_fields.none': '7B' })
    expect(summary(await list('custom_fields.class=7B&custom_fields.none=1'))).toBe(
      '422 invalid_parameter: custom_fields.none',
    )
    const file = await admin('GET', `/stores/${store.id}/product_accesses.csv?custom_fields.none=7B`)
    expect(summary(file)).toBe('422 invalid_parameter: custom_fields.none')
  })
})

describe('The rows that a page of accesses by a custom field reads', () => {
  const COUNT = 2500
  const big = useStore({ isUsed: true })

  beforeAll(async () => {
    await admin('PUT', `/stores/${big.id}/custom_fields/class`, {})
    const product = await newProduct(big)
    const [number, base, product_id] = [await storeNumber(big), await idIn(big, 1000), await idIn(big, product.id)]
    const series = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT})`
    await rowsOf(
      `${series} insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role,
          language, custom_fields, created_at, updated_at, event_id)
        select ?1 + 2 * i, ?2, 'u' || i, 'u' || i, 'A', 'B', 'a', 'b', 'student', 'EN',
          json_object('class', iif(i = ${COUNT}, '7B', '7C')), 0, 0, ?1 + 2 * i from n`,
      base,
      number,
    )
    await rowsOf(
      `${series} insert into product_accesses
          (id, store, user_id, product_id, status, progress, passed, created_at, event_id, changed_by)
        select ?1 + 2 * i + 1, ?2, ?1 + 2 * i, ?3, 'with_access', 0, 0, 0, ?1 + 2 * i + 1, ?1 + 2 * i + 1 from n`,
      base,
      number,
      product_id,
    )
    const all = await newToken(big, { scopes: SCOPES })
    big.token = all.token
    await useToken(big)
  })

  const measureList = async (query: string) => {
    let json: any
    const cost = await measure(async (bindings) => {
      const path = `/v1/stores/${big.id}/product_accesses?${query}`
      const answer = await call('GET', path, { token: big.token, bindings })
      json = answer.json
      return answer
    })
    return { json, ...cost }
  }

  it('are at most those of 2,000 accesses and their users, in one trip, and next continues the search', async () => {
    for (const order of ['asc', 'desc']) {
      const found: any[] = []
      let pages = 0
      for (let next: string | null = ''; next !== null; pages++) {
        const query = `custom_fields.class=7B&order=${order}${next && `&after=${next}`}`
        const { read, trips, json } = await measureList(query)
        expect(read).toBeLessThan(4050)
        expect(trips).toBe(1)
        found.push(...json.data)
        next = json.next
      }
      expect(found).toHaveLength(1)
      expect(pages).toBeGreaterThan(1)
    }
  })

  it('are few for a key that the store does not define, and for a full page', async () => {
    expect((await measureList('custom_fields.none=7B')).read).toBeLessThan(60)
    const { read, json } = await measureList('custom_fields.class=7C&limit=5')
    expect(json.data).toHaveLength(5)
    expect(read).toBeLessThan(100)
  })
})
