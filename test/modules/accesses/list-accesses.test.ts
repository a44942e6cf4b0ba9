import { beforeAll, describe, expect, it, vi } from 'vitest'
import { call, newAccess, newStore, newToken, newUser, summary, useStore } from '../../support/api.ts'
import { INTEGRATOR, OPERATOR } from '../../support/callers.ts'
import { measure } from '../../support/costs.ts'
import { idIn, insertAccess, newProduct, rowsOf, storeNumber, type TestStore } from '../../support/rows.ts'

const DUE = [Date.UTC(2030, 0, 1), Date.UTC(2030, 5, 1), null]

const store = useStore()
/** The three accesses have the statuses with_access, without_access and with_access; the last one has no due date. */
let accesses: any[]

beforeAll(async () => {
  accesses = []
  for (const [i, status] of ['with_access', 'without_access', 'with_access'].entries()) {
    accesses.push(await newAccess(store, {}, { status, access_due_date: DUE[i] ?? null }))
  }
  await newAccess(await newStore())
})

describe('GET /v1/stores/{store_id}/product_accesses', () => {
  const list = (query: string, of = store) => INTEGRATOR.send('GET', of, `/product_accesses?${query}`)

  it('returns pages in the order of the ids, with accesses of this store only', async () => {
    const first = await list('limit=2')
    expect(first.status).toBe(200)
    expect(first.json).toEqual({ data: accesses.slice(0, 2), next: accesses[1].id })
    expect((await list(`limit=2&after=${first.json.next}`)).json).toEqual({ data: accesses.slice(2), next: null })
    expect((await list('limit=3')).json).toEqual({ data: accesses, next: null })
  })

  it.each<[string, number[]]>([
    ['status=with_access', [0, 2]],
    ['status=without_access', [1]],
    ['due_after=2029-12-31T23:59:59.999Z', [0, 1]],
    ['due_after=2030-01-01T00:00:00Z', [0, 1]],
    ['due_after=2030-01-01T00:00:00.001Z', [1]],
    ['due_before=2030-01-01T00:00:00Z', []],
    ['due_before=2030-01-01T02:00:00.001%2B02:00', [0]],
    ['due_after=2029-01-01T00:00:00Z&due_before=2031-01-01T00:00:00Z', [0, 1]],
    ['due_after=2029-01-01T00:00:00Z&status=with_access', [0]],
    ['due_after=2031-01-01T00:00:00Z', []],
  ])('filters by %s', async (query, found) => {
    expect((await list(query)).json).toEqual({ data: found.map((i) => accesses[i]), next: null })
  })

  it('filters by whether the access is in force, alone and with other filters', async () => {
    const own = await newStore()
    const [past, future] = [Date.now() - 1, Date.now() + 86_400_000]
    const created: any[] = []
    for (const status of ['with_access', 'without_access']) {
      for (const access_due_date of [past, future, null]) {
        created.push(await newAccess(own, {}, { status, access_due_date }))
      }
    }
    const found = async (query: string) => {
      const { json } = await list(query, own)
      expect(json.next).toBeNull()
      return json.data.map(({ id }: any) => created.findIndex((access) => access.id === id))
    }
    expect(await found('in_force=true')).toEqual([1, 2])
    expect(await found('in_force=false')).toEqual([0, 3, 4, 5])
    expect(await found('in_force=false&order=desc')).toEqual([5, 4, 3, 0])
    expect(await found('in_force=true&due_before=9999-01-01T00:00:00Z')).toEqual([1])
    expect(await found('in_force=false&status=with_access')).toEqual([0])
    expect(await found(`in_force=true&user_id=${created[2].user.id}`)).toEqual([2])
    expect(await found(`in_force=false&product_id=${created[2].product.id}`)).toEqual([])
  })

  it('counts an access as in force until its due date has passed, to the millisecond', async () => {
    const own = await newStore()
    const due = Date.now() + 60_000
    await newAccess(own, {}, { status: 'with_access', access_due_date: due })
    vi.useFakeTimers({ now: due, toFake: ['Date'] })
    const count = async () => (await list('in_force=true', own)).json.data.length
    const atDueDate = await count()
    vi.setSystemTime(due + 1)
    const after = await count()
    vi.useRealTimers()
    expect([atDueDate, after]).toEqual([1, 0])
  })

  it('returns the newest accesses first with order=desc, whatever the filter', async () => {
    const reversed = accesses.toReversed()
    const first = await list('limit=2&order=desc')
    expect(first.json).toEqual({ data: reversed.slice(0, 2), next: reversed[1].id })
    expect((await list(`limit=2&order=desc&after=${first.json.next}`)).json).toEqual({
      data: [accesses[0]],
      next: null,
    })
    expect((await list('order=asc')).json.data).toEqual(accesses)
    expect((await list('order=desc&status=with_access')).json).toEqual({ data: [reversed[0], reversed[2]], next: null })
    expect((await list('order=desc&status=with_access&limit=1')).json).toEqual({
      data: [reversed[0]],
      next: reversed[0].id,
    })
    expect((await list(`order=desc&user_id=${accesses[1].user.id}`)).json).toEqual({ data: [accesses[1]], next: null })
    expect((await list(`order=desc&product_id=${accesses[1].product.id}`)).json.data).toEqual([accesses[1]])
  })

  it('filters by user and by product, alone, together and with a status', async () => {
    const [first, second, third] = accesses
    expect((await list(`user_id=${second.user.id}`)).json).toEqual({ data: [second], next: null })
    expect((await list(`product_id=${third.product.id}`)).json).toEqual({ data: [third], next: null })
    expect((await list(`user_id=${first.user.id}&product_id=${first.product.id}`)).json.data).toEqual([first])
    expect((await list(`user_id=${first.user.id}&product_id=${third.product.id}`)).json.data).toEqual([])
    expect((await list(`status=without_access&user_id=${first.user.id}`)).json).toEqual({ data: [], next: null })
    expect((await list(`status=with_access&product_id=${third.product.id}`)).json.data).toEqual([third])
    expect((await list('user_id=4294967295')).json).toEqual({ data: [], next: null })
  })

  it('finds the accesses with the ids, and those of the users with the ids, in the order of the list', async () => {
    const [first, second, third] = accesses
    const ids = [third.id, '4294967295', first.id, third.id, '1'].join(',')
    expect((await list(`ids=${ids}`)).json).toEqual({ data: [first, third], next: null })
    expect((await list(`ids=${ids}&order=desc`)).json.data).toEqual([third, first])
    expect((await list(`ids=${ids}&limit=1`)).json).toEqual({ data: [first], next: first.id })
    expect((await list(`ids=${ids}&limit=1&after=${first.id}`)).json).toEqual({ data: [third], next: null })
    const users = [third.user.id, second.user.id, '4294967295'].join(',')
    expect((await list(`user_ids=${users}`)).json).toEqual({ data: [second, third], next: null })
    expect((await list(`user_ids=${users}&order=desc&limit=1`)).json).toEqual({ data: [third], next: third.id })
    expect((await list(`user_ids=${users}&order=desc&after=${third.id}`)).json).toEqual({ data: [second], next: null })
  })

  it.each<[string, (all: any[]) => string, number[]]>([
    ['ids and user_ids', ([a, b, c]) => `ids=${a.id},${b.id}&user_ids=${b.user.id},${c.user.id}`, [1]],
    ['ids and user_id', ([a, b]) => `ids=${a.id},${b.id}&user_id=${a.user.id}`, [0]],
    ['ids and product_id', ([a, b]) => `ids=${a.id},${b.id}&product_id=${b.product.id}`, [1]],
    ['ids and a status', ([a, b]) => `ids=${a.id},${b.id}&status=with_access`, [0]],
    ['ids and a date', ([a, b, c]) => `ids=${a.id},${b.id},${c.id}&due_after=2030-02-01T00:00:00Z`, [1]],
    ['user_ids and user_id', ([a, b, c]) => `user_ids=${a.user.id},${b.user.id}&user_id=${c.user.id}`, []],
    ['user_ids and product_id', ([a, b]) => `user_ids=${a.user.id},${b.user.id}&product_id=${a.product.id}`, [0]],
    ['user_ids and in_force', ([a, b]) => `user_ids=${a.user.id},${b.user.id}&in_force=true&order=desc`, [0]],
  ])('combines %s', async (_, query, found) => {
    expect((await list(query(accesses))).json).toEqual({ data: found.map((i) => accesses[i]), next: null })
  })

  it('finds no access of another store by ids or user_ids', async () => {
    const other = await newAccess(await newStore())
    for (const query of [`ids=${other.id}`, `user_ids=${other.user.id}`])
      expect((await list(query)).json.data).not.toContainEqual(other)
  })

  it('keeps a filter by user, by product or by status on the next page', async () => {
    const own = await newStore()
    const user_id = (await newUser(own)).id
    const other = (await newUser(own)).id
    const product = await newProduct(own)
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push(await insertAccess(own, { user_id, product_id: (await newProduct(own)).id }))
    ids.push(await insertAccess(own, { user_id, product_id: product.id }))
    const last = await insertAccess(own, { user_id: other, product_id: product.id })
    const pages = async (filter: string) => {
      const found: string[][] = []
      for (let next: string | null = ''; next !== null;) {
        const { json } = await list(`limit=2&${filter}${next && `&after=${next}`}`, own)
        found.push(json.data.map(({ id }: any) => id))
        next = json.next
      }
      return found
    }
    expect(await pages(`user_id=${user_id}`)).toEqual([ids.slice(0, 2), ids.slice(2)])
    expect(await pages(`product_id=${product.id}`)).toEqual([[ids[3], last]])
    expect(await pages('status=with_access')).toEqual([ids.slice(0, 2), ids.slice(2), [last]])
  })

  it.each([
    ['user_id=abc', 'user_id'],
    ['product_id=0', 'product_id'],
    ['product_id=1&product_id=2', 'product_id'],
    ['status=expired', 'status'],
    ['due_after=2030-01-01', 'due_after'],
    ['in_force=1', 'in_force'],
    ['order=newest', 'order'],
    ['ids=', 'ids'],
    ['ids=1,', 'ids'],
    ['ids=1, 2', 'ids'],
    ['user_ids=1,x', 'user_ids'],
    [`ids=${Array.from({ length: 101 }, (_, i) => i + 1).join(',')}`, 'ids'],
    [`user_ids=${Array.from({ length: 101 }, (_, i) => i + 1).join(',')}`, 'user_ids'],
    ['ids=1&ids=2', 'ids'],
    ['user_id=x&custom_fields.a=%00&user_ids=x&ids=x', 'ids, user_ids, custom_fields.a, user_id'],
    ['due=2030-01-01T00:00:00Z', 'due'],
    [
      'x=1&after=x&limit=0&due_before=x&due_after=x&status=x&product_id=x&user_id=x',
      'user_id, product_id, status, due_after, due_before, limit, after, x',
    ],
  ])('returns 422 for %s', async (query, fields) => {
    expect(summary(await list(query))).toBe(`422 invalid_parameter: ${fields}`)
  })

  it('requires the scope product_accesses:read and no other', async () => {
    const reader = await newToken(store, { scopes: ['product_accesses:read'] })
    const writer = await newToken(store, { scopes: ['product_accesses:write'] })
    expect((await INTEGRATOR.send('GET', { ...store, token: reader.token }, '/product_accesses')).status).toBe(200)
    const answer = await INTEGRATOR.send('GET', { ...store, token: writer.token }, '/product_accesses')
    expect(summary(answer)).toBe('403 insufficient_scope')
  })

  it('returns 404 to an operator when the store does not exist', async () => {
    expect(summary(await OPERATOR.send('GET', { id: 'nobody', token: '' }, '/product_accesses'))).toBe('404 not_found')
  })
})

