/** What rejects a bulk change before anything is changed. */
import { beforeAll, describe, expect, it } from 'vitest'
import { call, newStore, newToken, refused, summary } from '../../support/api.ts'
import { bulk, type Campus, newCampus, post, SILENT } from '../../support/bulk.ts'
import { newOperator } from '../../support/operators.ts'
import { newProduct } from '../../support/rows.ts'

const CHANGE = { status: 'without_access' }

let campus: Campus
beforeAll(async () => {
  campus = await newCampus({ users: 2 })
})

const outcome = async (body: unknown, query = '') => summary(await bulk(campus, 'POST', query, body))

describe('POST /v1/stores/{store_id}/bulk_changes', () => {
  it.each<[string, unknown]>([
    ['400 missing_parameter: filter', {}],
    ['400 missing_parameter: filter', { change: CHANGE }],
    ['400 missing_parameter: change', { filter: {}, change: null }],
    ['422 invalid_parameter: filter, change', { filter: [], change: 'x' }],
    ['422 invalid_parameter: filter', { filter: '{}', change: CHANGE }],
    ['422 invalid_parameter: change', { filter: {}, change: {} }],
    ['422 invalid_parameter: dry_run', { filter: {}, change: CHANGE, dry_run: 'yes' }],
    ['422 invalid_parameter: dryrun', { filter: {}, change: CHANGE, dryrun: true }],
    ['422 invalid_parameter: filter.product', { filter: { product: '4' }, change: CHANGE }],
    ['422 invalid_parameter: change.due', { filter: {}, change: { ...CHANGE, due: null } }],
    ['422 invalid_parameter: filter.product_id', { filter: { product_id: 4 }, change: CHANGE }],
    ['422 invalid_parameter: filter.product_id', { filter: { product_id: null }, change: CHANGE }],
    ['422 invalid_parameter: filter.user_ids', { filter: { user_ids: [] }, change: CHANGE }],
    ['422 invalid_parameter: filter.user_ids', { filter: { user_ids: '4' }, change: CHANGE }],
    ['422 invalid_parameter: filter.user_ids', { filter: { user_ids: Array(1001).fill('4') }, change: CHANGE }],
    ['422 invalid_parameter: filter.user_ids.1', { filter: { user_ids: ['4', 'x'] }, change: CHANGE }],
    ['422 invalid_parameter: filter.custom_field', { filter: { custom_field: 'a' }, change: CHANGE }],
    ['422 invalid_parameter: filter.custom_field', { filter: { custom_field: null }, change: CHANGE }],
    [
      '422 invalid_parameter: filter.custom_field.key, filter.custom_field.value',
      { filter: { custom_field: { key: 'a b', value: 5 } }, change: CHANGE },
    ],
    [
      '422 invalid_parameter: filter.custom_field.key, filter.custom_field.value',
      { filter: { custom_field: {} }, change: CHANGE },
    ],
    [
      '422 invalid_parameter: filter.custom_field.x',
      { filter: { custom_field: { key: 'a', value: 'b', x: 1 } }, change: CHANGE },
    ],
    [
      '422 invalid_parameter: filter.custom_field.value',
      { filter: { custom_field: { key: 'a', value: 'x'.repeat(1001) } }, change: CHANGE },
    ],
    ['422 invalid_parameter: filter.status', { filter: { status: 'open' }, change: CHANGE }],
    ['422 invalid_parameter: filter.in_force', { filter: { in_force: 'true' }, change: CHANGE }],
    ['422 invalid_parameter: filter.due_after', { filter: { due_after: '2030-01-01' }, change: CHANGE }],
    ['422 invalid_parameter: filter.due_before', { filter: { due_before: 5 }, change: CHANGE }],
    ['422 invalid_parameter: change.status', { filter: {}, change: { status: null } }],
    ['422 invalid_parameter: change.access_due_date', { filter: {}, change: { access_due_date: 'soon' } }],
    ['422 invalid_parameter: change.extend_days', { filter: {}, change: { extend_days: 0 } }],
    ['422 invalid_parameter: change.extend_days', { filter: {}, change: { extend_days: 3651 } }],
    ['422 invalid_parameter: change.extend_days', { filter: {}, change: { extend_days: 1.5 } }],
    ['422 invalid_parameter: change.extend_days', { filter: {}, change: { access_due_date: null, extend_days: 1 } }],
    ['422 invalid_parameter: change.extend_months', { filter: {}, change: { extend_months: 0 } }],
    ['422 invalid_parameter: change.extend_months', { filter: {}, change: { extend_months: 121 } }],
    [
      '422 invalid_parameter: change.extend_months',
      { filter: {}, change: { access_due_date: null, extend_months: 1 } },
    ],
    ['422 invalid_parameter: change.extend_months', { filter: {}, change: { extend_days: 1, extend_months: 1 } }],
    ['422 invalid_parameter: change.never_shorten', { filter: {}, change: { never_shorten: true } }],
    ['422 invalid_parameter: change.never_shorten', { filter: {}, change: { ...CHANGE, never_shorten: true } }],
    ['422 invalid_parameter: change.never_shorten', { filter: {}, change: { extend_days: 1, never_shorten: true } }],
    ['422 invalid_parameter: change.never_shorten', { filter: {}, change: { ...CHANGE, never_shorten: 1 } }],
    ['422 invalid_parameter: change', { filter: {}, change: { never_shorten: false } }],
    [
      '422 invalid_parameter: filter.status, change.extend_days, dry_run, filter.x, y',
      { y: 1, dry_run: 5, change: { extend_days: -1 }, filter: { x: 1, status: 5 } },
    ],
  ])('returns %s', async (expected, body) => {
    expect(await outcome(body)).toBe(expected)
  })

  it('returns 422 for each unknown query parameter', async () => {
    expect(await outcome({ filter: {}, change: CHANGE }, '?dry_run=true')).toBe('422 invalid_parameter: dry_run')
  })

  it('returns 422 for a product and for each user that the store does not have', async () => {
    const other = await newProduct(await newStore())
    const [user = ''] = campus.users
    const answer = await bulk(campus, 'POST', '', {
      filter: { product_id: '4294967294', user_ids: [user, '4294967294', other.id + '000'] },
      change: CHANGE,
    })
    expect(summary(answer)).toBe('422 invalid_parameter: filter.product_id, filter.user_ids.1, filter.user_ids.2')
    expect(refused(answer)).toMatchObject({ 'filter.user_ids.1': '4294967294' })
  })

  it('accepts 1,000 users, also the same one twice', async () => {
    const user_ids = Array<string | undefined>(1000).fill(campus.users[0])
    expect(await outcome({ filter: { user_ids }, change: CHANGE, dry_run: true })).toBe('202')
  })

  it('returns the values in UTC, and only those that were sent', async () => {
    const filter = { in_force: true, due_before: '2030-01-01T02:00:00+02:00' }
    const { json } = await bulk(campus, 'POST', '', { filter, change: { access_due_date: null }, dry_run: null })
    expect(json).toMatchObject({ dry_run: false })
    expect(json.filter).toEqual({ in_force: true, due_before: '2030-01-01T00:00:00.000Z' })
    expect(json.change).toEqual({ access_due_date: null })
  })
})

