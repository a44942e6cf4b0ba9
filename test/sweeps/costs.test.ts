/** What each operation costs, as the bill counts it: D1 round trips, rows written, KV reads and writes, plans. */
import { createHash } from 'node:crypto'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  createV1,
  createV3,
  newAccess,
  newEmail,
  newStore,
  type TestStore,
  updateAccess,
  v1User,
  v3User,
} from '../support/api.ts'
import { type Cost, measure, planOf, plansOf, type Send } from '../support/costs.ts'
import { faultyD1 } from '../support/faults.ts'
import { introduce, rowsOf } from '../support/rows.ts'

interface Operation {
  name: string
  /** Prepares the store and says what to send. */
  prepare: (store: TestStore) => Promise<Send>
  cost: Cost
}

const KEY = { 'X-Idempotency-Key': 'order-1' }

function create(body: () => object, send = createV1, headers = {}): Operation['prepare'] {
  return (store) => Promise.resolve((bindings) => send(store, body(), { bindings, headers }))
}

function update(change: (access: any) => object): Operation['prepare'] {
  return async (store) => {
    const access = await newAccess(store, { expiration_days: 30 })
    return (bindings) => updateAccess(store, access.id, change(access), { bindings })
  }
}

/** The cost when the instance knows the token. */
const OPERATIONS: Operation[] = [
  {
    name: 'a v1 create',
    prepare: create(() => v1User({ password: 'horse' })),
    cost: { outcome: '201', trips: 1, written: 5, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a v1 create with an external id, which has an index',
    prepare: create(() => v1User({ external_id: 'crm-1' })),
    cost: { outcome: '201', trips: 1, written: 6, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a v1 create with a key',
    prepare: create(v1User, createV1, KEY),
    cost: { outcome: '201', trips: 1, written: 6, kvReads: 0, kvWrites: 1 },
  },
  {
    name: 'a v3 create, whose external id has an index',
    prepare: create(v3User, createV3),
    cost: { outcome: '201', trips: 1, written: 6, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a v3 create with a key',
    prepare: create(v3User, createV3, KEY),
    cost: { outcome: '201', trips: 1, written: 7, kvReads: 0, kvWrites: 1 },
  },
  {
    name: 'a replay of a key',
    async prepare(store) {
      const body = v1User()
      await createV1(store, body, { headers: KEY })
      return (bindings) => createV1(store, body, { bindings, headers: KEY })
    },
    cost: { outcome: '201', trips: 1, written: 0, kvReads: 1, kvWrites: 0 },
  },
  {
    name: 'a key that was used with another request',
    async prepare(store) {
      await createV1(store, v1User(), { headers: KEY })
      return (bindings) => createV1(store, v1User(), { bindings, headers: KEY })
    },
    cost: { outcome: '422 idempotency_key_reused: X-Idempotency-Key', trips: 1, written: 0, kvReads: 0, kvWrites: 0 },
  },
  ...[{}, KEY].map((headers): Operation => ({
    name: `a taken e-mail, ${headers === KEY ? 'with' : 'without'} a key`,
    async prepare(store) {
      const body = v1User()
      await createV1(store, body)
      return (bindings) => createV1(store, body, { bindings, headers })
    },
    cost: { outcome: '422 email_taken: email', trips: 1, written: 0, kvReads: 0, kvWrites: 0 },
  })),
  {
    name: 'an update of both fields',
    prepare: update(() => ({ status: 'without_access', access_due_date: null })),
    cost: { outcome: '201', trips: 1, written: 3, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'an update of {}',
    prepare: update(() => ({})),
    cost: { outcome: '201', trips: 1, written: 0, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'an update to the values that are there',
    prepare: update(({ status, access_due_date }) => ({ status, access_due_date })),
    cost: { outcome: '201', trips: 1, written: 0, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'an update that names the ETag',
    async prepare(store) {
      const { id } = await newAccess(store)
      const headers = { 'If-Match': `"0-0", "${id}-1"` }
      return (bindings) => updateAccess(store, id, { status: 'without_access' }, { bindings, headers })
    },
    cost: { outcome: '201', trips: 1, written: 3, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'an update that names a former ETag',
    async prepare(store) {
      const { id } = await newAccess(store)
      await updateAccess(store, id, { status: 'without_access' })
      const headers = { 'If-Match': `"${id}-1"` }
      return (bindings) => updateAccess(store, id, { status: 'with_access' }, { bindings, headers })
    },
    cost: { outcome: '412 etag_mismatch', trips: 1, written: 0, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'an update of an access that the store does not have',
    prepare: (store) =>
      Promise.resolve((bindings) => updateAccess(store, '9007199254740991', { status: 'with_access' }, { bindings })),
    cost: { outcome: '404', trips: 1, written: 0, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'an update of an id that no access can have',
    prepare: (store) => Promise.resolve((bindings) => updateAccess(store, 'none', {}, { bindings })),
    cost: { outcome: '404', trips: 0, written: 0, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a read of the events',
    prepare: (store) =>
      Promise.resolve((bindings) => call('GET', `/v1/stores/${store.id}/events`, { token: store.token, bindings })),
    cost: { outcome: '200', trips: 1, written: 0, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a create refused by validation',
    prepare: create(() => v1User({ email: 'nobody' }), createV1, KEY),
    cost: { outcome: '422 invalid_parameter: email', trips: 0, written: 0, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a create with a missing field',
    prepare: create(() => v1User({ name: undefined })),
    cost: { outcome: '400 missing_parameter: name', trips: 0, written: 0, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'an update refused by validation',
    prepare: update(() => ({ status: 'open' })),
    cost: { outcome: '422 invalid_parameter: status', trips: 0, written: 0, kvReads: 0, kvWrites: 0 },
  },
]

/** Defining and deleting a field makes the instance look up the store's tokens again. */
async function forget({ id }: TestStore): Promise<void> {
  await admin('PUT', `/stores/${id}/custom_fields/field1`, {})
  await admin('DELETE', `/stores/${id}/custom_fields/field1`)
}

const REACHING_D1 = OPERATIONS.filter(({ cost }) => cost.trips > 0)

describe('the cost of', () => {
  it.each(OPERATIONS)('$name, the token known to the instance', async ({ prepare, cost }) => {
    const store = await newStore()
    const send = await prepare(store)
    await introduce(store)
    expect(await measure(send)).toMatchObject(cost)
  })

  it.each(OPERATIONS)('$name, the token not known: one round trip more', async ({ prepare, cost }) => {
    const store = await newStore()
    const send = await prepare(store)
    await introduce(store)
    await forget(store)
    expect(await measure(send)).toMatchObject({ ...cost, trips: cost.trips + 1 })
    expect(await measure(send)).not.toMatchObject({ trips: cost.trips + 1 })
  })

  it.each(REACHING_D1)('$name, the first of the day: one row more, no round trip', async ({ prepare, cost }) => {
    const store = await newStore()
    const send = await prepare(store)
    await rowsOf('update access_tokens set last_used_at = null where store_id = ?', store.id)
    await forget(store)
    await call('GET', '/v1/token', { token: store.token })
    expect(await measure(send)).toMatchObject({ ...cost, written: cost.written + 1 })
  })

  it('a custom field that is known is no round trip, a new one is one, once', async () => {
    const store = await newStore()
    await introduce(store)
    await admin('PUT', `/stores/${store.id}/custom_fields/late`, {})
    const send: Send = (bindings) => createV1(store, v1User({ custom_fields: { late: 1 } }), { bindings })
    expect((await measure(send)).trips).toBe(2)
    expect((await measure(send)).trips).toBe(2)
    expect((await measure(send)).trips).toBe(1)
  })

  it.each([
    ['no token', undefined],
    ['a token that is no token of ours', 'secret'],
    ['a token with a typing error', `rgs_${'0'.repeat(72)}`],
  ])('a request with %s: nothing', async (_, token) => {
    const store = await newStore()
    const cost = await measure((bindings) => createV1(store, v1User(), { token, bindings }))
    expect(cost).toMatchObject({ trips: 0, written: 0, kvReads: 0, kvWrites: 0 })
    expect(cost.outcome).toMatch(/^401/)
  })

  it('a request with an unknown token: the replica and the primary', async () => {
    const store = await newStore()
    const secret = `rgs_${'0'.repeat(64)}`
    const token = secret + createHash('sha256').update(`checksum:${secret}`).digest('hex').slice(0, 8)
    const cost = await measure((bindings) => createV1(store, v1User(), { token, bindings }))
    expect(cost).toMatchObject({ outcome: '401 invalid_token', trips: 2, written: 0 })
  })

  it.each([
    ['GET', '/nowhere'],
    ['DELETE', '/v3/public/users'],
    ['GET', '/openapi.json'],
  ])('%s %s: nothing', async (method, path) => {
    const { DB, roundTrips } = faultyD1(env.DB)
    await call(method, path, { bindings: { DB } })
    expect(roundTrips()).toBe(0)
  })
})

describe('the cost of a read', () => {
  it('stays the same however many users the store has', async () => {
    const [small, large] = [await newStore(), await newStore()]
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
        insert into users select null, ?1, 'bulk', 'bulk-' || i || '@example.com', 'bulk-' || i || '@example.com', 'B', 'B',
        'student', 'EN', null, null, 'crm-' || i, null, null, null, 0, 0 from n`,
    )
      .bind(large.id)
      .run()
    const rows = async (store: TestStore) => {
      await introduce(store)
      const { DB, rowsRead } = faultyD1(env.DB)
      const body = v1User({ external_id: 'crm-7' })
      await createV1(store, body, { bindings: { DB }, headers: KEY })
      await createV1(store, body, { bindings: { DB }, headers: KEY })
      await createV1(store, body, { bindings: { DB } })
      return rowsRead()
    }
    expect(await rows(large)).toBe(await rows(small))
  })
})

describe('the query plan', () => {
  /** A constant row is the one that an INSERT makes; what an update compares is a few, and the versions of If-Match. */
  const SCAN = /^SCAN (?!CONSTANT ROW|\d CONSTANT ROWS|compared$|json_each )/

  it.each(REACHING_D1)('of $name searches by an index', async ({ prepare }) => {
    const store = await newStore()
    const send = await prepare(store)
    expect((await plansOf(send)).filter((step) => SCAN.test(step))).toEqual([])
  })

  it('of the look-up of a token searches by its hash', async () => {
    const store = await newStore()
    const [look] = (await measure((bindings) => updateAccess(store, 'none', {}, { bindings }))).statements
    const plan = look && (await planOf(look))
    expect(plan?.join('\n')).toMatch(/SEARCH access_tokens USING INDEX access_tokens_token_hash \(token_hash=\?\)/)
  })

  it('of a create searches the e-mail by the unique index', async () => {
    const store = await newStore()
    const plan = await plansOf((bindings) => createV1(store, v1User(), { bindings, headers: KEY }))
    expect(plan.join('\n')).toMatch(/USING (COVERING )?INDEX users_store_id_email_key \(store_id=\? AND email_key=\?\)/)
    expect(plan.join('\n')).toMatch(
      /SEARCH idempotency_keys USING PRIMARY KEY \(token_id=\? AND operation=\? AND key=\?\)/,
    )
  })

  it.each([
    ['users?limit=2', 'users'],
    [`users?email=${newEmail()}`, 'users_store_id_email_key'],
    ['users?external_id=crm-1', 'users_store_id_external_id'],
    ['users?after=3', 'users_store_id'],
    ['tokens', 'access_tokens_store_id'],
    ['custom_fields', 'custom_fields'],
    ['products', 'products_store_id'],
    ['product_accesses', 'product_accesses_store_id'],
    ['product_accesses?user_id=1', 'product_accesses'],
    ['product_accesses?user_id=1&product_id=1', 'product_accesses_user_id_product_id'],
    ['events', 'events_store_id (store_id=? AND rowid>?)'],
    ['events?after=3&limit=2', 'events_store_id (store_id=? AND rowid>?)'],
    ['events?type=user.created&user_id=1&product_access_id=1', 'events_store_id (store_id=? AND rowid>?)'],
  ])('of GET …/%s searches by an index and sorts nothing', async (path, index) => {
    const store = await newStore()
    const plan = await plansOf((bindings) =>
      call('GET', `/admin/stores/${store.id}/${path}`, { token: env.ADMIN_TOKEN, bindings }),
    )
    expect(plan.filter((step) => SCAN.test(step) || step.includes('TEMP B-TREE'))).toEqual([])
    expect(plan.join('\n')).toContain(index)
  })
})
