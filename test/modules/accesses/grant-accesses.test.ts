import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  type CallOptions,
  newStore,
  newToken,
  newUser,
  summary,
  useStore,
  v1User,
} from '../../support/api.ts'
import { resultsOfDryRun, summaries } from '../../support/batches.ts'
import { measure } from '../../support/costs.ts'
import {
  accessesOf,
  eventsOf,
  insertAccess,
  newProduct,
  usersOf,
  useToken,
  type TestStore,
} from '../../support/rows.ts'

const store = useStore()

function send(body: unknown, { to = store, ...options }: CallOptions & { to?: TestStore } = {}) {
  return call('POST', `/v1/stores/${to.id}/product_accesses/batch`, { token: to.token, body, ...options })
}

/** Returns a grant for each of `count` new users. */
async function newGrants(count: number, product: object = {}): Promise<any[]> {
  const { id: product_id } = await newProduct(store, product)
  const items = Array.from({ length: count }, () => v1User())
  const { json } = await call('POST', `/v1/stores/${store.id}/users/batch`, { token: store.token, body: { items } })
  return json.results.map(({ id }: any) => ({ user_id: id, product_id }))
}

describe('POST /v1/stores/{store_id}/product_accesses/batch', () => {
  it('finds products by their slugs, with the errors of the single grant', async () => {
    const product = await newProduct(store)
    const [first, second, third] = await newGrants(3)
    const items = [
      { user_id: first.user_id, slug: product.slug },
      { user_id: first.user_id, slug: product.slug },
      { user_id: first.user_id, product_id: product.id },
      { user_id: second.user_id, slug: 'none' },
      { user_id: third.user_id },
      { ...third, slug: product.slug },
      { user_id: second.user_id, slug: product.slug, status: 'without_access' },
    ]
    const expected = [
      '201',
      '422 access_exists: slug',
      '422 access_exists: product_id',
      '422 invalid_parameter: slug',
      '400 missing_parameter: product_id',
      '422 invalid_parameter: slug',
      '201',
    ]
    expect(summaries(await send({ items, dry_run: true }))).toEqual(expected)
    expect(summaries(await send({ items }))).toEqual(expected)
    const updates = [{ user_id: second.user_id, slug: product.slug, status: 'with_access' }]
    expect(summaries(await send({ items: updates }))).toEqual(['422 access_exists: slug'])
    const { json } = await send({ items: updates, on_existing: 'update' })
    expect(json.results[0].status).toBe(200)
    const read = await admin('GET', `/stores/${store.id}/product_accesses/${json.results[0].id}`)
    expect([read.json.status, read.json.product.id]).toEqual(['with_access', product.id])
  })

  it('grants each item as a single grant does', async () => {
    const [first, second, third] = await newGrants(3, { expiration_days: 3 })
    const due = '2031-01-01T01:00:00.000+01:00'
    const items = [
      first,
      { ...second, status: 'without_access', access_due_date: due },
      { ...third, access_due_date: null },
    ]
    const { json } = await send({ items })
    expect(json).toEqual({
      dry_run: false,
      results: items.map((_, index) => ({ index, status: 201, id: expect.any(String) })),
    })
    const read = await Promise.all(
      json.results.map(async ({ id }: any) => (await admin('GET', `/stores/${store.id}/product_accesses/${id}`)).json),
    )
    const inThreeDays = new Date(Date.parse(read[0].created_at) + 3 * 86_400_000).toISOString()
    expect(read.map(({ user, status, access_due_date }) => [user.id, status, access_due_date])).toEqual([
      [first.user_id, 'with_access', inThreeDays],
      [second.user_id, 'without_access', '2031-01-01T00:00:00.000Z'],
      [third.user_id, 'with_access', null],
    ])
    const single = { ...(await newGrants(1, { expiration_days: 3 }))[0] }
    const granted = (await admin('POST', `/stores/${store.id}/product_accesses`, single)).json
    const shape = ({ progress, passed, grade, started_at, expiration_days }: any) => ({
      progress,
      passed,
      grade,
      started_at,
      expiration_days,
    })
    expect(shape(read[0])).toEqual(shape(granted))
  })

  it('returns for each item the same error as a single grant', async () => {
    const [grant, other] = await newGrants(2)
    const existing = await insertAccess(store, grant)
    const items = [
      {},
      { user_id: 1, product_id: 'x' },
      { ...other, status: 'x', access_due_date: '2031' },
      { ...other, progress: 5 },
      { user_id: '4000000000', product_id: '4000000001' },
      grant,
    ]
    const { json } = await send({ items })
    for (const [index, item] of items.entries()) {
      const single = await admin('POST', `/stores/${store.id}/product_accesses`, item)
      const { type, code, message, details } = single.json
      const { status, error } = json.results[index]
      expect({ status, error }).toEqual({ status: single.status, error: { type, code, message, details } })
    }
    expect(json.results[5].id).toBe(existing)
  })

  it('returns 422 access_exists for the second of two items with the same user and product', async () => {
    const [grant] = await newGrants(1)
    const answer = await send({ items: [{ ...grant, status: 'x' }, grant, { ...grant, status: 'without_access' }] })
    expect(summaries(answer)).toEqual(['422 invalid_parameter: status', '201', '422 access_exists: product_id'])
    expect(answer.json.results[2].id).toBe(answer.json.results[1].id)
  })

  it('returns 422 for a user and a product of another store', async () => {
    const other = await newStore()
    const { id: user_id } = await newUser(other)
    const { id: product_id } = await newProduct(other)
    const own = await newStore()
    const answer = await send({ items: [{ user_id, product_id }] }, { to: own })
    expect(summaries(answer)).toEqual(['422 invalid_parameter: user_id, product_id'])
  })

  it('leaves existing accesses unchanged with on_existing skip', async () => {
    const [grant, other] = await newGrants(2)
    const existing = await insertAccess(store, grant)
    const before = await accessesOf(store)
    const { json } = await send({ items: [{ ...grant, status: 'without_access' }, other], on_existing: 'skip' })
    expect(json.results).toMatchObject([{ status: 200, id: existing }, { status: 201 }])
    expect((await accessesOf(store)).slice(0, -1)).toEqual(before)
  })

  it('sets the fields that are present with on_existing update, and treats null as omitted', async () => {
    const date = Date.UTC(2031, 0, 1)
    const [moved, kept] = await newGrants(2)
    const first = await insertAccess(store, { ...moved, access_due_date: date })
    await insertAccess(store, { ...kept, access_due_date: date })
    const before = (await eventsOf(store)).length
    const items = [
      { ...moved, status: 'without_access', access_due_date: '2032-01-01T00:00:00.000Z' },
      { ...kept, status: null, access_due_date: null },
    ]
    const answer = await send({ items, on_existing: 'update' })
    expect(summaries(answer)).toEqual(['200', '200'])
    const events = (await eventsOf(store)).slice(before)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      type: 'product_access.updated',
      request_id: `${answer.headers.get('X-Request-Id')}/0`,
    })
    expect(JSON.parse(events[0].data)).toEqual({
      changes: {
        status: { from: 'with_access', to: 'without_access' },
        access_due_date: { from: date, to: Date.UTC(2032, 0, 1) },
      },
    })
    const { json } = await admin('GET', `/stores/${store.id}/product_accesses/${first}`)
    expect([json.status, json.access_due_date]).toEqual(['without_access', '2032-01-01T00:00:00.000Z'])
  })

  it('keeps a date that is later, or no date, with never_shorten, and sets the status all the same', async () => {
    const [early, late] = [Date.UTC(2031, 0, 1), Date.UTC(2032, 0, 1)]
    const grants = await newGrants(6)
    const dates = [late, null, early, late, late, undefined]
    for (const [n, access_due_date] of dates.entries())
      if (access_due_date !== undefined) await insertAccess(store, { ...grants[n], access_due_date })
    const given = [
      { access_due_date: '2031-01-01T00:00:00Z' },
      { access_due_date: '2031-01-01T00:00:00Z', status: 'without_access' },
      { access_due_date: '2032-01-01T00:00:00Z' },
      { access_due_date: '2032-01-01T00:00:00Z' },
      { access_due_date: null, status: 'without_access' },
      { access_due_date: '2031-01-01T00:00:00Z' },
    ]
    const items = given.map((fields, n) => Object.assign(fields, grants[n]))
    const before = (await eventsOf(store)).length
    const body = { items, on_existing: 'update', never_shorten: true }
    const dry = await send({ ...body, dry_run: true })
    const real = await admin('POST', `/stores/${store.id}/product_accesses/batch`, body)
    expect(summaries(real)).toEqual(['200', '200', '200', '200', '200', '201'])
    expect(dry.json.results).toEqual(resultsOfDryRun(real))
    const rows = await Promise.all(
      real.json.results.map(async ({ id }: any) => {
        const { json } = await admin('GET', `/stores/${store.id}/product_accesses/${id}`)
        return [json.access_due_date, json.status]
      }),
    )
    expect(rows).toEqual([
      ['2032-01-01T00:00:00.000Z', 'with_access'],
      [null, 'without_access'],
      ['2032-01-01T00:00:00.000Z', 'with_access'],
      ['2032-01-01T00:00:00.000Z', 'with_access'],
      ['2032-01-01T00:00:00.000Z', 'without_access'],
      ['2031-01-01T00:00:00.000Z', 'with_access'],
    ])
    const events = (await eventsOf(store)).slice(before)
    expect(events.map(({ data }) => data && JSON.parse(data).changes)).toEqual([
      { status: { from: 'with_access', to: 'without_access' } },
      { access_due_date: { from: early, to: late } },
      { status: { from: 'with_access', to: 'without_access' } },
      null,
    ])
    const shorter = { items: items.slice(0, 1), on_existing: 'update', never_shorten: false }
    await useToken(store)
    const kept = await measure((bindings) => send({ ...shorter, never_shorten: true }, { bindings }))
    expect(kept).toMatchObject({ outcome: '200', trips: 1, written: 0 })
    expect(summaries(await send(shorter))).toEqual(['200'])
    const { json } = await admin('GET', `/stores/${store.id}/product_accesses/${real.json.results[0].id}`)
    expect(json.access_due_date).toBe('2031-01-01T00:00:00.000Z')
  })

  it.each([1, 'true', [], {}])('returns 422 for never_shorten %j', async (never_shorten) => {
    const answer = await send({ items: [{}], never_shorten })
    expect(summary(answer)).toBe('422 invalid_parameter: never_shorten')
  })

  it('returns the same results in a dry run, with the ids only of accesses that exist, and writes nothing', async () => {
    const [grant, other] = await newGrants(2)
    const existing = await insertAccess(store, grant)
    const items = [grant, other, other, {}]
    for (const on_existing of ['skip', 'update', 'fail']) {
      await useToken(store)
      const cost = await measure((bindings) => send({ items, on_existing, dry_run: true }, { bindings }))
      expect(cost).toMatchObject({ outcome: '200', trips: 1, written: 0 })
    }
    const dry = await send({ items, dry_run: true })
    const real = await send({ items })
    expect(dry.json.results).toEqual(resultsOfDryRun(real))
    expect(dry.json.results.map(({ id }: any) => id)).toEqual([existing, undefined, undefined, undefined])
  })

  it('costs one round trip and as many rows as single grants', async () => {
    const items = await newGrants(100)
    const [single] = await newGrants(1)
    await useToken(store)
    const path = `/v1/stores/${store.id}/product_accesses`
    const one = await measure((bindings) => call('POST', path, { token: store.token, body: single, bindings }))
    const cost = await measure((bindings) => send({ items }, { bindings }))
    expect(cost).toMatchObject({ outcome: '200', trips: 1, written: 100 * one.written })
    const updates = items.map(({ user_id, product_id }) => ({ user_id, product_id, status: 'without_access' }))
    const update = await measure((bindings) => send({ items: updates, on_existing: 'update' }, { bindings }))
    expect(update).toMatchObject({ outcome: '200', trips: 1, written: 200 })
  })

  it('grants each item once when two equal batches arrive at the same time', async () => {
    const items = await newGrants(30)
    const answers = await Promise.all([send({ items }), send({ items })])
    const statuses = items.map((_, n) => answers.map(({ json }) => json.results[n].status).toSorted((a, b) => a - b))
    expect(statuses).toEqual(items.map(() => [201, 422]))
  })

  it('requires product_accesses:write, and rejects the whole batch when its body is invalid', async () => {
    const { token } = await newToken(store, { scopes: ['product_accesses:read', 'users:write'] })
    const items = await newGrants(1)
    expect(summary(await send({ items }, { token }))).toBe('403 insufficient_scope')
    expect(summary(await send({ items: [1] }))).toBe('422 invalid_parameter: items')
    expect(summary(await send({}))).toBe('400 missing_parameter: items')
    expect(summaries(await admin('POST', `/stores/${store.id}/product_accesses/batch`, { items }))).toEqual(['201'])
    expect(await usersOf(store)).not.toEqual([])
  })
})