describe('Who may use bulk changes', () => {
  const paths = (id: string): [string, string, object | undefined][] => [
    ['POST', '', { filter: {}, change: CHANGE }],
    ['POST', `/${id}/cancel`, undefined],
    ['POST', `/${id}/revert`, undefined],
  ]

  it('is a token with product_accesses:write, and to read product_accesses:read', async () => {
    const { id } = await post(campus, { filter: {}, change: CHANGE, dry_run: true })
    const writer = { token: (await newToken(campus.store, { scopes: ['product_accesses:write'] })).token }
    const reader = { token: (await newToken(campus.store, { scopes: ['product_accesses:read'] })).token }
    for (const [method, path, body] of paths(id)) {
      const answer = await bulk(campus, method, path, body, reader)
      expect(answer.headers.get('WWW-Authenticate')).toContain('scope="product_accesses:write"')
      expect(answer.status).toBe(403)
      expect((await bulk(campus, method, path, body, writer)).status).not.toBe(403)
    }
    for (const path of ['', `/${id}`]) {
      expect(summary(await bulk(campus, 'GET', path, undefined, writer))).toBe('403 insufficient_scope')
      expect((await bulk(campus, 'GET', path, undefined, reader)).status).toBe(200)
    }
  })

  it('is an operator, under /admin; a viewer may read', async () => {
    const admin = await newOperator('admin')
    const viewer = await newOperator('viewer')
    const path = `/admin/stores/${campus.store.id}/bulk_changes`
    const body = { filter: {}, change: CHANGE, dry_run: true }
    expect(summary(await call('POST', path, { token: viewer.token, body }))).toBe('403 insufficient_scope')
    const { status, json } = await call('POST', path, { token: admin.token, body, bindings: SILENT })
    expect([status, json.actor.type, json.actor.id]).toEqual([202, 'operator', admin.id])
    expect((await call('GET', `${path}/${json.id}`, { token: viewer.token })).status).toBe(200)
  })

  it('is named under /admin only: a token sees the id of the operator', async () => {
    const { id, name, token } = await newOperator('admin')
    const path = `/stores/${campus.store.id}/bulk_changes`
    const body = { filter: {}, change: CHANGE, dry_run: true }
    const { json: created } = await call('POST', `/admin${path}`, { token, body, bindings: SILENT })
    expect(created.actor).toEqual({ type: 'operator', id, name })
    expect((await call('GET', `/admin${path}/${created.id}`, { token })).json.actor).toEqual(created.actor)
    const read = (rest: string) => call('GET', `/v1${path}${rest}`, { token: campus.store.token })
    const seen = [
      (await read(`/${created.id}`)).json,
      (await read('')).json.data[0],
      (await bulk(campus, 'POST', `/${created.id}/cancel`)).json,
    ]
    for (const bulkChange of seen)
      expect([bulkChange.id, bulkChange.actor]).toEqual([created.id, { type: 'operator', id }])
  })

  it('does not include another store', async () => {
    const { id } = await post(campus, { filter: {}, change: CHANGE, dry_run: true })
    const other = { store: await newStore() }
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['POST', `/${id}/cancel`],
      ['POST', `/${id}/revert`],
    ] as const) {
      expect(summary(await bulk(other, method, path))).toBe('404 not_found')
    }
    expect((await bulk(other, 'GET')).json).toEqual({ data: [], next: null })
  })
})
