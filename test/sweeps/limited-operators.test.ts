/** An operator who is limited to stores, on every operation under /admin. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, call, createV1, newStore, summary, useStore, v1User } from '../support/api.ts'
import { CHANGES, pathOf, sendChange } from '../support/changes.ts'
import { faultyD1 } from '../support/faults.ts'
import { newOperator, OPERATIONS } from '../support/operators.ts'
import { eventsOf, rowsOf, storeNumber, type TestStore } from '../support/rows.ts'

/** The other changes of a store, with a body that is valid. */
const BODIES: Record<string, object> = {
  'POST /admin/stores/:store_id/users/verify_password': { email: 'ada@example.com', password: 'horse' },
  'POST /admin/stores/:store_id/users/batch': { items: [v1User({ email: 'ada@example.com' })] },
  'POST /admin/stores/:store_id/product_accesses/batch': { items: [{ user_id: '3', product_id: '4' }] },
}

const OF_A_STORE = OPERATIONS.filter((operation) => operation.includes('/:store_id'))
const OF_ALL_STORES = OPERATIONS.filter((operation) => !OF_A_STORE.includes(operation))
const FOR_ANY_OPERATOR = new Set(['GET /admin/stores', 'GET /admin/operator'])

const own: TestStore[] = []
const other = useStore()
let limited = { admin: '', viewer: '' }

beforeAll(async () => {
  for (let n = 0; n < 3; n++) own.push(await newStore())
  const stores = own.map(({ id }) => id)
  limited = {
    admin: (await newOperator('admin', { stores })).token,
    viewer: (await newOperator('viewer', { stores })).token,
  }
})

function send(operation: string, storeId: string, token = limited.admin, bindings: object = {}) {
  const [method = ''] = operation.split(' ')
  const body = CHANGES[operation]?.body ?? BODIES[operation]
  return call(method, pathOf(operation, storeId), { token, body, bindings })
}

describe.each(OF_A_STORE)('%s', (operation) => {
  it('returns 404 for any other store, as for one that does not exist, at the cost of one request', async () => {
    for (const storeId of [other.id, 'no-such-store']) {
      const { DB, roundTrips, rowsWritten } = faultyD1(env.DB)
      expect(summary(await send(operation, storeId, limited.admin, { DB }))).toBe('404 not_found')
      expect([roundTrips(), rowsWritten()]).toEqual([1, 0])
    }
    const role = operation.startsWith('GET ') ? '404 not_found' : '403 insufficient_scope'
    expect(summary(await send(operation, other.id, limited.viewer))).toBe(role)
  })
})

describe.each(OF_ALL_STORES)('%s', (operation) => {
  const isForAny = FOR_ANY_OPERATOR.has(operation)

  it(`is ${isForAny ? 'open' : 'closed'} to an operator who is limited to stores`, async () => {
    for (const token of Object.values(limited)) {
      expect(summary(await send(operation, '', token))).toBe(isForAny ? '200' : '403 insufficient_scope')
    }
  })

  it('checks this before the query and the body', async () => {
    const [method = ''] = operation.split(' ')
    const body = method === 'GET' || method === 'DELETE' ? undefined : '{'
    const answer = await call(method, `${pathOf(operation, '')}?colour=red`, { token: limited.admin, body })
    expect(summary(answer)).toBe(isForAny ? '422 invalid_parameter: colour' : '403 insufficient_scope')
  })
})

/** One change of each shape: the condition is part of the authorization of all of them. */
const SHAPES = new Set([
  'PATCH /admin/stores/:store_id',
  'POST /admin/stores/:store_id/users',
  'PATCH /admin/stores/:store_id/users/:id',
  'DELETE /admin/stores/:store_id/products/:id',
  'PUT /admin/stores/:store_id/custom_fields/:key',
  'POST /admin/stores/:store_id/bulk_changes',
  'POST /admin/stores/:store_id/tokens/revoke_all',
])