describe('The rows that a page of accesses reads', () => {
  const COUNT = 6000
  /** A filter may read this many rows in addition to the records that it searches. */
  const BESIDE = 50

  const big = useStore({ isUsed: true })
  let product: any
  /** The last access belongs to this user. */
  let lastUser: string

  /**
   * Inserts users with an access each to one product, of which only the last one is without access. Their numbers are
   * from + 2, from + 3 and so on. Returns the product.
   */
  async function insertAccesses(of: TestStore, count: number, from: number): Promise<any> {
    const inserted = await newProduct(of)
    const [number, base, product_id] = [await storeNumber(of), await idIn(of, from), await idIn(of, inserted.id)]
    const series = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
    await rowsOf(
      `${series} insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role,
          language, created_at, updated_at, event_id)
        select ?1 + 2 * i, ?2, 'u' || (?1 + i), 'u' || i, 'A', 'B', 'a', 'b', 'student', 'EN', 0, 0, ?1 + 2 * i from n`,
      base,
      number,
    )
    await rowsOf(
      `${series} insert into product_accesses
          (id, store, user_id, product_id, status, progress, passed, created_at, event_id, changed_by)
        select ?1 + 2 * i + 1, ?2, ?1 + 2 * i, ?3, iif(i = ${count}, 'without_access', 'with_access'), 0, 0, 0,
          ?1 + 2 * i + 1, ?1 + 2 * i + 1 from n`,
      base,
      number,
      product_id,
    )
    return inserted
  }

  beforeAll(async () => {
    product = await insertAccesses(big, COUNT, 1000)
    lastUser = String(1000 + 2 * COUNT)
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

  it.each([
    ['no filter', () => 'limit=20'],
    ['a cursor in the middle', () => `limit=20&after=${1000 + COUNT}`],
    ['a product', () => `limit=20&product_id=${product.id}`],
    ['no filter, the newest first', () => 'limit=20&order=desc'],
    ['a product, the newest first', () => `limit=20&order=desc&product_id=${product.id}`],
    ['a user, the newest first', () => `limit=20&order=desc&user_id=${lastUser}`],
    ['a product and a cursor', () => `limit=20&product_id=${product.id}&after=${1000 + COUNT}`],
    ['a user', () => `limit=20&user_id=${lastUser}`],
    ['ids', () => `limit=20&ids=1003,1005,1007,1009`],
    ['ids, the newest first', () => `limit=20&order=desc&ids=1003,1005,1007,1009`],
    ['users', () => `limit=20&user_ids=1002,1004,1006,1008`],
    ['users, the newest first', () => `limit=20&order=desc&user_ids=1002,1004,1006,1008`],
  ])('are proportional to the accesses that it returns with %s', async (_, query) => {
    const { read, trips, written, json } = await measureList(query())
    expect(json.data.length).toBeGreaterThan(0)
    expect(read).toBeLessThan(5 * json.data.length + BESIDE)
    expect({ trips, written }).toEqual({ trips: 1, written: 0 })
  })

  it.each([
    ['a status', () => 'status=without_access'],
    ['a status and a product', () => `status=without_access&product_id=${product.id}`],
    ['in_force', () => 'in_force=false'],
    ['in_force and a product', () => `in_force=false&product_id=${product.id}`],
  ])('are at most those of 5,000 records with %s, and next continues the search', async (_, query) => {
    const found: any[] = []
    for (let next: string | null = ''; next !== null;) {
      const { read, json } = await measureList(query() + (next && `&after=${next}`))
      expect(read).toBeLessThan(5000 + BESIDE)
      expect(next === null || json.data.length === 0 || json.next === null).toBe(true)
      found.push(...json.data)
      next = json.next
    }
    expect(found.map(({ user }) => user.id)).toEqual([lastUser])
  })

  it('are bounded in the other order too, and next continues the search to the first access', async () => {
    let pages = 0
    let next: string | null = ''
    for (; next !== null; pages++) {
      const { read, json } = await measureList(
        `due_before=2000-01-01T00:00:00Z&order=desc${next === '' ? '' : `&after=${next}`}`,
      )
      expect(read).toBeLessThan(5000 + BESIDE)
      expect(json.data).toEqual([])
      next = json.next
    }
    // 2,500 accesses are examined by each request, and there are 6,000.
    expect(pages).toBe(3)
  })

  it('end with next null at the last access, and with the first access that was not examined before it', async () => {
    const own = await newStore()
    const find = async (query: string) =>
      (
        await call('GET', `/v1/stores/${own.id}/product_accesses?due_after=2000-01-01T00:00:00Z${query}`, {
          token: own.token,
        })
      ).json
    // Exactly as many as one request examines.
    await insertAccesses(own, 2500, 1000)
    expect(await find('')).toEqual({ data: [], next: null })
    expect(await find('&order=desc')).toEqual({ data: [], next: null })
    await insertAccesses(own, 1, 9000)
    expect((await find('')).next).toBe('9002')
    expect((await find('&order=desc')).next).toBe('1004')
    expect(await find('&after=9002')).toEqual({ data: [], next: null })
  })

  it('are no more than the page needs when it is full', async () => {
    const { read, json } = await measureList('status=with_access&limit=5')
    expect(json.data).toHaveLength(5)
    expect(read).toBeLessThan(5 * 5 + BESIDE)
  })

  it('are those of the users alone with user_ids and a status', async () => {
    const { read, json } = await measureList('status=with_access&user_ids=1002,1004,1006,1008')
    expect(json.data).toHaveLength(4)
    expect(read).toBeLessThan(50 + BESIDE)
  })
})