describe.each(Object.entries(CHANGES).filter(([operation]) => SHAPES.has(operation)))('%s', (operation, change) => {
  const { prepare, body, status } = change

  async function prepared(store: TestStore) {
    return { store, id: (await prepare?.(store)) ?? '4294967295', body }
  }

  it('changes nothing in any other store, although the record exists', async () => {
    const sent = await prepared(await newStore())
    const before = await eventsOf(sent.store)
    expect(summary(await sendChange(operation, sent, { token: limited.admin }))).toBe('404 not_found')
    expect(await eventsOf(sent.store)).toEqual(before)
  })

  it('is made in a store of the operator', async () => {
    const store = await newStore()
    const { token } = await newOperator('admin', { stores: [other.id, store.id] })
    expect((await sendChange(operation, await prepared(store), { token })).status).toBe(status)
  })
})

describe('GET /admin/stores', () => {
  const ids = async (query: string, token: string) => {
    const { json } = await call('GET', `/admin/stores${query}`, { token })
    return { ids: json.data.map(({ id }: any) => id), next: json.next }
  }

  it('returns the stores of the operator in pages, and nothing else', async () => {
    const sorted = own.map(({ id }) => id).toSorted()
    for (const token of Object.values(limited)) {
      expect(await ids('', token)).toEqual({ ids: sorted, next: null })
      expect(await ids('?limit=2', token)).toEqual({ ids: sorted.slice(0, 2), next: sorted[1] })
      expect(await ids(`?limit=2&after=${sorted[1]}`, token)).toEqual({ ids: sorted.slice(2), next: null })
      expect(await ids('?limit=3', token)).toEqual({ ids: sorted, next: null })
    }
  })

  it('reads as many rows as the page has, and not those of other stores', async () => {
    const one = await newOperator('viewer', { stores: [own[0]?.id ?? ''] })
    await ids('', one.token)
    const { DB, rowsRead } = faultyD1(env.DB)
    await call('GET', '/admin/stores', { token: one.token, bindings: { DB } })
    expect(rowsRead()).toBeLessThan(20)
    const all = faultyD1(env.DB)
    // Before these are stores whose creation other tests have interrupted. They are read, and not shown.
    const path = `/admin/stores?limit=1&after=${other.id}`
    await call('GET', path, { token: env.ADMIN_TOKEN, bindings: { DB: all.DB } })
    // Of each place two rows, one more than the page has, and their entries in an index; and a few for the caller.
    expect(all.rowsRead()).toBeLessThanOrEqual(2 * 2 * 2 + 11)
  })

  it('returns a store once it is added, and no longer once it is removed', async () => {
    const { id, token } = await newOperator('viewer', { stores: [other.id] })
    expect((await ids('', token)).ids).toEqual([other.id])
    await admin('PATCH', `/operators/${id}`, { stores: [own[0]?.id] })
    expect((await ids('', token)).ids).toEqual([own[0]?.id])
  })
})

describe('A store whose number begins with the number of a store of the operator', () => {
  it('is not one of their stores', async () => {
    const { id, token } = await newOperator('viewer', { stores: [other.id] })
    const number = String(await storeNumber(other))
    for (const numbers of [`${number}0`, `1${number}`, `${number}0 1${number}`]) {
      await rowsOf('update access_tokens set store_numbers = ? where id = ?', numbers, Number(id))
      expect(summary(await call('GET', `/admin/stores/${other.id}`, { token }))).toBe('404 not_found')
    }
    await rowsOf('update access_tokens set store_numbers = ? where id = ?', `${number}0 ${number}`, Number(id))
    expect(summary(await call('GET', `/admin/stores/${other.id}`, { token }))).toBe('200')
  })
})

describe('An idempotency key of an operator', () => {
  it('replays nothing once the store is no longer one of theirs', async () => {
    const store = await newStore()
    const { id, token } = await newOperator('admin', { stores: [store.id] })
    const [body, headers] = [v1User(), { 'X-Idempotency-Key': 'order-1' }]
    const create = () => call('POST', `/admin/stores/${store.id}/users`, { token, body, headers })
    expect(summary(await create())).toBe('201')
    expect(summary(await create())).toBe('201')
    await admin('PATCH', `/operators/${id}`, { stores: [other.id] })
    expect(summary(await create())).toBe('404 not_found')
    expect((await createV1(store, v1User())).status).toBe(201)
  })
})
